"""Everything a graph of thought needs of the knowledge graph, for many questions at once.

Along chains, as a whole pattern, between its entities and around them: with the plugin that is one
round trip, whatever the number of questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kgdb.graph import matching, options
from kgdb.graph.batch import (
    Hop,
    beam_path,
    found_path,
    found_rows,
    hop_similarities,
    neighbor,
    start_sets,
)
from kgdb.graph.graph import Graph
from kgdb.graph.matching import Match, Pattern
from kgdb.graph.options import Config
from kgdb.graph.results import BeamPath, Found, FoundPath, Neighbor


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one question looks for.

    ``chains`` are beams: the ids of the entities to start from, and the hops. ``entities`` are the
    ids whose shortest paths and neighbours are wanted.
    """

    chains: Sequence[tuple[Sequence[str], Sequence[Hop]]] = ()
    patterns: Sequence[Pattern] = ()
    entities: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found of it: rows for each chain, for each pattern, and for the entities."""

    chains: tuple[Found[BeamPath], ...]
    matches: tuple[Found[Match], ...]
    paths: Found[FoundPath]
    neighbors: Found[Neighbor]


@dataclass(frozen=True, slots=True)
class GatherOptions:
    """The options of the four searches."""

    beam: options.BeamOptions = field(default_factory=options.BeamOptions)
    match: options.MatchOptions = field(default_factory=options.MatchOptions)
    shortest: options.ShortestOptions = field(default_factory=options.ShortestOptions)
    neighbors: options.NeighborOptions = field(default_factory=options.NeighborOptions)


@dataclass(frozen=True, slots=True)
class _Flat:
    """What all questions found, one after the other."""

    chains: Sequence[Found[BeamPath]]
    matches: Sequence[Found[Match]]
    paths: Sequence[Found[FoundPath]]
    neighbors: Sequence[Found[Neighbor]]


def gather(graph: Graph, wanted: Sequence[Wanted], given: GatherOptions) -> list[Gathered]:
    """All that each question wants; without the plugin in three round trips, and no matches."""
    found = (_at_once if graph.database.uses_plugin else _one_by_one)(graph, wanted, given)
    chains, matches = iter(found.chains), iter(found.matches)
    return [
        Gathered(
            tuple(next(chains) for _ in each.chains),
            tuple(next(matches) for _ in each.patterns),
            paths,
            neighbors,
        )
        for each, paths, neighbors in zip(wanted, found.paths, found.neighbors, strict=True)
    ]


def _at_once(graph: Graph, wanted: Sequence[Wanted], given: GatherOptions) -> _Flat:
    beam = Config.of(options.BEAM, given.beam)
    configs = {
        "beam": beam,
        "match": Config.of(options.MATCH, given.match),
        "shortest": Config.of(options.SHORTEST_PATHS, given.shortest),
        "neighbors": Config.of(options.NEIGHBORS, given.neighbors),
    }
    starts = start_sets([nodes for each in wanted for nodes, _ in each.chains])
    patterns = [pattern for each in wanted for pattern in each.patterns]
    entities = start_sets([each.entities for each in wanted])
    (row,) = graph.database.run(
        "gather",
        {
            "starts": starts,
            "hops": [hop_similarities(hops, beam) for each in wanted for _, hops in each.chains],
            "entities": entities,
            **matching.parameters(patterns),
            **{name: {"kg": graph.name, **config.given} for name, config in configs.items()},
        },
    )
    return _Flat(
        found_rows(starts, row["beams"], beam_path, BeamPath),
        matching.matches(row["matches"], len(patterns)),
        found_rows(entities, row["paths"], found_path, FoundPath),
        found_rows(entities, row["neighbors"], neighbor, Neighbor),
    )


def _one_by_one(graph: Graph, wanted: Sequence[Wanted], given: GatherOptions) -> _Flat:
    chains = [chain for each in wanted for chain in each.chains]
    entities = [each.entities for each in wanted]
    beams = (
        graph.batch.beam([nodes for nodes, _ in chains], [hops for _, hops in chains], **given.beam)
        if chains
        else []
    )
    patterns = sum(len(each.patterns) for each in wanted)
    return _Flat(
        beams,
        [Found[Match]((), (), Match)] * patterns,
        graph.batch.shortest_paths(entities, **given.shortest),
        graph.batch.neighbors(entities, **given.neighbors),
    )
