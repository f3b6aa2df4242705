"""Paths between entities: two of them, or each two of five."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from benchmarks.cases import Case
from benchmarks.graphs import GraphUnderTest
from benchmarks.timing import Statement
from benchmarks.workloads.search import Maker, call
from kgdb.graph.connection.statements import quoted

SIMPLE = "WHERE all(n IN nodes(p) WHERE single(o IN nodes(p) WHERE o = n))"

_PER_PAIR = 100
_PATHS = ("hops", "ids", "names", "relations", "count")
_SPEC = "CASE startNode({r}) WHEN {n} THEN '' ELSE '^' END + type({r})"


def paths(procedure: str, hops: int, nodes: Callable[[Case], list[str]]) -> Maker:
    """The procedure's search between each two of the nodes."""
    return lambda graph, case: call(
        procedure,
        _PATHS,
        "$nodes, {kg: $kg, maxHops: $hops, perPair: $most}",
        nodes=nodes(case),
        kg=graph.name,
        hops=hops,
        most=_PER_PAIR,
    )


def _ends(graph: GraphUnderTest) -> str:
    label = quoted(graph.label)
    return f"MATCH (s:{label} {{id: $start}}) MATCH (t:{label} {{id: $end}})"


def _ends_of(case: Case) -> dict[str, object]:
    return {"start": case.start, "end": case.other, "most": _PER_PAIR}


class Plan(Enum):
    """How paths of two and three hops are searched; which is best, the graph decides."""

    PLANNED = "as the server plans it"
    JOINED = "what leads away from the start, joined with what leads to the end"
    ENDS_FIRST = "a hop from either end, then what joins these"


_TWO = {
    Plan.PLANNED: "MATCH (s)-[r0]-(a)-[r1]-(t) WHERE a <> s AND a <> t",
    Plan.JOINED: "MATCH (s)-[r0]-(a)-[r1]-(t) WHERE a <> s AND a <> t",
    Plan.ENDS_FIRST: "MATCH (s)-[r0]-(a) WHERE a <> s AND a <> t WITH * MATCH (a)-[r1]-(t)",
}
_THREE = {
    Plan.PLANNED: "MATCH (s)-[r0]-(a)-[r1]-(b)-[r2]-(t) "
    "WHERE a <> s AND a <> t AND b <> s AND b <> t AND a <> b",
    Plan.JOINED: "MATCH (s)-[r0]-(a)-[r1]-(b)-[r2]-(t) USING JOIN ON a "
    "WHERE a <> s AND a <> t AND b <> s AND b <> t AND a <> b",
    # Nothing is moved across a WITH. Simple paths use no relationship twice.
    Plan.ENDS_FIRST: "MATCH (s)-[r0]-(a) WHERE a <> s AND a <> t "
    "WITH * MATCH (b)-[r2]-(t) WHERE b <> s AND b <> t AND a <> b WITH * MATCH (a)-[r1]-(b)",
}


def pair_by_length(plan: Plan) -> Maker:
    """A branch for each length, not begun when those before it have filled the limit."""
    return lambda graph, case: Statement(f"{_ends(graph)} {_lengths(plan)}", _PATHS, _ends_of(case))


def set_by_length(nodes: Callable[[Case], list[str]], plan: Plan) -> Maker:
    """The same for each two of the nodes, in the order of the procedure."""

    def make(graph: GraphUnderTest, case: Case) -> Statement:
        label = quoted(graph.label)
        return Statement(
            f"""UNWIND range(0, size($nodes) - 2) AS i
            UNWIND range(i + 1, size($nodes) - 1) AS j
            MATCH (s:{label} {{id: $nodes[i]}}) MATCH (t:{label} {{id: $nodes[j]}})
            CALL (s, t) {{ {_lengths(plan)} }}
            RETURN {", ".join(_PATHS)}""",
            _PATHS,
            {"nodes": nodes(case), "most": _PER_PAIR},
        )

    return make


def _lengths(plan: Plan) -> str:
    one = _branch("MATCH (s)-[r0]-(t)", ["s", "t"])
    two = _branch(_TWO[plan], ["s", "a", "t"])
    three = _branch(_THREE[plan], ["s", "a", "b", "t"])
    return f"""CALL (s, t) {{ {one} UNION ALL {two} UNION ALL {three} }}
        RETURN {", ".join(_PATHS)} LIMIT $most"""


def _branch(matched: str, nodes: list[str]) -> str:
    relations = ", ".join(
        _SPEC.format(r=f"r{i}", n=n) + f" AS x{i}" for i, n in enumerate(nodes[:-1])
    )
    inner = "".join(f"{n}, " for n in nodes)
    return f"""{matched}
        WITH {inner}{relations}, count(*) AS count
        RETURN {len(nodes) - 1} AS hops, [{", ".join(f"{n}.id" for n in nodes)}] AS ids,
               [{", ".join(f"{n}.name" for n in nodes)}] AS names,
               [{", ".join(f"x{i}" for i in range(len(nodes) - 1))}] AS relations, count
        ORDER BY ids, relations LIMIT $most"""


def pair_matched(pattern: str, condition: str = "") -> Maker:
    """All paths of that pattern, the first ones of them."""
    return lambda graph, case: Statement(
        f"""{_ends(graph)}
        MATCH p = {pattern} {condition}
        WITH nodes(p) AS nodes, relationships(p) AS edges
        WITH nodes, [n IN nodes | n.id] AS ids, [i IN range(0, size(edges) - 1) |
             {_SPEC.format(r="edges[i]", n="nodes[i]")}] AS relations, count(*) AS count
        ORDER BY size(relations), ids, relations LIMIT $most
        RETURN size(relations) AS hops, ids, [n IN nodes | n.name] AS names, relations, count""",
        _PATHS,
        _ends_of(case),
    )
