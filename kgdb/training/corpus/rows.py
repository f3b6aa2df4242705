"""Rows of the relation corpus: a masked question, the chain that answers it, and some that do not.

A row holds the wordings of its chains, so that a corpus trains without its graph. One line of the
file is one row::

    {"question": "who directed the films that this acted in?",
     "chain": ["^starred_actors", "directed_by"],
     "wordings": ["the director of the films starring this",
                  "who directed the films starring this?"],
     "negatives": [["the actors in the films starring this",
                    "who acted in the films starring this?"]],
     "graph": "metaqa", "source": "questions", "entities": ["Ada Weir"]}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kgdb.errors import UsageError
from kgdb.language import verbalize, verbalize_question
from kgdb.language.text.relation_texts import RelationTexts
from kgdb.methods.chains.decoupling import PLACEHOLDER
from kgdb.values import Step
from kgdb.wording import short


@dataclass(frozen=True, slots=True)
class RelationRow:
    """A question whose mention is masked, and the chain of relations that it asks for.

    ``chain`` are the steps as texts, a step against its relation with ``^`` before it. ``wordings``
    are the chain as a noun phrase and as a question; ``negatives`` are the wordings of chains that
    do not answer it. ``source`` tells where the row is from, ``entities`` which names it masks.
    """

    question: str
    chain: tuple[str, ...]
    wordings: tuple[str, ...]
    negatives: tuple[tuple[str, ...], ...] = ()
    graph: str = ""
    source: str = ""
    entities: tuple[str, ...] = ()


def wordings(chain: Sequence[Step], texts: Mapping[str, RelationTexts]) -> tuple[str, str]:
    """The chain around the placeholder as a noun phrase and as a question, as chains are scored."""
    return verbalize(chain, PLACEHOLDER, texts), verbalize_question(chain, PLACEHOLDER, texts)


def write_rows(path: Path, rows: Iterable[RelationRow]) -> int:
    """Write the corpus; the number of its rows. A corpus that cannot be finished is not left."""
    part = path.with_name(path.name + ".part")
    count = 0
    with part.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
            count += 1
    part.replace(path)
    return count


def read_rows(path: Path) -> Iterator[RelationRow]:
    """The rows of a corpus.

    Raises :class:`kgdb.errors.UsageError`, naming the line, for what is no row.
    """
    try:
        file = path.open(encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"The corpus {short(str(path))} cannot be read: {error.strerror}.",
            hint="kgdb train corpus writes one.",
        ) from None
    with file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _row(path, number, line)


def _row(path: Path, number: int, line: str) -> RelationRow:
    try:
        given: dict[str, Any] = json.loads(line)
        row = RelationRow(
            str(given["question"]),
            _texts(given["chain"]),
            _texts(given["wordings"]),
            tuple(_texts(each) for each in given.get("negatives", ())),
            str(given.get("graph", "")),
            str(given.get("source", "")),
            _texts(given.get("entities", ())),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"Line {number} of {short(str(path))} is no row of a corpus: {short(line.strip())} "
            f"({type(error).__name__}: {error}).",
            hint='Expected {"question": …, "chain": […], "wordings": […]}, as kgdb train corpus '
            "writes it.",
        ) from None
    if not (row.question.strip() and row.chain and row.wordings):
        raise UsageError(
            f"Line {number} of {short(str(path))} has no question, chain or wordings.",
            hint="Each row needs all three.",
        )
    return row


def _texts(given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or not all(isinstance(each, str) for each in given):
        raise TypeError("a list of texts is expected")
    return tuple(given)
