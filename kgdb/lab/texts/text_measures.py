"""All measures of one answer as a text."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from kgdb.evaluation import Asked, Measures, Question
from kgdb.evaluation.result_rows import answer_row, listed_answers
from kgdb.graph import Graph
from kgdb.lab.texts.bertscore import BertScore
from kgdb.lab.texts.dialogue_sets import DialogueQuestion
from kgdb.lab.texts.entity_match import EntityKinds, KeyEntities
from kgdb.lab.texts.text_rows import DialogueRow, summarize_dialogues
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


@dataclass(frozen=True, slots=True)
class TextMeasures:
    """How texts are measured: against the names of a graph, and by a model if there is one."""

    kinds: EntityKinds
    bertscore: BertScore | None = None

    def of(self, question: DialogueQuestion, answer: Answer) -> TextScores:
        """The scores of an answer; without a text, the names of its entities are its text."""
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

    def as_row(self, question: Question, answer: Answer, run: str) -> DialogueRow:
        """The row of a question of a dialogue."""
        assert isinstance(question, DialogueQuestion)  # noqa: S101
        listed = ", ".join(listed_answers(question, answer))
        return DialogueRow(
            **{
                **asdict(answer_row(question, answer, run)),
                **self.of(question, answer).to_fields(),
                "text": answer.text or listed or None,
            }
        )

    def measures(self) -> Measures:
        """The same for the runner of an evaluation."""
        return Measures(DialogueRow, self.as_row, summarize_dialogues)


def text_measures(
    graph: Graph, asked: Asked, bertscore: BertScore | None = None
) -> TextMeasures | None:
    """How the answers over this graph are measured; ``None`` if no question is of a dialogue.

    The graph is read once, if a reference has entities.
    """
    questions = [each for each in asked if isinstance(each, DialogueQuestion)]
    if not questions:
        return None
    has_gold = any(question.gold or question.gold_in_reference for question in questions)
    return TextMeasures(EntityKinds(graph.facts() if has_gold else ()), bertscore)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DECIMALS)
