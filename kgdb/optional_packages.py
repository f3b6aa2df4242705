"""Imports of optional packages: they are installed by an extra of kgdb."""

from __future__ import annotations

import importlib
from typing import Any

from kgdb.errors import UsageError
from kgdb.wording import short


def optional(module: str, extra: str) -> Any:
    """Import the module; if it is not installed, the error names the extra that installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name not in {module, module.partition(".")[0]}:
            raise
        raise UsageError(
            f"The Python package {short(module)} is not installed.",
            hint=f'pip install "kgdb[{extra}]"',
        ) from error
