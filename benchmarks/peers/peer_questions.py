"""What is asked: pairs of entities, pairs of hubs, and a relation that entities share values of.

All draws are seeded and go by ids, so that every run asks the same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.graphs import METAQA, GraphUnderTest
from kgdb.connection import Connection

_SEED = 5
_HUBS = 24
_ENTITIES = "MATCH (n:`{label}`) {films}RETURN n.id AS id"
_FILMS = "WHERE (n)-[:directed_by]->() "
_HUBS_OF = (
    "MATCH (n:`{label}`) WITH n.id AS id, COUNT {{ (n)--() }} AS degree "
    "ORDER BY degree DESC, id LIMIT $most RETURN id"
)
_RELATIONS = (
    "UNWIND $ids AS id MATCH (n:`{label}` {{id: id}}) "
    "RETURN id, COLLECT {{ MATCH (n)-[r]->() RETURN DISTINCT type(r) }} AS relations"
)
_TYPES = "MATCH (r:Relation {{kg: $kg}}) RETURN r.id AS id"


@dataclass(frozen=True, slots=True)
class Question:
    """Two entities by their ids, and a relation that leads out of the first."""

    start: str
    end: str
    relation: str


@dataclass(frozen=True, slots=True)
class Questions:
    """The questions about one graph, by who they are about, and all its relations."""

    entities: tuple[Question, ...]
    hubs: tuple[Question, ...]
    relations: tuple[str, ...]


def draw_questions(connection: Connection, graph: GraphUnderTest, count: int) -> Questions:
    """So many pairs of entities (films of MetaQA, as no one asks what joins two numbers), and of
    the largest hubs.
    """

    def rows(text: str, **parameters: Any) -> list[dict[str, Any]]:
        labelled = text.format(label=graph.label, films=_FILMS if graph.name == METAQA else "")
        return [
            record.data()
            for record in connection.driver.execute_query(labelled, parameters).records
        ]

    def ids(text: str, **parameters: Any) -> list[str]:
        return sorted(row["id"] for row in rows(text, **parameters))

    rng = random.Random(_SEED)
    entities, hubs = ids(_ENTITIES), ids(_HUBS_OF, most=_HUBS)
    # Three times as many, as an entity that is only ever a tail has no relation to ask for.
    pairs = [_pair(rng, entities) for _ in range(3 * count)]
    leaving = {
        row["id"]: sorted(row["relations"])
        for row in rows(_RELATIONS, ids=[start for start, _ in pairs])
    }
    return Questions(
        entities=tuple(
            Question(start, end, rng.choice(leaving[start]))
            for start, end in pairs
            if leaving[start]
        )[:count],
        hubs=tuple(Question(*_pair(rng, hubs), relation="") for _ in range(count)),
        relations=tuple(ids(_TYPES, kg=graph.name)),
    )


def _pair(rng: random.Random, ids: Sequence[str]) -> tuple[str, str]:
    start, end = rng.sample(ids, 2)
    return start, end
