"""All measures of one answer as a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kgdb.evaluation.questions import Claim, Question
from kgdb.evaluation.texts.bertscore import BertScore
from kgdb.evaluation.texts.key_entities import EntityKinds, KeyEntities
from kgdb.graph import Graph
from kgdb.methods.texts.citations import without_citations
from kgdb.values import Answer

_DECIMALS = 4


@dataclass(frozen=True, slots=True)
class TextScores:
    """The key-entity match, and BERTScore where a model is given."""

    entities: KeyEntities = field(default_factory=KeyEntities)
    bertscore: tuple[float, float, float] | None = None
    model: str | None = None

    def to_fields(self) -> dict[str, Any]:
        """The fields of a row."""
        entities = self.entities
        precision, recall, f1 = self.bertscore or (None, None, None)
        return {
            "disease": _rounded(entities.by_kind.get("disease")),
            "medication": _rounded(entities.by_kind.get("medication")),
            "test": _rounded(entities.by_kind.get("test")),
            "key_entities": _rounded(entities.mean),
            "key_entities_in_graph": _rounded(entities.in_graph),
            "key_entities_of_all": _rounded(entities.of_all),
            "gold_outside": entities.outside,
            "gold_unjoined": entities.unjoined,
            "bertscore_precision": _rounded(precision),
            "bertscore_recall": _rounded(recall),
            "bertscore_f1": _rounded(f1),
            "bertscore_model": self.model,
        }


NO_TEXT_SCORES = TextScores()
"""Those of a question that has no reference."""


@dataclass(frozen=True, slots=True)
class TextMeasures:
    """How texts are measured: against the names of a graph, and by a model if there is one."""

    kinds: EntityKinds
    bertscore: BertScore | None = None

    def of(self, question: Question, answer: Answer) -> TextScores:
        """The scores of an answer; without a text, the names of its entities are its text."""
        if question.reference is None:
            return NO_TEXT_SCORES
        entities = [each.entity for each in answer.entities]
        gold = question.gold
        if question.gold_in_reference:
            gold = self.kinds.named_in(question.reference)
        matched = self.kinds.measure(question.text, gold, answer.text, entities)
        text = without_citations(answer.text or ", ".join(each.name for each in entities))
        if self.bertscore is None or not text:
            if self.bertscore is None:
                return TextScores(matched)
            # What says nothing resembles nothing.
            return TextScores(matched, (0.0, 0.0, 0.0), self.bertscore.name)
        (scores,) = self.bertscore.scores([text], [question.reference])
        return TextScores(matched, scores, self.bertscore.name)


def text_measures(
    graph: Graph, asked: Sequence[Question] | Sequence[Claim], bertscore: BertScore | None = None
) -> TextMeasures | None:
    """How the answers over this graph are measured; ``None`` if no question has a reference.

    The graph is read once, if a reference has entities.
    """
    questions = [each for each in asked if isinstance(each, Question) and each.reference]
    if not questions:
        return None
    has_gold = any(question.gold or question.gold_in_reference for question in questions)
    return TextMeasures(EntityKinds(graph.facts() if has_gold else ()), bertscore)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS)
