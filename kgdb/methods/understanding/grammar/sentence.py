"""A sentence in tokens, and the leaves of its chart: names, numbers, small words, other words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kgdb.graph.forms.operators import Condition
from kgdb.methods.understanding.grammar.chart import Item
from kgdb.methods.understanding.grammar.lexicon import EARLIER, UNSAID, Lexicon
from kgdb.methods.understanding.grammar.meanings import Bound, Last, Set, Word
from kgdb.methods.understanding.grammar.unspaced import CHINESE, known_words, words_in
from kgdb.methods.understanding.question import Anchor
from kgdb.methods.understanding.spoken_dates import with_iso_dates
from kgdb.methods.understanding.words import likeness, singular

_TOKEN = re.compile(
    r"\d{4}-\d{2}(?:-\d{2})?|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?![\w])|'s?(?!\w)|n't|"
    r"[^\W_]+(?:[-'’][^\W_]+)*|[,%]"
)
_COMMAS = str.maketrans("，、", ",,")
_YEAR = re.compile(r"[12]\d{3}")
_LONGEST = 4
_OPEN = frozenset({"unit", "year", "named", "measure", "situated", "people"})
"""Classes of words that may name something of a schema, too."""
_PARTICLES = frozenset(
    "in on off of at to for by with from up out after over under into about".split()
)
_JOINING = frozenset("in of on at to for by with".split())


@dataclass(frozen=True, slots=True)
class Token:
    """A token, with its place in characters; ``anchor`` is what it names."""

    text: str
    start: int
    end: int
    anchor: Anchor | None = None


def tokens_of(
    text: str, anchors: Sequence[Anchor], lexicon: Lexicon, names: Sequence[str]
) -> list[Token]:
    """The tokens of a sentence without those that say nothing.

    Where no spaces set words apart, they are those of the lexicon and of ``names``.
    """
    known = frozenset[str]() if lexicon.words.spaced else known_words(lexicon.small, names)
    lower = with_iso_dates(text.lower().replace("’", "'"))
    lower = lexicon.silent_phrases.sub(lambda found: " " * len(found[0]), lower)
    opening = lexicon.opening.match(lower)
    begin = opening.end() if opening else 0
    tokens: list[Token] = []
    at = begin
    for anchor in sorted(anchors, key=lambda each: each.start):
        tokens += _plain(lower, at, anchor.start, lexicon, known)
        tokens.append(Token(text[anchor.start : anchor.end], anchor.start, anchor.end, anchor))
        at = anchor.end
    tokens += _plain(lower, at, len(lower), lexicon, known)
    return [each for each in tokens if each.anchor is not None or each.text not in lexicon.silent]


def with_unsaid(tokens: Sequence[Token], place: int) -> list[Token]:
    """The tokens with one more for what no word says."""
    return [*tokens[:place], Token(UNSAID, -1, -1), *tokens[place:]]


def _plain(
    text: str, start: int, end: int, lexicon: Lexicon, known: frozenset[str]
) -> Iterator[Token]:
    if not lexicon.words.spaced:
        text = text.translate(_COMMAS)
        at = start
        for run in CHINESE.finditer(text, start, end):
            yield from _spaced(text, at, run.start(), lexicon)
            for word, place in words_in(run[0], known):
                yield Token(word, run.start() + place, run.start() + place + len(word))
            at = run.end()
        start = at
    yield from _spaced(text, start, end, lexicon)


def _spaced(text: str, start: int, end: int, lexicon: Lexicon) -> Iterator[Token]:
    for found in _TOKEN.finditer(text, start, end):
        word = found[0]
        if word in lexicon.contractions:
            for part in lexicon.contractions[word].split():
                yield Token(part, found.start(), found.end())
        elif word.endswith("'s") and len(word) > 2:
            yield Token(word[:-2], found.start(), found.end() - 2)
            yield Token("'s", found.end() - 2, found.end())
        else:
            yield Token(word, *found.span())


@dataclass(frozen=True, slots=True)
class Leaves:
    """The leaves of a sentence's chart."""

    tokens: Sequence[Token]
    lexicon: Lexicon
    names: Sequence[str]
    """Names of the schema, as they are spoken: what they say counts as one word."""
    earlier: Mapping[int, Sequence[Set | Last]] = field(default_factory=dict)
    """What words of an earlier answer stand for, by their places in characters."""

    def all(self) -> Iterator[tuple[int, int, str, Item]]:
        """Each with its first token, the one behind its last, and its category."""
        for place, token in enumerate(self.tokens):
            if token.anchor is not None:
                for reading in token.anchor.readings:
                    labels: list[str | None] = [*sorted(reading.labels)]
                    for label in labels or [None]:
                        yield place, place + 1, "name", Item(_named(reading, label), 0.0)
        yield from self._entries()
        yield from self._numbers()
        for word in self.words():
            yield word.start, word.end, "W", Item(word, 0.0)

    def words(self) -> Iterator[Word]:
        """What may name something of the schema: content words, alone and beside each other."""
        for start in range(len(self.tokens)):
            for end in range(start + 1, min(start + _LONGEST, len(self.tokens)) + 1):
                part = self.tokens[start:end]
                if any(each.anchor is not None or each.text == "," for each in part):
                    break
                text = " ".join(each.text for each in part)
                if len(part) == 3 and part[1].text == "of":
                    first, last = part[0].text, part[2].text
                    # *date of birth* of birthDate, *years of experience* of yearsExperience
                    ways = (f"{last} {first}", f"{first} {last}")
                    text = next((way for way in ways if way in self.names), text)
                if (
                    (text in self.names and (end - start > 1 or not text.isdigit()))
                    or (all(self._is_content(each.text) for each in part) and end - start <= 3)
                    or self._is_phrasal([each.text for each in part])
                ):
                    yield Word(text, start, end)

    def _is_phrasal(self, spoken: Sequence[str]) -> bool:
        """Whether a verb and what stands behind it begin a name: *look after* of *looked after by*.

        A single preposition at its end is for productions to read: *acted in*.
        """
        if len(spoken) < 2 or spoken[-1] not in _PARTICLES or not self._is_content(spoken[0]):
            return False
        verbs = {spoken[0], *singular(spoken[0])}
        return any(
            parts[1 : len(spoken)] == spoken[1:] and len(parts) > len(spoken)
            for parts in map(str.split, self.names)
            if any(likeness(verb, parts[0], self.lexicon.words) for verb in verbs)
        )

    def _is_content(self, text: str) -> bool:
        if not text[0].isalpha() or text in self.lexicon.numbers:
            return False
        if text in self.lexicon.words.claiming and text not in self._spoken_words():
            return False  # *only*, *almost*: no production says what they do
        entries = self.lexicon.entries.get(text, ())
        refers = EARLIER if not self.earlier else frozenset[str]()
        return (
            all(e.category in _OPEN or e.category in refers for e in entries)
            or text in self._spoken_words()
        )

    def _spoken_words(self) -> frozenset[str]:
        return frozenset(
            word for name in self.names for word in name.split() if word not in _JOINING
        )

    def _entries(self) -> Iterator[tuple[int, int, str, Item]]:
        for start in range(len(self.tokens)):
            for end in range(start + 1, min(start + self.lexicon.longest, len(self.tokens)) + 1):
                part = self.tokens[start:end]
                if any(each.anchor is not None for each in part):
                    break
                text = " ".join(each.text for each in part)
                for entry in self.lexicon.entries.get(text, ()):
                    if entry.category in EARLIER:
                        yield from self._earlier(start, end, entry.category)
                        continue
                    if entry.category == "situated" and text in self._spoken_words():
                        continue  # *based on*, of a relation of that name
                    yield start, end, entry.category, Item(entry.meaning, 0.0)

    def _earlier(self, start: int, end: int, category: str) -> Iterator[tuple[int, int, str, Item]]:
        for meant in self.earlier.get(self.tokens[start].start, ()):
            if isinstance(meant, Last) != (category == "last"):
                continue
            if isinstance(meant, Set) and category in ("those", "unsaid"):
                yield start, end, category, Item(replace(meant, kind="noun"), 0.0)
            else:
                yield start, end, category, Item(meant, 0.0)

    def _numbers(self) -> Iterator[tuple[int, int, str, Item]]:
        for place, token in enumerate(self.tokens):
            if token.anchor is not None:
                continue
            text = token.text.replace(",", "") if token.text != "," else ","
            if text in self.lexicon.numbers:
                number = self.lexicon.numbers[text]
                yield place, place + 1, "num", Item(Bound("=", number, dated=False), 0.0)
            elif re.fullmatch(r"\d+", text):
                yield place, place + 1, "num", Item(Bound("=", int(text), dated=False), 0.0)
            elif re.fullmatch(r"\d+\.\d+", text):
                yield place, place + 1, "num", Item(Bound("=", float(text), dated=False), 0.0)
            if _YEAR.fullmatch(text) or re.fullmatch(r"\d{4}-\d{2}(-\d{2})?", text):
                yield place, place + 1, "date", Item(Bound("=", text, dated=True), 0.0)


def _named(anchor: Anchor, label: str | None) -> Set:
    value = None
    if anchor.key is not None and anchor.value is not None:
        value = Condition(anchor.key, "=", anchor.value)
    return Set(anchor.form, label, "name", value, anchor.relation)
