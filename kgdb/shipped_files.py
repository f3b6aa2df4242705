"""Where the files that ship beside the code are: Cypher statements, loaders, the plugin.

A wheel carries them inside the package; an editable install reads them from the checkout.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent
_SHIPPED = _PACKAGE / "_shipped"
_CHECKOUT = _PACKAGE.parent


def _folder(shipped: str, checkout: str) -> Path:
    return _SHIPPED / shipped if _SHIPPED.is_dir() else _CHECKOUT / checkout


def statements() -> Path:
    """The folder of Cypher statements."""
    return _folder("cypher", "cypher")


def statement(name: str) -> str:
    """The text of a statement, by its path below their folder without the ending, as it stands."""
    return (statements() / f"{name}.cypher").read_text(encoding="utf-8")


def loaders() -> Path:
    """The folder of loader files."""
    return _folder("loaders", "loaders")


def plugin() -> Path:
    """The plugin jar; it may not exist in a checkout whose plugin was never built."""
    return _folder("plugin", "procedures/target") / "kgdb-procedures.jar"
