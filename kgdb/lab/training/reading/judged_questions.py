"""Questions with the candidates of the chart grammar, each run and judged by the right values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kgdb.errors import ConnectionFailed, DatabaseError, DatabaseHalted, UsageError
from kgdb.graph import Graph
from kgdb.graph.forms import Form, form_text
from kgdb.graph.retrieval.results import RelationInfo
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
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class JudgedCandidate:
    """A form with its features and values; it has none where the database refuses it."""

    form: Form
    features: Mapping[str, float]
    values: frozenset[str]
    is_right: bool


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question over a graph with its likeliest candidates, and its content words in lower case.

    ``words`` stand with their places in the text; names of the graph are none.
    """

    graph: str
    text: str
    words: Sequence[tuple[str, int, int]]
    has_answer: bool
    candidates: Sequence[JudgedCandidate]


class QuestionJudge:
    """Judges questions over one graph. It runs each form once, and looks names up once."""

    def __init__(self, graph: Graph, encoder: Encoder) -> None:
        self.graph, self._encoder = graph, encoder
        self._anchors: dict[str, Sequence[Anchor]] = {}
        self._values: dict[Form, frozenset[str]] = {}

    def judged(
        self,
        question: str,
        right: frozenset[str] | None,
        weights: Mapping[str, float],
        *,
        hidden: str | None = None,
        taught: Mapping[str, Sequence[str]] | None = None,
    ) -> JudgedQuestion:
        """The question with its candidates; ``hidden`` is a name that the schema then lacks.

        ``taught`` are words for names, beside those that the graph has.
        """
        schema, relations = _with_words(self.graph, taught or {})
        anchors = self._named(question)
        if hidden is not None:
            schema = _without(schema, hidden)
            anchors = list(_anchors_without(anchors, hidden))
        sentence = Sentence(question, anchors, schema, relations)
        matcher = sentence.matcher(self._encoder.encode(sentence.texts))
        read = sentence.read(matcher, weights)[:_MOST_CANDIDATES]
        texts = [question, *(form_text(each.form, {}) for each in read)]
        own, *vectors = self._encoder.encode(texts)
        candidates = []
        for each, vector in zip(read, vectors, strict=True):
            values = self._run(each.form)
            features = {"sentence": float(own @ vector), "result.empty": float(not values)}
            for name, value in each.features:
                features[name] = features.get(name, 0.0) + value
            candidates.append(JudgedCandidate(each.form, features, values, values == right))
        content = set(sentence.texts)
        words = [
            (word[0].lower(), *word.span())
            for word in _WORD.finditer(question)
            if word[0].lower() in content
            and all(a.end <= word.start() or a.start >= word.end() for a in anchors)
        ]
        return JudgedQuestion(self.graph.name, question, words, right is not None, candidates)

    def _named(self, question: str) -> Sequence[Anchor]:
        if question not in self._anchors:
            ctx = QuestionContext(Resources(self.graph, self._encoder, None), question)
            finding = find_anchors(ctx, self.graph.schema, cues("en"))
            (found,) = run_batched([(finding, ctx.charge)])
            if isinstance(found, Exception):
                raise found
            self._anchors[question] = found
        return self._anchors[question]

    def _run(self, form: Form) -> frozenset[str]:
        if form not in self._values:
            try:
                self._values[form] = form_values(self.graph.query(form, limit=_LIMIT))
            except (ConnectionFailed, DatabaseHalted):
                raise
            except (UsageError, DatabaseError):  # such as the mean of dates, or one that takes long
                self._values[form] = frozenset()
        return self._values[form]


def _with_words(
    graph: Graph, taught: Mapping[str, Sequence[str]]
) -> tuple[Schema, Mapping[str, RelationInfo]]:
    known = graph.schema.synonyms
    words = {n: (*known.get(n, ()), *taught.get(n, ())) for n in (*known, *taught)}
    relations = {
        name: replace(info, synonyms=words.get(name, ())) for name, info in graph.relations.items()
    }
    return replace(graph.schema, synonyms=words), relations


def _without(schema: Schema, name: str) -> Schema:
    relations = {n: each for n, each in schema.relations.items() if n != name}
    properties = {n: each for n, each in schema.properties.items() if n != name}
    return replace(schema, relations=relations, properties=properties)


def _anchors_without(anchors: Sequence[Anchor], name: str) -> Iterator[Anchor]:
    for anchor in anchors:
        left = [each for each in anchor.readings if name not in (each.relation, each.key)]
        if left:
            yield replace(left[0], others=tuple(left[1:]))
