"""A question taken apart: its anchors, its cues, and the words that must be explained."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from kgdb.graph.forms.operators import Comparator, EntityForm, Extreme, Function, Value
from kgdb.methods.understanding.cues import DATE, NUMBER, Adjective, Cues
from kgdb.methods.understanding.segmentation import CHINESE, chinese_words, vocabulary
from kgdb.methods.understanding.spoken_dates import with_iso_dates
from kgdb.methods.understanding.subjects import is_excluded
from kgdb.methods.understanding.words import words_of

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+")
_NUMBER_OF = re.compile(r"(?:the )?(?:total )?number of\b")
_TOP = re.compile(
    r"(?<!\w)(?:top\s+(\d+|two|three|four|five|ten)|(\d+|two|three|four|five|ten)"
    r"(?=\s+(?:most|least|highest|lowest|best|largest|biggest|smallest|\w+est)\b))(?!\w)"
)
_FIRST_OF = re.compile(
    r"^\W*(?:which|what(?: are the)?|whose)\s+(\d+|two|three|four|five|ten)(?=\s+[a-z])"
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
_COUNTED = re.compile(
    rf"(?<![\w.,])({'|'.join(_NUMBERS)}|one|\d{{1,3}}(?:,\d{{3}})*|\d+)(?=\s+[^\W\d_])"
)
_THAN = re.compile(rf"\s+than\s+(?P<value>[$€£]?\s?(?:{DATE}|{NUMBER}))(?!\w)")
# "Does X cost more than Y": two things compared by the property that a word says.
_MORE_THAN = re.compile(r"(?<!\w)(more|less)\s+than\s+(?:the\s+)?\x01")
_SPELT = re.compile(rf"(?<!\w)({'|'.join(_NUMBERS)}|one)(?!\w)")
_LEADING = re.compile(
    r"^\W*(?:(?:and|but|so|then|also|okay|ok|well|now|please|can you|could you|would you|"
    r"i want to know|i'd like to know|do you know|"
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
    """A number or a date with how it is compared, perhaps by an adjective: *taller than 187*."""

    op: Comparator
    value: int | float | str
    start: int
    end: int
    dated: bool
    adjective: Adjective | None = None


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
    times: bool = False
    """Whether it counts how often something happened."""
    yes_no: bool = False
    asks: Literal["when", "where", "who", "how much"] | None = None
    function: Function | None = None
    each_at: int = -1
    excludes_at: tuple[int, ...] = ()
    either: bool = False
    superlative: Adjective | None = None
    extreme: Extreme | None = None
    ranked_at: int = -1
    comparative: Adjective | None = None
    k: int = 1
    comparisons: tuple[Comparison, ...] = ()
    cues: tuple[str, ...] = ()
    """The operator words as they were said."""

    @property
    def has_operators(self) -> bool:
        """Whether it asks for more than what a chain of relations leads to."""
        return bool(
            self.counts
            or self.yes_no
            or self.asks == "how much"
            or self.function
            or self.each_at >= 0
            or self.excludes_at
            or self.superlative
            or self.extreme
            or self.comparative
            or any(comparison.op != "=" for comparison in self.comparisons)
            or self.k > 1
            or (self.either and len(self.anchors) > 1)
        )


def take_apart(
    question: str, anchors: Sequence[Anchor], cues: Cues, names: Sequence[str] = ()
) -> QuestionParts:
    """The parts of a question whose anchors are found.

    ``names`` are those of the schema, by which words that are not set apart are found.
    """
    return _Dissection(question, anchors, cues, names).parts()


class _Dissection:
    """Takes cue after cue out of a question; what is left are the words to be explained.

    The order matters: *at least three of the oldest* must lose its number before *least* is taken
    for a superlative.
    """

    def __init__(
        self, question: str, anchors: Sequence[Anchor], cues: Cues, names: Sequence[str]
    ) -> None:
        self._names = list(names)
        text = with_iso_dates(question.lower())
        anchors = [anchor for anchor in anchors if not _is_compared(anchor, text, cues)]
        for anchor in anchors:
            hidden = "\x01" * (anchor.end - anchor.start)
            text = text[: anchor.start] + hidden + text[anchor.end :]
        if lead := _LEADING.match(text):
            text = " " * lead.end() + text[lead.end() :]
        self._cues = cues
        self._text = text
        self._taken = list(text)
        self._cue_texts: list[tuple[int, str]] = []
        self._parts = QuestionParts(question, tuple(anchors), ())

    def parts(self) -> QuestionParts:
        """All steps, and the words that they left."""
        self._take_kind()
        self._take_number_of_best()
        self._take_comparisons()
        self._take_rankings()
        self._take_functions()
        self._take_exclusions()
        if self._cues.alternatives.search(self._left):
            self._set(either=True)
        # "the two actors who appear in the most films together" speaks of pairs, as no form does
        joint = self._cues.joint if self._parts.anchors else frozenset()
        silent = self._cues.stop | {"s"} | joint
        words = [Word(text, start, end) for text, start, end in self._words() if text not in silent]
        said = tuple(text for _, text in sorted(self._cue_texts))
        return replace(self._parts, words=tuple(words), cues=said)

    def _words(self) -> Iterator[tuple[str, int, int]]:
        left = self._left
        if not self._cues.spaced:
            for text, start in chinese_words(left, vocabulary(self._names, self._cues)):
                yield text, start, start + len(text)
            left = CHINESE.sub(lambda found: " " * len(found[0]), left)
        for found in _WORD.finditer(left):
            yield found[0].removesuffix("'s"), *found.span()

    @property
    def _left(self) -> str:
        return "".join(self._taken)

    def _take(self, start: int, end: int) -> None:
        self._cue_texts.append((start, " ".join(self._text[start:end].split())))
        self._taken[start:end] = " " * (end - start)

    def _set(self, **changes: Any) -> None:
        self._parts = replace(self._parts, **changes)

    def _take_kind(self) -> None:
        """Who, when, where, how much; how many; yes or no."""
        first = re.search(r"[^\W\d_]", self._text)
        begin = first.start() if first else 0
        kinds = self._cues.kinds
        for kind in ("how much", "when", "where", "who"):
            if found := self._asked(kinds[kind.replace(" ", "_")], begin):
                self._set(asks=kind)
                # What "how tall" asks for is a word of a property.
                much = kind == "how much" and self._cues.spaced
                self._take(found.start(1), begin + len("how ") if much else found.end(1))
                break
        if number := _NUMBER_OF.match(self._left, begin):
            self._set(counts=True)
            self._take(*number.span())
        elif often := kinds["times"].search(self._left):
            self._set(counts=True, times=True)
            self._take(*often.span(1))
        elif counting := kinds["count"].search(self._left):
            self._set(counts=True)
            self._take(*counting.span(1))
        elif self._parts.asks is None and (found := self._asked(kinds["yes_no"], begin)):
            self._set(yes_no=True)
            self._take(*found.span(1))

    def _asked(self, pattern: re.Pattern[str], begin: int) -> re.Match[str] | None:
        """What the question asks for: its first word, or in Chinese wherever it stands."""
        return pattern.match(self._text, begin) if self._cues.spaced else pattern.search(self._left)

    def _take_number_of_best(self) -> None:
        """The number in *top 3*, *the three oldest* and *which 3 films have the highest …*."""
        first = _FIRST_OF.match(self._left)
        if first and self._has_superlative(first.end()):
            self._set(k=_NUMBERS.get(first[1]) or int(first[1]))
            self._take(*first.span(1))
        elif top := _TOP.search(self._left):
            number = top[1] or top[2]
            self._set(k=_NUMBERS.get(number) or int(number))
            self._take(*top.span())
            if top[1]:
                by = re.compile(r"\bby\b").search(self._left, top.end())
                self._set(extreme="max", ranked_at=(by or top).end())

    def _has_superlative(self, begin: int) -> bool:
        extremes = (pattern.search(self._left, begin) for pattern in self._cues.extremes.values())
        best = self._cues.adjectives(self._left[begin:], self._cues.superlatives)
        return any(extremes) or any(best)

    def _take_comparisons(self) -> None:
        comparisons = []
        for found in self._cues.ranges.finditer(self._left):
            span = found.span()
            low, high = filter(None, found.groups())  # each pattern has its own two
            comparisons.append(comparison(">=", low, *span))
            comparisons.append(comparison("<=", high, *span))
            self._take(*span)
        for word in list(_SPELT.finditer(self._left)):
            number = _NUMBERS.get(word[1])
            if number and _compared_before(self._left, word.start(), self._cues):
                self._taken[word.start() : word.end()] = str(number).ljust(len(word[1]))
        for cue in self._cues.adjectives(self._left, self._cues.comparatives):
            if compared := _THAN.match(self._left, cue.end):
                op: Comparator = ">" if cue.value.extreme == "max" else "<"
                one = comparison(op, compared["value"], cue.start, compared.end())
                comparisons.append(replace(one, adjective=cue.value))
                self._take(cue.start, compared.end())
        for comparator, pattern in self._cues.comparators:
            for found in list(pattern.finditer(self._left)):
                comparisons.append(comparison(comparator, found["value"], *found.span()))
                self._take(*found.span())
        counted = _COUNTED.search(self._left)
        if self._parts.yes_no and not comparisons and counted:
            # "there are two cities": so many, no more
            digits = str({"one": 1, **_NUMBERS}.get(counted[1], counted[1]))
            comparisons.append(comparison("=", digits, *counted.span(1)))
            self._take(*counted.span(1))
        self._set(comparisons=tuple(sorted(comparisons, key=lambda c: c.start)))

    def _take_rankings(self) -> None:
        """Superlatives, *the most …*, and comparatives."""
        for extreme, pattern in self._cues.extremes.items():
            found = pattern.search(self._left)
            if found and found[0].endswith("number of"):
                self._set(extreme=extreme, ranked_at=found.end())
                self._take(*found.span())
                return
        for cue in self._cues.adjectives(self._left, self._cues.superlatives):
            if self._parts.superlative is None:
                self._set(superlative=cue.value, ranked_at=cue.end)
                self._take(cue.start, cue.end)
        adjective = self._parts.superlative
        if adjective and len(self._parts.anchors) == 2 and " or " in self._text:
            self._set(comparative=adjective, superlative=None, ranked_at=-1)
            return
        if adjective:
            return
        for extreme, pattern in self._cues.extremes.items():
            found = pattern.search(self._left)
            if found and self._parts.extreme in (None, extreme):
                if self._parts.extreme is None:
                    self._set(extreme=extreme, ranked_at=found.end())
                self._take(*found.span())
        for cue in self._cues.adjectives(self._left, self._cues.comparatives):
            if self._parts.comparative is None:
                self._set(comparative=cue.value)
                self._take(cue.start, cue.end)
        found = _MORE_THAN.search(self._left) if len(self._parts.anchors) > 1 else None
        if found and self._parts.comparative is None and self._parts.extreme is None:
            end: Extreme = "max" if found[1] == "more" else "min"
            self._set(comparative=Adjective(end, "number", ()))
            self._take(*found.span(1))

    def _take_functions(self) -> None:
        """Sum, mean …, and what makes groups."""
        for function, pattern in self._cues.functions.items():
            if self._parts.function is None and (found := pattern.search(self._left)):
                self._set(function=function)
                self._take(*found.span())
        whole = self._parts.counts or self._parts.function
        found = (self._cues.each if whole else self._cues.groups).search(self._left)
        if found and not self._is_part_of_name(*found.span()):
            self._set(each_at=found.end())
            self._take(*found.span())

    def _is_part_of_name(self, start: int, end: int) -> bool:
        """Whether a cue is a word of a name of the schema: *per* of *quantity per unit*."""
        spelt = (r"\s+".join(map(re.escape, words_of(name))) for name in self._names)
        return any(
            found.start() < start and end < found.end()
            for pattern in spelt
            for found in re.finditer(rf"\b{pattern}\b", self._text)
        )

    def _take_exclusions(self) -> None:
        excluded = []
        for found in self._cues.exclusions.finditer(self._left):
            excluded.append(found.end())
            self._take(*found.span())
        if excluded:
            inverted = not self._parts.yes_no
            anchors = [
                replace(anchor, excluded=True)
                if is_excluded(anchor.start, anchor.end, excluded, self._text, inverted=inverted)
                else anchor
                for anchor in self._parts.anchors
            ]
            self._set(excludes_at=tuple(excluded), anchors=tuple(anchors))


def _is_compared(anchor: Anchor, text: str, cues: Cues) -> bool:
    """Whether the name of an entity is the number of a comparison: *before 2000*."""
    if not re.fullmatch(rf"{DATE}|{NUMBER}", anchor.text):
        return False
    patterns = [pattern for op, pattern in cues.comparators if op != "="]
    return any(
        found.start() < anchor.start < found.end()
        for pattern in (*patterns, cues.ranges)
        for found in pattern.finditer(text)
    )


def _compared_before(text: str, start: int, cues: Cues) -> bool:
    """Whether a number in words stands where one is compared: *more than three*."""
    return any(
        pattern.search(f"{text[:start]}3", max(0, start - 30))
        for op, pattern in cues.comparators
        if op != "="
    )


def comparison(op: Comparator, value: str, start: int, end: int) -> Comparison:
    """A number or a date as it is written, compared."""
    plain = value.strip().lstrip("$€£ ").replace(",", "")
    if re.fullmatch(r"\d{4}-\d{2}(-\d{2})?", plain):
        return Comparison(op, plain, start, end, True)
    dated = bool(re.fullmatch(r"1\d{3}|20\d{2}", plain)) and "," not in value
    number = float(plain) if "." in plain else int(plain)
    return Comparison(op, number, start, end, dated)
