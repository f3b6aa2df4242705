"""Readings of a question that asks for entities: all that fit, or those that rank first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kgdb.graph.forms.operators import (
    Direction,
    Except,
    Extreme,
    Filter,
    FindAll,
    Relate,
    Select,
    SelectByCount,
)
from kgdb.graph.schema import PropertyInfo
from kgdb.methods.understanding.chains_of_schema import applied, chains
from kgdb.methods.understanding.readings import SetReading, Use
from kgdb.methods.understanding.sets import SetReader
from kgdb.methods.understanding.view import NUMBERS, QuestionView
from kgdb.methods.understanding.words import likeness, words_of

_NO_PERSON_COST = 0.3
_BACK: dict[Direction, Direction] = {"out": "in", "in": "out", "any": "any"}


def entities(view: QuestionView) -> Iterator[SetReading]:
    """The sets that may be asked for, ranked where the question ranks them."""
    if view.parts.superlative or view.parts.extreme:
        yield from ranked(view)
        return
    for reading in SetReader(view).sets(view.targets()):
        cost = 0.0
        if view.parts.asks == "who" and (persons := view.persons()):
            cost = _NO_PERSON_COST * (reading.label not in persons)
        yield replace(reading, cost=reading.cost + cost)
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
        back = Relate(FindAll(hop.label), hop.relation, _BACK[hop.direction])
        yield replace(reading, form=Except(reading.form, back), hops=reading.hops + 1).using(
            Use(hop.relation), Use(hop.label, silent=True)
        )


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
        if noun and view.cues.spaced:
            return  # "the most films" ranks by no property
    owners = [noun] if noun else targets
    for reading in SetReader(view).sets(owners):
        for info, cost in rankable(view, reading.label):
            selected = replace(
                reading,
                form=Select(reading.form, info.name, extreme(view), parts.k),
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


def extreme(view: QuestionView) -> Extreme:
    """Which end of a ranking is asked for."""
    if view.parts.superlative:
        return view.parts.superlative.extreme
    return view.parts.extreme or "max"


def rankable(view: QuestionView, label: str) -> list[tuple[PropertyInfo, float]]:
    """The properties that a superlative or *the highest …* may mean, with what it costs."""
    infos = [p for p in view.schema.of_label(label) if p.type in ("date", *NUMBERS)]
    adjective = view.parts.superlative
    if adjective:
        return hinted(view, infos, adjective.hints, adjective.type)
    return [(info, 0.0) for info in infos if view.is_said(Use(info.name))]


def hinted(
    view: QuestionView, infos: list[PropertyInfo], hints: Iterable[str], kind: str
) -> list[tuple[PropertyInfo, float]]:
    """The properties whose names have one of the words, in the order of these."""
    fitting = [p for p in infos if (p.type == "date") == (kind == "date")]
    found: list[tuple[PropertyInfo, float]] = []
    for number, hint in enumerate(hints):
        for info in fitting:
            words = words_of(info.name)
            if any(likeness(hint, word, view.cues) >= 1 for word in words):
                found.append((info, 0.01 * number))
    said = [info for info in fitting if view.is_said(Use(info.name))]
    found += [(info, 0.0) for info in said]
    if not found and kind == "date" and len(fitting) == 1:
        return [(fitting[0], 0.1)]
    return found


def most(view: QuestionView, reading: SetReading, noun: str | None) -> Iterator[SetReading]:
    """Those with the most entities at the other end of a relation."""
    if not view.cues.spaced and noun is not None:
        # "参演电影最多的演员": what is counted stands before
        before = [label for start, label in view.labels_said() if start < view.parts.ranked_at]
        noun = before[-1] if before else None
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
        )
        yield replace(reading, form=form, hops=reading.hops + 1).using(
            Use(hop.relation), Use(hop.label, silent=True)
        )
