"""Readings of a question that asks for a number made of many, or for one of each group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgdb.graph.forms.operators import (
    Aggregate,
    Function,
    GroupBy,
    Property,
    Qualifier,
)
from kgdb.methods.understanding.chains_of_schema import chains
from kgdb.methods.understanding.property_values import between, of_all, owners, qualifiers
from kgdb.methods.understanding.readings import Reading, SetReading, Use
from kgdb.methods.understanding.sets import SetReader
from kgdb.methods.understanding.view import AMOUNTS, NUMBERS, QuestionView


def aggregates(view: QuestionView) -> Iterator[Reading]:
    """The sum, mean, least or largest of values that words of the question name."""
    function = view.parts.function or view.parts.extreme
    if function is None or view.parts.each_at >= 0:
        return
    unranked = replace(view, parts=replace(view.parts, extreme=None, function=None))
    for info in view.schema.properties.values():
        if info.type in ("date", *AMOUNTS) and view.is_said(Use(info.name)):
            for reading in owners(unranked, info):
                yield Reading(
                    Aggregate(Property(reading.form, info.name), function),
                    (*reading.uses, Use(info.name)),
                    reading.hops,
                    reading.cost,
                )
    for relation, ends in view.schema.relations.items():
        for info in ends.properties:
            if info.type not in AMOUNTS or not view.is_said(Use(info.name)):
                continue
            for found in (*qualifiers(view, relation, info), *between(unranked, relation, info)):
                assert isinstance(found.form, Qualifier)  # noqa: S101
                yield replace(found, form=Aggregate(found.form, function))
            yield from of_all(view, relation, info, function)


def groups(view: QuestionView) -> Iterator[Reading]:
    """A number for each group."""
    at = view.parts.each_at
    before = [label for start, label in view.labels_said() if start < at]
    group = view.agent_after(at) or view.label_after(at)
    for target in before[:1] or sorted(view.schema.labels):
        for reading in SetReader(view).sets([target]):
            yield from groups_of_relationships(view, reading, group)
            for function, of, uses in measures(view, reading.label):
                for (hop,) in chains(view.schema, reading.label, group, 1):
                    if group is None and not view.is_grouped_by(hop.relation):
                        continue
                    yield Reading(
                        GroupBy(
                            reading.form,
                            relation=hop.relation,
                            direction=hop.direction,
                            function=function,
                            of=of,
                            relationships=not (function or view.says_any(reading.label, ())),
                        ),
                        (*reading.uses, *uses, Use(hop.relation), Use(hop.label)),
                        reading.hops + 1,
                        reading.cost,
                    )
                for info in view.schema.of_label(reading.label):
                    if view.is_grouped_by(info.name):
                        yield Reading(
                            GroupBy(
                                reading.form,
                                property=info.name,
                                function=function,
                                of=of,
                            ),
                            (*reading.uses, *uses, Use(info.name)),
                            reading.hops,
                            reading.cost,
                        )


def groups_of_relationships(
    view: QuestionView, reading: SetReading, group: str | None
) -> Iterator[Reading]:
    """A number of the relationships that lead to each: *the average rating of each movie*."""
    function = view.parts.function
    for (hop,) in chains(view.schema, reading.label, group, 1) if function else ():
        for info in view.schema.relations[hop.relation].properties:
            if info.type not in NUMBERS or not view.is_said(Use(info.name)):
                continue
            if group is None and not view.is_grouped_by(hop.relation):
                continue
            yield Reading(
                GroupBy(
                    reading.form,
                    relation=hop.relation,
                    direction=hop.direction,
                    function=function,
                    qualifier=info.name,
                ),
                (
                    *reading.uses,
                    Use(info.name),
                    Use(hop.relation, silent=True),
                    Use(hop.label),
                ),
                reading.hops + 1,
                reading.cost,
            )


def measures(
    view: QuestionView, label: str
) -> Iterator[tuple[Function | None, str | None, tuple[Use, ...]]]:
    """What is computed of each group: a function of a property, or how many there are."""
    function = view.parts.function
    if function is None:
        yield None, None, ()
        return
    for info in view.schema.of_label(label):
        if info.type in AMOUNTS and view.is_said(Use(info.name)):
            yield function, info.name, (Use(info.name),)
