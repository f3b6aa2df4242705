"""Packages that come with an optional extra, imported where they are used."""

from __future__ import annotations

import importlib
from typing import Any

from kgdb.errors import UsageError
from kgdb.wording import short


def optional(module: str, extra: str) -> Any:
    """The module; where it is not installed, an error that names the extra which brings it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise UsageError(
            f"The Python package {short(module)} is not installed.",
            hint=f'pip install "kgdb[{extra}]"',
        ) from error
