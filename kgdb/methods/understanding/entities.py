"""Readings of a question that asks for entities: all that fit, or those that rank first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from kgdb.graph.forms.operators import (
    Except,
    Filter,
    FindAll,
    Relate,
    replaced,
    subforms,
)
from kgdb.methods.understanding.chains_of_schema import chains
from kgdb.methods.understanding.readings import SetReading, Use
from kgdb.methods.understanding.sets import SetReader
from kgdb.methods.understanding.subjects import is_subject
from kgdb.methods.understanding.superlatives import BACK, ranked
from kgdb.methods.understanding.view import SUPPORTED, QuestionView

_NO_PERSON_COST = 0.3
_MISPLACED_COST = 0.3


def entities(view: QuestionView) -> Iterator[SetReading]:
    """The sets that may be asked for, ranked where the question ranks them."""
    persons = view.persons() if view.parts.asks == "who" else []
    is_ranked = view.parts.superlative or view.parts.extreme
    for reading in ranked(view) if is_ranked else SetReader(view).sets(view.targets()):
        cost = _NO_PERSON_COST if persons and reading.label not in persons else 0.0
        yield replace(reading, cost=reading.cost + cost)
        if is_ranked:
            continue
        yield from flagged(view, reading)
        if view.parts.excludes_at and not any(a.excluded for a in view.parts.anchors):
            yield from without_relation(view, reading)


def flagged(view: QuestionView, reading: SetReading) -> Iterator[SetReading]:
    """Those of which a property is true: *which products are discontinued*; or of something on
    the way to them: *flights of low cost airlines*.
    """
    excludes = bool(view.parts.excludes_at) and not any(a.excluded for a in view.parts.anchors)
    for info in view.schema.of_label(reading.label):
        if info.type == "boolean" and view.is_said(Use(info.name)):
            form = Filter(reading.form, info.name, "=", not excludes)
            yield replace(reading, form=form).using(Use(info.name))
    for each in () if excludes else subforms(reading.form):
        if not isinstance(each, FindAll) or each.label in (None, reading.label):
            continue
        for info in view.schema.of_label(each.label):
            if info.type == "boolean" and view.says_all(info.name):
                with_flag: Any = replaced(reading.form, each, Filter(each, info.name, "=", True))
                yield replace(reading, form=with_flag).using(Use(info.name))


def without_relation(view: QuestionView, reading: SetReading) -> Iterator[SetReading]:
    """Those that a relation joins with nothing: *customers that never placed an order*.

    Where one entity acts, those that it does not join: *which films did X write but not direct?*.
    Each denial has its own relation: *who neither wrote nor directed a film?*.
    """
    denials = view.parts.excludes_at
    noun = view.label_after(denials[0])
    if len(denials) == 1:
        yield from _without(view, reading, noun, denials[0], len(view.parts.text))
        return
    found = [reading]
    for begin, end in pairwise((*denials, len(view.parts.text))):
        found = [
            one
            for each in found
            for one in _without(view, each, None, begin, end)
            if one.cost == each.cost
        ]
    yield from found


def _without(
    view: QuestionView, reading: SetReading, noun: str | None, begin: int, end: int
) -> Iterator[SetReading]:
    """The set without what a relation joins; it should be said between two places."""
    subjects = [a for a in view.parts.anchors if is_subject(a.start, view.parts.text) and a.form]
    for (hop,) in chains(view.schema, reading.label, None, 1):
        said = view.is_said(Use(hop.relation))
        if (noun is None and not said) or noun not in (None, hop.label):
            continue
        acts = [each.form for each in subjects if each.form and hop.label in each.labels]
        others = acts[0] if len(acts) == 1 else FindAll(hop.label)
        back = Relate(others, hop.relation, BACK[hop.direction])
        # "wrote one but never directed one" denies what is said behind "never"
        misplaced = said and not _says_between(view, hop.relation, begin, end)
        yield replace(
            reading,
            form=Except(reading.form, back),
            hops=reading.hops + 1,
            cost=reading.cost + _MISPLACED_COST * misplaced,
        ).using(Use(hop.relation), Use(hop.label, silent=True))


def _says_between(view: QuestionView, name: str, begin: int, end: int) -> bool:
    return any(
        begin <= word.start < end and view.alignment.likeness(word.text, name) >= SUPPORTED
        for word in view.parts.words
    )
