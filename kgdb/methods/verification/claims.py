"""The parts of a claim that its words reveal: the entities it names, its values, its negations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kgdb.graph import Link
from kgdb.graph.linking.name_words import normalize
from kgdb.values import Entity

FIRST, SECOND = "this", "that"
"""Placeholders for the two spans that a part of a claim is about."""

_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nor|neither|without|cannot|nobody|nothing)\b|n['’]t\b"
    r"|不|没有|没|无|未|非",
    re.IGNORECASE,
)

_INTERJECTIONS = frozenset("yes no well nice okay ok oh right wow sure true false".split())

_MIN_LETTERS = 3
"""The shortest name, in letters, that may match the words around mentions."""

_MONTHS = {
    name: number
    for number, name in enumerate(
        "jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1
    )
}
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_DATE = re.compile(
    rf"\b{_MONTH}\s+{_DAY},?\s+(?P<year>\d{{4}})\b|\b(?P<iso>\d{{4}}-\d{{1,2}}-\d{{1,2}})\b"
    r"|\b(?P<ordered>\d{1,2}[/.-]\d{1,2}[/.-]\d{4})\b",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(rf"\b{_DAY}\s+(?:of\s+)?{_MONTH},?\s+(?P<year>\d{{4}})\b", re.IGNORECASE)
# A unit may follow at once, as in 21.2m; 14th and 90s are no values.
_NUMBER = re.compile(
    r"(?<![\w.])[+-]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][+-]?\d+)?"
    r"(?![.,]?\d|(?:st|nd|rd|th|s)\b)(?=\W|$|[a-zµ]+\b)"
)
_SEASON = re.compile(r"(?<![\w.-])(?P<first>\d{4})[-–/](?:\d{2}|\d{4})(?![\w-])")


@dataclass(frozen=True, slots=True)
class Value:
    """A date or a number in a claim, with its span; ``dates`` are all dates it may mean.

    A season, as 2014–15, has the number of its first year.
    """

    text: str
    start: int
    end: int
    dates: frozenset[date] = frozenset()
    number: float | None = None

    def matches(self, name: str) -> bool:
        """Whether ``name``, a value as the graph writes it, is this value."""
        if self.dates:
            # The graph may store the year alone; a year does not prove the day.
            return any(day.isoformat() == name.strip()[:10] for day in self.dates)
        number = _number(name)
        if number is None or self.number is None:
            return False
        return abs(number - self.number) <= 1e-6 * max(1.0, abs(number))


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim with the entities it names (in order, without overlaps) and its other values."""

    text: str
    links: tuple[Link, ...]
    values: tuple[Value, ...]

    @classmethod
    def of(cls, text: str, links: Sequence[Link]) -> Claim:
        """The claim ``text`` with ``links``, the entities linked in it.

        A value inside the name of an entity is part of the name. An entity inside a value (the
        year 1989, or 600 in $108,600) is the value, which the graph may write differently.
        """
        values = _values(text)
        mentions = [
            link
            for link in links
            if not any(value.start <= link.start and link.end <= value.end for value in values)
        ]
        if len(mentions) > 1:
            mentions = [link for link in mentions if normalize(link.mention) not in _INTERJECTIONS]
        free = [
            value
            for value in values
            if all(value.end <= link.start or link.end <= value.start for link in mentions)
        ]
        return cls(text, tuple(mentions), tuple(free))

    @property
    def spans(self) -> list[Link | Value]:
        """The entities and the values."""
        return [*self.links, *self.values]

    def text_around(self, *spans: Link | Value) -> str:
        """The part of the claim around ``spans``, with placeholders for them.

        It reaches from the span before them to the span after them. Negations are removed:
        :meth:`is_denied` reports them.
        """
        ordered = sorted(spans, key=lambda span: span.start)
        start, end = self._bounds(ordered)
        text, at = "", start
        for span, placeholder in zip(ordered, (FIRST, SECOND), strict=False):
            text += _without_negations(self.text[at : span.start]) + placeholder
            at = span.end
        text += _without_negations(self.text[at:end])
        return " ".join(text.replace("[", "").replace("]", "").split())

    def is_denied(self, *spans: Link | Value) -> bool:
        """Whether the claim denies the part around ``spans``; two negations cancel out.

        A negation belongs to the next span, else to the last one: *A was not born in B, and did
        not die in C* denies both parts, *A is not in B, which is in C* the first alone. A negation
        before the first span counts for every part that contains this span.
        """
        ordered = sorted(spans, key=lambda span: span.start)
        owners = {ordered[-1], *(ordered[:1] if self._is_first(ordered[0]) else [])}
        all_spans = sorted(self.spans, key=lambda span: span.start)
        negations = [
            match
            for match in _NEGATION.finditer(self.text)
            if not any(span.start <= match.start() < span.end for span in all_spans)
            and next((s for s in all_spans if s.start >= match.end()), all_spans[-1]) in owners
        ]
        return len(negations) % 2 == 1

    @property
    def denials(self) -> tuple[int, ...]:
        """The places of the words outside the mentions that deny something."""
        return tuple(
            match.start()
            for match in _NEGATION.finditer(self.text)
            if not any(span.start <= match.start() < span.end for span in self.spans)
        )

    def _is_first(self, span: Link | Value) -> bool:
        return all(span.start <= other.start for other in self.spans)

    def mention_named(self, entity: Entity) -> Link | None:
        """The mention with the name of ``entity``, even if it is linked to another entity.

        A graph may have the city Rome and, as a mere value, the text "Rome".
        """
        name = normalize(entity.name)
        return next((link for link in self.links if normalize(link.mention) == name), None)

    def contains_name(self, entity: Entity) -> bool:
        """Whether the claim contains the name of ``entity`` outside all mentions."""
        name = normalize(entity.name)
        if len(name) < _MIN_LETTERS:
            return False
        rest = self.text
        for link in sorted(self.links, key=lambda link: -link.start):
            rest = rest[: link.start] + " | " + rest[link.end :]
        return any(f" {name} " in f" {normalize(part)} " for part in rest.split("|"))

    def names(self, entity: Entity) -> bool:
        """Whether the claim names ``entity``, as a mention, a value or in other words of it."""
        return (
            any(entity.id in link.ids for link in self.links)
            or self.mention_named(entity) is not None
            or any(value.matches(entity.name) for value in self.values)
            or self.contains_name(entity)
        )

    def _bounds(self, ordered: Sequence[Link | Value]) -> tuple[int, int]:
        others = [span for span in self.spans if span not in ordered]
        first, last = ordered[0], ordered[-1]
        start = max((span.end for span in others if span.end <= first.start), default=0)
        end = min((span.start for span in others if span.start >= last.end), default=None)
        return start, len(self.text) if end is None else end


def is_value(name: str) -> bool:
    """Whether a name is a number or a date, as a graph writes it."""
    return _number(name) is not None or _DATE.match(name) is not None


def _without_negations(text: str) -> str:
    return _NEGATION.sub("", text)


def _values(text: str) -> list[Value]:
    values: list[Value] = []
    for pattern in (_DATE, _DAY_FIRST):
        values += [
            Value(match[0], match.start(), match.end(), dates)
            for match in pattern.finditer(text)
            if (dates := _dates(match.groupdict()))
        ]
    for pattern, group in ((_SEASON, "first"), (_NUMBER, 0)):
        values += [
            Value(match[0], match.start(), match.end(), number=_number(match[group]))
            for match in pattern.finditer(text)
            if all(match.end() <= value.start or value.end <= match.start() for value in values)
        ]
    return sorted(values, key=lambda value: value.start)


def _dates(parts: dict[str, str | None]) -> frozenset[date]:
    """All dates that the parts may mean: 10/03/1983 may be in October or in March."""
    candidates: list[tuple[int, ...]]
    if iso := parts.get("iso"):
        candidates = [tuple(map(int, iso.split("-")))]
    elif ordered := parts.get("ordered"):
        first, second, year = map(int, re.split("[/.-]", ordered))
        candidates = [(year, first, second), (year, second, first)]
    else:
        month = _MONTHS[str(parts["month"]).lower()]
        candidates = [(int(str(parts["year"])), month, int(str(parts["day"])))]
    return frozenset(day for numbers in candidates if (day := _date(*numbers)))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _number(text: str) -> float | None:
    """The number at the start of ``text``; a unit may follow in brackets."""
    try:
        return float(text.partition("(")[0].replace(",", "").strip())
    except ValueError:
        return None
