"""Questions read over a schema by the letters of words alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from kgdb.graph.forms.operators import Filter, Find, FindAll
from kgdb.graph.schema import Schema
from kgdb.methods.understanding.alignment import alignment
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.parsing import contradicted
from kgdb.methods.understanding.question import Anchor, take_apart
from kgdb.methods.understanding.reading import Understood, read
from kgdb.methods.understanding.view import QuestionView


def understood_over(
    schema: Schema,
    question: str,
    names: Mapping[str, str],
    values: Mapping[str, tuple[str, str]] = {},
    roles: Mapping[str, tuple[str, str]] = {},
) -> Understood:
    """The form of a question.

    ``names`` are entities with their labels, ``values`` values with label and property, ``roles``
    values with relation and property.
    """
    anchors = [
        Anchor(name, at, at + len(name), Find(name), frozenset({label}))
        for name, label in names.items()
        if (at := question.find(name)) >= 0
    ]
    for value, (label, key) in values.items():
        if (at := question.find(value)) >= 0:
            form = Filter(FindAll(label), key, "=", value)
            labels = frozenset({label})
            anchors.append(Anchor(value, at, at + len(value), form, labels, key, value))
    for value, (relation, key) in roles.items():
        if (at := question.find(value)) >= 0:
            nothing: frozenset[str] = frozenset()
            end = at + len(value)
            anchors.append(Anchor(value, at, end, None, nothing, key, value, relation))
    anchors.sort(key=lambda anchor: anchor.start)
    parts = take_apart(question, anchors, cues(), schema.wordings)
    words = list(dict.fromkeys(word.text for word in parts.words))
    known = schema.names
    aligned = alignment(
        words, known, np.zeros((len(words), len(known)), np.float32), cues(), schema.synonyms
    )
    graph: Any = SimpleNamespace(graph=SimpleNamespace(relations={}), question=question)
    against = frozenset(contradicted(graph, parts, schema))
    return read(QuestionView(parts, schema, aligned, cues(), against))
