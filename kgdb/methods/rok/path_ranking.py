"""Main paths: the ranking of all paths between key entities (RoK, §4.2.1)."""

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
    """(a), (b): the rank of each path.

    For PageRank and degree it is the mean over the path's entities, in the sub-graph of all paths.
    ``random`` draws the ranks, with ``none`` all are 0.
    """
    # A triple counts once, however many paths contain it.
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
    """How many key entities each path contains; entities of one name count once."""
    key_by_id = {id_: index for index, key in enumerate(keys) for id_ in key.ids}
    return [len({key_by_id[e.id] for e in p.entities if e.id in key_by_id}) for p in paths]


def choose(ranks: Sequence[float], buckets: Sequence[int] | None, limit: int) -> list[int]:
    """(c): the indices of at most ``limit`` paths, from the largest bucket on, by rank.

    Without ``buckets`` all paths are in one. Paths of equal rank keep their order.
    """
    bucket = buckets or [0 for _ in ranks]
    return sorted(range(len(ranks)), key=lambda i: (-bucket[i], -ranks[i], i))[:limit]
