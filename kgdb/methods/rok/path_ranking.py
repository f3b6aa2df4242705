"""Main paths: which of all paths between key entities matter most (RoK, §4.2.1)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from kgdb.methods.chains.key_entities import KeyEntity
from kgdb.methods.context import QuestionContext
from kgdb.values import Path

Rank = Literal["pagerank", "degree", "random", "none"]


async def rank_paths(
    ctx: QuestionContext, paths: Sequence[Path], by: Rank, *, damping: float, seed: int
) -> list[float]:
    """(a), (b): the rank of each path, for PageRank and degree the mean over its entities.

    Both are those of the sub-graph that the paths make. ``random`` ranks are drawn, and with
    ``none`` all are equal.
    """
    # Each triple once, however many paths it is on.
    triples = dict.fromkeys(triple for path in paths for triple in path.triples)
    ranks: Mapping[str, float]
    match by:
        case "pagerank":
            nodes = dict.fromkeys(entity.id for path in paths for entity in path.entities)
            # "From a node to all nodes connected to it": also against a relation's direction.
            ranked = await ctx.graph.pagerank(
                list(nodes),
                [(triple.head.id, triple.tail.id) for triple in triples],
                direction="both",
                damping_factor=damping,
            )
            ranks = {row.entity.id: row.score for row in ranked}
        case "degree":
            ranks = Counter(end.id for triple in triples for end in (triple.head, triple.tail))
        case "random":
            draw = random.Random(f"{seed} {ctx.question}")  # noqa: S311
            return [draw.random() for _ in paths]
        case "none":
            return [0.0 for _ in paths]
    return [sum(ranks[entity.id] for entity in p.entities) / len(p.entities) for p in paths]


def keys_on(paths: Sequence[Path], keys: Sequence[KeyEntity]) -> list[int]:
    """How many key entities each path contains; those of one name count once."""
    of = {id_: place for place, key in enumerate(keys) for id_ in key.ids}
    return [len({of[e.id] for e in path.entities if e.id in of}) for path in paths]


def choose(ranks: Sequence[float], buckets: Sequence[int] | None, most: int) -> list[int]:
    """(c): the places of the ``most`` paths of the highest rank, from the largest bucket on.

    Without ``buckets`` there is one for all. Where ranks are equal, what was found first is first.
    """
    of = buckets or [0 for _ in ranks]
    return sorted(range(len(ranks)), key=lambda i: (-of[i], -ranks[i], i))[:most]
