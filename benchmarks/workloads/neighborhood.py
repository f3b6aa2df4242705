"""Searches around entities: their relations, their neighbours, and where one chain leads."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.cases import Case
from benchmarks.graphs import GraphUnderTest
from benchmarks.timing import Statement
from benchmarks.workloads.search import Maker, arrow, call, types
from kgdb.graph.connection.statements import quoted

# --- the menu of relations

_AROUND = ("relation", "direction", "nodes", "count")


def around(nodes: Callable[[Case], list[str]]) -> Maker:
    """The relations around the nodes."""
    return lambda graph, case: call(
        "relations.around", _AROUND, "$nodes, {kg: $kg}", nodes=nodes(case), kg=graph.name
    )


def around_cypher(nodes: Callable[[Case], list[str]]) -> Maker:
    """The same in plain Cypher."""
    return lambda graph, case: Statement(
        f"""UNWIND $nodes AS id
        MATCH (n:{quoted(graph.label)} {{id: id}})
        CALL (n) {{
          MATCH (n)-[r]->() RETURN type(r) AS relation, 'out' AS direction, count(*) AS degree
          UNION ALL
          MATCH (n)<-[r]-() RETURN type(r) AS relation, 'in' AS direction, count(*) AS degree
        }}
        RETURN relation, direction, count(*) AS nodes, sum(degree) AS count
        ORDER BY count DESC, relation, direction""",
        _AROUND,
        {"nodes": nodes(case)},
    )


# --- neighbours

_NEIGHBORS = ("source", "relation", "direction", "id", "name", "count")


def neighbors(
    nodes: Callable[[Case], list[str]], relations: Callable[[Case], list[str]] = lambda _: []
) -> Maker:
    """The neighbours of the nodes, by some relations or all."""
    return lambda graph, case: call(
        "neighbors",
        _NEIGHBORS,
        "$nodes, {kg: $kg, relations: $relations}",
        nodes=nodes(case),
        kg=graph.name,
        relations=relations(case),
    )


def neighbors_cypher(
    nodes: Callable[[Case], list[str]], relations: Callable[[Case], list[str]] = lambda _: []
) -> Maker:
    """The same in plain Cypher."""

    def make(graph: GraphUnderTest, case: Case) -> Statement:
        allowed = types(relations(case))
        columns = "m, count(*) AS count"
        return Statement(
            f"""UNWIND range(0, size($nodes) - 1) AS place
            MATCH (n:{quoted(graph.label)} {{id: $nodes[place]}})
            CALL (n) {{
              MATCH (n)-[r{allowed}]->(m) RETURN type(r) AS relation, 'out' AS direction, {columns}
              UNION ALL
              MATCH (n)<-[r{allowed}]-(m) RETURN type(r) AS relation, 'in' AS direction, {columns}
            }}
            RETURN n.id AS source, relation, direction, m.id AS id, m.name AS name, count
            ORDER BY place, relation, direction, name, id LIMIT 1000""",
            _NEIGHBORS,
            {"nodes": nodes(case)},
        )

    return make


# --- one exact chain

_FOLLOW = ("id", "name", "starts", "count")


def follow(graph: GraphUnderTest, case: Case) -> Statement:
    """Where the case's chain of relations leads."""
    return call(
        "follow",
        _FOLLOW,
        "$nodes, $chain, {kg: $kg, paths: 0}",
        nodes=[case.start],
        chain=list(case.chain),
        kg=graph.name,
    )


def follow_cypher(graph: GraphUnderTest, case: Case) -> Statement:
    """The same as one pattern."""
    steps = "".join(
        arrow(spec, f"r{i}") + (f"(n{i})" if i + 1 < len(case.chain) else "(end)")
        for i, spec in enumerate(case.chain)
    )
    return Statement(
        f"""MATCH (start:{quoted(graph.label)} {{id: $start}}){steps}
        WITH end, count(DISTINCT start) AS starts, count(*) AS count
        WITH end.id AS id, end.name AS name, starts, count
        ORDER BY starts DESC, count DESC, name, id LIMIT 1000
        RETURN id, name, starts, count""",
        _FOLLOW,
        {"start": case.start},
    )
