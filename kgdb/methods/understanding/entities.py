"""Readings of a question that asks for entities: all that fit, or those that rank first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgdb.graph.forms.operators import (
    Except,
    Filter,
    FindAll,
    Relate,
)
from kgdb.methods.understanding.chains_of_schema import chains
from kgdb.methods.understanding.readings import SetReading, Use
from kgdb.methods.understanding.sets import SetReader
from kgdb.methods.understanding.superlatives import BACK, ranked
from kgdb.methods.understanding.view import QuestionView

_NO_PERSON_COST = 0.3


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
    """Those of which a property is true: *which products are discontinued*."""
    excludes = bool(view.parts.excludes_at) and not any(a.excluded for a in view.parts.anchors)
    for info in view.schema.of_label(reading.label):
        if info.type == "boolean" and view.is_said(Use(info.name)):
            form = Filter(reading.form, info.name, "=", not excludes)
            yield replace(reading, form=form).using(Use(info.name))


def without_relation(view: QuestionView, reading: SetReading) -> Iterator[SetReading]:
    """Those that a relation joins with nothing: *customers that never placed an order*."""
    noun = view.label_after(view.parts.excludes_at[0])
    for (hop,) in chains(view.schema, reading.label, None, 1):
        said = view.is_said(Use(hop.relation))
        if (noun is None and not said) or noun not in (None, hop.label):
            continue
        back = Relate(FindAll(hop.label), hop.relation, BACK[hop.direction])
        yield replace(reading, form=Except(reading.form, back), hops=reading.hops + 1).using(
            Use(hop.relation), Use(hop.label, silent=True)
        )
