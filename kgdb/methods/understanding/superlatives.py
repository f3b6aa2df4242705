"""Readings of a question that ranks: by a property, by a number of others, by a qualifier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kgdb.graph.forms.operators import (
    And,
    Direction,
    EntityForm,
    Except,
    Extreme,
    Filter,
    FilterByCount,
    FilterLabel,
    Or,
    Relate,
    Select,
    SelectByCount,
    SelectByQualifier,
)
from kgdb.graph.schema import PropertyInfo
from kgdb.methods.understanding.chains_of_schema import applied, chains
from kgdb.methods.understanding.cues import Adjective
from kgdb.methods.understanding.readings import SetReading, Use
from kgdb.methods.understanding.sets import SetReader
from kgdb.methods.understanding.view import AMOUNTS, QuestionView, is_person
from kgdb.methods.understanding.words import likeness, words_of

_APART_COST = 0.2
"""What it costs that the values which rank are not those between the set and its anchors."""

_AGE = "age"

BACK: dict[Direction, Direction] = {"out": "in", "in": "out", "any": "any"}


def asks_extreme(view: QuestionView) -> bool:
    """Whether *the highest …* asks for the value, not for what has it."""
    before = any(start < view.parts.ranked_at for start, _ in view.labels_said())
    return not before and view.parts.asks != "who" and view.noun() is None


def ranked(view: QuestionView) -> Iterator[SetReading]:
    """Those that a superlative or *the most …* names, or what chains lead to from them."""
    parts = view.parts
    noun = view.noun()
    targets = view.targets()
    if parts.extreme:
        for reading in SetReader(view).sets(targets):
            yield from most(view, reading, noun)
        if noun:
            return  # "the most films" ranks by no property
    yield from by_qualifier(view)
    owners = [noun] if noun else targets
    for reading in SetReader(view).sets(owners):
        for info, cost in rankable(view, reading.label):
            selected = replace(
                reading,
                form=Select(reading.form, info.name, extreme(view, info), parts.k),
                cost=reading.cost + cost,
            ).using(Use(info.name, silent=parts.superlative is not None))
            if reading.label in targets:
                yield selected
            for target in targets:
                for chain in chains(view.schema, reading.label, target, 2):
                    uses = (Use(hop.relation) for hop in chain)
                    yield replace(
                        selected,
                        form=applied(selected.form, chain),
                        label=target,
                        hops=selected.hops + len(chain),
                    ).using(*uses, *(Use(hop.label, silent=True) for hop in chain))


def by_qualifier(view: QuestionView) -> Iterator[SetReading]:
    """Those that values of their relationships rank: *the movie with the highest rating*."""
    noun = view.noun()
    owners = [noun] if noun else view.targets()
    for reading in SetReader(view).sets(owners):
        for (hop,) in chains(view.schema, reading.label, None, 1):
            qualifiers = view.schema.relations[hop.relation].properties
            for info, named_cost in _named(view, qualifiers):
                to = _reached_from(reading.form, hop.relation, BACK[hop.direction])
                form = SelectByQualifier(
                    reading.form,
                    hop.relation,
                    info.name,
                    extreme(view, info),
                    hop.direction,
                    view.parts.function,
                    to,
                    view.parts.k,
                )
                # Who says the rating says the relation that has it.
                own = hop.relation if to is not None else None
                uses = tuple(
                    replace(use, silent=use.silent or use.name == own) for use in reading.uses
                )
                apart = _APART_COST if to is None and view.parts.anchors else 0.0
                yield replace(
                    reading,
                    form=form,
                    uses=uses,
                    hops=reading.hops + 1,
                    cost=reading.cost + named_cost + apart,
                ).using(
                    Use(info.name, silent=view.parts.superlative is not None),
                    Use(hop.relation, silent=True),
                    Use(hop.label, silent=True),
                )


def _reached_from(form: EntityForm, relation: str, direction: Direction) -> EntityForm | None:
    """What a hop along the relation led from: of *the highest rating that X gave*, X."""
    match form:
        case Relate() if (form.relation, form.direction) == (relation, direction):
            return form.form
        case Filter() | FilterByCount() | FilterLabel():
            return _reached_from(form.form, relation, direction)
        case And() | Or() | Except():
            return _reached_from(form.left, relation, direction)
    return None


def extreme(view: QuestionView, info: PropertyInfo | None = None) -> Extreme:
    """Which end of a ranking is asked for."""
    if view.parts.superlative:
        return end_of(view.parts.superlative, info)
    return view.parts.extreme or "max"


def rankable(view: QuestionView, label: str) -> list[tuple[PropertyInfo, float]]:
    """The properties that a superlative or *the highest …* may mean, with what it costs."""
    return _named(view, view.schema.of_label(label))


def _named(view: QuestionView, infos: Iterable[PropertyInfo]) -> list[tuple[PropertyInfo, float]]:
    infos = [info for info in infos if info.type in ("date", *AMOUNTS)]
    adjective = view.parts.superlative
    if adjective:
        return hinted(view, infos, adjective)
    return [(info, 0.0) for info in infos if view.is_said(Use(info.name))]


def end_of(adjective: Adjective, info: PropertyInfo | None) -> Extreme:
    """The end of a property that an adjective means: who is older has more years of age."""
    if info is None or (adjective.type == "date") == (info.type == "date"):
        return adjective.extreme
    return "min" if adjective.extreme == "max" else "max"


def hinted(
    view: QuestionView, infos: list[PropertyInfo], adjective: Adjective
) -> list[tuple[PropertyInfo, float]]:
    """The properties whose names have one of the adjective's words, in the order of these."""
    kind, of_age = adjective.type, _AGE in adjective.hints
    fitting = [
        p
        for p in infos
        if (p.type == "date") == (kind == "date") or (of_age and _AGE in words_of(p.name))
    ]
    found: list[tuple[PropertyInfo, float]] = []
    for number, hint in enumerate(adjective.hints):
        for info in fitting:
            words = words_of(info.name)
            if any(likeness(hint, word, view.cues) >= 1 for word in words):
                found.append((info, 0.01 * number))
    said = [info for info in fitting if view.is_said(Use(info.name))]
    found += [(info, 0.0) for info in said]
    # Who joined first is not the oldest, nor who has belonged to something for the longest time.
    of_person = of_age and any(
        not p.labels or any(is_person(label, view.cues) for label in p.labels) for p in fitting
    )
    if not found and kind == "date" and len(fitting) == 1 and not of_person:
        return [(fitting[0], 0.1)]
    return found


def most(view: QuestionView, reading: SetReading, noun: str | None) -> Iterator[SetReading]:
    """Those with the most entities at the other end of a relation."""
    for (hop,) in chains(view.schema, reading.label, None, 1):
        if noun not in (None, hop.label) and hop.label != reading.label:
            continue
        if noun is None and not view.is_said(Use(hop.relation)):
            continue
        form = SelectByCount(
            reading.form,
            hop.relation,
            extreme(view),
            hop.direction,
            view.parts.k,
            # "who won the most?" asks for events, and not for entities
            relationships=noun is None and not view.names_agents(view.parts.ranked_at),
        )
        yield replace(reading, form=form, hops=reading.hops + 1).using(
            Use(hop.relation), Use(hop.label, silent=True)
        )
