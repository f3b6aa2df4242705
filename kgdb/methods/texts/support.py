"""Whether facts support a sentence that a language model wrote.

A sentence is supported by the facts both of whose ends it names. It may begin with *it* and leave
the head out that the sentence before it was about. It must not deny, nor name another entity of the
graph. And each of its words must be one of the names, of the texts of the facts' relations, of the
question, or one that says nothing by itself (*you may have*): *which is a chronic disease* is more
than the fact that a cough is a symptom of it, and *needs* is another relation.

This is a check of words, on the safe side: a true sentence in words of its own is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kgdb.language import relation_words
from kgdb.language.text.name_forms import Form, forms_in, name_forms, words_of
from kgdb.language.text.relation_texts import RelationTexts
from kgdb.methods.texts.citations import without_citations
from kgdb.values import Entity, Triple

_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？]|$)(?:\s*\[\d[\d\s,–-]*\])*", re.DOTALL)
_DENIAL = re.compile(
    r"\b(?:not|no|never|none|without|cannot|nor|neither|\w+n['’]t)\b|[不没無无未非勿别]",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\s*(?:(?:it|this|these|they|for this|for it)\b|它|该|此|这)", re.IGNORECASE)

_FUNCTION_WORDS = frozenset(
    words_of(
        "a an the of to in on at by for with from and or as also both either such that which who "
        "this these those it its they them their there is are was were be been being has have had "
        "you your yours we i may might can could would should will do does if so than then too "
        "some any other what "
        "的 了 是 和 与 及 或 等 在 为 对 于 这 那 您 你 它 其 也 都 还 一"
    )
)
"""Words that join others: they are in every sentence."""

_EMPTY_WORDS = frozenset(
    words_of(
        "based mention mentioned mentioning describe described told said suggest suggested "
        "suggesting indicate indicated point fit match best well together include including "
        "included following follow called known example answer fact case possible possibly likely "
        "probably perhaps connected related associated condition doctor patient person need needed "
        "recommend recommended 有 可 能 会 需 要 应 该 建 议 请 根 据 提 到 所 述 情 况 最 符 合 "
        "包 括 以 中 个 种 些 主 通 常 因 此 关 系 密 切 如 进 行"
    )
)
"""Words that say nothing by themselves, unless they are how another relation is told."""


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
    """Checks sentences against facts; ``texts`` are those of the graph's relations."""

    def __init__(
        self, facts: Sequence[Triple], question: str, texts: Mapping[str, RelationTexts]
    ) -> None:
        self._facts = facts
        self._asked = words_of(question)
        self._told = {relation: _words_told(relation, given) for relation, given in texts.items()}
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
        ends = named | self._last if _PRONOUN.match(text) else named
        facts = tuple(
            fact
            for fact in self._facts
            if {fact.head, fact.tail} <= ends and {fact.head, fact.tail} & named
        )
        names = {end for fact in facts for end in (fact.head, fact.tail)}
        others = [*forms_in(text, self._forms), *map(words_of, named_in_graph)]
        if (
            not facts
            or _denies(text, names)
            or self._names_more(others, names)
            or not self._says_only(text, facts, names)
        ):
            return Sentence(text, ())
        self._last = frozenset(fact.head for fact in facts)
        return Sentence(text, facts)

    def _says_only(self, text: str, facts: Iterable[Triple], names: Iterable[Entity]) -> bool:
        """Whether its words are those of its facts, of the question, or empty."""
        told = {word for fact in facts for word in self._told.get(fact.relation, ())}
        of_others = {word for words in self._told.values() for word in words} - told
        free = (_EMPTY_WORDS | set(self._asked)) - of_others
        named = {word for entity in names for word in words_of(entity.name)}
        return named | told | free | _FUNCTION_WORDS >= set(words_of(text))

    def _names_more(self, forms: Iterable[Form], names: Iterable[Entity]) -> bool:
        """Whether it names what neither its facts nor the question do."""
        allowed = {form for entity in names for form in name_forms(entity.name)}
        return any(
            form not in allowed and not _is_within(form, self._asked) for form in forms if form
        )


def _words_told(relation: str, given: RelationTexts) -> frozenset[str]:
    texts = [relation_words(relation), given.text, given.inverse]
    texts += [given.question, given.inverse_question]
    return frozenset(word for text in texts if text for word in words_of(text.replace("{}", " ")))


def _denies(text: str, names: Iterable[Entity]) -> bool:
    """Whether it denies, but for words of the names themselves."""
    plain = text
    for name in sorted((entity.name for entity in names), key=len, reverse=True):
        plain = plain.replace(name, " ")
    return _DENIAL.search(plain) is not None


def _is_within(form: Form, words: Form) -> bool:
    return any(words[i : i + len(form)] == form for i in range(len(words) - len(form) + 1))
