"""The rows of dialogues and their summary: those of questions, with the measures of texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from kgdb.evaluation import AnswerRow, AnswerSummary, summarize_answers
from kgdb.evaluation.row_means import mean, rows_by_type


# No slots: what inherits from it has slots of another base already.
@dataclass(frozen=True, kw_only=True)
class TextFields:
    """``None`` where there is nothing to measure.

    ``disease``, ``medication`` and ``test`` are the shares of the reference's entities of this kind
    that a text names, of those that the graph covers, and ``key_entities`` their mean.
    ``key_entities_in_graph`` also counts the ``gold_unjoined`` entities, which the graph joins to
    no disease that is named, and ``key_entities_of_all`` the ``gold_outside`` ones too, which it
    does not have. See :mod:`kgdb.lab.texts.entity_match`.
    """

    disease: float | None = None
    medication: float | None = None
    test: float | None = None
    key_entities: float | None = None
    key_entities_in_graph: float | None = None
    key_entities_of_all: float | None = None
    gold_outside: int = 0
    gold_unjoined: int = 0
    bertscore_precision: float | None = None
    bertscore_recall: float | None = None
    bertscore_f1: float | None = None


TEXT_SHARES = tuple(each.name for each in fields(TextFields) if each.default is None)
"""The fields that are shares: a summary has their means."""

TEXT_COUNTS = tuple(each.name for each in fields(TextFields) if each.default == 0)
"""Those that are numbers of entities: a summary has their sums."""

_KINDS = ("disease", "medication", "test")


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueRow(TextFields, AnswerRow):
    """A question of a dialogue: ``text`` is its answer as a text, with the measures of that.

    Of an answer without a text it is the names that the answer lists. ``key_entities`` is over the
    kinds that the reference has.
    """

    text: str | None = None
    bertscore_model: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueSummary(TextFields, AnswerSummary):
    """``texts`` questions have a text to compare with a reference.

    The measures of :class:`TextFields` are means over the questions that have them, and its numbers
    are sums. ``key_entities`` is the mean of ``disease``, ``medication`` and ``test``, as RoK has
    it, over what the graph covers (``with_key_entities`` questions have such an entity).
    """

    texts: int = 0
    with_key_entities: int = 0
    by_type: Mapping[str, DialogueSummary] = field(default_factory=dict)


def summarize_dialogues(rows: Sequence[DialogueRow], *, types: bool = True) -> DialogueSummary:
    """The means over ``rows``; all zero, or ``None``, for none."""
    of_answers = asdict(summarize_answers(rows, types=False))
    by_type = rows_by_type(rows).items() if types else ()
    return DialogueSummary(
        **{
            **of_answers,
            **_of_texts(rows),
            "by_type": {type_: summarize_dialogues(some, types=False) for type_, some in by_type},
        }
    )


def _of_texts(rows: Sequence[DialogueRow]) -> dict[str, Any]:
    means = {name: _mean_of_given(getattr(row, name) for row in rows) for name in TEXT_SHARES}
    sums = {name: sum(getattr(row, name) for row in rows) for name in TEXT_COUNTS}
    return {
        **means,
        **sums,
        "key_entities": _mean_of_given(means[kind] for kind in _KINDS),
        "texts": sum(row.text is not None for row in rows),
        "with_key_entities": sum(row.key_entities is not None for row in rows),
    }


def _mean_of_given(values: Iterable[float | None]) -> float | None:
    given = [value for value in values if value is not None]
    return mean(given) if given else None
