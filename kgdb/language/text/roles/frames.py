"""The role of a relation's head: what its name and its texts say.

``manages``, ``reports_to`` and ``TRANSFER`` are verbs whose subject is the head, of ``managed by``
it is the object. The head is the parent in ``parent_of`` and has one in ``parent`` and
``has_parent``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from kgdb.language.text.prompts import language_of
from kgdb.language.text.relation_texts import RelationTexts, relation_words
from kgdb.language.text.roles.english import PREPOSITIONS
from kgdb.language.text.roles.names import RelationName, parse_name
from kgdb.language.text.roles.role_reading import read
from kgdb.language.text.roles.vocabulary import Role, Vocabulary, other, vocabulary

_HEAD, _TAIL = "Hhh", "Ttt"
"""Names in the sentence of a relation."""

_NAME_IN_TEXT = re.compile(r"the (.+) of \{\}")
"""A text made from a name, such as *the influenced by of {}*, is read as that name."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The role of the head in every relation that the name or the texts may mean."""

    head: Mapping[str, Role]

    @property
    def asymmetric(self) -> bool:
        """Whether a fact excludes its opposite."""
        return any(not words.asymmetric.isdisjoint(self.head) for words in _vocabularies())


def is_symmetric(relations: Collection[str]) -> bool:
    """Whether a relation of the vocabulary has no direction: *A is married to B*."""
    return any(not words.symmetric.isdisjoint(relations) for words in _vocabularies())


def joins_alike(relations: Collection[str]) -> bool:
    """Whether a relation of the vocabulary joins things of one kind as a rule."""
    return any(not words.alike.isdisjoint(relations) for words in _vocabularies())


def _vocabularies() -> tuple[Vocabulary, ...]:
    return vocabulary("en"), vocabulary("zh")


def frame_of(relation: str, texts: RelationTexts | None) -> Frame:
    """The frame of a relation; where its texts speak of a role, its name does not count.

    A synonym is read as if it were the name.
    """
    given = (texts.text, texts.inverse, texts.question, texts.inverse_question) if texts else ()
    return _frame((relation, *(texts.synonyms if texts else ())), tuple(given))


@cache
def _frame(names: tuple[str, ...], given: tuple[str | None, ...]) -> Frame:
    by_name = _agreed(role for name in names for role in _name_roles(relation_words(name)))
    by_texts = _agreed(
        (key, role if n % 2 == 0 else other(role))
        for n, text in enumerate(given)
        for key, role in _text_roles(text)
    )
    return Frame({**by_name, **by_texts})


def _text_roles(text: str | None) -> Iterator[tuple[str, Role]]:
    """The roles of what stands for ``{}``."""
    if text and (name := _NAME_IN_TEXT.fullmatch(text)) and _ends_in_preposition(name[1]):
        yield from _name_roles(name[1])
    elif text and (at := text.find("{}")) >= 0:
        filled = text.replace("{}", _HEAD, 1)
        for reading in read(filled, (at, at + len(_HEAD))):
            if reading.count == 1:
                yield from reading.roles.items()


def _ends_in_preposition(words: str) -> bool:
    return words.rpartition(" ")[2] in PREPOSITIONS


def _name_roles(words: str) -> Iterator[tuple[str, Role]]:
    """The roles of the head, by the words of a relation's name."""
    if language_of(words) == "zh":
        known = vocabulary("zh")
        for sense in known.verbs.get(words, ()):
            yield sense.relation, sense.role
        for sense in known.nouns.get(words, ()):
            yield sense.relation, other(sense.role)
        return
    name = parse_name(words)
    for relation, role in _sentence_roles(name):
        # Boxes of facts call by *subdivision name* what a town is a subdivision of.
        if ":" in relation or not words.endswith(" name"):
            yield relation, role
    if name.kind == "tail" and " " not in words:
        # An unknown word may be a verb: *outcompetes*. As a verb and as a noun it is two words.
        for relation, role in _sentence_roles(RelationName("verb", words)):
            if relation.startswith("verb:"):
                yield relation, role


def _sentence_roles(name: RelationName) -> Iterator[tuple[str, Role]]:
    sentence = name.sentence(_HEAD, _TAIL)
    start = sentence.find(_HEAD)
    end = sentence.find(_TAIL)
    head, tail = (start, start + len(_HEAD)), (end, end + len(_TAIL))
    for reading in read(sentence, head, [tail]):
        if reading.count == 1 and bool(reading.noun) == (name.kind != "verb"):
            yield from reading.roles.items()


def _agreed(pairs: Iterable[tuple[str, Role]]) -> dict[str, Role]:
    """The roles that no other source contradicts."""
    roles: dict[str, set[Role]] = {}
    for relation, role in pairs:
        roles.setdefault(relation, set()).add(role)
    return {relation: role for relation, (role, *more) in roles.items() if not more}
