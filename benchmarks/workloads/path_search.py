"""Paths between entities: two of them, or each two of five."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.cases import Case
from benchmarks.graphs import GraphUnderTest
from benchmarks.timing import Statement
from benchmarks.workloads.search import Maker, call
from kgdb.graph.statements import quoted

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


def pair_by_length(join: bool) -> Maker:
    """A branch for each length, not begun when those before it have filled the limit."""
    return lambda graph, case: Statement(f"{_ends(graph)} {_lengths(join)}", _PATHS, _ends_of(case))


def set_by_length(nodes: Callable[[Case], list[str]], join: bool) -> Maker:
    """The same for each two of the nodes, in the order of the procedure."""

    def make(graph: GraphUnderTest, case: Case) -> Statement:
        label = quoted(graph.label)
        return Statement(
            f"""UNWIND range(0, size($nodes) - 2) AS i
            UNWIND range(i + 1, size($nodes) - 1) AS j
            MATCH (s:{label} {{id: $nodes[i]}}) MATCH (t:{label} {{id: $nodes[j]}})
            CALL (s, t) {{ {_lengths(join)} }}
            RETURN {", ".join(_PATHS)}""",
            _PATHS,
            {"nodes": nodes(case), "most": _PER_PAIR},
        )

    return make


def _lengths(join: bool) -> str:
    one, two, three = (
        _branch(["s", "t"], ""),
        _branch(["s", "a", "t"], "WHERE a <> s AND a <> t"),
        _branch(
            ["s", "a", "b", "t"],
            ("USING JOIN ON a " if join else "")
            + "WHERE a <> s AND a <> t AND b <> s AND b <> t AND a <> b",
        ),
    )
    return f"""CALL (s, t) {{ {one} UNION ALL {two} UNION ALL {three} }}
        RETURN {", ".join(_PATHS)} LIMIT $most"""


def _branch(nodes: list[str], conditions: str) -> str:
    pattern = f"({nodes[0]})" + "".join(f"-[r{i}]-({n})" for i, n in enumerate(nodes[1:]))
    relations = ", ".join(
        _SPEC.format(r=f"r{i}", n=n) + f" AS x{i}" for i, n in enumerate(nodes[:-1])
    )
    inner = "".join(f"{n}, " for n in nodes)
    return f"""MATCH {pattern} {conditions}
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
