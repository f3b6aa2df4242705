"""Readings of a question that asks yes or no, or which of two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgdb.graph.forms.operators import (
    And,
    Compare,
    Count,
    EntityForm,
    Filter,
    Form,
    Property,
    Verify,
)
from kgdb.methods.understanding.chains_of_schema import applied, chains
from kgdb.methods.understanding.entities import flagged
from kgdb.methods.understanding.question import Anchor
from kgdb.methods.understanding.readings import Reading, SetReading, Use
from kgdb.methods.understanding.sets import SetReader
from kgdb.methods.understanding.superlatives import end_of, hinted
from kgdb.methods.understanding.view import NUMBERS, QuestionView


def comparisons(view: QuestionView) -> Iterator[Reading]:
    """Which of two is older, larger … and, as yes or no, whether it is the first of them."""
    adjective = view.parts.comparative
    assert adjective is not None  # noqa: S101
    left, right = view.parts.anchors[:2]
    if left.form is None or right.form is None:
        return
    for label in left.labels & right.labels:
        infos = [p for p in view.schema.of_label(label) if p.type in ("date", *NUMBERS)]
        for info, cost in hinted(view, infos, adjective):
            compared = Compare(left.form, right.form, info.name, end_of(adjective, info))
            form: Form = Verify(And(compared, left.form)) if view.parts.yes_no else compared
            yield Reading(form, (Use(label, silent=True), Use(info.name, silent=True)), 0, cost)


def verifications(view: QuestionView) -> Iterator[Reading]:
    """What must hold for *yes*."""
    parts = view.parts
    if parts.comparative and len(parts.anchors) >= 2:
        yield from comparisons(view)
        return
    named = [a for a in parts.anchors if a.form is not None]
    if not named or named[0].key is not None:
        for reading in SetReader(view).sets(view.targets()):
            for each in (reading, *flagged(view, reading)):
                yield Reading(Verify(each.form), each.uses, each.hops, each.cost)
        return
    first, others = named[0], [a for a in parts.anchors if a is not named[0]]
    assert first.form is not None  # noqa: S101
    yield from property_holds(view, first, others)
    for each in joined(view):
        yield Reading(Verify(each.form), each.uses, each.hops, each.cost)
    if not others:
        yield from first_related(view, first)


def joined(view: QuestionView) -> Iterator[SetReading]:
    """The second of two named entities, if a chain from the first leads there."""
    anchors = view.parts.anchors
    if len(anchors) != len(("first", "second")) or anchors[1].key is not None:
        return
    first, second = anchors
    if first.form is None or second.form is None:
        return
    for start in sorted(first.labels):
        for end in sorted(second.labels):
            for chain in chains(view.schema, start, end, 2):
                uses = [Use(hop.relation) for hop in chain]
                uses += [Use(hop.label, silent=True) for hop in chain]
                reached = applied(first.form, chain)
                reading = SetReading(reached, end, tuple(uses), len(chain))
                for one in SetReader(view).compared(reading, list(view.parts.comparisons)):
                    yield replace(one, form=And(one.form, second.form))


def property_holds(view: QuestionView, first: Anchor, others: list[Anchor]) -> Iterator[Reading]:
    """Whether an entity has a value, or one that compares so."""
    assert first.form is not None  # noqa: S101
    for label in sorted(first.labels):
        for value in others:
            if value.key is not None and label in value.labels:
                form: EntityForm = Filter(first.form, value.key, "=", value.value or "")
                yield Reading(Verify(form), (Use(value.key, silent=True),))
        for by in view.parts.comparisons[:1]:
            for info in SetReader(view).comparable(by, label):
                value_of = Property(first.form, info.name)
                given = str(by.value) if info.type == "date" else by.value
                yield Reading(Verify(value_of, by.op, given), (Use(info.name, silent=by.dated),))
            if isinstance(by.value, int) and not by.dated:
                for reading in SetReader(view).sets(
                    [hop[0].label for hop in chains(view.schema, label, None, 1)],
                    comparisons=(),
                ):
                    yield Reading(
                        Verify(Count(reading.form), by.op, by.value),
                        reading.uses,
                        reading.hops,
                        reading.cost,
                    )
        for info in view.schema.of_label(label):
            if info.type == "boolean" and view.is_said(Use(info.name)):
                uses = (Use(info.name), Use(label, silent=True))  # "a low cost airline"
                yield Reading(Verify(Property(first.form, info.name), "=", True), uses)


def first_related(view: QuestionView, first: Anchor) -> Iterator[Reading]:
    """Whether the anchor has a relation at all: *has X directed a movie*."""
    assert first.form is not None  # noqa: S101
    for label in sorted(first.labels):
        for (hop,) in chains(view.schema, label, None, 1):
            yield Reading(
                Verify(applied(first.form, (hop,))),
                (Use(hop.relation), Use(hop.label, silent=True)),
                1,
            )
