"""Questions and claims that no corpus may hold: those that a model is measured on.

A question is in a corpus if a row asks the same words about the same entity. The check reads the
rows alone, so that it also holds for a corpus that somebody else made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kgdb.evaluation import Asked, Claim, Question
from kgdb.graph.linking.mention_linking import unbracketed
from kgdb.graph.linking.name_words import normalize
from kgdb.lab.training.corpus.rows import RelationRow
from kgdb.methods.chains.candidate_chains import PLACEHOLDER, Subject
from kgdb.methods.chains.key_entities import KeyEntity

_MENTION = re.compile(r"\[([^\[\]]+)\]")
_PLACE = re.compile(rf"\b{PLACEHOLDER}\b")


@dataclass(frozen=True, slots=True)
class Overlap:
    """The held-out questions that are in a corpus, by their ids.

    ``by_text`` are asked there word for word; ``by_entity`` are about an entity that rows mask,
    whatever these ask of it.
    """

    by_text: tuple[str, ...]
    by_entity: tuple[str, ...]


class HeldOut:
    """Questions and claims that no corpus may hold; with ``entities``, nor their entities.

    Names are masked in a corpus: rows about an entity say nothing that a question about it asks.
    """

    def __init__(self, questions: Asked, *, entities: bool = False) -> None:
        self._texts = {text for question in questions for text in _texts(question.text)}
        self._entities = {
            name for question in questions if entities for name in _entities(question)
        }

    def __contains__(self, question: Question | Claim) -> bool:
        """Whether a question may not be in the corpus."""
        return not (
            self._texts.isdisjoint(_texts(question.text))
            and self._entities.isdisjoint(_entities(question))
        )


def claim_key(text: str) -> str:
    """A claim as it is compared with others."""
    return normalize(unbracketed(text))


def overlap(rows: Iterable[RelationRow], held_out: Asked) -> Overlap:
    """Which of the questions a corpus holds, and which of their entities."""
    texts, entities = set[str](), set[str]()
    for row in rows:
        entities |= set(map(normalize, row.entities))
        texts |= {text for name in row.entities for text in _unmasked(row.question, name)}
    return Overlap(
        tuple(q.id for q in held_out if not texts.isdisjoint(_texts(q.text))),
        tuple(q.id for q in held_out if not entities.isdisjoint(_entities(q))),
    )


def _texts(question: str) -> set[str]:
    """A question as it is compared: as it stands, and without what :class:`Subject` drops."""
    texts = {normalize(unbracketed(question))}
    for mention in _MENTION.finditer(question):
        key = KeyEntity(mention[1], (), "question", mention.span(1))
        texts |= _unmasked(Subject.of(question, key).masked, mention[1])
    return texts


def _unmasked(masked: str, name: str) -> set[str]:
    """The question with the name in the place of the placeholder; the word may be there twice."""
    return {
        normalize(unbracketed(masked[: place.start()] + name + masked[place.end() :]))
        for place in _PLACE.finditer(masked)
    }


def _entities(question: Question | Claim) -> set[str]:
    mentions = [mention[1] for mention in _MENTION.finditer(question.text)]
    return {normalize(name) for name in (*mentions, *question.entities)}
