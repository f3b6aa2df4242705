"""The text and the data of a loader file, before its keys are checked."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kgdb.errors import UsageError
from kgdb.loading.reading.input_limits import MAX_DEPTH

_MAX_BYTES = 1 << 20
_PAGE = "See docs/reference/loaders.md."


def parsed_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of a loader file and its data."""
    try:
        if path.exists() and not path.is_file():
            raise UsageError(f"The loader file {path} cannot be read: it is no file.")
        if (size := path.stat().st_size) > _MAX_BYTES:
            raise UsageError(
                f"The loader file {path} has {size:,} bytes; expected at most {_MAX_BYTES:,}.",
                hint="A loader file describes a source. Is this the source itself?",
            )
        definition = path.read_text(encoding="utf-8-sig")
        if any(line.count(".") > MAX_DEPTH for line in definition.splitlines()):
            raise RecursionError  # a dotted key takes the square of its parts
        data = tomllib.loads(definition)
        _require_plain(data)
        return definition, data
    except OSError as error:
        raise UsageError(f"The loader file {path} cannot be read: {error.strerror}.") from error
    except RecursionError as error:
        raise UsageError(f"The loader file {path} is nested too deep.", hint=_PAGE) from error
    except ValueError as error:  # also UTF-8 and numbers with more digits than Python converts
        raise UsageError(f"The loader file {path} is not valid TOML: {error}") from error


def _require_plain(data: object) -> None:
    """Raise for deep nesting, and for a number beyond the 64 bits of TOML, which Python reads."""
    level = [data]
    for _ in range(MAX_DEPTH):
        if any(isinstance(each, int) and each.bit_length() >= 64 for each in level):
            raise ValueError("a whole number has more than 64 bits")
        lists = (each.values() if isinstance(each, dict) else each for each in level)
        level = [
            item
            for each in lists
            if isinstance(each, Iterable)
            for item in each
            if not isinstance(item, str)
        ]
        if not level:
            return
    raise RecursionError
