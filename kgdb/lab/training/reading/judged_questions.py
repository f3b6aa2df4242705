"""Questions with the candidates of the chart grammar, each run and judged by the right values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgdb.errors import KgdbError
from kgdb.graph import Graph
from kgdb.graph.forms import Form, form_text
from kgdb.graph.schema import Schema
from kgdb.lab.training.reading.reading_questions import form_values
from kgdb.language import Encoder
from kgdb.methods import QuestionContext, Resources
from kgdb.methods.context.batching import run_batched
from kgdb.methods.understanding.anchors import find_anchors
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.grammar.grammar_reading import Sentence
from kgdb.methods.understanding.question import Anchor

_MOST_CANDIDATES = 8
_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class JudgedCandidate:
    """A form with its features and values; it has none where the database refuses it."""

    form: Form
    features: Mapping[str, float]
    values: frozenset[str]
    is_right: bool


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question over a graph, with its likeliest candidates in their order."""

    graph: str
    text: str
    anchors: Sequence[Anchor]
    has_answer: bool
    candidates: Sequence[JudgedCandidate]


class QuestionJudge:
    """Judges questions over one graph, and runs each form once."""

    def __init__(self, graph: Graph, encoder: Encoder) -> None:
        self.graph, self.encoder = graph, encoder
        self._values: dict[Form, frozenset[str]] = {}

    def anchors(self, questions: Sequence[str]) -> list[tuple[Anchor, ...]]:
        """What each question names. Raises the first error of a question."""
        resources = Resources(self.graph, self.encoder, None)
        contexts = [QuestionContext(resources, question) for question in questions]
        schema, known = self.graph.schema, cues("en")
        anchors = []
        for found in run_batched([(find_anchors(c, schema, known), c.charge) for c in contexts]):
            if isinstance(found, Exception):
                raise found
            anchors.append(found)
        return anchors

    def judged(
        self,
        question: str,
        anchors: Sequence[Anchor],
        right: frozenset[str] | None,
        weights: Mapping[str, float],
        schema: Schema | None = None,
    ) -> JudgedQuestion:
        """The question with what it may mean by the schema of the graph, or by another."""
        sentence = Sentence(question, anchors, schema or self.graph.schema, self.graph.relations)
        read = sentence.read(self.encoder.encode(sentence.texts), weights)[:_MOST_CANDIDATES]
        texts = [question, *(form_text(each.form, {}) for each in read)]
        own, *vectors = self.encoder.encode(texts)
        candidates = []
        for each, vector in zip(read, vectors, strict=True):
            values = self._run(each.form)
            features = {"sentence": float(own @ vector), "result.empty": float(not values)}
            for name, value in each.features:
                features[name] = features.get(name, 0.0) + value
            candidates.append(JudgedCandidate(each.form, features, values, values == right))
        return JudgedQuestion(self.graph.name, question, anchors, right is not None, candidates)

    def _run(self, form: Form) -> frozenset[str]:
        if form not in self._values:
            try:
                self._values[form] = form_values(self.graph.query(form, limit=_LIMIT))
            except KgdbError:  # such as the mean of dates
                self._values[form] = frozenset()
        return self._values[form]
