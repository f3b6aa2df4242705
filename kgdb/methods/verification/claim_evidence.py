"""The facts of a graph around the entities that a claim names, and the paths between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgdb.graph import Link, Neighbor
from kgdb.methods.context import QuestionContext
from kgdb.methods.context.path_ends import entities_to_join
from kgdb.methods.verification.claims import Claim
from kgdb.values import Path

_NEIGHBORS = 2000
_PER_RELATION = 25
_PER_PAIR = 5


@dataclass(frozen=True, slots=True)
class Evidence:
    """The neighbors of each entity that a claim names, by its id, and the paths between them."""

    neighbors: Mapping[str, Sequence[Neighbor]]
    paths: tuple[Path, ...]


async def collect_evidence(ctx: QuestionContext, claim: Claim, *, max_hops: int = 2) -> Evidence:
    """The neighbors of the linked entities and the paths between them: two round trips."""
    links = claim.links
    ids = list(dict.fromkeys(entity.id for link in links for entity in link.entities))
    if not ids:
        return Evidence({}, ())
    rows = await ctx.graph.neighbors(ids, limit=_NEIGHBORS, per_relation=_PER_RELATION)
    if "limit" in rows.cut:
        ctx.note("Some facts around the entities that the claim names were not read: too many.")
    near: dict[str, list[Neighbor]] = {id_: [] for id_ in ids}
    for neighbor in rows:
        near[neighbor.source].append(neighbor)
    paths: tuple[Path, ...] = ()
    if len(links) > 1:
        joined = entities_to_join(ctx, [(link.mention, link.ids) for link in links])
        between = await ctx.graph.all_paths(joined, max_hops=max_hops, per_pair=_PER_PAIR)
        paths = (*(row.path for row in between), *_direct(links, near, joined))
    return Evidence(near, paths)


def _direct(
    links: Sequence[Link], near: Mapping[str, Sequence[Neighbor]], joined: Collection[str]
) -> Iterator[Path]:
    """The facts between two mentions at entities that the path search left out."""
    links_by_id = {entity.id: link for link in links for entity in link.entities}
    for link in links:
        for entity in link.entities:
            for neighbor in near[entity.id]:
                other = links_by_id.get(neighbor.entity.id)
                if other and other != link and not {entity.id, neighbor.entity.id} <= set(joined):
                    yield Path((entity, neighbor.entity), (neighbor.step,))


def neighbors_of(link: Link, evidence: Evidence) -> list[Neighbor]:
    """The neighbors of all entities that a mention may mean."""
    return [n for entity in link.entities for n in evidence.neighbors.get(entity.id, ())]


def path_to(link: Link, neighbor: Neighbor) -> Path:
    """The fact that joins a neighbor to the mention."""
    source = next(entity for entity in link.entities if entity.id == neighbor.source)
    return Path((source, neighbor.entity), (neighbor.step,))
