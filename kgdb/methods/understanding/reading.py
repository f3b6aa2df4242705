"""From the parts of a question to a logical form: every word accounted for, or a reason why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kgdb.graph.forms.operators import (
    Count,
    Form,
    last_hop,
)
from kgdb.methods.understanding.entities import entities
from kgdb.methods.understanding.numbers import aggregates, groups
from kgdb.methods.understanding.property_values import properties
from kgdb.methods.understanding.question import QuestionParts
from kgdb.methods.understanding.readings import Reading, SetReading, Use
from kgdb.methods.understanding.scoring import accounts, score, unexplained, unknown
from kgdb.methods.understanding.superlatives import asks_extreme, by_qualifier
from kgdb.methods.understanding.view import QuestionView
from kgdb.methods.understanding.yes_no import comparisons, joined, verifications


@dataclass(frozen=True, slots=True)
class Understood:
    """The form of a question, or the reason why there is none.

    ``parts`` are those of the question. ``readings`` are all forms that it may well mean, where
    these are several: the form is the first, or none where none is likely enough. ``unread`` are
    the words that no name explains, and ``advice`` is what may help to ask in other words.
    """

    form: Form | None
    reason: str | None = None
    score: float = 0.0
    parts: QuestionParts | None = None
    readings: tuple[Form, ...] = ()
    unread: tuple[str, ...] = ()
    advice: str = ""


def read(view: QuestionView) -> Understood:
    """The form that explains the words best, if it explains them all."""
    if len(own := view.own_words()) < len(view.parts.words):
        return read(replace(view, parts=replace(view.parts, words=own)))
    # A word that no name explains no reading does; of a long text there are far too many to try.
    if left := unexplained(view, map(Use, view.alignment.names)):
        return Understood(None, unknown(left), unread=tuple(left))
    fitting = [each for each in readings(view) if accounts(view, each.form)]
    if not fitting:
        return Understood(None, unknown(view.parts.cues))
    scored = [(score(view, each), each) for each in fitting]
    value, best = max(scored, key=lambda each: each[0])
    left = unexplained(view, best.uses)
    if left:
        return Understood(None, unknown(left), value, unread=tuple(left))
    return Understood(best.form, None, value)


def _numbers(view: QuestionView) -> Iterator[Reading]:
    """Numbers made of many, and what such numbers rank: *the highest average rating*."""
    parts = view.parts
    if parts.function and (parts.extreme or parts.superlative) and parts.each_at < 0:
        for one in by_qualifier(view):
            yield Reading(one.form, one.uses, one.hops, one.cost)
    elif parts.function or (parts.extreme and asks_extreme(view)):
        yield from aggregates(view)


def _is_place(view: QuestionView, reading: SetReading) -> bool:
    """Whether it is where something is: a place that it is joined with, or as words say."""
    near = reading.hops <= 1 or view.says_any(reading.label, reading.uses)
    return near and view.is_hinted(reading.label, view.cues.places)


def _counts_events(view: QuestionView, reading: SetReading) -> bool:
    """Whether relationships are counted: no word names the entities at their ends.

    *How many times did X win* and *how many goals did X score* ask for events; two may have the
    same entities at their ends. Where entities have no labels, a noun may be one for them.
    """
    named = view.says_any(reading.label, ()) or view.names_agents()
    named = named or view.schema.is_of_one_kind
    return last_hop(reading.form) is not None and (view.parts.times or not named)


def readings(view: QuestionView) -> Iterator[Reading]:
    """Everything that the question may mean, whether or not it explains all words."""
    parts = view.parts
    if parts.yes_no:
        yield from verifications(view)
        return
    if parts.comparative and len(parts.anchors) >= 2:
        yield from comparisons(view)
        return
    numbers = list(_numbers(view))
    yield from numbers
    if numbers and (parts.extreme or parts.superlative):
        return
    if parts.each_at >= 0:
        yield from groups(view)
        return
    if parts.function and not parts.counts:
        return
    yield from properties(view)
    if parts.asks in ("when", "how much"):
        return
    says_more = any(map(view.says_more, parts.words))
    if parts.times:  # "how many times did X meet Y?"
        for both in joined(view):
            yield Reading(Count(both.form, relationships=True), both.uses, both.hops, both.cost)
    for reading in entities(view):
        if parts.asks == "where" and not says_more and not _is_place(view, reading):
            continue  # "where is the supplier?" does not ask for suppliers
        form: Form = (
            Count(reading.form, _counts_events(view, reading)) if parts.counts else reading.form
        )
        yield Reading(form, reading.uses, reading.hops, reading.cost)
