"""What a graph says around the things that a claim names, and between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgdb.graph import Link, Neighbor
from kgdb.methods.context import QuestionContext
from kgdb.methods.context.path_ends import paired
from kgdb.values import Path

_NEIGHBORS = 2000
_PER_RELATION = 25
_PER_PAIR = 5


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the graph says around the things that a claim names."""

    neighbors: Mapping[str, Sequence[Neighbor]]
    paths: tuple[Path, ...]


async def collect_evidence(
    ctx: QuestionContext, links: Sequence[Link], *, max_hops: int = 2
) -> Evidence:
    """The surroundings of the named entities and the paths between them: two round trips."""
    ids = list(dict.fromkeys(entity.id for link in links for entity in link.entities))
    if not ids:
        return Evidence({}, ())
    found = await ctx.graph.neighbors(ids, limit=_NEIGHBORS, per_relation=_PER_RELATION)
    if "limit" in found.cut:
        ctx.note("The surroundings of what the claim names were not read whole.")
    near: dict[str, list[Neighbor]] = {id_: [] for id_ in ids}
    for neighbor in found:
        near[neighbor.source].append(neighbor)
    paths: tuple[Path, ...] = ()
    if len(links) > 1:
        named = paired(ctx, [(link.mention, link.ids) for link in links])
        between = await ctx.graph.all_paths(named, max_hops=max_hops, per_pair=_PER_PAIR)
        paths = (*(one.path for one in between), *_direct(links, near, named))
    return Evidence(near, paths)


def _direct(
    links: Sequence[Link], near: Mapping[str, Sequence[Neighbor]], paired: Collection[str]
) -> Iterator[Path]:
    """The facts between two names at ends between which no path was looked for."""
    at = {entity.id: (link, entity) for link in links for entity in link.entities}
    for link in links:
        for entity in link.entities:
            for found in near[entity.id]:
                other = at.get(found.entity.id)
                if other and other[0] != link and not {entity.id, other[1].id} <= set(paired):
                    yield Path((entity, found.entity), (found.step,))


def around(link: Link, evidence: Evidence) -> list[Neighbor]:
    """What lies one hop from a named thing, whichever of its entities it is."""
    return [n for entity in link.entities for n in evidence.neighbors.get(entity.id, ())]


def path_to(link: Link, neighbor: Neighbor) -> Path:
    """The fact that a neighbour is known by."""
    source = next(entity for entity in link.entities if entity.id == neighbor.source)
    return Path((source, neighbor.entity), (neighbor.step,))
