"""What is asked in an evaluation: questions with their answers, claims with their labels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from kgdb.graph.linking.mention_linking import bracketed
from kgdb.values import Entity, Label


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold answers; ``id`` is unique within its set.

    ``text`` says nothing of its gold entities but what the words say: no brackets point them out.

    ``gold`` are names as the graph writes them, or ids. Where an answer is known by both, ``gold``
    has the name and ``ids`` tells the name of each id. ``type`` is the kind of reasoning, as the
    set calls it, and ``entities`` are the gold entities: the names of those that the question is
    about. ``marked`` is the text with these in brackets, where the set has it so. An
    ``unanswerable`` question is one that the graph cannot answer: no answer is right.
    ``hops`` is how far its answer is from what it is about, where the set tells.
    """

    id: str
    text: str
    gold: frozenset[str]
    ids: Mapping[str, str] = field(default_factory=dict)
    type: str | None = None
    entities: tuple[str, ...] = ()
    unanswerable: bool = False
    hops: int | None = None
    marked: str | None = None

    def called(self, entity: Entity) -> str:
        """The gold answer that an entity is, by its id or its name; else its name."""
        if entity.id in self.ids:
            return self.ids[entity.id]
        return entity.id if entity.id in self.gold else entity.name

    def pointed_out(self) -> Question:
        """The same with its gold entities in square brackets; see :func:`in_brackets`."""
        return replace(self, text=in_brackets(self.marked or self.text, self.entities))


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim with what is true of it; the rest is as in :class:`Question`."""

    id: str
    text: str
    label: Label
    type: str | None = None
    entities: tuple[str, ...] = ()
    marked: str | None = None

    def pointed_out(self) -> Claim:
        """The same with its gold entities in square brackets; see :func:`in_brackets`."""
        return replace(self, text=in_brackets(self.marked or self.text, self.entities))


def entities_named(gold_entities: bool) -> str:
    """What reports and rows say of the entities of questions."""
    return "gold entities given" if gold_entities else "entities found in the text"


def in_brackets(text: str, entities: Sequence[str]) -> str:
    """A question in which names are pointed out, as in ``where does [Leia Organa] live?``.

    A name that is in the text gets its brackets there, another stands in brackets after it. What is
    in brackets already stays so.
    """
    there = {name.casefold() for name in bracketed(text)}
    for name in sorted(entities, key=len, reverse=True):
        if name.casefold() in there:
            continue
        # Not inside a word, and not inside the brackets of a longer name.
        pattern = rf"(?<!\w){re.escape(name)}(?!\w)(?![^\[\]]*\])"
        found = re.search(pattern, text, re.IGNORECASE)
        if found:
            text = f"{text[: found.start()]}[{found[0]}]{text[found.end() :]}"
        else:
            text = f"{text} [{name}]"
    return text
