"""The files that ship with the code: Cypher statements, loaders, adapters, tables, the plugin.

A wheel has them inside the package; an editable install reads them from the checkout.
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
    """The text of a statement, by its path in that folder without the ending."""
    return (statements() / f"{name}.cypher").read_text(encoding="utf-8")


def loaders() -> Path:
    """The folder of loader files."""
    return _folder("loaders", "loaders")


def adapter(name: str) -> Path:
    """The folder of an adapter of a model."""
    return _folder("adapters", "adapters") / name


def reproductions() -> Path:
    """The folder of tables and figures of papers; see :mod:`kgdb.lab.reproduction.spec`."""
    return _folder("reproductions", "benchmarks/reproductions")


def page_library() -> Path:
    """The folder of the library that draws graphs in the page; missing as the plugin may be."""
    return _folder("page", "procedures/target/page")


def plugin() -> Path:
    """The plugin jar; it is missing in a checkout whose plugin was never built."""
    return _folder("plugin", "procedures/target") / "kgdb-procedures.jar"
