"""Rows of the expert's corpus: a query with pieces of evidence, some of which answer it.

One line of the file is one row::

    {"query": "who directed the movies that Ada Weir acted in",
     "evidence": [{"facts": ["the actors in Candlemoth: Ada Weir",
                             "the director of Candlemoth: Ken Amagiri"],
                   "gold": true, "similarity": 0.71, "score": 0.64},
                  {"facts": ["the actors in Candlemoth: Ada Weir"],
                   "gold": false, "similarity": 0.52, "score": 0.4}],
     "graph": "metaqa", "source": "metaqa train", "licence": "CC BY 3.0"}

All of it is data: a text of a corpus is never executed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kgdb.lab.training.corpus.json_lines import (
    RowKind,
    number,
    read_lines,
    text,
    texts,
    write_lines,
)

_HIGHEST = 1000.0
# Cosines of rounded vectors are a little above 1.
_COSINE = 1.001


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fact, or the facts of a path, and whether it answers the query (``gold``).

    ``similarity`` is the encoder's cosine of query and evidence. ``score`` is that of the chain
    that found it, as retrieval ranks chains; 0 where there was none.
    """

    facts: tuple[str, ...]
    gold: bool
    similarity: float
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """A query and what retrieval returned for it."""

    query: str
    evidence: tuple[Evidence, ...]
    graph: str = ""
    source: str = ""
    licence: str = ""


KIND = RowKind(
    "row of evidence",
    '{"query": …, "evidence": [{"facts": […], "gold": …, "similarity": …}]}',
    "kgdb lab train evidence",
    "docs/reference/evidence.md",
)


def write_evidence(path: Path, rows: Iterable[EvidenceRow]) -> int:
    """Write the corpus; the number of its rows. A corpus that cannot be finished is not left."""
    return write_lines(path, map(asdict, rows))


def read_evidence(path: Path) -> Iterator[EvidenceRow]:
    """The rows of a corpus.

    Raises :class:`kgdb.errors.UsageError`, naming the line, for what is no row, and for a file that
    holds none.
    """
    return read_lines(path, _row, KIND)


def _row(given: Mapping[str, Any]) -> EvidenceRow:
    pieces = given["evidence"]
    if not isinstance(pieces, list) or not pieces:
        raise TypeError("evidence is a list of at least one piece")
    row = EvidenceRow(
        text(given, "query"),
        tuple(map(_piece, pieces)),
        *(text(given, key, "") for key in ("graph", "source", "licence")),
    )
    if not row.query.strip():
        raise ValueError("its query is empty")
    return row


def _piece(given: Any) -> Evidence:
    if not isinstance(given, Mapping):
        raise TypeError("a piece of evidence is a JSON object")
    if not isinstance(given["gold"], bool):
        raise TypeError("gold is true or false")
    return Evidence(
        texts(given, "facts", required=True),
        given["gold"],
        number(given["similarity"], "similarity", _COSINE),
        number(given.get("score", 0.0), "score", _HIGHEST),
    )
