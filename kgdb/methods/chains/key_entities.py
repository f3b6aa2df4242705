"""Key entities: the entities that a question, and a thought about it, mention (RoK, §4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from kgdb.graph import Link
from kgdb.graph.linking.mention_linking import SAME_NAME
from kgdb.graph.linking.name_words import normalize
from kgdb.language.text.replies import texts_in
from kgdb.methods.context import QuestionContext
from kgdb.methods.context.mentions import settled
from kgdb.values import Entity

NAMES_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "names": {"type": "array", "items": {"type": "string", "maxLength": 100}, "maxItems": 12}
    },
    "required": ["names"],
    "additionalProperties": False,
}
"""The schema of a language model's reply with names."""

NAMES_TOKENS = 200

_MIN_SCORE = 0.8
"""The score from which a link counts, by letters, words and meaning."""

_MAX_LINKED = 5
"""Entities that a name links to, without ties with the first."""

Source = Literal["question", "thought", "model"]


@dataclass(frozen=True, slots=True)
class KeyEntity:
    """A key entity, or several indistinguishable ones of one name, and the source of its mention.

    ``span`` is the mention's span in the question, in characters, if the question has it.
    """

    mention: str
    entities: tuple[Entity, ...]
    source: Source
    span: tuple[int, int] | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the entities."""
        return tuple(entity.id for entity in self.entities)

    @property
    def start(self) -> int:
        """The start of the mention in the question; 0 if the question does not mention it."""
        return self.span[0] if self.span else 0

    def to_trace(self) -> dict[str, object]:
        """The key entity as the trace keeps it."""
        return {
            "mention": self.mention,
            "entities": list(self.ids),
            "source": self.source,
        }


def names_in(reply: str) -> list[str]:
    """The names in a reply to :data:`NAMES_SCHEMA`; none if the reply is invalid."""
    return list(dict.fromkeys(name.strip() for name in texts_in(reply, "names")))


async def find_key_entities(
    ctx: QuestionContext, thought: str = "", names: Sequence[str] = (), *, limit: int = 10
) -> list[KeyEntity]:
    """The key entities, those of the question first: at most three round trips.

    First come exact mentions in the question, in the ``thought`` and in the ``names`` (by the
    language model). If they are fewer than two, the other names are linked by similarity. If there
    is still no key entity, misspelt mentions of the question count.
    """
    # Brackets mark names in the question only.
    texts = [ctx.question, *map(_without_brackets, [thought, *names])]
    in_question, *written = await ctx.graph.mentions_all(texts, misspelt=False)
    in_question = await settled(ctx.graph, ctx.question, in_question)
    # What the model wrote names one entity, or none.
    in_thought, *in_names = ([one for one in links if not one.namesakes] for links in written)
    keys = [key_entity_of(link) for link in in_question]
    keys += [
        KeyEntity(link.mention, link.entities, "thought")
        for link in in_thought
        if not link.mention.islower()
    ]
    keys += [
        KeyEntity(name, link.entities, "model")
        for name, links in zip(names, in_names, strict=True)
        for link in links
        if normalize(link.mention) == normalize(name)
    ]
    keys = _without_duplicates(keys)
    if len(keys) < 2:
        exact = {normalize(key.mention) for key in keys}
        others = [name for name in names if normalize(name) not in exact][:limit]
        if others:
            keys += await _link(ctx, others)
    if not keys:
        (misspelt,) = await ctx.graph.mentions_all([ctx.question], exact=False)
        keys = [key_entity_of(link) for link in misspelt]
    return _without_duplicates(keys)[:limit]


def key_entity_of(link: Link) -> KeyEntity:
    """The key entity of a mention in the question."""
    return KeyEntity(link.mention, link.entities, "question", (link.start, link.end))


def _without_brackets(text: str) -> str:
    return text.replace("[", " ").replace("]", " ")


async def _link(ctx: QuestionContext, names: Sequence[str]) -> list[KeyEntity]:
    """The key entities that names link to, also by vectors if the graph has the encoder's."""
    if not names:
        return []
    vectors = None
    if ctx.graph.info.name_encoder == ctx.encoder.name:
        vectors = (await ctx.encoder.encode(names)).tolist()
    rows = await ctx.graph.link(
        names, vectors, limit=_MAX_LINKED, ties=SAME_NAME, min_score=_MIN_SCORE
    )
    keys = []
    for name, linked in zip(names, rows, strict=True):
        # Entities with the best score have one name: the mention may mean any of them.
        best = tuple(row.entity for row in linked if row.score == linked[0].score)
        if best:
            start = ctx.question.casefold().find(name.casefold())
            is_there = start >= 0 and len(ctx.question.casefold()) == len(ctx.question)
            span = (start, start + len(name)) if is_there else None
            keys.append(KeyEntity(name, best, "question" if span else "model", span))
    return keys


def _without_duplicates(keys: Sequence[KeyEntity]) -> list[KeyEntity]:
    """Each entity belongs to the first key that has it; those of the question come first."""
    ids: set[str] = set()
    distinct = []
    for key in sorted(keys, key=lambda key: key.source != "question"):
        entities = tuple(entity for entity in key.entities if entity.id not in ids)
        if entities:
            ids |= {entity.id for entity in entities}
            distinct.append(KeyEntity(key.mention, entities, key.source, key.span))
    return distinct
