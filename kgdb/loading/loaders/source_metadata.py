"""The title and licence in a JSON file beside the source, such as ``graph.json`` of an export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from kgdb.errors import UsageError
from kgdb.loading.loaders.spec import LoaderSpec
from kgdb.loading.reading.json_text import json_value
from kgdb.wording import short


def with_source_metadata(spec: LoaderSpec, source: Path | None) -> LoaderSpec:
    """The loader with the title and licence from its ``metadata`` file beside ``source``, if any.

    Either may be missing. If the title there is just the graph's name, the new name replaces it.
    Raises :class:`UsageError` for a file that is not a JSON object of texts.
    """
    if spec.metadata is None or source is None:
        return spec
    path = (source if source.is_dir() else source.parent) / spec.metadata
    if not path.is_file():
        return spec
    try:
        metadata = json_value(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _unusable(path, "cannot be read as JSON") from error
    if not isinstance(metadata, dict):
        raise _unusable(path, "is not a JSON object")
    name, title, licence = (_text(path, metadata, key) for key in ("name", "title", "licence"))
    return replace(
        spec,
        title=spec.name if title and title == name else title or spec.title,
        licence=licence or spec.licence,
    )


def _text(path: Path, metadata: dict[str, Any], key: str) -> str | None:
    value = metadata.get(key)
    if value is None or (isinstance(value, str) and value):
        return value
    raise _unusable(path, f"has {short(key)}: {short(value)}; expected a text")


def _unusable(path: Path, problem: str) -> UsageError:
    return UsageError(
        f"{path}, the file with the graph's title and licence, {problem}.",
        hint="Restore the file, or delete it: the graph then gets the loader's title and licence.",
    )
