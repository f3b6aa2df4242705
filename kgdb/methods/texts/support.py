"""Whether facts support a sentence that a language model wrote.

A sentence is supported by the facts both of whose ends it names. It may begin with *it* and leave
the head out that the sentence before it was about. It is not supported if it denies, if it names
another entity of the graph that neither these facts nor the question have, or if it has a number
or, in English, a capitalised word that stands in none of them. What a verb says is not checked:
*needs* and *may need* are the same here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgdb.language.text.name_forms import Form, forms_in, name_forms, words_of
from kgdb.methods.texts.citations import without_citations
from kgdb.values import Entity, Triple

_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？]|$)(?:\s*\[\d[\d\s,–-]*\])*", re.DOTALL)
_DENIAL = re.compile(
    r"\b(?:not|no|never|none|without|cannot|nor|neither|\w+n['’]t)\b|[不没無无未非勿别]",
    re.IGNORECASE,
)
_CAPITALISED = re.compile(r"(?<=[a-z,;] )[A-Z][\w-]+")
_NUMBER = re.compile(r"\d[\d.,]*")
_PRONOUN = re.compile(r"\s*(?:(?:it|this|these|they|for this|for it)\b|它|该|此|这)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without citations, and the facts that support it: none if nothing does."""

    text: str
    facts: tuple[Triple, ...]


def sentences_of(text: str) -> list[str]:
    """The sentences of a reply, each with the citations after it."""
    flat = " ".join(line.strip() for line in text.splitlines() if line.strip())
    return [part.strip() for part in _SENTENCE.findall(flat) if part.strip()]


class Support:
    """Checks sentences against facts; ``question`` is what may be named beside them."""

    def __init__(self, facts: Sequence[Triple], question: str) -> None:
        self._facts = facts
        self._question = question
        self._forms: dict[Form, set[Entity]] = {}
        for entity in dict.fromkeys(end for fact in facts for end in (fact.head, fact.tail)):
            for form in name_forms(entity.name):
                self._forms.setdefault(form, set()).add(entity)
        self._last: frozenset[Entity] = frozenset()

    def check(self, sentence: str, named_in_graph: Iterable[str] = ()) -> Sentence:
        """The sentence with its facts; ``named_in_graph`` are all names of the graph that it has.

        Sentences are checked in their order, as one may go on from the one before.
        """
        text = without_citations(sentence).strip()
        named: set[Entity] = set()
        for form in forms_in(text, self._forms):
            named |= self._forms[form]
        heads = named | self._last if _PRONOUN.match(text) else named
        facts = tuple(
            fact
            for fact in self._facts
            if fact.head in heads and fact.tail in heads and {fact.head, fact.tail} & named
        )
        if not facts or _denies(text, facts) or self._says_more(text, facts, named_in_graph):
            return Sentence(text, ())
        self._last = frozenset(fact.head for fact in facts)
        return Sentence(text, facts)

    def _says_more(self, text: str, facts: Sequence[Triple], others: Iterable[str]) -> bool:
        """Whether it names what neither the facts nor the question do."""
        names = [end.name for fact in facts for end in (fact.head, fact.tail)]
        allowed = {form for name in names for form in name_forms(name)}
        asked = words_of(self._question)
        named = [form for form in forms_in(text, self._forms) if form not in allowed]
        named += [form for other in others for form in [words_of(other)] if form not in allowed]
        known = {word for name in names for word in words_of(name)} | set(asked)
        loose = [*_CAPITALISED.findall(text), *_NUMBER.findall(text)]
        return any(not _is_within(form, asked) for form in named if form) or any(
            not known.issuperset(words_of(word)) for word in loose
        )


def _denies(text: str, facts: Sequence[Triple]) -> bool:
    """Whether it denies, but for words of the names themselves."""
    plain = text
    for name in sorted({end.name for fact in facts for end in (fact.head, fact.tail)}, key=len):
        plain = plain.replace(name, " ")
    return _DENIAL.search(plain) is not None


def _is_within(form: Form, words: Form) -> bool:
    return any(words[i : i + len(form)] == form for i in range(len(words) - len(form) + 1))
