"""The names that *he*, *it* and *the film* stand for in the sentences of a text.

A word is replaced only where one name can be meant: it is the only one of its kind in the sentence
before (or in the same, before the word), what that sentence is about or the object of its verb, and
nothing without a name stands beside it: *Ada has a brother. He …* is not about Ada. Names that the
graph does not know count as well. In all other cases it is not clear what the sentence says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile

from kgdb.language.text.roles.forms import irregular_verbs
from kgdb.language.text.word_classes import function_words
from kgdb.methods.follow_ups.follow_up_words import Kind, referring_words
from kgdb.methods.understanding.cues import cues, question_language
from kgdb.methods.understanding.grammar.lexicon import lexicon
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
    """A word that refers; ``noun`` is that of *the film*. One that ``is_vague`` is not replaced."""

    text: str
    start: int
    end: int
    kind: Kind
    noun: str = ""
    possessive: bool = False
    is_object: bool = False
    is_vague: bool = False


_PAST = "|".join(sorted({form for forms in irregular_verbs().values() for form in forms}))
_AUXILIARY = "is|are|was|were|has|have|had|does|did"
_ACTION = rf"[a-z]+ed|{_PAST}|stars|plays|features|includes|directs|writes"
_VERB = rf"(?:also|{_AUXILIARY}|{_ACTION})\b"

_UNKNOWN = re.compile(
    r"[A-Z][\w'’.-]*\w(?:\s+(?:(?:of|the|de|van|von|der|la)\s+){0,2}[A-Z][\w'’-]*)*|\b[A-Z]\b"
)
_CALENDAR = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"\w+day|I|\w+ly)$"
)
_ARTICLE, _NOUN = re.compile(r"\b[Aa]n? $"), re.compile(r" [a-z]")

# What "it" means in "it is known that": nothing.
_EXPLETIVE = re.compile(r"\bit (?:is|was|has been)(?: \w+)? \w+ that\b", re.IGNORECASE)
_POINTED = re.compile(
    r"\b(?:[Tt]he|[Tt]his|[Tt]hat) ([a-z]+)\b(?! (?:of|that|which|who|whose)\b)(['’]s\b)?"
)
_VAGUE = re.compile(
    # "The director …", "Also directed …", "One was …" at the beginning, and "that one" anywhere.
    rf"^(?:(?:The|This|That|These|Those)(?: [a-z]+)?|One)(?= (?:{_VERB}|[a-z]+s\b))|"
    rf"^(?:- )?(?:(?:Also|Then|Later|Who) )?(?i:{_ACTION})\b(?! by\b[^,]*,)|"
    rf"^(?:An? )?[A-Za-z]+ (?:of|(?:{_ACTION}) by)\b(?!.*\b(?:{_AUXILIARY}|{_ACTION}|[a-z]+s)\b)|"
    r"\b(?:[Tt]his|[Tt]hat|[Tt]he) (?:ones?|former|latter|same)\b|"
    r"\b(?:this|that|these|those)(?=[.,;!]|$)"
)
_CLAUSE = re.compile(r"[,;]|\b(?:and|but|or|while|that|when|because)\b")

# The name that a sentence is about, and its object: what stands before and behind each.
_BEFORE_SUBJECT = re.compile(r"[\"'“‘]?(?:(?:The|the) )?(?:([a-z]+) )?[\"'“‘]?")
_BEHIND_SUBJECT = re.compile(rf"[\"'”’]?(?:$|,| \(\d+\)| {_VERB})")
_BEFORE_OBJECT = re.compile(
    rf"[\"'”’]? (?:(?:{_AUXILIARY}) )?(?:not |also )?(?:{_ACTION})(?: in| by)? [\"'“‘]?"
)
_BEHIND_OBJECT = re.compile(r"[\"'”’]?(?:$|[.,;!]| \(\d+\)| in \d| and\b| but\b)")
_UNNAMED = re.compile(
    r"(?<!\bis )(?<!\bwas )(?<!\bas )\b"
    r"(?i:an?|another|one|some|the|his|her|its|their|this|that|whose|\w+['’]s) "
    r"(?=((?:[a-z-]+ ?){1,6}))"
)
_TIMES = frozenset("year time end age day start beginning century".split())
_NO_PERSONS = _TIMES | frozenset("career role part lead prize award debut script story".split())

_GENDERS = {"he": "he", "him": "he", "his": "he", "她": "she", "she": "she", "her": "she"}
_GENDERS |= {"hers": "she", "他": "he"}


class NameReferences:
    """What the words of a text refer to, sentence after sentence."""

    def __init__(self, labels: Sequence[str]) -> None:
        """``labels``: those of the graph."""
        self._words = {label: words_of(label) for label in labels}
        self._persons = frozenset(label for label in labels if is_person(label, cues("en")))
        self._things = frozenset(labels) - self._persons
        self._labels_of: dict[str, frozenset[str]] = {}
        self._genders: dict[str, str] = {}

    def resolved(self, words: str, known: Sequence[Name], before: Resolved) -> Resolved:
        """The sentence with the names for what refers to the sentence ``before`` or to its own.

        ``known`` are the names of the sentence that the graph knows.
        """
        names = [
            name
            for name in sorted([*known, *self._unknown(words, known)], key=lambda name: name.start)
            # "An English film" does not speak of English.
            if not (_ARTICLE.search(words, 0, name.start) and _NOUN.match(words, name.end))
        ]
        found: list[tuple[_Reference, Name]] = []
        for one in self._references(words, names):
            inside = [name for name in names if name.end <= one.start and self._fits(name, one)]
            inside = [] if one.is_vague else inside
            if inside and one.possessive and not one.noun:
                continue  # "Ada and her brother" says itself whose
            candidates = inside or self._before(one, before)
            scope = Resolved(words[: one.start], tuple(names)) if inside else before
            meant = self._meant(one, candidates, scope, is_inside=bool(inside))
            if meant is None:
                # What it means may be meant by the next sentence, too.
                if len(candidates) < 2:
                    labels = self._persons if one.kind == "person" else self._things
                    labels = frozenset() if one.is_vague or one.kind == "plural" else labels
                    candidates.append(Name(one.text, one.start, one.end, labels, is_word=True))
                reason = _unclear(one, candidates)
                return Resolved(words, (*names, *candidates), reason, before.names)
            found.append((one, meant))
        return replace(_with_names(words, names, found), earlier=before.names)

    def _unknown(self, words: str, known: Sequence[Name]) -> Iterator[Name]:
        """Words in capitals that the graph does not know; nobody acts or is born *in* a person."""
        for start, end in _capitals(words, known):
            is_place = words[:start].endswith((" in ", " at "))
            yield Name(words[start:end], start, end, self._things if is_place else frozenset())

    def _references(self, words: str, names: Sequence[Name]) -> list[_Reference]:
        found: dict[int, _Reference] = {}
        taken = [*((name.start, name.end) for name in names)]
        taken += [each.span() for each in _EXPLETIVE.finditer(words)]
        for one in (*_pronouns(words), *self._descriptions(words, names)):
            if not any(start < one.end and one.start < end for start, end in taken):
                found.setdefault(one.start, one)
        return [found[start] for start in sorted(found)]

    def _descriptions(self, words: str, names: Sequence[Name]) -> Iterator[_Reference]:
        """*The film* anywhere, where it is a label, and what else may refer."""
        for each in _POINTED.finditer(words):
            labels = self._labels(each[1])
            # "The film Dune" and "Dune, the film", but "in the film Ada Weir acted".
            beside = any(
                (each.end() + 1 == name.start or each.start() - 2 == name.end)
                and (not name.labels or name.labels & labels)
                for name in names
            )
            if not beside and labels:
                yield _Reference(each[0], *each.span(), "thing", each[1], bool(each[2]))
        for each in _VAGUE.finditer(words):
            yield _Reference(each[0], *each.span(), "thing", is_vague=True)

    def _labels(self, noun: str) -> frozenset[str]:
        """The labels that a noun names."""
        if noun not in self._labels_of:
            self._labels_of[noun] = frozenset(
                label
                for label, parts in self._words.items()
                if any(likeness(noun, part, cues("en")) >= SAME for part in parts)
            )
        return self._labels_of[noun]

    def _fits(self, name: Name, one: _Reference) -> bool:
        if not name.labels or one.is_vague or one.kind == "plural":
            return True
        if one.noun:
            return not name.labels.isdisjoint(self._labels(one.noun))
        of_kind = self._persons if one.kind == "person" else self._things
        return not self._persons or not name.labels.isdisjoint(of_kind)

    def _before(self, one: _Reference, before: Resolved) -> list[Name]:
        found = [name for name in before.names if self._fits(name, one)]
        if not any(self._is_subject(name, before.words) for name in found):
            # Who is only named in passing may not be whom the text goes on about.
            found += [name for name in before.earlier if found and self._fits(name, one)]
        return found

    def _meant(
        self, one: _Reference, candidates: Sequence[Name], scope: Resolved, *, is_inside: bool
    ) -> Name | None:
        """The one name that is meant, if that is clear; ``scope`` is the sentence that has it."""
        if len({name.text for name in candidates}) != 1 or one.is_vague or one.kind == "plural":
            return None
        name, words = candidates[0], scope.words
        if name.is_word or not (self._is_subject(name, words) or _is_object(name, scope)):
            return None
        if is_inside and one.is_object and not _CLAUSE.search(words, name.end):
            return None  # "Dune preceded it"
        functions = function_words("en")
        allowed = _NO_PERSONS if one.kind == "person" else _TIMES
        for each in _UNNAMED.finditer(words):
            noun = [*takewhile(lambda word: word not in functions, each[1].split())]
            head = noun[-1] if noun else ""
            of_thing = one.kind == "person" and self._labels(head) & self._things
            in_name = any(other.start <= each.start() < other.end for other in scope.names)
            is_told = each.end() + len(" ".join(noun)) + 1 in {other.start for other in scope.names}
            if head not in allowed and not of_thing and not in_name and not is_told:
                return None
        gender = _GENDERS.get(one.text)
        if gender and self._genders.setdefault(name.text, gender) != gender:
            return None
        return name

    def _is_subject(self, name: Name, words: str) -> bool:
        before = _BEFORE_SUBJECT.fullmatch(words, 0, name.start)
        of_kind = before and (not before[1] or name.labels & self._labels(before[1]))
        return bool(of_kind) and _BEHIND_SUBJECT.match(words, name.end) is not None


def may_refer(words: str) -> bool:
    """Whether any word may refer to another sentence, or to a name of this one."""
    kinds, pointing = _referring(question_language(words))
    patterns = [*(pattern for _, pattern in kinds), pointing, _POINTED, _VAGUE]
    return any(pattern.search(each) for pattern in patterns for each in (words, words.lower()))


def names_in(words: str, known: Sequence[Name]) -> list[Name]:
    """The names among what the graph knows: no pronoun, number, or word that is written small."""
    pronouns = [pattern for _, pattern in _referring(question_language(words))[0]]
    return [
        one
        for one in known
        if not words[one.start].islower()
        and not one.text.isdigit()
        and not any(pattern.fullmatch(one.text.lower()) for pattern in pronouns)
    ]


@cache
def _referring(language: str) -> tuple[Sequence[tuple[Kind, re.Pattern[str]]], re.Pattern[str]]:
    """The pronouns of a language by their kinds, and the words that point: *this*."""
    if language == "en":
        return referring_words().kinds, referring_words().pointing
    known = lexicon(language).entries
    every = sorted(known, key=len, reverse=True)

    def pattern(category: str, kind: Kind | None = None) -> re.Pattern[str]:
        """Such words, where no longer word of the language begins: 他, and not 他们."""
        found = [
            word
            for word in every
            if any(e.category == category and kind in (None, e.meaning) for e in known[word])
        ]
        longer = {w: [e[len(w) :] for e in every if e != w and e.startswith(w)] for w in found}
        ways = [f"{w}(?!{'|'.join(more)})" if (more := longer[w]) else w for w in found]
        return re.compile("|".join(ways) or r"(?!)")

    kinds: tuple[Kind, ...] = ("person", "thing", "plural")
    return [(kind, pattern("it", kind)) for kind in kinds], pattern("this")


def _pronouns(words: str) -> Iterator[_Reference]:
    lower, language = words.lower(), question_language(words)
    english, functions = referring_words(), function_words(language)
    kinds, pointing = _referring(language)
    for kind, pattern in kinds:
        for each in pattern.finditer(lower):
            if each[0] in english.demonstratives:
                continue  # "those who" refers to nothing; "those films" is a description
            following = re.match(r"\s+([\w'’-]+)", lower[each.end() : each.end() + 40])
            possessive = each[0] in english.possessives and (
                each[0] != "her" or (following is not None and following[1] not in functions)
            )
            verb = re.match(rf"\s+{_VERB}", lower[each.end() : each.end() + 40])
            is_object = each[0] in ("him", "her", "it") and not possessive and not verb
            yield _Reference(each[0], *each.span(), kind, "", possessive, is_object)
    if language == "zh":
        for each in pointing.finditer(lower):
            yield _Reference(each[0], *each.span(), "thing", is_vague=True)


def _capitals(words: str, known: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Words that are written like names and are none of the known."""
    for each in _UNKNOWN.finditer(words):
        start, text = each.start(), each[0]
        first = re.match(r"[\w'’-]+\s*", text)
        if first and first[0].strip().lower() in function_words("en"):
            start, text = start + first.end(), text[first.end() :]
        end = start + len(text)
        overlaps = any(name.start < end and start < name.end for name in known)
        is_verb = start == 0 and re.fullmatch(_ACTION, text.lower())
        if text[:1].isupper() and not overlaps and not is_verb and not _CALENDAR.match(text):
            yield start, end


def _is_object(name: Name, sentence: Resolved) -> bool:
    """Whether it stands directly behind a verb, and a name before that: *Ada directed Dune*."""
    return _BEHIND_OBJECT.match(sentence.words, name.end) is not None and any(
        other.end < name.start
        and _BEFORE_SUBJECT.fullmatch(sentence.words, 0, other.start)
        and _BEFORE_OBJECT.fullmatch(sentence.words, other.end, name.start)
        for other in sentence.names
    )


def _unclear(one: _Reference, candidates: Sequence[Name]) -> str:
    options = [short(text) for text in dict.fromkeys(name.text for name in candidates)]
    said = short(one.text[:1].upper() + one.text[1:] if one.start == 0 else one.text)
    if candidates[0].is_word and len(options) == 1:
        return f"{said} may mean something that the sentence before does not name"
    if candidates[-1].is_word or len(options) == 1:
        rest = "somebody else" if one.kind == "person" else "something else"
        options = [*options[: 1 if len(options) < 3 else -1], rest]
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


def _at(name: Name, shift: int) -> Name:
    return replace(name, start=name.start + shift, end=name.end + shift)
