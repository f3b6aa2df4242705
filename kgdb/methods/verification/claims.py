"""What a claim says, as far as its words tell: the things it names, its values, its denials."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kgdb.graph import Link
from kgdb.graph.linking.mentions import normalize
from kgdb.values import Entity

FIRST, SECOND = "this", "that"
"""Stand for the two things that a part of a claim is about."""

_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nor|neither|without|cannot|nobody|nothing)\b|n['’]t\b"
    r"|不|没有|没|无|未|非",
    re.IGNORECASE,
)

_INTERJECTIONS = frozenset("yes no well nice okay ok oh right wow sure true false".split())

_SHORTEST = 3
"""Letters of a name that is looked for in the words around mentions."""

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
_NUMBER = re.compile(r"(?<![\w.])[+-]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w)")


@dataclass(frozen=True, slots=True)
class Value:
    """A date or a number in a claim, and its place there; ``dates`` are all it may mean."""

    text: str
    start: int
    end: int
    dates: frozenset[date] = frozenset()
    number: float | None = None

    def is_(self, name: str) -> bool:
        """Whether a value of the graph, as it is written there, is this one."""
        if self.dates:
            # Of a date the graph may know the year alone; that does not prove the day.
            return any(day.isoformat() == name.strip()[:10] for day in self.dates)
        number = _number(name)
        if number is None or self.number is None:
            return False
        return abs(number - self.number) <= 1e-6 * max(1.0, abs(number))


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim with the entities it names (in order, never overlapping) and its other values."""

    text: str
    links: tuple[Link, ...]
    values: tuple[Value, ...]

    @classmethod
    def of(cls, text: str, links: Sequence[Link]) -> Claim:
        """The claim ``text``, where ``links`` were found.

        A value inside the name of an entity is part of the name; an entity inside a value (the
        year 1989, or 600 in $108,600) is the value, which the graph may write in another way.
        """
        values = _values(text)
        named = [
            link
            for link in links
            if not any(value.start <= link.start and link.end <= value.end for value in values)
        ]
        if len(named) > 1:
            named = [link for link in named if normalize(link.mention) not in _INTERJECTIONS]
        free = [
            value
            for value in values
            if all(value.end <= link.start or link.end <= value.start for link in named)
        ]
        return cls(text, tuple(named), tuple(free))

    @property
    def things(self) -> list[Link | Value]:
        """All that is named."""
        return [*self.links, *self.values]

    def about(self, *spans: Link | Value) -> str:
        """The part of the claim around the given things, with placeholders for them.

        It reaches from the thing named before them to the one named after them, without its
        denials: they say whether, and not what.
        """
        ordered = sorted(spans, key=lambda span: span.start)
        start, end = self._bounds(ordered)
        text, at = "", start
        for span, placeholder in zip(ordered, (FIRST, SECOND), strict=False):
            text += _affirmed(self.text[at : span.start]) + placeholder
            at = span.end
        text += _affirmed(self.text[at:end])
        return " ".join(text.replace("[", "").replace("]", "").split())

    def denies(self, *spans: Link | Value) -> bool:
        """Whether the part of the claim around the given things is denied; twice is not at all.

        A denial belongs to the thing that is named next after it, else to the last one: *A was not
        born in B, and did not die in C* denies both, *A is not in B, which is in C* the first
        alone. What stands before all things counts wherever the first of them does.
        """
        ordered = sorted(spans, key=lambda span: span.start)
        owners = {ordered[-1], *(ordered[:1] if self._opens(ordered[0]) else [])}
        things = sorted(self.things, key=lambda span: span.start)
        found = [
            match
            for match in _NEGATION.finditer(self.text)
            if not any(span.start <= match.start() < span.end for span in things)
            and next((s for s in things if s.start >= match.end()), things[-1]) in owners
        ]
        return len(found) % 2 == 1

    def _opens(self, thing: Link | Value) -> bool:
        return all(thing.start <= other.start for other in self.things)

    def named(self, entity: Entity) -> Link | None:
        """Which mention has the name of an entity, even if it is thought to mean another one.

        A graph may have the place Rome and, as a mere value, the text "Rome".
        """
        name = normalize(entity.name)
        return next((link for link in self.links if normalize(link.mention) == name), None)

    def says(self, entity: Entity) -> bool:
        """Whether the name of an entity stands in the claim outside all mentions."""
        name = normalize(entity.name)
        if len(name) < _SHORTEST:
            return False
        rest = self.text
        for link in sorted(self.links, key=lambda link: -link.start):
            rest = rest[: link.start] + " | " + rest[link.end :]
        return any(f" {name} " in f" {normalize(part)} " for part in rest.split("|"))

    def _bounds(self, ordered: Sequence[Link | Value]) -> tuple[int, int]:
        others = [span for span in self.things if span not in ordered]
        first, last = ordered[0], ordered[-1]
        start = max((span.end for span in others if span.end <= first.start), default=0)
        end = min((span.start for span in others if span.start >= last.end), default=None)
        return start, len(self.text) if end is None else end


def _affirmed(text: str) -> str:
    """The text without what denies it."""
    return _NEGATION.sub("", text)


def _values(text: str) -> list[Value]:
    found: list[Value] = []
    for pattern in (_DATE, _DAY_FIRST):
        found += [
            Value(match[0], match.start(), match.end(), dates)
            for match in pattern.finditer(text)
            if (dates := _dates(match.groupdict()))
        ]
    found += [
        Value(match[0], match.start(), match.end(), number=_number(match[0]))
        for match in _NUMBER.finditer(text)
        if all(match.end() <= value.start or value.end <= match.start() for value in found)
    ]
    return sorted(found, key=lambda value: value.start)


def _dates(parts: dict[str, str | None]) -> frozenset[date]:
    """All dates that are meant; 10/03/1983 may be in October or in March."""
    given: list[tuple[int, ...]]
    if iso := parts.get("iso"):
        given = [tuple(map(int, iso.split("-")))]
    elif ordered := parts.get("ordered"):
        one, other, year = map(int, re.split("[/.-]", ordered))
        given = [(year, one, other), (year, other, one)]
    else:
        month = _MONTHS[str(parts["month"]).lower()]
        given = [(int(str(parts["year"])), month, int(str(parts["day"])))]
    return frozenset(found for numbers in given if (found := _date(*numbers)))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _number(text: str) -> float | None:
    """The number a text begins with; what follows in brackets is its unit."""
    try:
        return float(text.partition("(")[0].replace(",", "").strip())
    except ValueError:
        return None
