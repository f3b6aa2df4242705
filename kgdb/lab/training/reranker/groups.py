"""A question with several chains, the right one first, as the trainer takes them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from kgdb.lab.training.corpus import RelationRow
from kgdb.lab.training.reranker.settings import RerankerTraining


def drawn(rows: Sequence[RelationRow], settings: RerankerTraining) -> tuple[RelationRow, ...]:
    """So many of the rows as the settings allow."""
    most = settings.max_rows
    if most is None or most >= len(rows):
        return tuple(rows)
    places = sorted(Random(settings.seed).sample(range(len(rows)), most))
    return tuple(rows[place] for place in places)


def columns(rows: Sequence[RelationRow], settings: RerankerTraining) -> dict[str, list[str]]:
    """The columns ``question``, ``chain`` and ``negative_1`` on.

    Of each chain a row has one wording, drawn by the seed. The negatives are the row's own, the
    hardest ones, and only beyond these chains of other rows.
    """
    dice = Random(settings.seed)
    given: dict[str, list[str]] = {
        "question": [row.question for row in rows],
        "chain": [dice.choice(row.wordings) for row in rows],
    }
    drawn_negatives = [_negatives(row, rows, settings.negatives, dice) for row in rows]
    for number in range(settings.negatives):
        given[f"negative_{number + 1}"] = [each[number] for each in drawn_negatives]
    return given


def _negatives(
    row: RelationRow, rows: Sequence[RelationRow], number: int, dice: Random
) -> list[str]:
    own = dice.sample(row.negatives, min(number, len(row.negatives)))
    others = [_other(row, rows, dice) for _ in range(number - len(own))]
    return [dice.choice(wordings) for wordings in (*own, *others)]


def _other(row: RelationRow, rows: Sequence[RelationRow], dice: Random) -> Sequence[str]:
    """The wordings of another row's chain."""
    other = next(
        (each for _ in range(100) if (each := dice.choice(rows)).chain != row.chain), rows[0]
    )
    return other.wordings
