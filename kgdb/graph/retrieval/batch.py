"""Retrieval for many sets of entities at once: rows become typed results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, Unpack

from kgdb.errors import UsageError
from kgdb.graph.option_values import Nodes, entity_id, integer, items, number, specs
from kgdb.graph.retrieval import retrieval_options as options
from kgdb.graph.retrieval.identified import WITHOUT_ID, Identified
from kgdb.graph.retrieval.plugin import Retrieval, Row
from kgdb.graph.retrieval.qualifiers import PathQualifiers, path_qualifiers
from kgdb.graph.retrieval.results import (
    BeamPath,
    FollowedEntity,
    FoundPath,
    LinkedEntity,
    Neighbor,
    RankedEntity,
    RelationAround,
    Rows,
)
from kgdb.graph.retrieval.retrieval_options import Config
from kgdb.text_arguments import is_valid_utf8, texts
from kgdb.values import Entity, Path, Step
from kgdb.wording import counted, plural, short

_T = TypeVar("_T")

Chain = Sequence[str | Step]
Hop = Mapping[str, float] | Mapping[Step, float]


class Batch:
    """The retrieval methods of a graph for several sets of entities: one round trip for all.

    Each set gets the rows that a call of its own would give, in the order of the sets.
    """

    def __init__(self, retrieval: Retrieval, identified: Identified) -> None:
        self._retrieval = retrieval
        self._kept = identified.rows

    def neighbors(
        self, starts: Sequence[Nodes], **given: Unpack[options.NeighborOptions]
    ) -> list[Rows[Neighbor]]:
        """:meth:`kgdb.graph.Graph.neighbors` for each set."""
        sets, config = start_sets(starts), Config.of(options.NEIGHBORS, given)
        return found_rows(
            sets, self._kept(self._retrieval.neighbors(sets, config)), neighbor, Neighbor
        )

    def relations_around(
        self, starts: Sequence[Nodes], **given: Unpack[options.AroundOptions]
    ) -> list[Rows[RelationAround]]:
        """:meth:`kgdb.graph.Graph.relations_around` for each set."""
        sets, config = start_sets(starts), Config.of(options.AROUND, given)
        return found_rows(
            sets, self._retrieval.relations_around(sets, config), relation_around, RelationAround
        )

    def candidate_relations(
        self, chains: Sequence[tuple[Nodes, Sequence[Step]]], *, ends: int = 1000
    ) -> list[tuple[RelationAround, ...]]:
        """The candidate relations after chains that each have start entities of their own.

        See :meth:`kgdb.graph.Graph.candidate_relations`.
        """
        pairs = [
            _pair("chains", pair, "pairs of entities and steps") for pair in items("chains", chains)
        ]
        starts = [entity_ids(nodes) for nodes, _ in pairs]
        specs_of = [specs("chains", chain) for _, chain in pairs]
        ends = integer(1)("ends", ends)
        found: list[list[RelationAround]] = [[] for _ in pairs]
        for row in self._retrieval.candidate_relations(starts, specs_of, ends) if pairs else ():
            found[row["chain"]].append(relation_around(row))
        return [tuple(menu) for menu in found]

    def follow(
        self,
        starts: Sequence[Nodes],
        relations: Chain | Sequence[Chain],
        *,
        limits: Sequence[int] | None = None,
        **given: Unpack[options.FollowOptions],
    ) -> list[Rows[FollowedEntity]]:
        """:meth:`kgdb.graph.Graph.follow` for each set, along one chain or one for each.

        ``limits`` are limits for each set, in the place of the one for all.
        """
        sets, config = start_sets(starts), Config.of(options.FOLLOW, given)
        most = None
        if limits is not None:
            read = options.FOLLOW["limit"].read
            most = [read("limits", limit) for limit in items("limits", limits)]
            _same_number("limits", most, sets)
        chains: list[list[str]]
        given_chains = items("relations", relations)
        if all(isinstance(relation, str | Step) for relation in given_chains):
            shared = specs("relations", relations)
            chains = [shared for _ in sets]
            rows = self._retrieval.follow(sets, shared, config, most)
        else:
            chains = [specs("relations", chain) for chain in given_chains]
            _same_number("relations", chains, sets)
            rows = self._retrieval.follow(sets, chains, config, most)
        return followed_rows(sets, chains, self._kept(rows))

    def all_paths(
        self, starts: Sequence[Nodes], **given: Unpack[options.PathOptions]
    ) -> list[Rows[FoundPath]]:
        """:meth:`kgdb.graph.Graph.all_paths` for each set."""
        sets, config = start_sets(starts), Config.of(options.ALL_PATHS, given)
        return found_rows(
            sets, self._kept(self._retrieval.paths_all(sets, config)), found_path, FoundPath
        )

    def shortest_paths(
        self, starts: Sequence[Nodes], **given: Unpack[options.ShortestOptions]
    ) -> list[Rows[FoundPath]]:
        """:meth:`kgdb.graph.Graph.shortest_paths` for each set."""
        sets, config = start_sets(starts), Config.of(options.SHORTEST_PATHS, given)
        return found_rows(
            sets, self._kept(self._retrieval.paths_shortest(sets, config)), found_path, FoundPath
        )

    def beam(
        self,
        starts: Sequence[Nodes],
        hops: Sequence[Hop] | Sequence[Sequence[Hop]],
        **given: Unpack[options.BeamOptions],
    ) -> list[Rows[BeamPath]]:
        """:meth:`kgdb.graph.Graph.beam` for each set, with the same hops or some for each."""
        sets, config = start_sets(starts), Config.of(options.BEAM, given)
        given_hops = items("hops", hops)
        if all(isinstance(hop, Mapping) for hop in given_hops):
            rows = self._retrieval.beam(sets, hop_similarities(given_hops, config), config)
        else:
            each = [hop_similarities(items("hops", of_set), config) for of_set in given_hops]
            _same_number("hops", each, sets)
            rows = self._retrieval.beam(sets, each, config)
        return found_rows(sets, self._kept(rows), beam_path, BeamPath)

    def pagerank(
        self,
        starts: Sequence[Nodes],
        relationships: Sequence[Sequence[tuple[str, str]]] | None = None,
        **given: Unpack[options.PagerankOptions],
    ) -> list[Rows[RankedEntity]]:
        """:meth:`kgdb.graph.Graph.pagerank` for each set, with relationships for each."""
        sets, config = start_sets(starts), Config.of(options.PAGERANK, given)
        pairs = None
        if relationships is not None:
            given_sets = items("relationships", relationships)
            pairs = [_pairs(items("relationships", of_set)) for of_set in given_sets]
        if pairs is not None:
            _same_number("relationships", pairs, sets)
            for key in ("relations", "exclude"):
                if config[key]:
                    raise UsageError(
                        f"{key} chooses among the graph's relationships; leave it out where "
                        "relationships are given."
                    )
        return found_rows(
            sets, self._retrieval.pagerank(sets, pairs, config), _ranked, RankedEntity
        )

    def link(
        self,
        mentions: Sequence[str],
        vectors: Sequence[Sequence[float] | None] | None = None,
        **given: Unpack[options.LinkOptions],
    ) -> list[Rows[LinkedEntity]]:
        """:meth:`kgdb.graph.Graph.link`, which is about several mentions itself."""
        names, config = (
            texts("mentions", mentions, "names", empty=True),
            Config.of(options.LINK, given),
        )
        numbers = None if vectors is None else [_vector(v) for v in items("vectors", vectors)]
        if numbers is not None and len(numbers) != len(names):
            raise UsageError(
                f"There are {counted(len(numbers), 'vector')} for "
                f"{counted(len(names), 'mention')}.",
                hint="Give one for each mention, None for one that has none.",
            )
        rows = self._retrieval.link(names, numbers, config) if names else []
        return found_rows([[name] for name in names], self._kept(rows), _linked, LinkedEntity)


def start_sets(starts: Sequence[Nodes]) -> list[list[str]]:
    """The ids of each set of a call."""
    return [entity_ids(nodes) for nodes in items("starts", starts)]


def entity_ids(nodes: Nodes) -> list[str]:
    """The ids of one set, given as such or as entities; one in an adopted graph may be empty."""
    if isinstance(nodes, Sequence) and not isinstance(nodes, str):
        nodes = [entity_id(node) for node in nodes]
    return texts("nodes", nodes, "entity ids", empty=True)


def _vector(vector: Sequence[float] | None) -> list[float] | None:
    if vector is None:
        return None
    return [number("a number of vectors", value) for value in items("a vector", vector)]


def _pairs(relationships: Iterable[Any]) -> list[tuple[str, str]]:
    expected = "pairs of entity ids (source, target)"
    pairs = []
    for given in relationships:
        source, target = map(entity_id, _pair("relationships", given, expected))
        if not all(isinstance(id_, str) and is_valid_utf8(id_) for id_ in (source, target)):
            raise UsageError(f"relationships holds {short(given)}; expected {expected}.")
        pairs.append((source, target))
    return pairs


def _pair(name: str, given: Any, expected: str) -> tuple[Any, Any]:
    if isinstance(given, tuple | list) and len(given) == 2:
        return given[0], given[1]
    raise UsageError(f"{name} holds {short(given)}; expected {expected}.")


def hop_similarities(hops: Iterable[Any], config: Config) -> list[dict[str, float]]:
    """The hops of a beam as its procedure takes them."""
    return [_hop(hop, config) for hop in hops]


def _hop(hop: Any, config: Config) -> dict[str, float]:
    if not isinstance(hop, Mapping):
        raise UsageError(f"hops holds {short(hop)}; expected maps from relations to similarities.")
    steps = dict(zip(specs("hops", list(hop)), hop.values(), strict=True))
    for step in steps:
        if config["direction"] == "both" and step.startswith("^"):
            raise UsageError(
                f"hops already say a direction by '^', as in {short(step)}.",
                hint="Leave out either the '^' or direction='both'.",
            )
    return {
        step: number(f"the similarity of {short(step)}", value) for step, value in steps.items()
    }


def _same_number(name: str, given: Sequence[Any], sets: Sequence[Any]) -> None:
    if len(given) != len(sets):
        raise UsageError(
            f"{name} are for {counted(len(given), 'set')} of entities, but "
            f"{plural(len(sets), 'there is', 'there are')} {counted(len(sets), 'set')}."
        )


def found_rows(
    sets: Sequence[Sequence[str]], rows: Iterable[Row], read: Callable[[Row], _T], kind: type[_T]
) -> list[Rows[_T]]:
    """One value for each set. A row without a result only tells what was cut."""
    results: list[list[_T]] = [[] for _ in sets]
    cuts: list[Sequence[str]] = [() for _ in sets]
    without: list[Sequence[str]] = [() for _ in sets]
    for row in rows:
        cuts[row["batch"]] = row["cut"]
        if WITHOUT_ID in row:
            without[row["batch"]] = row[WITHOUT_ID]
        elif any(value is not None for key, value in row.items() if key not in ("batch", "cut")):
            results[row["batch"]].append(read(row))
    return [
        Rows(result, cut, kind, without_id)
        for result, cut, without_id in zip(results, cuts, without, strict=True)
    ]


def followed_rows(
    sets: Sequence[Sequence[str]], chains: Sequence[Sequence[str]], rows: Iterable[Row]
) -> list[Rows[FollowedEntity]]:
    """The rows of ``kgdb.follow`` as values: for each set the ends of its chain."""
    return found_rows(sets, rows, lambda row: _followed(row, chains[row["batch"]]), FollowedEntity)


def relation_around(row: Row) -> RelationAround:
    """A row of ``kgdb.relations.around`` as a value."""
    return RelationAround(
        _step(row), row["nodes"], row["count"], _optional_step(row["viaRelation"])
    )


def neighbor(row: Row) -> Neighbor:
    """A row of ``kgdb.neighbors`` as a value."""
    return Neighbor(
        row["source"],
        _step(row),
        Entity(row["id"], row["name"]),
        row["count"],
        row["via"],
        _optional_step(row["viaRelation"]),
        _only_path(row),
    )


def _followed(row: Row, chain: Sequence[str]) -> FollowedEntity:
    return FollowedEntity(
        Entity(row["id"], row["name"]),
        row["starts"],
        row["count"],
        tuple(
            _path(ids, names, chain) for ids, names in zip(row["paths"], row["names"], strict=True)
        ),
        tuple(map(path_qualifiers, row.get("properties") or ())),
    )


def found_path(row: Row) -> FoundPath:
    """A row of ``kgdb.paths.*`` as a value."""
    path = _path(row["ids"], row["names"], row["relations"])
    return FoundPath(path, row["hops"], row["count"], _only_path(row))


def beam_path(row: Row) -> BeamPath:
    """A row of ``kgdb.beam`` as a value."""
    return BeamPath(
        _path(row["ids"], row["names"], row["relations"]),
        row["score"],
        tuple(row["similarities"]),
        row["count"],
        _only_path(row),
    )


def _linked(row: Row) -> LinkedEntity:
    return LinkedEntity(
        Entity(row["id"], row["name"]),
        row["score"],
        row["textScore"],
        row["vectorScore"],
        row["matched"],
        row["reason"],
    )


def _ranked(row: Row) -> RankedEntity:
    return RankedEntity(
        Entity(row["id"], row["name"]), row["score"], row["iterations"], row["converged"]
    )


def _only_path(row: Row) -> PathQualifiers:
    """The properties of a row that shows one path."""
    return path_qualifiers(row.get("properties"))


def _path(ids: Sequence[str], names: Sequence[str], relations: Sequence[str]) -> Path:
    return Path(tuple(map(Entity, ids, names)), tuple(map(Step.parse, relations)))


def _step(row: Row) -> Step:
    return Step(row["relation"], reverse=row["direction"] == "in")


def _optional_step(spec: str | None) -> Step | None:
    return None if spec is None else Step.parse(spec)
