"""kgdb answers questions over a knowledge graph in Neo4j and shows the paths that prove the answer.

>>> import kgdb
>>> with kgdb.connect() as db:                                        # doctest: +SKIP
...     answer = db.graph("demo").answer("Who directed the films that Ada Weir acted in?")
...     print(answer.entities, answer.evidence, answer.usage)
"""

from kgdb._version import __version__
from kgdb.api import connect
from kgdb.connection import Connection, KnowledgeGraph
from kgdb.errors import KgdbError
from kgdb.values import Answer, AnsweredEntity, Entity, Path, Step, Triple, Usage

__all__ = [
    "Answer",
    "AnsweredEntity",
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
]
