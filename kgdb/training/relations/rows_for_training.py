"""The rows of a corpus as the trainer takes them, and what is wrong with them."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from kgdb.errors import UsageError
from kgdb.training.corpus import RelationRow
from kgdb.training.relations.settings import RelationTraining

FEWEST = 16
"""Rows without which nothing is learnt."""

COPIES = 4
"""Rows of one question and chain, each with negatives of its own, that are kept."""


@dataclass(frozen=True, slots=True)
class Split:
    """Rows to train on, and rows held back to measure by; ``dropped`` tells what was left out."""

    training: tuple[RelationRow, ...]
    held_back: tuple[RelationRow, ...]
    dropped: dict[str, int]


def split(rows: Iterable[RelationRow], settings: RelationTraining) -> Split:
    """The rows without those that are said twice, or with different chains.

    A question is held back by its own text, so that the same corpus is split in the same way.
    Raises :class:`kgdb.errors.UsageError` for a corpus with too few rows.
    """
    dropped: Counter[str] = Counter()
    copies: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
    chains: dict[tuple[str, str], Counter[tuple[str, ...]]] = defaultdict(Counter)
    given = list(dict.fromkeys(rows))
    for row in given:
        chains[row.graph, row.question][row.chain] += 1
    kept = []
    for row in given:
        usual, *others = chains[row.graph, row.question].most_common(2)
        copies[row.graph, row.question, row.chain] += 1
        if others and row.chain != usual[0]:
            dropped["another chain for a question that has one"] += 1
        elif copies[row.graph, row.question, row.chain] > COPIES:
            dropped["the same question and chain again"] += 1
        else:
            kept.append(row)
    training = tuple(row for row in kept if not _is_held_back(row, settings.held_back))
    held_back = tuple(row for row in kept if _is_held_back(row, settings.held_back))
    if len(training) < FEWEST:
        raise UsageError(
            f"The corpus has {len(training)} different rows to train on.",
            hint=f"Expected at least {FEWEST}. kgdb train corpus makes a larger one.",
        )
    return Split(training, held_back, dict(dropped))


def columns(rows: Sequence[RelationRow], settings: RelationTraining) -> dict[str, list[object]]:
    """Columns of texts, as sentence-transformers takes them; the label is the row's place.

    Of the wordings of a chain each row has one, drawn by the seed. A row without negatives of its
    own has the chains of others.
    """
    dice = Random(settings.seed)
    given: dict[str, list[object]] = {
        "question": [row.question for row in rows],
        "chain": [dice.choice(row.wordings) for row in rows],
    }
    for number in range(settings.negatives):
        given[f"negative_{number + 1}"] = [_negative(row, rows, settings, dice) for row in rows]
    given["label"] = list(range(len(rows)))
    return given


def chain_ids(rows: Sequence[RelationRow]) -> list[int]:
    """The same number for rows with the same chain, whatever its wording."""
    numbers: dict[tuple[str, ...], int] = {}
    return [numbers.setdefault(row.chain, len(numbers)) for row in rows]


def _negative(
    row: RelationRow, rows: Sequence[RelationRow], settings: RelationTraining, dice: Random
) -> str:
    if settings.hard_negatives and row.negatives:
        return dice.choice(dice.choice(row.negatives))
    other = next(
        (each for _ in range(100) if (each := dice.choice(rows)).chain != row.chain), rows[0]
    )
    return dice.choice(other.wordings)


def _is_held_back(row: RelationRow, share: float) -> bool:
    digest = hashlib.sha256(f"{row.graph}\n{row.question}".encode()).digest()
    return int.from_bytes(digest[:4], "big") < share * 2**32
