"""How questions become unanswerable: the schema lacks a name, or a word is another graph's."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence

from kgdb.graph.forms.operators import subforms
from kgdb.graph.schema import Schema
from kgdb.lab.training.reading.judged_questions import JudgedQuestion
from kgdb.language import Encoder

_SAME = 0.6
"""Words whose vectors have a higher cosine may mean the same."""


def used_name(question: JudgedQuestion, schema: Schema, draw: random.Random) -> str | None:
    """A relation or property that the likeliest right form uses, if there is one."""
    form = next((each.form for each in question.candidates if each.is_right), None)
    if form is None:
        return None
    parts = ("relation", "property", "of")
    used = {getattr(each, part, None) for each in subforms(form) for part in parts}
    names = sorted(name for name in (*schema.relations, *schema.properties) if name in used)
    return draw.choice(names) if names else None


def with_foreign_word(
    questions: Sequence[JudgedQuestion], encoder: Encoder, draw: random.Random
) -> Iterator[tuple[str, str]]:
    """Graphs with their questions, in each of which a word gives way to one of another graph."""
    usable = [q for q in questions if q.words and any(each.is_right for each in q.candidates)]
    spoken = defaultdict[str, set[str]](set)
    for question in usable:
        spoken[question.graph].update(word for word, _, _ in question.words)
    for question in usable:
        word, start, end = draw.choice(question.words)
        others = sorted(set().union(*spoken.values()) - spoken[question.graph])
        # The same ending is mostly the same part of speech.
        alike = [each for each in others if each.endswith(word[-2:])] or others
        if alike:
            new = draw.choice(alike)
            one, other = encoder.encode([word, new])
            if float(one @ other) <= _SAME:
                yield question.graph, question.text[:start] + new + question.text[end:]
