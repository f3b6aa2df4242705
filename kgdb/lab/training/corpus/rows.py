"""Rows of the relation corpus: a masked question, the chain that answers it, and some that do not.

A row holds the wordings of its chains, so that a corpus trains without its graph. One line of the
file is one row::

    {"question": "who directed the films that this acted in?",
     "chain": ["^starred_actors", "directed_by"],
     "wordings": ["the director of the films starring this",
                  "who directed the films starring this?"],
     "negatives": [["the actors in the films starring this",
                    "who acted in the films starring this?"]],
     "graph": "metaqa", "source": "questions", "entities": ["Ada Weir"],
     "licence": "CC BY 4.0"}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kgdb.lab.training.corpus.json_lines import (
    RowKind,
    read_lines,
    text,
    text_list,
    texts,
    write_lines,
)


@dataclass(frozen=True, slots=True)
class RelationRow:
    """A question whose mention is masked, and the chain of relations that it asks for.

    ``chain`` are the steps as texts, a step against its relation with ``^`` before it. ``wordings``
    are the chain as a noun phrase and as a question; ``negatives`` are the wordings of chains that
    do not answer it. ``graph``, ``source`` and ``licence`` say where the row is from, ``entities``
    which names it masks.
    """

    question: str
    chain: tuple[str, ...]
    wordings: tuple[str, ...]
    negatives: tuple[tuple[str, ...], ...] = ()
    graph: str = ""
    source: str = ""
    entities: tuple[str, ...] = ()
    licence: str = ""


def write_rows(path: Path, rows: Iterable[RelationRow]) -> int:
    """Write the corpus; the number of its rows. A corpus that cannot be finished is not left."""
    return write_lines(path, map(asdict, rows))


def read_rows(path: Path) -> Iterator[RelationRow]:
    """The rows of a corpus.

    Raises :class:`kgdb.errors.UsageError` for a file without rows and, naming the line, for what is
    no row.
    """
    return read_lines(path, _row, _KIND)


_KIND = RowKind(
    "row of a relation corpus",
    '{"question": …, "chain": […], "wordings": […]}',
    "kgdb lab train corpus",
    "docs/reference/corpora.md",
)


def _row(given: Mapping[str, Any]) -> RelationRow:
    negatives = given.get("negatives", [])
    if not isinstance(negatives, list):
        raise TypeError("negatives is a list of lists of texts")
    row = RelationRow(
        text(given, "question"),
        texts(given, "chain", required=True),
        texts(given, "wordings", required=True),
        tuple(text_list(each, "negatives") for each in negatives),
        graph=text(given, "graph", ""),
        source=text(given, "source", ""),
        entities=texts(given, "entities"),
        licence=text(given, "licence", ""),
    )
    if not row.question.strip():
        raise ValueError("its question is empty")
    if not all(row.negatives):
        raise ValueError("one of its negatives has no wording")
    return row
