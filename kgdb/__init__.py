"""kgdb answers questions over a knowledge graph in Neo4j and shows the paths that prove the answer.

>>> import kgdb
>>> with kgdb.connect() as db:                                        # doctest: +SKIP
...     answer = db.graph("demo").answer("Who directed the films that Ada Weir acted in?")
...     print(answer.entities, answer.evidence, answer.usage)
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING

from kgdb._version import __version__

if TYPE_CHECKING:
    from kgdb.api import connect, connect_async
    from kgdb.async_connection import AsyncConnection, AsyncKnowledgeGraph
    from kgdb.connection import Connection, KnowledgeGraph
    from kgdb.errors import KgdbError
    from kgdb.values import Answer, AnsweredEntity, Entity, Path, Step, Triple, Usage

__all__ = [
    "Answer",
    "AnsweredEntity",
    "AsyncConnection",
    "AsyncKnowledgeGraph",
    "Connection",
    "Entity",
    "KgdbError",
    "KnowledgeGraph",
    "Path",
    "Step",
    "Triple",
    "Usage",
    "__version__",
    "connect",
    "connect_async",
]

_MODULES = {
    "connect": "kgdb.api",
    "connect_async": "kgdb.api",
    "AsyncConnection": "kgdb.async_connection",
    "AsyncKnowledgeGraph": "kgdb.async_connection",
    "Connection": "kgdb.connection",
    "KnowledgeGraph": "kgdb.connection",
    "KgdbError": "kgdb.errors",
    "Answer": "kgdb.values",
    "AnsweredEntity": "kgdb.values",
    "Entity": "kgdb.values",
    "Path": "kgdb.values",
    "Step": "kgdb.values",
    "Triple": "kgdb.values",
    "Usage": "kgdb.values",
}
"""Where each public name is from. The module is imported when the name is first used: the command
line imports this package before it knows which command to run."""


def __getattr__(name: str) -> object:
    """A public name, or a module such as ``kgdb.errors``, when it is first used."""
    if name in _MODULES:
        value = getattr(importlib.import_module(_MODULES[name]), name)
    elif name.startswith("_") or importlib.util.find_spec(f"kgdb.{name}") is None:
        raise AttributeError(f"module 'kgdb' has no attribute '{name}'")
    else:
        value = importlib.import_module(f"kgdb.{name}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
