"""A question taken apart: its anchors, its cues, and the words that must be explained."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from kgdb.graph.forms.operators import Comparator, EntityForm, Extreme, Function, Value
from kgdb.methods.understanding.cues import Adjective, Cues

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+")
_TOP = re.compile(
    r"(?<!\w)(?:top\s+(\d+|two|three|four|five|ten)|(\d+|two|three|four|five|ten)"
    r"(?=\s+(?:most|least|highest|lowest|best|largest|biggest|smallest|\w+est)\b))(?!\w)"
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_SPELT = re.compile(rf"(?<!\w)({'|'.join(_NUMBERS)}|one)(?!\w)")
_LEADING = re.compile(
    r"^\W*(?:(?:please|can you|could you|would you|i want to know|i'd like to know|do you know|"
    r"tell me|show me|give me|list(?: me)?|find(?: me)?|name)\s+)+"
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """Something that the question names: an entity, or a value of a property.

    ``form`` is the set that it stands for, ``labels`` are those of its entities. Of the value of a
    relationship's property ``relation`` is the relation, and ``form``
    is ``None``; ``key`` is the property of a value.
    """

    text: str
    start: int
    end: int
    form: EntityForm | None
    labels: frozenset[str]
    key: str | None = None
    value: Value | None = None
    relation: str | None = None
    excluded: bool = False
    others: tuple[Anchor, ...] = ()
    """What the same words may name as well."""

    @property
    def readings(self) -> tuple[Anchor, ...]:
        """Everything that its words may name."""
        return (self, *self.others)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A number or a date with how it is compared; ``next_word`` is the place after it."""

    op: Comparator
    value: int | float | str
    start: int
    end: int
    dated: bool


@dataclass(frozen=True, slots=True)
class Word:
    """A word that must be explained; ``after`` is the number of anchors before it."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QuestionParts:
    """What a question is made of."""

    text: str
    anchors: tuple[Anchor, ...]
    words: tuple[Word, ...]
    counts: bool = False
    yes_no: bool = False
    asks: Literal["when", "where", "who", "how much"] | None = None
    function: Function | None = None
    function_at: int = -1
    each_at: int = -1
    excludes_at: tuple[int, ...] = ()
    either: bool = False
    superlative: Adjective | None = None
    extreme: Extreme | None = None
    ranked_at: int = -1
    comparative: Adjective | None = None
    k: int = 1
    comparisons: tuple[Comparison, ...] = ()
    unknown: tuple[str, ...] = field(default=())


def take_apart(question: str, anchors: Sequence[Anchor], cues: Cues) -> QuestionParts:  # noqa: PLR0912, PLR0915
    """The parts of a question whose anchors are found."""
    text = question.lower()
    for anchor in anchors:
        text = text[: anchor.start] + "\x01" * (anchor.end - anchor.start) + text[anchor.end :]
    lead = _LEADING.match(text)
    if lead:
        text = " " * lead.end() + text[lead.end() :]
    taken = list(text)

    def take(start: int, end: int) -> None:
        taken[start:end] = " " * (end - start)

    def left() -> str:
        return "".join(taken)

    parts = QuestionParts(question, tuple(anchors), ())
    first = re.search(r"[^\W\d_]", text)
    begin = first.start() if first else 0
    for kind in ("how much", "when", "where", "who"):
        found = cues.kinds[kind.replace(" ", "_")].match(text, begin)
        if found:
            parts = replace(parts, asks=kind)
            if kind == "how much":
                take(begin, begin + len("how "))
            else:
                take(*found.span(1))
            break
    counting = cues.kinds["count"].search(left())
    if counting:
        parts = replace(parts, counts=True)
        take(*counting.span(1))
    elif parts.asks is None and (found := cues.kinds["yes_no"].match(text, begin)):
        parts = replace(parts, yes_no=True)
        take(*found.span(1))
    if top := _TOP.search(left()):
        number = top[1] or top[2]
        parts = replace(parts, k=_NUMBERS.get(number) or int(number))
        take(*top.span())
        if top[1]:
            parts = replace(parts, extreme="max", ranked_at=top.end())
    comparisons = []
    for found in cues.ranges.finditer(left()):
        low, high = found[1], found[2]
        span = found.span()
        comparisons += [_comparison(">=", low, *span), _comparison("<=", high, *span)]
        take(*span)
    for word in list(_SPELT.finditer(left())):
        # "three movies" counts; "one of" does not
        number = _NUMBERS.get(word[1])
        if number and cues.comparators and _compared_before(left(), word.start(), cues):
            digits = str(number).ljust(len(word[1]))
            taken[word.start() : word.end()] = digits
    for op, pattern in cues.comparators:
        for found in list(pattern.finditer(left())):
            comparisons.append(_comparison(op, found["value"], *found.span()))
            take(*found.span())
    parts = replace(parts, comparisons=tuple(sorted(comparisons, key=lambda c: c.start)))
    for cue in cues.adjectives(left(), cues.superlatives):
        if parts.superlative is None:
            parts = replace(parts, superlative=cue.value, ranked_at=cue.end)
            take(cue.start, cue.end)
    if parts.superlative and parts.comparative is None and len(anchors) == 2 and " or " in text:
        parts = replace(parts, comparative=parts.superlative, superlative=None, ranked_at=-1)
    elif parts.superlative is None:
        for extreme, pattern in cues.extremes.items():
            if parts.extreme is None and (found := pattern.search(left())):
                parts = replace(parts, extreme=extreme, ranked_at=found.end())
                take(*found.span())
            elif parts.extreme == extreme and (found := pattern.search(left())):
                take(*found.span())
    if parts.superlative is None and parts.comparative is None:
        for cue in cues.adjectives(left(), cues.comparatives):
            if parts.comparative is None:
                parts = replace(parts, comparative=cue.value)
                take(cue.start, cue.end)
    for function, pattern in cues.functions.items():
        if parts.function is None and (found := pattern.search(left())):
            parts = replace(parts, function=function, function_at=found.end())
            take(*found.span())
    if (found := cues.each.search(left())) and _groups(parts, left(), found.start()):
        parts = replace(parts, each_at=found.end())
        take(*found.span())
    excluded = []
    for found in cues.exclusions.finditer(left()):
        excluded.append(found.end())
        take(*found.span())
    if excluded:
        parts = replace(
            parts,
            excludes_at=tuple(excluded),
            anchors=tuple(_excluded(anchor, excluded, text) for anchor in parts.anchors),
        )
    if cues.alternatives.search(left()):
        parts = replace(parts, either=True)
    words = [
        Word(found[0].removesuffix("'s"), *found.span())
        for found in _WORD.finditer(left())
        if found[0] not in cues.stop and found[0] != "s"
    ]
    return replace(parts, words=tuple(words))


def _compared_before(text: str, start: int, cues: Cues) -> bool:
    """Whether a number in words stands where one is compared: *more than three*."""
    return any(
        pattern.search(f"{text[:start]}3", max(0, start - 30))
        for op, pattern in cues.comparators
        if op != "="
    )


def _groups(parts: QuestionParts, text: str, at: int) -> bool:
    """Whether *per*, *each* … makes groups: of what is counted, summed up or ranked."""
    return bool(parts.counts or parts.function) or (at > 0 and "number of" in text)


def _excluded(anchor: Anchor, cues_at: Sequence[int], text: str) -> Anchor:
    """An anchor after a word such as *not*, up to the next *and* or comma behind it."""
    for at in cues_at:
        if anchor.start >= at and not re.search(r"[,;]|\bbut\b", text[at : anchor.start]):
            return replace(anchor, excluded=True)
    return anchor


def _comparison(op: Comparator, value: str, start: int, end: int) -> Comparison:
    plain = value.strip().lstrip("$€£ ").replace(",", "")
    if re.fullmatch(r"\d{4}-\d{2}(-\d{2})?", plain):
        return Comparison(op, plain, start, end, True)
    dated = bool(re.fullmatch(r"1\d{3}|20\d{2}", plain)) and "," not in value
    number = float(plain) if "." in plain else int(plain)
    return Comparison(op, number, start, end, dated)
