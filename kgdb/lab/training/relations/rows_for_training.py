"""The rows of a corpus as the trainer takes them, and what is wrong with them."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from kgdb.errors import UsageError
from kgdb.lab.training.cards import Origins, origins_json
from kgdb.lab.training.corpus import RelationRow, is_held_back
from kgdb.lab.training.relations.relation_settings import RelationTraining
from kgdb.wording import counted

FEWEST = 16
"""Rows without which nothing is learnt."""

COPIES = 4
"""Rows of one question and chain, each with negatives of its own, that are kept."""


@dataclass(slots=True)
class DataReport:
    """What a corpus holds: ``rows``, those that are ``used``, and those dropped by their reason.

    ``measured`` are the dev rows; ``origins`` counts the used rows by graph, source and licence.
    """

    rows: int = 0
    used: int = 0
    measured: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    origins: Origins = field(default_factory=Counter)

    def told(self) -> str:
        """The report in words, for whoever waits for the training."""
        text = f"{counted(self.used, 'row')} of {self.rows:,} to tune on, "
        text += f"{self.measured:,} to measure."
        for reason, number in self.dropped.most_common():
            text += f"\nDropped {counted(number, 'row')}: {reason}."
        return text

    def to_dict(self) -> dict[str, object]:
        """The report as JSON has it."""
        return {
            "rows": self.rows,
            "used": self.used,
            "measured": self.measured,
            "dropped": dict(self.dropped),
            "origins": origins_json(self.origins),
        }


@dataclass(frozen=True, slots=True)
class Split:
    """Rows to train on, and dev rows, with negatives, to measure by."""

    training: tuple[RelationRow, ...]
    dev: tuple[RelationRow, ...]
    data: DataReport


def split(rows: Iterable[RelationRow], settings: RelationTraining) -> Split:
    """The rows without those that are there twice, or with different chains.

    Rows are held back that the corpus holds back, and a share of the others: by their own text, so
    that the same corpus is split in the same way.
    Raises :class:`kgdb.errors.UsageError` for a corpus with too few rows.
    """
    data = DataReport()
    copies: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
    chains: dict[tuple[str, str], Counter[tuple[str, ...]]] = defaultdict(Counter)
    every = list(rows)
    given = list(dict.fromkeys(every))
    data.rows = len(every)
    if twice := len(every) - len(given):
        data.dropped["the same row again"] = twice
    for row in given:
        chains[row.graph, row.question][row.chain] += 1
    kept = []
    for row in given:
        usual, *others = chains[row.graph, row.question].most_common(2)
        copies[row.graph, row.question, row.chain] += 1
        if others and row.chain != usual[0]:
            data.dropped["another chain for a question that has one"] += 1
        elif copies[row.graph, row.question, row.chain] > COPIES:
            data.dropped["the same question and chain again"] += 1
        else:
            kept.append(row)
    training = tuple(row for row in kept if not _is_held_back(row, settings.held_back))
    if len(training) < FEWEST:
        raise UsageError(
            f"The corpus has {len(training)} different rows to train on.",
            hint=f"Expected at least {FEWEST}. kgdb lab train corpus makes a larger one.",
        )
    dev = [row for row in kept if row.negatives and _is_held_back(row, settings.held_back)]
    # The same ones, whatever the order of the corpus.
    dev.sort(key=lambda row: (_digest(row), row.chain))
    dev = dev[: settings.dev_rows]
    data.used, data.measured = len(training), len(dev)
    data.origins.update((row.graph, row.source, row.licence) for row in training)
    return Split(training, tuple(dev), data)


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
    return is_held_back(row) or int.from_bytes(_digest(row)[:4], "big") < share * 2**32


def _digest(row: RelationRow) -> bytes:
    return hashlib.sha256(f"{row.graph}\n{row.question}".encode()).digest()
