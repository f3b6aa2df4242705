"""The names that *he*, *it* and *the film* stand for in the sentences of a text.

A word is replaced only where one name of its kind stands before it: in its own sentence, or else in
the sentence before. Names that the graph does not know count as well: they may be what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kgdb.language.text.word_classes import function_words
from kgdb.methods.follow_ups.follow_up_words import Kind, referring_words
from kgdb.methods.understanding.cues import cues, question_language
from kgdb.methods.understanding.view import is_person
from kgdb.methods.understanding.words import SAME, likeness, words_of
from kgdb.wording import short


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a sentence. ``labels``: what it may be; none if that is not known.

    ``is_word``: a word that may mean something, and it is not clear what.
    """

    text: str
    start: int
    end: int
    labels: frozenset[str] = frozenset()
    is_word: bool = False


@dataclass(frozen=True, slots=True)
class Resolved:
    """A sentence in words that stand alone, with its names; or why it is not clear what it says.

    ``earlier`` are the names of the sentence before it.
    """

    words: str
    names: tuple[Name, ...] = ()
    reason: str | None = None
    earlier: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reference:
    text: str
    start: int
    end: int
    kind: Kind
    noun: str = ""
    possessive: bool = False
    is_object: bool = False


_UNKNOWN = re.compile(
    r"[A-Z][\w'’.-]*\w(?:\s+(?:(?:of|the|de|van|von|der|la)\s+){0,2}[A-Z][\w'’-]*)*|\b[A-Z]\b"
)
_CALENDAR = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"\w+day|I|\w+ly)$"
)
# What "it" means in "it is known that": nothing.
_EXPLETIVE = re.compile(r"it (?:is|was|has been)(?: \w+)? \w+ that\b", re.IGNORECASE)
_VERB = r"(?:also|is|are|was|were|has|have|had|does|did|[a-z]+(?:ed|s)|won|wrote|made)\b"
_POINTED = re.compile(
    r"\b(?:[Tt]he|[Tt]his|[Tt]hat) ([a-z]+)\b(?! (?:of|that|which|who|whose)\b)(['’]s\b)?"
)
_BEGINS = re.compile(rf"(The|This|That|These|Those)(?: ([a-z]+))? (?={_VERB})")
_CLAUSE = re.compile(r"[,;]|\b(?:and|but|or|while|that|when|because)\b")
_SOMEBODY = re.compile(
    r"(?<!\bis )(?<!\bwas )(?<!\bas )(?<!\bbecame )(?<!, )\b"
    r"(?:(?:an?|another|the|his|her|their)|\w+['’]s)(?: [a-z]+)? "
    r"(?:(?:half-|step)?(?:brother|sister|father|mother|son|daughter)|wife|husband|uncle|aunt|cousin|"
    r"nephew|niece|friend|colleague|partner|assistant|student|pupil|teacher|mentor|rival|"
    r"successor|predecessor|man|woman|boy|girl|child|\w{3,}(?:er|or|ist|ress|man|woman))\b"
)
_SOMETHING = re.compile(
    r"(?<!\bis )(?<!\bwas )(?<!\bas )(?<!\bbecame )\b(?:an?|another|the|his|her|their) [a-z]+\b"
)
_ARTICLE, _NOUN = re.compile(r"\b[Aa]n? $"), re.compile(r" [a-z]")
_SUBJECT = re.compile(r"(?:The )?(?:[a-z]+ )?")
_GENDERS = {"he": "he", "him": "he", "his": "he", "she": "she", "her": "she", "hers": "she"}
_GENDERS |= {"他": "he", "她": "she"}


class NameReferences:
    """What the words of a text refer to, sentence after sentence."""

    def __init__(self, labels: Sequence[str]) -> None:
        """``labels``: those of the graph."""
        self._words = {label: words_of(label) for label in labels}
        self._persons = frozenset(label for label in labels if is_person(label, cues("en")))
        self._labels_of: dict[str, frozenset[str]] = {}
        self._genders: dict[str, str] = {}

    def resolved(self, words: str, known: Sequence[Name], before: Resolved) -> Resolved:
        """The sentence with the names for what refers to the sentence ``before`` or to its own.

        ``known`` are the names of the sentence that the graph knows.
        """
        names = [
            name
            for name in sorted([*known, *_unknown_names(words, known)], key=lambda name: name.start)
            # "An English film" does not speak of English.
            if not (_ARTICLE.search(words, 0, name.start) and _NOUN.match(words, name.end))
        ]
        found: list[tuple[_Reference, Name]] = []
        for one in self._references(words, names):
            meant = self._meant(one, words, names, before)
            if isinstance(meant, str):
                # What it means may be meant by the next sentence, too.
                may_mean = self._candidates(one, names, before)
                if len(may_mean) < 2:
                    labels = self._persons if one.kind == "person" else self._things
                    labels = frozenset() if one.noun or one.kind == "plural" else labels
                    said = words[one.start : one.end]
                    may_mean = [*may_mean, Name(said, one.start, one.end, labels, is_word=True)]
                return Resolved(words, (*names, *may_mean), meant, before.names)
            if meant is not None:
                found.append((one, meant))
        return replace(_with_names(words, names, found), earlier=before.names)

    @property
    def _things(self) -> frozenset[str]:
        return frozenset(self._words) - self._persons

    def _references(self, words: str, names: Sequence[Name]) -> list[_Reference]:
        lower = words.lower()
        found: dict[int, _Reference] = {}
        taken = [*((name.start, name.end) for name in names)]
        taken += [each.span() for each in _EXPLETIVE.finditer(words)]
        for one in (*self._pronouns(lower), *self._descriptions(words, names)):
            if not any(start < one.end and one.start < end for start, end in taken):
                found.setdefault(one.start, one)
        return [found[start] for start in sorted(found)]

    def _pronouns(self, lower: str) -> Iterator[_Reference]:
        language = question_language(lower)
        pronouns, functions = referring_words(language), function_words(language)
        kinds = [*pronouns.kinds]
        if language == "zh":
            kinds.append(("plural", pronouns.pointing))  # never replaced: nouns are not read there
        for kind, pattern in kinds:
            for each in pattern.finditer(lower):
                if language == "en" and each[0] in pronouns.demonstratives:
                    continue  # "those who" refers to nothing; "those films" is a description
                following = re.match(r"\s+([\w'’-]+)", lower[each.end() : each.end() + 40])
                possessive = each[0] in pronouns.possessives and (
                    each[0] != "her" or (following is not None and following[1] not in functions)
                )
                verb = re.match(rf"\s+{_VERB}", lower[each.end() : each.end() + 40])
                is_object = each[0] in ("him", "her", "it", "them") and not possessive and not verb
                yield _Reference(each[0], *each.span(), kind, "", possessive, is_object)

    def _descriptions(self, words: str, names: Sequence[Name]) -> Iterator[_Reference]:
        """*The film* anywhere, where it is a label, and whatever begins a sentence like that."""
        starts, ends = {name.start for name in names}, {name.end for name in names}
        for each in _POINTED.finditer(words):
            beside = each.end() + 1 in starts or each.start() - 2 in ends
            if not beside and self._labels(each[1]):
                yield _Reference(each[0], *each.span(), "thing", each[1], bool(each[2]))
        if begins := _BEGINS.match(words):
            kind: Kind = "plural" if begins[1] in ("These", "Those") else "thing"
            yield _Reference(begins[0].strip(), 0, begins.end() - 1, kind, begins[2] or "this")

    def _labels(self, noun: str) -> frozenset[str]:
        """The labels that a noun names."""
        if noun not in self._labels_of:
            self._labels_of[noun] = frozenset(
                label
                for label, parts in self._words.items()
                if any(likeness(noun, part, cues("en")) >= SAME for part in parts)
            )
        return self._labels_of[noun]

    def _candidates(self, one: _Reference, names: Sequence[Name], before: Resolved) -> list[Name]:
        inside = [name for name in names if name.end <= one.start and self._fits(name, one)]
        found = inside or [name for name in before.names if self._fits(name, one)]
        if not inside and not any(_is_subject(name, before) for name in found):
            # Who is only named in passing may not be whom the text goes on about.
            found += [name for name in before.earlier if found and self._fits(name, one)]
        return found

    def _fits(self, name: Name, one: _Reference) -> bool:
        if one.noun:
            return not name.labels or not name.labels.isdisjoint(self._labels(one.noun))
        if not name.labels or not self._persons or one.kind == "plural":
            return True
        return bool(name.labels & (self._persons if one.kind == "person" else self._things))

    def _meant(
        self, one: _Reference, words: str, names: Sequence[Name], before: Resolved
    ) -> Name | str | None:
        """The name, the reason why it is not clear, or nothing for a word to be left as it is."""
        candidates = {name.text: name for name in self._candidates(one, names, before)}
        inside = any(name in names for name in candidates.values())
        if inside and one.possessive and not one.noun:
            return None  # "Ada and her brother" says itself whose
        others = [] if inside or one.noun else _unnamed(one, before, [*candidates.values()])
        if len(candidates) == 1 and not others and one.kind != "plural":
            (meant,) = candidates.values()
            apart = not inside or _CLAUSE.search(words, meant.end, one.start)
            gender = _GENDERS.get(one.text)
            if (
                not meant.is_word
                and (apart or not one.is_object)
                and (gender is None or self._genders.setdefault(meant.text, gender) == gender)
            ):
                return meant
        said = short(words[one.start : one.end])
        options = [short(text) for text in (*candidates, *others)]
        if not options:
            return f"{said} may mean something that the sentence before does not name"
        if len(options) == 1:
            options.append("somebody else" if one.kind == "person" else "something else")
        return f"{said} may mean {', '.join(options[:-1])} or {options[-1]}"


def _with_names(
    words: str, names: Sequence[Name], found: Sequence[tuple[_Reference, Name]]
) -> Resolved:
    """The words with names in the place of references, and all names in their new places."""
    made, end = "", 0
    moved: list[Name] = []
    for one, meant in found:
        moved += [_at(name, len(made) - end) for name in names if end <= name.start < one.start]
        made += words[end : one.start]
        moved.append(Name(meant.text, len(made), len(made) + len(meant.text), meant.labels))
        made += f"{meant.text}'s" if one.possessive else meant.text
        end = one.end
    moved += [_at(name, len(made) - end) for name in names if end <= name.start]
    return Resolved(made + words[end:], tuple(moved))


def _is_subject(name: Name, sentence: Resolved) -> bool:
    return _SUBJECT.fullmatch(sentence.words[: name.start]) is not None


def _at(name: Name, shift: int) -> Name:
    return replace(name, start=name.start + shift, end=name.end + shift)


def may_refer(words: str) -> bool:
    """Whether any word may refer to another sentence, or to a name of this one."""
    pronouns = referring_words(question_language(words))
    patterns = [*(pattern for _, pattern in pronouns.kinds), pronouns.pointing, _POINTED, _BEGINS]
    return any(pattern.search(each) for pattern in patterns for each in (words, words.lower()))


def names_in(words: str, known: Sequence[Name]) -> list[Name]:
    """The names among what the graph knows: no pronoun, number, or word that is written small."""
    pronouns = [pattern for _, pattern in referring_words(question_language(words)).kinds]
    return [
        one
        for one in known
        if not words[one.start].islower()
        and not one.text.isdigit()
        and not any(pattern.fullmatch(one.text.lower()) for pattern in pronouns)
    ]


def _unknown_names(words: str, known: Sequence[Name]) -> Iterator[Name]:
    """Words in capitals that the graph does not know."""
    functions = function_words("en")
    for each in _UNKNOWN.finditer(words):
        start, text = each.span()[0], each[0]
        first = re.match(r"[\w'’-]+\s*", text)
        if start == 0 and first and first[0].strip().lower() in functions:
            start, text = first.end(), text[first.end() :]
        end = start + len(text)
        overlaps = any(name.start < end and start < name.end for name in known)
        if text and text[0].isupper() and not overlaps and not _CALENDAR.match(text):
            yield Name(text, start, end)


def _unnamed(one: _Reference, before: Resolved, candidates: Sequence[Name]) -> list[str]:
    """What the sentence before speaks of without a name, and what may be meant nevertheless."""
    if len(candidates) != 1:
        return []
    spans = {name.start: name.end for name in before.names}
    if one.kind != "person" and _is_subject(candidates[0], before):
        return []  # "Dune won a prize. It …" goes on about Dune
    return [
        each[0]
        for each in (_SOMEBODY if one.kind == "person" else _SOMETHING).finditer(before.words)
        if each.end() + 1 not in spans
        and (one.kind == "person" or not _SOMEBODY.match(each[0]))
        and not any(start < each.end() and each.start() < end for start, end in spans.items())
    ]
