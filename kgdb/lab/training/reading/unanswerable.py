"""Questions that a graph cannot answer, made of those that it can: no candidate is right."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from kgdb.graph.forms import Form
from kgdb.graph.forms.operators import subforms
from kgdb.lab.training.reading.judged_questions import JudgedQuestion, QuestionJudge
from kgdb.methods.understanding.grammar.grammar_reading import Sentence
from kgdb.methods.understanding.question import Anchor

_WORD = re.compile(r"[^\W\d_]+")
_SAME = 0.6
"""Words whose vectors have a higher cosine may mean the same."""


def without_used(
    judge: QuestionJudge,
    question: JudgedQuestion,
    weights: Mapping[str, float],
    draw: random.Random,
) -> Iterator[JudgedQuestion]:
    """The question over a schema that lacks a relation or property of its right form."""
    form = next((each.form for each in question.candidates if each.is_right), None)
    schema = judge.graph.schema
    names = sorted(_names(form) & {*schema.relations, *schema.properties}) if form else []
    if not names:
        return
    name = draw.choice(names)
    less = replace(
        schema,
        relations={n: each for n, each in schema.relations.items() if n != name},
        properties={n: each for n, each in schema.properties.items() if n != name},
    )
    anchors = list(_anchors_without(question.anchors, name))
    yield judge.judged(question.text, anchors, None, weights, less)


def _names(form: Form) -> set[str]:
    parts = ("relation", "property", "of")
    values = [getattr(each, part, None) for each in subforms(form) for part in parts]
    return {value for value in values if isinstance(value, str)}


def _anchors_without(anchors: Sequence[Anchor], name: str) -> Iterator[Anchor]:
    for anchor in anchors:
        left = [each for each in anchor.readings if name not in (each.relation, each.key)]
        if left:
            yield replace(left[0], others=tuple(left[1:]))


def with_foreign_word(
    judges: Mapping[str, QuestionJudge], questions: Iterable[JudgedQuestion], draw: random.Random
) -> Iterator[tuple[str, str]]:
    """Graphs with their questions, in each of which a word gives way to one of another graph."""
    spots = [
        (each, spot)
        for each in questions
        if any(one.is_right for one in each.candidates)
        for spot in [_content_words(judges[each.graph], each)]
        if spot
    ]
    own: dict[str, set[str]] = {name: set() for name in judges}
    for question, words in spots:
        own[question.graph].update(word[0].lower() for word in words)
    for question, words in spots:
        word = draw.choice(words)
        ending = word[0][-2:]  # the same ending is mostly the same part of speech
        others = sorted(set().union(*own.values()) - own[question.graph])
        if not others:
            continue
        new = draw.choice([each for each in others if each.endswith(ending)] or others)
        one, other = judges[question.graph].encoder.encode([word[0].lower(), new])
        if float(one @ other) <= _SAME:
            text = question.text
            yield question.graph, text[: word.start()] + new + text[word.end() :]


def _content_words(judge: QuestionJudge, question: JudgedQuestion) -> list[re.Match[str]]:
    graph = judge.graph
    content = set(Sentence(question.text, question.anchors, graph.schema, graph.relations).texts)
    return [
        word
        for word in _WORD.finditer(question.text)
        if word[0].lower() in content
        and all(a.end <= word.start() or a.start >= word.end() for a in question.anchors)
    ]
