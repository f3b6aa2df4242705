"""The searches that procedures and peers have in common.

Each case says how every side is asked, and what makes its answer the same. The peers return no more
than is compared: relations without their direction where order does not matter, and no names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from benchmarks.peers.comparing import (
    Comparison,
    as_many_paths,
    same_others,
    same_paths,
    same_rows,
    same_values,
)
from benchmarks.peers.peer_questions import Question, Questions
from benchmarks.peers.peer_server import PROJECTION
from benchmarks.peers.peer_sides import Peer, Procedure

_EVERY = 1_000_000
_FEW = 100
_SHORTEST = 6


@dataclass(frozen=True, slots=True)
class PeerCase:
    """A search: the procedure in one or more ways, its peers, and when their rows are the same.

    ``hubs``: it is asked of pairs of hubs, not of entities.
    """

    name: str
    procedures: Mapping[str, Procedure]
    peers: Mapping[str, Peer]
    same: Comparison
    hubs: bool = False

    def on_large_graphs(self) -> PeerCase:
        """The case without the peers that run on after their time limit."""
        peers = {name: peer for name, peer in self.peers.items() if peer.heeds_limits}
        return replace(self, peers=peers)

    def questions(self, drawn: Questions) -> tuple[Question, ...]:
        """The questions that it is asked."""
        return drawn.hubs if self.hubs else drawn.entities


def peer_cases(drawn: Questions) -> list[PeerCase]:
    """All cases; some peers have to be given the relations of the graph."""
    return [*_path_cases(), *_shortest_cases(), *_neighbor_cases(drawn)]


# --- paths

_PATHS = ("ids", "relations")
_COUNTED = (*_PATHS, "count")
_RETURN_PATH = (
    "RETURN [n IN nodes(path) | n.id] AS ids, [r IN relationships(path) | type(r)] AS relations"
)
_IN_ORDER = (
    "WITH nodes(path) AS visited, relationships(path) AS edges "
    "WITH [n IN visited | n.id] AS ids, [i IN range(0, size(edges) - 1) | "
    "CASE startNode(edges[i]) WHEN visited[i] THEN '' ELSE '^' END + type(edges[i])] AS relations, "
    f"count(*) AS count ORDER BY size(relations), ids, relations LIMIT {_FEW} "
    "RETURN ids, relations, count"
)


def _simple(hops: int) -> str:
    return f"CALL apoc.algo.allSimplePaths(s, t, '', {hops}) YIELD path"


def _expanded(hops: int) -> str:
    return (
        "CALL apoc.path.expandConfig(s, {terminatorNodes: [t], minLevel: 1, "
        f"maxLevel: {hops}, uniqueness: 'NODE_PATH'}}) YIELD path"
    )


def _by_length(hops: int) -> str:
    """A pattern for each length: Cypher finds these sooner than ``[*1..3]``."""
    lengths = []
    for length in range(1, hops + 1):
        inner = [f"n{place}" for place in range(1, length)]
        nodes = ["s", *inner, "t"]
        edges = [f"r{place}" for place in range(length)]
        pattern = "(s)" + "".join(
            f"-[{edge}]-({node})" for edge, node in zip(edges, nodes[1:], strict=True)
        )
        apart = [
            f"{one} <> {other}"
            for place, one in enumerate(nodes)
            for other in nodes[place + 1 :]
            if {one, other} & set(inner)
        ]
        where = f" WHERE {' AND '.join(apart)}" if apart else ""
        ids = ", ".join(f"{node}.id" for node in nodes)
        types = ", ".join(f"type({edge})" for edge in edges)
        lengths.append(f"MATCH {pattern}{where} RETURN [{ids}] AS ids, [{types}] AS relations")
    return f"CALL (s, t) {{ {' UNION ALL '.join(lengths)} }}"


def _matched(hops: int) -> str:
    return (
        f"MATCH path = (s)-[*1..{hops}]-(t) "
        "WHERE all(n IN nodes(path) WHERE single(o IN nodes(path) WHERE o = n))"
    )


def _path_cases() -> list[PeerCase]:
    few = {"maxHops": 4, "perPair": _FEW}
    first = Procedure("kgdb.paths.all", _COUNTED, few)
    ways = {
        "the first in order": first,
        "any": Procedure("kgdb.paths.all", _COUNTED, {**few, "ordered": False}),
    }
    any_of_them = {
        "APOC allSimplePaths, any": f"{_simple(4)} WITH path LIMIT {_FEW} {_RETURN_PATH}",
        "APOC expandConfig, any": f"{_expanded(4)} WITH path LIMIT {_FEW} {_RETURN_PATH}",
        "Cypher [*1..4], any": f"{_matched(4)} WITH path LIMIT {_FEW} {_RETURN_PATH}",
        "Cypher by length, any": f"{_by_length(4)} RETURN ids, relations LIMIT {_FEW}",
    }
    in_order = {
        "APOC allSimplePaths, ordered": f"{_simple(4)} {_IN_ORDER}",
        "Cypher [*1..4], ordered": f"{_matched(4)} {_IN_ORDER}",
    }
    every = {"maxHops": 3, "perPair": 0, "limit": _EVERY}
    return [
        PeerCase(
            "all paths ≤ 3",
            {"": Procedure("kgdb.paths.all", _COUNTED, every)},
            {
                "APOC allSimplePaths": Peer(f"{_simple(3)} {_RETURN_PATH}", _PATHS),
                "APOC expandConfig": Peer(f"{_expanded(3)} {_RETURN_PATH}", _PATHS),
                "Cypher [*1..3]": Peer(f"{_matched(3)} {_RETURN_PATH}", _PATHS),
                "Cypher by length": Peer(f"{_by_length(3)} RETURN ids, relations", _PATHS),
            },
            same_paths,
        ),
        PeerCase(
            f"{_FEW} paths ≤ 4, the first in order",
            {"": first},
            {name: Peer(body, _COUNTED) for name, body in in_order.items()},
            same_rows,
        ),
        *(
            PeerCase(
                f"{_FEW} paths ≤ 4 of {of}",
                ways,
                {name: Peer(body, _PATHS) for name, body in any_of_them.items()},
                as_many_paths(_FEW, max_hops=4),
                hubs=of == "hubs",
            )
            for of in ("entities", "hubs")
        ),
    ]


# --- shortest paths


def _shortest_cases() -> list[PeerCase]:
    one = {"maxHops": _SHORTEST, "all": False}
    every = {"maxHops": _SHORTEST, "perPair": 0, "limit": _EVERY}
    return [
        PeerCase(
            f"all shortest paths ≤ {_SHORTEST}",
            {"": Procedure("kgdb.paths.shortest", _COUNTED, every)},
            {
                "Cypher allShortestPaths": Peer(
                    f"MATCH path = allShortestPaths((s)-[*..{_SHORTEST}]-(t)) {_RETURN_PATH}",
                    _PATHS,
                ),
                "Cypher ALL SHORTEST": Peer(
                    f"MATCH path = ALL SHORTEST (s)--{{1,{_SHORTEST}}}(t) {_RETURN_PATH}",
                    _PATHS,
                    heeds_limits=False,
                ),
            },
            same_paths,
        ),
        PeerCase(
            f"one shortest path ≤ {_SHORTEST}",
            {"": Procedure("kgdb.paths.shortest", ("hops",), one)},
            {
                "APOC spanningTree": Peer(
                    "CALL apoc.path.spanningTree(s, {terminatorNodes: [t], minLevel: 1, "
                    f"maxLevel: {_SHORTEST}, limit: 1}}) YIELD path RETURN length(path) AS hops",
                    ("hops",),
                ),
                "Cypher shortestPath": Peer(
                    f"MATCH path = shortestPath((s)-[*..{_SHORTEST}]-(t)) "
                    "RETURN length(path) AS hops",
                    ("hops",),
                ),
                "GDS Dijkstra, projected before": Peer(
                    f"CALL gds.shortestPath.dijkstra.stream('{PROJECTION}', "
                    "{sourceNode: s, targetNode: t}) YIELD totalCost "
                    f"WITH toInteger(totalCost) AS hops WHERE hops <= {_SHORTEST} RETURN hops",
                    ("hops",),
                ),
            },
            same_values,
        ),
    ]


# --- neighbours

_NAMED = ("id", "name")


def _start(question: Question) -> list[str]:
    return [question.start]


def _neighbor_cases(drawn: Questions) -> list[PeerCase]:
    neighbors = Procedure("kgdb.neighbors", _NAMED, {"limit": _EVERY}, nodes=_start)
    follow = Procedure(
        "kgdb.follow",
        _NAMED,
        {"limit": _EVERY, "paths": 0},
        nodes=_start,
        relations=lambda question: [question.relation, f"^{question.relation}"],
    )
    one_hop = {
        "APOC neighbors.tohop": "CALL apoc.neighbors.tohop(s, $types, 1) YIELD node "
        "RETURN node.id AS id, node.name AS name",
        "APOC subgraphNodes": "CALL apoc.path.subgraphNodes(s, {minLevel: 1, maxLevel: 1}) "
        "YIELD node RETURN node.id AS id, node.name AS name",
        "Cypher": "MATCH (s)--(n) WHERE n <> s WITH DISTINCT n RETURN n.id AS id, n.name AS name",
    }
    two_hops = {
        "APOC expandConfig": "CALL apoc.path.expandConfig(s, {relationshipFilter: "
        "{relation} + '>,<' + {relation}, minLevel: 2, maxLevel: 2, "
        "uniqueness: 'RELATIONSHIP_PATH'}) YIELD path WITH DISTINCT last(nodes(path)) AS n "
        "RETURN n.id AS id, n.name AS name",
        "Cypher": "MATCH (s)-[{types}]->()<-[{types}]-(n) "
        "WITH DISTINCT n RETURN n.id AS id, n.name AS name",
    }
    # Without types, tohop finds nothing.
    types = {"types": "|".join(drawn.relations)}
    return [
        PeerCase(
            "neighbors",
            {"": neighbors},
            {name: Peer(body, _NAMED, types, pair=False) for name, body in one_hop.items()},
            same_others,
        ),
        PeerCase(
            "what shares a value, two hops",
            {"": follow},
            {name: Peer(body, _NAMED, pair=False) for name, body in two_hops.items()},
            same_values,
        ),
    ]
