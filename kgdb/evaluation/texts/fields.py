"""The measures of a text, as rows and summaries have them."""

from __future__ import annotations

from dataclasses import dataclass, fields


# No slots: what inherits from it has slots of another base already.
@dataclass(frozen=True, kw_only=True)
class TextFields:
    """``None`` where there is nothing to measure.

    ``disease``, ``medication`` and ``test`` are the shares of the reference's entities of this kind
    that a text names, of those that the graph covers, and ``key_entities`` their mean.
    ``key_entities_in_graph`` also counts the ``gold_unjoined`` entities, which the graph joins to
    no disease that is named, and ``key_entities_of_all`` the ``gold_outside`` ones too, which it
    does not have. See :mod:`kgdb.evaluation.texts.key_entities`.
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
