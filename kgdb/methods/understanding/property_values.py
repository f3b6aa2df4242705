"""Readings of a question that asks for values: of entities, or of relationships."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from kgdb.graph.forms.operators import (
    Aggregate,
    Direction,
    Filter,
    Find,
    Form,
    Function,
    Property,
    Qualifier,
    Relate,
    subforms,
)
from kgdb.graph.schema import PropertyInfo
from kgdb.methods.understanding.chains_of_schema import is_symmetric
from kgdb.methods.understanding.readings import Reading, SetReading, Use
from kgdb.methods.understanding.sets import SetReader
from kgdb.methods.understanding.superlatives import ranked
from kgdb.methods.understanding.view import AMOUNTS, NUMBERS, SUPPORTED, QuestionView

_AGAIN_COST = 0.1
"""Of going back over a relation: the units of all that was ordered together with Chai."""


def properties(view: QuestionView) -> Iterator[Reading]:
    """Values of a property, where words of the question name one."""
    whole = view.parts.counts or view.parts.superlative or view.parts.extreme
    for info in view.schema.properties.values():
        cost = asked(view, info)
        if cost is None:
            continue
        for reading in owners(view, info):
            if info.name in conditions_of(reading.form):
                continue  # "which cost more than 40?" asks for no price
            if not (whole or view.says_any(reading.label, reading.uses)) and reading.hops:
                continue  # "where does X live?" does not ask it of those who X has to do with
            values: Form = Property(reading.form, info.name)
            if view.parts.counts and not isinstance(reading.form, Find):
                values = Aggregate(Property(reading.form, info.name), "sum")
            yield Reading(
                values,
                (*reading.uses, Use(info.name, silent=cost > 0)),
                reading.hops,
                reading.cost + cost,
            )
    if view.parts.asks == "who" or (view.parts.comparisons and not view.parts.counts):
        return
    for relation, ends in view.schema.relations.items():
        for info in ends.properties:
            if view.is_said(Use(info.name)):
                yield from asked_qualifiers(view, relation, info)
            elif view.parts.asks == "when" and info.type == "date":
                for found in qualifiers(view, relation, info, silent=True):
                    yield replace(found, cost=found.cost + 0.1)


def asked_qualifiers(view: QuestionView, relation: str, info: PropertyInfo) -> Iterator[Reading]:
    """Values of a relation's property; their sum where the question asks how many."""
    if not view.parts.counts:
        yield from qualifiers(view, relation, info)
    elif info.type in NUMBERS and _is_counted(view, info):
        for found in (*qualifiers(view, relation, info), *between(view, relation, info)):
            if isinstance(found.form, Qualifier):
                yield replace(found, form=Aggregate(found.form, "sum"))
        yield from of_all(view, relation, info, "sum")


def _is_counted(view: QuestionView, info: PropertyInfo) -> bool:
    """Whether the first word says the property: *how many units*, not *how many orders have …*."""
    first = view.parts.words[0].text
    return view.alignment.support(info.name, [first]) >= SUPPORTED


def asked(view: QuestionView, info: PropertyInfo) -> float | None:  # noqa: PLR0911 - one return for each kind
    """What it costs to take the question for one that asks for this property."""
    said = view.is_said(Use(info.name)) and not view.is_key_or_label(info.name)
    asks = view.parts.asks
    if info.type == "boolean":
        return None  # it tells some of a set from others, or is asked by yes or no
    if view.parts.counts:
        return 0.1 if said and info.type in NUMBERS and view.parts.anchors else None
    if asks == "when":
        if info.type != "date":
            return None
        if said:
            return 0.0
        # "Since when …" of two things asks for a date of what joins them.
        return 0.2 if len(view.parts.anchors) == 1 else None
    if asks == "how much":
        return 0.0 if said and info.type in (*AMOUNTS, "text") else None
    if asks in ("who", "where"):
        if info.type not in ("text", "mixed"):
            return None
        return 0.0 if said else place_cost(view, info) if asks == "where" else None
    if view.asks_entities():
        return None  # "which movies …" asks for movies
    return 0.0 if said else None


def place_cost(view: QuestionView, info: PropertyInfo) -> float | None:
    """What it costs that *where is X?* asks for this property: least for a city."""
    if any(view.says_more(word) for word in view.parts.words):
        return None  # "where was X born?" asks for the place of a birth
    hints = [n for n, hint in enumerate(view.cues.places) if view.is_hinted(info.name, [hint])]
    return 0.1 + 0.01 * hints[0] if hints else None


def owners(view: QuestionView, info: PropertyInfo) -> Iterator[SetReading]:
    """The sets whose values of the property may be asked for."""
    parts = view.parts
    for label in info.labels:
        if parts.superlative or parts.extreme:
            yield from (r for r in ranked(view) if r.label == label)
            continue
        if len(parts.anchors) == 1 and not parts.comparisons:
            for one in parts.anchors[0].readings:
                if one.form is not None and label in one.labels:
                    yield SetReading(one.form, label, (Use(label, silent=True),))
        yield from SetReader(view).sets([label])


def qualifiers(
    view: QuestionView, relation: str, info: PropertyInfo, *, silent: bool = False
) -> Iterator[Reading]:
    """Values of the relationships of one or two anchors."""
    ends = view.schema.relations[relation]
    sides: list[tuple[Direction, Mapping[str, int], Mapping[str, int]]] = [
        ("out", ends.heads, ends.tails),
        ("in", ends.tails, ends.heads),
    ]
    if is_symmetric(relation):  # stated from either end
        both = {**ends.heads, **ends.tails}
        sides = [("any", both, both)]
    named = [a for a in view.parts.anchors if a.form is not None and not a.excluded]
    for first in named:
        others = [other for other in named if other is not first]
        if len(others) > 1 or first.form is None:
            continue
        to = others[0].form if others else None
        for direction, own, far in sides:
            if not set(own) & first.labels:
                continue
            if others and not set(far) & others[0].labels:
                continue
            form = Qualifier(first.form, relation, info.name, direction, to)
            place = view.parts.anchors.index(first)
            uses = (Use(relation, place), Use(info.name, silent=silent))
            labels = tuple(Use(label, silent=True) for label in (*own, *far))
            yield Reading(form, (*uses, *labels), 1)


def between(view: QuestionView, relation: str, info: PropertyInfo) -> Iterator[Reading]:
    """Values of the relationships that join an anchor with a set that the rest describes: *the
    units of Chai that Ernst Handel ordered* are those of his orders, *in 1997* of those of 1997.
    """
    ends = view.schema.relations[relation]
    sides: tuple[tuple[Direction, Mapping[str, int], Mapping[str, int]], ...] = (
        ("out", ends.heads, ends.tails),
        ("in", ends.tails, ends.heads),
    )
    named = [a for a in view.parts.anchors if a.form is not None and not a.excluded]
    for to in named if len(named) > 1 or view.parts.comparisons else ():
        others = [anchor for anchor in view.parts.anchors if anchor is not to]
        place = view.parts.anchors.index(to)
        for direction, own, far in sides:
            if not set(far) & to.labels:
                continue
            for reading in SetReader(view).sets(own, others):
                yield Reading(
                    Qualifier(reading.form, relation, info.name, direction, to.form),
                    (*reading.uses, Use(relation, place), Use(info.name)),
                    reading.hops + 1,
                    reading.cost,
                )


def of_all(
    view: QuestionView, relation: str, info: PropertyInfo, function: Function
) -> Iterator[Reading]:
    """Of the relationships of a whole set: *the average rating of movies directed by …*."""
    ends = view.schema.relations[relation]
    unranked = SetReader(replace(view, parts=replace(view.parts, extreme=None, function=None)))
    sides: tuple[tuple[Direction, Mapping[str, int]], ...] = (
        ("out", ends.heads),
        ("in", ends.tails),
    )
    for direction, own in sides:
        for reading in unranked.sets(own):
            values = Qualifier(reading.form, relation, info.name, direction)
            again = any(
                isinstance(each, Relate) and each.relation == relation
                for each in subforms(reading.form)
            )
            yield Reading(
                Aggregate(values, function),
                (*reading.uses, Use(relation), Use(info.name)),
                reading.hops + 1,
                reading.cost + _AGAIN_COST * again,
            )


def conditions_of(form: Form) -> set[str]:
    """The properties that the form sets conditions on."""
    return {each.property for each in subforms(form) if isinstance(each, Filter)}
