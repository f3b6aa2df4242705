"""Imports of optional packages: they are installed by an extra of kgdb."""

from __future__ import annotations

import importlib
import json
import shlex
import shutil
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

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
            f"The Python package {short(module)} is not installed.", hint=installation(extra)
        ) from error


def installation(extra: str) -> str:
    """The command that adds an extra to this installation, as it was made: a clone, or a file."""
    pip = Path(sys.prefix) / "bin" / "pip"
    own = shutil.which("pip") in (None, str(pip)) or not pip.exists()
    command = "pip install" if own else f"{shlex.quote(sys.executable)} -m pip install"
    source, editable = _source()
    return f'{command} {"-e " if editable else ""}"{source}[{extra}]"'


def _source() -> tuple[str, bool]:
    """What kgdb was installed from, and whether that is a clone in which it runs (PEP 610)."""
    try:
        url = json.loads(distribution("kgdb").read_text("direct_url.json") or "{}")
        path = unquote(urlparse(url.get("url", "")).path)
        if url.get("url", "").startswith("file:") and Path(path).exists():
            return path, bool(url.get("dir_info", {}).get("editable"))
    except (PackageNotFoundError, ValueError, AttributeError):
        pass
    return "kgdb", False
