"""Key entities: what a question, and what was thought about it, names in the graph (RoK, §4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from kgdb.graph import Link
from kgdb.graph.linking.mentions import SAME_NAME, normalize
from kgdb.language.text.json_replies import texts_in
from kgdb.methods.context import QuestionContext
from kgdb.values import Entity

NAMES_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "names": {"type": "array", "items": {"type": "string", "maxLength": 100}, "maxItems": 12}
    },
    "required": ["names"],
    "additionalProperties": False,
}
"""What a language model replies with when it is asked for names."""

NAMES_TOKENS = 200

_LIKE = 0.8
"""The score of a link by letters, words and meaning from which an entity counts as named."""

_LINKED = 5
"""Entities that a name is linked to, and beyond these as many as are as like it as the first."""

Source = Literal["question", "thought", "model"]


@dataclass(frozen=True, slots=True)
class KeyEntity:
    """A key entity, or several of one name that cannot be told apart, and where it was named.

    ``span`` is where the question mentions it, in characters, if it does.
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
        """Where the mention begins; 0 where the question has none."""
        return self.span[0] if self.span else 0

    def to_trace(self) -> dict[str, object]:
        """The key entity as the trace keeps it."""
        return {
            "mention": self.mention,
            "entities": list(self.ids),
            "source": self.source,
        }


def names_of(reply: str) -> list[str]:
    """The names of a reply to :data:`NAMES_SCHEMA`; none where it is something else."""
    return list(dict.fromkeys(name.strip() for name in texts_in(reply, "names")))


async def find_key_entities(
    ctx: QuestionContext, thought: str = "", names: Sequence[str] = (), *, most: int = 10
) -> list[KeyEntity]:
    """The key entities, those of the question first.

    What the question, the ``thought`` and the ``names`` (the language model's) are called word for
    word; where these are fewer than two, what else the names link to; and where there is nothing at
    all, misspelt names of the question. So there are at most three round trips, and one or two
    where there are keys that paths can join.
    """
    # Brackets in the question point names out; those in a thought do not.
    texts = [ctx.question, *map(_without_brackets, [thought, *names])]
    in_question, in_thought, *in_names = await ctx.graph.mentions_all(texts, misspelt=False)
    keys = [mentioned(link) for link in in_question]
    keys += [
        KeyEntity(link.mention, link.entities, "thought")
        for link in in_thought
        if not link.mention.islower()
    ]
    keys += [
        KeyEntity(name, found.entities, "model")
        for name, links in zip(names, in_names, strict=True)
        for found in links
        if normalize(found.mention) == normalize(name)
    ]
    keys = _without_doubles(keys)
    if len(keys) < 2:
        known = {normalize(key.mention) for key in keys}
        unknown = [name for name in names if normalize(name) not in known][:most]
        if unknown:
            keys += await _linked(ctx, unknown)
    if not keys:
        (misspelt,) = await ctx.graph.mentions_all([ctx.question], exact=False)
        keys = [mentioned(link) for link in misspelt]
    return _without_doubles(keys)[:most]


def mentioned(link: Link) -> KeyEntity:
    """The key entity that a mention in the question is."""
    return KeyEntity(link.mention, link.entities, "question", (link.start, link.end))


def _without_brackets(text: str) -> str:
    return text.replace("[", " ").replace("]", " ")


async def _linked(ctx: QuestionContext, names: Sequence[str]) -> list[KeyEntity]:
    """What the names link to, by vectors too where the graph has those of the same encoder."""
    if not names:
        return []
    vectors = None
    if ctx.graph.info.name_encoder == ctx.encoder.name:
        vectors = (await ctx.encoder.encode(names)).tolist()
    found = await ctx.graph.link(names, vectors, limit=_LINKED, ties=SAME_NAME, min_score=_LIKE)
    keys = []
    for name, linked in zip(names, found, strict=True):
        # Those of the best score are of one name, and nothing tells which is meant.
        best = tuple(row.entity for row in linked if row.score == linked[0].score)
        if best:
            start = ctx.question.casefold().find(name.casefold())
            is_there = start >= 0 and len(ctx.question.casefold()) == len(ctx.question)
            span = (start, start + len(name)) if is_there else None
            keys.append(KeyEntity(name, best, "question" if span else "model", span))
    return keys


def _without_doubles(keys: Sequence[KeyEntity]) -> list[KeyEntity]:
    """Each entity belongs to the first key that has it; those of the question come first."""
    taken: set[str] = set()
    kept = []
    for key in sorted(keys, key=lambda key: key.source != "question"):
        entities = tuple(entity for entity in key.entities if entity.id not in taken)
        if entities:
            taken |= {entity.id for entity in entities}
            kept.append(KeyEntity(key.mention, entities, key.source, key.span))
    return kept
