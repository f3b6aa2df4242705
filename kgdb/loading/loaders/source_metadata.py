"""The title and the licence that a source brings with it, as an export does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from kgdb.errors import UsageError
from kgdb.loading.loaders.spec import LoaderSpec
from kgdb.wording import short


def with_own_title(spec: LoaderSpec, source: Path | None) -> LoaderSpec:
    """The loader with the title and the licence of the file ``about`` beside ``source``, if any.

    Either may be missing there. A title that is but the graph's name gives way to the new name.
    Raises :class:`UsageError` for a file that is no JSON object of texts.
    """
    if spec.about is None or source is None:
        return spec
    path = (source if source.is_dir() else source.parent) / spec.about
    if not path.is_file():
        return spec
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise _unusable(path, "cannot be read as JSON") from error
    if not isinstance(about, dict):
        raise _unusable(path, "is not a JSON object")
    name, title, licence = (_text(path, about, key) for key in ("name", "title", "licence"))
    return replace(
        spec,
        title=spec.name if title and title == name else title or spec.title,
        licence=licence or spec.licence,
    )


def _text(path: Path, about: dict[str, Any], key: str) -> str | None:
    value = about.get(key)
    if value is None or (isinstance(value, str) and value):
        return value
    raise _unusable(path, f"has {short(key)}: {short(value)}, and not a text")


def _unusable(path: Path, problem: str) -> UsageError:
    return UsageError(
        f"{path}, which tells the graph's title and licence, {problem}.",
        hint="Restore it, or remove it: the graph then gets the loader's title and licence.",
    )
