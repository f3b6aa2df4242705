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

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kgdb.errors import UsageError
from kgdb.text_arguments import is_valid_utf8
from kgdb.wording import short

_HIGHEST = 1000.0


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


def write_evidence(path: Path, rows: Iterable[EvidenceRow]) -> int:
    """Write the corpus; the number of its rows. A corpus that cannot be finished is not left."""
    part = path.with_name(path.name + ".part")
    count = 0
    with part.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
            count += 1
    part.replace(path)
    return count


def read_evidence(path: Path) -> Iterator[EvidenceRow]:
    """The rows of a corpus.

    Raises :class:`kgdb.errors.UsageError`, naming the line, for what is no row.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise UsageError(
            f"The corpus {short(str(path))} cannot be read: {error.strerror}.",
            hint="kgdb train evidence writes one.",
        ) from None
    with file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _row(path, number, line)


def _row(path: Path, number: int, line: bytes) -> EvidenceRow:
    try:
        return _read(json.loads(line.decode("utf-8")))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise UsageError(
            f"Line {number:,} of {short(str(path))} is no row of evidence: {reason}. It reads "
            f"{short(line.decode('utf-8', 'replace').strip())}.",
            hint='Expected {"query": …, "evidence": [{"facts": […], "gold": …, "similarity": …}]}, '
            "as docs/reference/evidence.md describes. If it is the last line, the file is cut off: "
            "make it again.",
        ) from None


def _read(given: Any) -> EvidenceRow:
    if not isinstance(given, Mapping):
        raise TypeError("a JSON object is expected")
    pieces = given["evidence"]
    if not isinstance(pieces, list) or not pieces:
        raise TypeError("evidence is a list of at least one piece")
    row = EvidenceRow(
        _text(given["query"], "query"),
        tuple(map(_piece, pieces)),
        *(_text(given.get(key, ""), key) for key in ("graph", "source", "licence")),
    )
    if not row.query.strip():
        raise ValueError("its query is empty")
    return row


def _piece(given: Any) -> Evidence:
    if not isinstance(given, Mapping):
        raise TypeError("a piece of evidence is a JSON object")
    facts = given["facts"]
    if not isinstance(facts, list) or not facts:
        raise TypeError("facts is a list of at least one text")
    if not isinstance(given["gold"], bool):
        raise TypeError("gold is true or false")
    return Evidence(
        tuple(_text(each, "facts") for each in facts),
        given["gold"],
        _number(given["similarity"], "similarity", 1.0),
        _number(given.get("score", 0.0), "score", _HIGHEST),
    )


def _number(given: Any, key: str, highest: float) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise TypeError(f"{key} is {short(given)}, where a number is expected")
    # Cosines of rounded vectors are a little above 1.
    if not math.isfinite(given) or abs(given) > highest + 1e-3:
        raise ValueError(f"{key} is {short(given)}; expected from {-highest:g} to {highest:g}")
    return float(given)


def _text(given: Any, key: str) -> str:
    if not isinstance(given, str):
        raise TypeError(f"{key} is {short(given)}, where a text is expected")
    if not is_valid_utf8(given):
        raise ValueError(f"{key} holds half of a character")
    return given
