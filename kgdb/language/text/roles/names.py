"""What the name of a relation is in grammar: a verb between its ends, or a noun for one of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from kgdb.language.text.roles.english import PREPOSITIONS
from kgdb.language.text.roles.forms import forms_of
from kgdb.language.text.roles.vocabulary import Sense, vocabulary

_BE = ("is", "are", "was", "were", "be")
_HAVE = ("has", "have", "had")
_VERB_ENDINGS = ("ate", "ates", "ize", "izes", "ise", "ises", "ify", "ifies")

_PARTICLES = frozenset("over up off out down away".split())

_ADJECTIVES = frozenset("based dedicated located made married named related situated".split())

Kind = Literal["verb", "head", "tail"]


@dataclass(frozen=True, slots=True)
class RelationName:
    """A relation's name in words.

    A ``verb`` stands between the ends: *A manages B*, *A is managed by B*. A noun names the
    ``head`` (*A is the parent of B*) or the ``tail`` (*the parent of A is B*).
    """

    kind: Kind
    words: str

    def sentence(self, head: str, tail: str) -> str:
        """The relation between two names as a sentence."""
        match self.kind:
            case "verb":
                return f"{head} {self.words} {tail}"
            case "head":
                return f"{head} is the {self.words} {tail}"
            case "tail":
                return f"the {self.words} of {head} is {tail}"


@cache
def parse_name(words: str) -> RelationName:
    """The grammar of a relation's name, given in lower-case English words."""
    first, *rest = words.split() or [words]
    if rest and first in _HAVE and rest[-1] not in PREPOSITIONS:
        return RelationName("tail", " ".join(rest))
    if rest and first in _BE:
        return _after_be(" ".join(rest), first)
    last = rest[-1] if rest else first
    if last in PREPOSITIONS:
        return _with_preposition(words, rest)
    if not _is_noun(words) and _is_verb(first) and (not rest or last in _PARTICLES):
        return RelationName("verb", " ".join([_finite(first), *(rest or _particles(first))]))
    return RelationName("tail", words)


def _after_be(words: str, be: str) -> RelationName:
    *before, last = words.split()
    is_noun = last == "of" or (before and _is_listed_noun(before[-1]))
    if before and last in PREPOSITIONS and is_noun and not _has_past(before[0]):
        return RelationName("head", words)
    return RelationName("verb", f"{be} {words}")


def _with_preposition(words: str, rest: list[str]) -> RelationName:
    first, last = words.split(maxsplit=1)[0], words.rsplit(maxsplit=1)[-1]
    if not rest:
        return RelationName("verb", f"is {words}")
    if last in ("by", "than"):
        return RelationName("verb", f"is {words}")
    noun = words.split()[-2]
    takes = any(last in sense.beside for sense in _verb_senses(first))
    if not takes and not _has_past(first) and (last == "of" or _is_noun(noun)):
        return RelationName("head", words)
    if _is_adjective(first):
        return RelationName("verb", f"is {words}")
    return RelationName("verb", " ".join([_finite(first), *rest]))


def _is_noun(words: str) -> bool:
    """Whether the last word, or all words together, are a noun of the lists and no verb."""
    last = words.rpartition(" ")[2]
    if not _is_listed_noun(last):
        return False
    return " " in words or not _is_listed_verb(last)


def _is_listed_noun(word: str) -> bool:
    nouns = vocabulary("en").nouns
    return any(
        (form.ending in ("doer", "done_to") and form.stem in vocabulary("en").verbs)
        or (form.ending in ("base", "s") and form.stem in nouns)
        for form in forms_of(word)
    )


def _is_listed_verb(word: str) -> bool:
    return bool(_verb_senses(word))


def _particles(verb: str) -> tuple[str, ...]:
    """The preposition of a verb that never stands without one: *to* of *transfer*."""
    senses = _verb_senses(verb)
    bare = not senses or any(not sense.beside for sense in senses)
    return () if bare else senses[0].beside


def _verb_senses(verb: str) -> list[Sense]:
    return [
        sense
        for form in forms_of(verb)
        if form.ending in ("base", "s", "past")
        for sense in vocabulary("en").verbs.get(form.stem, ())
    ]


def _has_past(word: str) -> bool:
    return any(form.ending == "past" for form in forms_of(word))


def _is_adjective(word: str) -> bool:
    """Whether a participle needs *is*: *born in* and *located in* do, *acted in* does not."""
    return word in _ADJECTIVES or (
        _has_past(word) and not word.endswith("ed") and word.endswith(("n", "ne"))
    )


def _is_verb(word: str) -> bool:
    """Whether a word is a verb; a base form that may be a noun, too, is none."""
    if word.endswith(_VERB_ENDINGS) or _has_past(word):
        return True
    return _is_listed_verb(word) and (word.endswith("s") or not _is_listed_noun(word))


def _finite(verb: str) -> str:
    """A verb as it stands behind a name: *manages* for *manage*; past tenses stay."""
    if _has_past(verb) or verb.endswith("s"):
        return verb
    if verb.endswith(("ch", "sh", "x", "z")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"
