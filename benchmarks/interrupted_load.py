"""The small graph of loads that are interrupted on purpose, by a full disk or by a kill.

It has names, aliases, labels, mediators and literals, so that a fingerprint of the stored graph
shows a loss of any of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

NAME, LABEL = "small", "Small"

_LOADER = """
name = "small"
label = "Small"
[source]
delimiter = "\\t"
columns = ["head", "relation", "tail", "mentions"]
[tables]
triples = "SELECT head, relation, tail FROM source"
literals = '''
  SELECT head, 'mentions' AS relation, mentions AS value, NULL AS datatype, 'en' AS language
  FROM source'''
entities = '''
  SELECT head AS id, 'the ' || head AS name, [head || '!'] AS aliases, ['Head'] AS labels,
         head LIKE '%7' AS mediator FROM source'''
"""
_NODES = """
MATCH (n:`%label%`) RETURN n.id, n.name, n.aliases, n.value, n.language, n.pagerank IS NOT NULL,
COLLECT { UNWIND labels(n) AS label RETURN label ORDER BY label } AS labels
"""
_TRIPLES = "MATCH (h:`%label%`)-[r]->(t:`%label%`) RETURN h.id, type(r), t.id"


def write_loader(folder: Path) -> Path:
    """Write the loader file of the graph into the folder."""
    path = folder / f"{NAME}.toml"
    path.write_text(_LOADER, encoding="utf-8")
    return path


def write_source(path: Path, lines: int) -> Path:
    """Write a source of the graph with that many lines."""
    texts = (f"e{i % 997}\tr{i % 7}\te{(i * i + 1) % 1009}x{i}\t{i % 50}\n" for i in range(lines))
    path.write_text("".join(texts), encoding="utf-8")
    return path


def content_queries(label: str) -> tuple[Any, Any]:
    """The queries for all nodes and all triples of the graph with that label."""
    return _NODES.replace("%label%", label), _TRIPLES.replace("%label%", label)


def add_records(digest: hashlib._Hash, records: Iterable[Any]) -> None:
    """Add the records of a query to a fingerprint, in an order of their own."""
    rows = sorted(repr(record.values()) for record in records)
    digest.update("\n".join(rows).encode())
