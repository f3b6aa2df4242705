"""The facts of a graph around the entities that a claim names, and the paths between them.

A claim need not name what it is about: *it has 45 floors and is in Cleveland*. So a path may also
lead from an entity through an unnamed one to a value of the claim.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kgdb.graph import Link
from kgdb.graph.retrieval.results import Neighbor
from kgdb.methods.context import QuestionContext
from kgdb.methods.context.path_ends import entities_to_join
from kgdb.methods.verification.claims import Claim, Value, is_value
from kgdb.values import Path, Step

_NEIGHBORS = 2000
_PER_RELATION = 25
_PER_PAIR = 5
_TWO_HOPS = 2
_MAX_UNNAMED = 100
"""Things around a claim's entities that are asked for its values."""

_PER_RELATION_UNNAMED = 5


@dataclass(frozen=True, slots=True)
class Evidence:
    """The neighbors of each entity that a claim names, by its id, and the paths between them.

    ``values`` are values of the claim that only something unnamed has, by the ids of the entities
    that stand for them in the graph; some paths lead there. ``unnamed`` has the steps from each
    thing that such a path visits to other things, by its id.
    """

    neighbors: Mapping[str, Sequence[Neighbor]]
    paths: tuple[Path, ...]
    values: Mapping[str, Value] = field(default_factory=dict)
    unnamed: Mapping[str, frozenset[Step]] = field(default_factory=dict)


async def collect_evidence(ctx: QuestionContext, claim: Claim, *, max_hops: int = 2) -> Evidence:
    """The neighbors of the linked entities and the paths between them: up to three round trips."""
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
    if max_hops < _TWO_HOPS:
        return Evidence(near, paths)
    return await _with_paths_to_values(ctx, claim, Evidence(near, paths))


async def _with_paths_to_values(ctx: QuestionContext, claim: Claim, evidence: Evidence) -> Evidence:
    """The evidence with paths over something unnamed to values that no fact of a mention has."""
    near = evidence.neighbors
    unmet = [
        value
        for value in claim.values
        if not any(value.matches(n.entity.name) for found in near.values() for n in found)
    ]
    entities = {entity.id: entity for link in claim.links for entity in link.entities}
    first: dict[str, Path] = {}
    for id_, found in near.items() if unmet else ():
        for neighbor in found:
            if neighbor.entity.id not in entities:
                path = Path((entities[id_], neighbor.entity), (neighbor.step,))
                first.setdefault(neighbor.entity.id, path)
    unnamed = list(first)[:_MAX_UNNAMED]
    if not unnamed:
        return evidence
    rows = await ctx.graph.neighbors(unnamed, limit=_NEIGHBORS, per_relation=_PER_RELATION_UNNAMED)
    paths: list[Path] = []
    values: dict[str, Value] = {}
    steps: dict[str, set[Step]] = {}
    for row in rows:
        if not is_value(row.entity.name):
            steps.setdefault(row.source, set()).add(row.step)
        value = next((value for value in unmet if value.matches(row.entity.name)), None)
        if value is None or row.entity.id in entities:
            continue
        start = first[row.source]
        paths.append(Path((*start.entities, row.entity), (*start.steps, row.step)))
        values[row.entity.id] = value
    visited = {path.entities[1].id for path in paths}
    return Evidence(
        near,
        (*evidence.paths, *paths),
        values,
        {id_: frozenset(steps.get(id_, ())) for id_ in visited},
    )


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
