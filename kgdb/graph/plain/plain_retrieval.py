"""Retrieval in plain Cypher, for servers where no plugin can be installed.

Each method sends one statement of ``cypher/plain/`` that gives the rows of the procedure of the
same name. Relationship types stand in its text, for a server reads a whole hub where they are
parameters; statements with as many stages as a call has hops are composed of parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import (
    Followed,
    Statement,
    Types,
    TypeTest,
    joined,
    statement,
)
from kgdb.graph.plain.linking import PlainLink
from kgdb.graph.plain.plain_graph import PlainGraph
from kgdb.graph.plain.properties import ShownPath
from kgdb.graph.plain.stages import (
    chain_values,
    hops_of_sets,
    parsed_chains,
    ranked_steps,
    steps_by_place,
)
from kgdb.graph.retrieval.plugin import (
    Chains,
    Hops,
    Limits,
    Pairs,
    Row,
    Search,
    Starts,
    Vectors,
)
from kgdb.graph.retrieval.retrieval_options import Config
from kgdb.graph.retrieval.step_filter import StepFilter
from kgdb.values import Step

_EITHER = "\nUNION ALL\n"
_HALF_HOPS = 2
"""A hop counts as two halves, of which an edge at a mediator is one."""


class PlainRetrieval(PlainGraph):
    """Sends the twins of the procedures for one graph."""

    def __init__(self, database: Database, info: GraphInfo) -> None:
        super().__init__(database, info)
        self._link = PlainLink(database, info)
        self._twins: Mapping[str, Callable[..., list[Row]]] = {
            "kgdb.neighbors": self._neighbors,
            "kgdb.relations.around": self._relations_around,
            "kgdb.paths.all": self._paths_all,
            "kgdb.paths.shortest": self._paths_shortest,
            "kgdb.beam": self._beam,
            "kgdb.pagerank": self._pagerank,
            "kgdb.entities.link": self._linked,
        }

    def search(
        self, search: Search[Any], config: Config, arguments: Mapping[str, Any]
    ) -> list[Row]:
        """The statement that is the procedure's twin."""
        return self._twins[search.procedure](config=config, **arguments)

    def _neighbors(self, nodes: Starts, config: Config) -> list[Row]:
        """As ``kgdb.neighbors``."""
        following = self._following(config)
        text = self._statement("neighbors", **following.places)
        values = config.values("labels", "mediators", "maxDegree", "perRelation", "limit")
        return self._with_path(self._rows(text, nodes, config, **values), config, _neighbor_path)

    def _relations_around(self, nodes: Starts, config: Config) -> list[Row]:
        """As ``kgdb.relations.around``."""
        following = self._following(config)
        if config["mediators"]:
            text = self._statement("relations/around_mediators", **following.places)
            values = config.values("maxDegree", "limit")
        else:
            text = self._statement("relations/around", **following.places)
            values = config.values("limit")
        return self._rows(text, nodes, config, **values)

    def follow(
        self, starts: Starts, chains: Chains, config: Config, limits: Limits = None
    ) -> list[Row]:
        """As ``kgdb.follow``."""
        self._names.check_labels(config["labels"])
        each = parsed_chains(chains)
        text = self._statement("follow", steps=self._steps(each, self._where(config)))
        values = config.values("labels", "maxDegree", "maxPaths", "paths")
        most = list(limits or [config["limit"]] * len(starts))
        rows = self._rows(text, starts, config, limits=most, **values, **chain_values(each))
        specs = [list(map(str, chain)) for chain in each]
        return self._with_paths(
            rows, config, lambda row: [(ids, specs[row["batch"]]) for ids in row["paths"]]
        )

    def candidate_relations(self, starts: Starts, chains: Chains, ends: int) -> list[Row]:
        """As ``kgdb.relations.around`` of what ``kgdb.follow`` finds."""
        each = parsed_chains(chains)
        text = self._statement("candidate_relations", steps=self._steps(each, Statement()))
        values = {"labels": [], "maxDegree": 0, "maxPaths": 0, "paths": 0, "limit": ends}
        rows = self._rows(text, starts, None, **values, **chain_values(each))
        return [{**row, "chain": row["batch"]} for row in rows]

    def _paths_all(self, nodes: Starts, config: Config) -> list[Row]:
        """As ``kgdb.paths.all``."""
        following = self._following(config)
        edges = config["maxHops"] * (_HALF_HOPS if config["mediators"] else 1)
        close = self._statement("paths/close", **following.places)
        extend = self._statement("paths/extend", **following.places)
        text = self._statement(
            "paths/all",
            levels=joined(extend, [close] * edges),
            hubs=self._hubs(following, config),
            ends=self._statement("paths/ends"),
        )
        return self._paths(text, nodes, following, config, first=False)

    def _paths_shortest(self, nodes: Starts, config: Config) -> list[Row]:
        """As ``kgdb.paths.shortest``."""
        following = self._following(config)
        ends = {"hubs": self._hubs(following, config), "ends": self._statement("paths/ends")}
        if config["mediators"]:
            levels = [
                self._statement("paths/shortest_level", cost=cost, **following.places)
                for cost in range(1, config["maxHops"] * _HALF_HOPS + 1)
            ]
            text = self._statement("paths/shortest_mediators", levels=joined("\n", levels), **ends)
        else:
            tests = {
                "out": TypeTest(following.along),
                "in": TypeTest(following.against),
                "either": Followed(following.along | following.against, following.where),
            }
            places = {**following.places, **tests, "hops": config["maxHops"]}
            text = self._statement("paths/shortest", **places, **ends)
        return self._paths(text, nodes, following, config, first=not config["all"])

    def _beam(self, nodes: Starts, hops: Hops, config: Config) -> list[Row]:
        """As ``kgdb.beam``."""
        self._names.check_labels(config["labels"])
        self._names.check_relations(config["exclude"])
        each = hops_of_sets(hops, nodes, config)
        for step in {step for of_set in each for hop in of_set for step in hop}:
            self._names.check_relations([str(step)])
        stages: list[Statement] = []
        ranked: list[list[list[Row]]] = [[] for _ in each]
        for hop in range(max(map(len, each), default=0)):
            steps = sorted(
                {s for of_set in each for s in (of_set[hop] if hop < len(of_set) else ())}
            )
            following = StepFilter.steps(steps, self._where(config))
            stages.append(self._beam_stage(hop, steps, following, mediators=config["mediators"]))
            for of_set, ranked_of_set in zip(each, ranked, strict=True):
                if hop < len(of_set):
                    ranked_of_set.append(ranked_steps(of_set[hop], steps))
        text = self._statement("beam", stages=joined("\n", stages))
        values = config.values("labels", "maxDegree", "width", "relationsPerNode")
        rows = self._rows(text, nodes, config, **values, hops=ranked)
        return self._with_path(rows, config, _path_of_row)

    def _linked(self, mentions: Sequence[str], vectors: Vectors, config: Config) -> list[Row]:
        """As ``kgdb.entities.link``."""
        self._names.check_labels(config["labels"])
        return self._link.link(mentions, vectors, config)

    def _pagerank(self, nodes: Starts, relationships: Pairs, config: Config) -> list[Row]:
        """As ``kgdb.pagerank``."""
        following = self._following(config)
        sets = [list(dict.fromkeys(ids)) for ids in nodes]
        values = config.values("dampingFactor", "maxIterations", "tolerance", "limit")
        if relationships is None:
            edges = self._statement("pagerank/graph", **following.places)
        else:
            edges = self._statement("pagerank/given")
            for ids, pairs in zip(sets, relationships, strict=True):
                ids[:] = dict.fromkeys([*ids, *(end for pair in pairs for end in pair)])
            values["incoming"] = [
                _incoming(ids, pairs, config["direction"])
                for ids, pairs in zip(sets, relationships, strict=True)
            ]
        sources = config["sourceNodes"]
        places = [_places(sources, ids) for ids in sets]
        text = self._statement("pagerank", edges=edges)
        # One set more only to find out whether all the sources exist.
        rows = self._rows(text, [*sets, sources or ()], config, **values, sources=places)
        return [row for row in rows if row["batch"] < len(sets)]

    def _steps(self, chains: Sequence[Sequence[Step]], where: Statement) -> Statement:
        """The steps of ``follow``: each with a branch for every relation that some set follows."""
        self._names.check_relations([str(step) for chain in chains for step in chain])
        parts = []
        for place, steps in enumerate(steps_by_place(chains)):
            branches = [
                self._statement(
                    "follow/in" if step.reverse else "follow/out",
                    followed=Followed(Types(frozenset({step.relation})), where),
                    step=place,
                    branch=branch,
                )
                for branch, step in enumerate(steps)
            ]
            if any(len(chain) <= place for chain in chains):
                branches.append(self._statement("follow/no_more", step=place))
            degrees, either = _degrees(steps), joined(_EITHER, branches)
            parts.append(
                self._statement("follow/step", step=place, degrees=degrees, branches=either)
            )
        return joined("\n", parts)

    def _hubs(self, following: StepFilter, config: Config) -> Statement:
        """What tells the hubs that paths did not go through, where there is such a cap."""
        ways = [following.places]
        if not following.symmetric:
            ways.append({**following.places, **following.back.types})
        parts = []
        for places in ways if config["maxDegree"] else ():
            level = self._statement("paths/hubs_level", **places)
            levels = joined("\n", [level] * config["maxHops"])
            parts.append(self._statement("paths/hubs", levels=levels))
        return joined("\n", parts)

    def _paths(
        self, text: Statement, starts: Starts, following: StepFilter, config: Config, *, first: bool
    ) -> list[Row]:
        """The paths; always in order, which is one of those that an unordered call may give."""
        values = config.values("labels", "mediators", "maxDegree", "perPair", "limit")
        rows = self._rows(
            text,
            starts,
            config,
            **values,
            bothOrders=not following.symmetric,
            most=config["maxHops"] * _HALF_HOPS,
            first=first,
        )
        return self._with_path(rows, config, _path_of_row)

    def _beam_stage(
        self, hop: int, steps: Sequence[Step], following: StepFilter, *, mediators: bool
    ) -> Statement:
        best = self._statement("beam/best")
        expand = self._statement(
            "beam/expand",
            hop=hop,
            degrees=_degrees(steps),
            best=Statement() if mediators else best,
            **following.types,
        )
        begin, end = self._statement("beam/begin", hop=hop), self._statement("beam/end")
        if not mediators:
            return joined("\n", [begin, expand, end])
        passing, passed = self._statement("beam/pass"), self._statement("beam/passed")
        keep = self._statement("beam/keep", best=best)
        return joined("\n", [begin, expand, passing, expand, passed, keep, end])


def _path_of_row(row: Row) -> ShownPath:
    return row["ids"], row["relations"]


def _neighbor_path(row: Row) -> ShownPath:
    first = ("^" if row["direction"] == "in" else "") + row["relation"]
    if row["via"] is None:
        return [row["source"], row["id"]], [first]
    return [row["source"], row["via"], row["id"]], [first, row["viaRelation"]]


def _degrees(steps: Iterable[Step]) -> Statement:
    return joined(
        ", ",
        [
            statement(
                "plain/degree/in" if step.reverse else "plain/degree/out", relation=step.relation
            )
            for step in steps
        ],
    )


def _incoming(
    nodes: Sequence[str], pairs: Sequence[tuple[str, str]], direction: str
) -> list[list[int]]:
    """For each node the places of those that the given relationships come from."""
    places = {node: place for place, node in enumerate(nodes)}
    incoming: list[list[int]] = [[] for _ in nodes]
    for source, target in pairs:
        if direction != "in":
            incoming[places[target]].append(places[source])
        if direction != "out":
            incoming[places[source]].append(places[target])
    return [sorted(origins) for origins in incoming]


def _places(sources: Sequence[str] | None, nodes: Sequence[str]) -> list[int] | None:
    """Sources of another set are passed over; ``None``: the rank flows from all nodes."""
    return None if sources is None else [nodes.index(s) for s in sources if s in nodes]
