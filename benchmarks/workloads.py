"""What is measured: each procedure beside the best plain Cypher for the same rows.

Plain Cypher here knows what a program that writes it would know. Relation types stand in the text,
as a list of types in a parameter makes it read all relationships of a hub. No node is tested for
its graph, as no relationship leads out of one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.cases import Case
from benchmarks.graphs import GraphUnderTest
from benchmarks.timing import Statement
from kgdb.graph.statements import quoted

WIDTH = 10
RELATIONS_PER_NODE = 3
PATHS_PER_PAIR = 100
HUB = "e0000000"
"""The largest hub of the power-law graph."""

Maker = Callable[[GraphUnderTest, Case], Statement]


@dataclass(frozen=True, slots=True)
class Workload:
    """One kind of search: the procedure's statement, and its rivals by name.

    ``graphs`` names those it is measured on, ``target`` what the ratio is meant to reach.
    """

    name: str
    plugin: Maker
    rivals: Mapping[str, Maker]
    graphs: tuple[str, ...] = ("metaqa", "powerlaw")
    target: float = 1.0


def _call(
    procedure: str, columns: tuple[str, ...], arguments: str, **parameters: object
) -> Statement:
    shown = ", ".join(columns)
    body = f"CALL kgdb.{procedure}({arguments}) YIELD {shown} RETURN {shown}"
    return Statement(body, columns, parameters)


# --- the menu of relations

_AROUND = ("relation", "direction", "nodes", "count")


def _around(nodes: Callable[[Case], list[str]]) -> Maker:
    return lambda graph, case: _call(
        "relations.around", _AROUND, "$nodes, {kg: $kg}", nodes=nodes(case), kg=graph.name
    )


def _around_cypher(nodes: Callable[[Case], list[str]]) -> Maker:
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


def _neighbors(
    nodes: Callable[[Case], list[str]], relations: Callable[[Case], list[str]] = lambda _: []
) -> Maker:
    return lambda graph, case: _call(
        "neighbors",
        _NEIGHBORS,
        "$nodes, {kg: $kg, relations: $relations}",
        nodes=nodes(case),
        kg=graph.name,
        relations=relations(case),
    )


def _neighbors_cypher(
    nodes: Callable[[Case], list[str]], relations: Callable[[Case], list[str]] = lambda _: []
) -> Maker:
    def make(graph: GraphUnderTest, case: Case) -> Statement:
        types = _types(relations(case))
        columns = "m, count(*) AS count"
        return Statement(
            f"""UNWIND range(0, size($nodes) - 1) AS place
            MATCH (n:{quoted(graph.label)} {{id: $nodes[place]}})
            CALL (n) {{
              MATCH (n)-[r{types}]->(m) RETURN type(r) AS relation, 'out' AS direction, {columns}
              UNION ALL
              MATCH (n)<-[r{types}]-(m) RETURN type(r) AS relation, 'in' AS direction, {columns}
            }}
            RETURN n.id AS source, relation, direction, m.id AS id, m.name AS name, count
            ORDER BY place, relation, direction, name, id LIMIT 1000""",
            _NEIGHBORS,
            {"nodes": nodes(case)},
        )

    return make


# --- one exact chain

_FOLLOW = ("id", "name", "starts", "count")


def _follow(graph: GraphUnderTest, case: Case) -> Statement:
    return _call(
        "follow",
        _FOLLOW,
        "$nodes, $chain, {kg: $kg, paths: 0}",
        nodes=[case.start],
        chain=list(case.chain),
        kg=graph.name,
    )


def _follow_cypher(graph: GraphUnderTest, case: Case) -> Statement:
    steps = "".join(
        _arrow(spec, f"r{i}") + (f"(n{i})" if i + 1 < len(case.chain) else "(end)")
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


# --- paths between two entities

_PATHS = ("hops", "ids", "names", "relations", "count")
_SPEC = "CASE startNode({r}) WHEN {n} THEN '' ELSE '^' END + type({r})"


def _paths(procedure: str, hops: int) -> Maker:
    return lambda graph, case: _call(
        procedure,
        _PATHS,
        "$nodes, {kg: $kg, maxHops: $hops, perPair: $most}",
        nodes=[case.start, case.other],
        kg=graph.name,
        hops=hops,
        most=PATHS_PER_PAIR,
    )


def _ends(graph: GraphUnderTest) -> str:
    label = quoted(graph.label)
    return f"MATCH (s:{label} {{id: $start}}) MATCH (t:{label} {{id: $end}})"


def _ends_of(case: Case) -> dict[str, object]:
    return {"start": case.start, "end": case.other, "most": PATHS_PER_PAIR}


def _paths_by_length(join: bool) -> Maker:
    """A branch for each length, not begun when those before it have filled the limit."""

    def make(graph: GraphUnderTest, case: Case) -> Statement:
        one, two, three = (
            _branch(["s", "t"], ""),
            _branch(["s", "a", "t"], "WHERE a <> s AND a <> t"),
            _branch(
                ["s", "a", "b", "t"],
                ("USING JOIN ON a " if join else "")
                + "WHERE a <> s AND a <> t AND b <> s AND b <> t AND a <> b",
            ),
        )
        return Statement(
            f"""{_ends(graph)}
            CALL (s, t) {{ {one} UNION ALL {two} UNION ALL {three} }}
            RETURN hops, ids, names, relations, count LIMIT $most""",
            _PATHS,
            _ends_of(case),
        )

    return make


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


def _paths_matched(pattern: str, condition: str = "") -> Maker:
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


_SIMPLE = "WHERE all(n IN nodes(p) WHERE single(o IN nodes(p) WHERE o = n))"


# --- beam

_BEAM = ("id", "name", "score", "ids", "relations", "count")


def beam(per_node: int) -> Maker:
    """The procedure's search along the hops of the case."""
    return lambda graph, case: _call(
        "beam",
        _BEAM,
        "$nodes, $hops, {kg: $kg, width: $width, relationsPerNode: $perNode}",
        nodes=[case.start],
        hops=list(case.hops),
        kg=graph.name,
        width=WIDTH,
        perNode=per_node,
    )


def _beam_cypher(graph: GraphUnderTest, case: Case) -> Statement:
    hops = "".join(_beam_hop(hop, place) for place, hop in enumerate(case.hops))
    return Statement(
        f"""MATCH (s:{quoted(graph.label)} {{id: $start}})
        WITH [{{node: s, score: 0.0, ids: [s.id], relations: [], edges: [], count: 1}}] AS kept
        {hops}
        UNWIND kept AS k
        RETURN k.node.id AS id, k.node.name AS name, k.score AS score, k.ids AS ids,
               k.relations AS relations, k.count AS count""",
        _BEAM,
        {"start": case.start, "hops": list(case.hops), "width": WIDTH},
    )


def _beam_hop(hop: Mapping[str, float], place: int) -> str:
    parts = [
        f"MATCH (n){arrow.format(_types(wanted))}(m) RETURN '{prefix}' + type(r) AS spec, m, "
        f"count(*) AS parallels, {edge} AS edge"
        for arrow, prefix, edge, wanted in (
            ("-[r{}]->", "", "[n, type(r), m]", [s for s in hop if s[0] != "^"]),
            ("<-[r{}]-", "^", "[m, type(r), n]", [s[1:] for s in hop if s[0] == "^"]),
        )
        if wanted
    ]
    return f"""CALL (kept) {{
          UNWIND kept AS k
          WITH k, k.node AS n
          CALL (n) {{ {" UNION ALL ".join(parts)} }}
          WITH k, spec, m, edge, parallels - size([e IN k.edges WHERE e = edge]) AS free
          WHERE free > 0
          WITH k, spec, m, edge, free, k.score + $hops[{place}][spec] AS score,
               k.ids + [m.id] AS ids, k.relations + [spec] AS relations
          ORDER BY score DESC, ids, relations LIMIT $width
          RETURN collect({{node: m, score: score, ids: ids, relations: relations,
                           edges: k.edges + [edge], count: k.count * free}}) AS next
        }}
        WITH next AS kept
        """


# --- what relations and arrows look like


def _types(names: list[str]) -> str:
    return ":" + "|".join(quoted(name) for name in sorted(names)) if names else ""


def _arrow(spec: str, variable: str) -> str:
    if spec.startswith("^"):
        return f"<-[{variable}:{quoted(spec[1:])}]-"
    return f"-[{variable}:{quoted(spec)}]->"


def _start(case: Case) -> list[str]:
    return [case.start]


def _ten(case: Case) -> list[str]:
    return list(case.several)


def _hub(_: Case) -> list[str]:
    return [HUB]


def _rare(case: Case) -> list[str]:
    return sorted({spec.removeprefix("^") for hop in case.hops for spec in hop})[:5]


WORKLOADS = (
    Workload("relations.around, 1 node", _around(_start), {"Cypher": _around_cypher(_start)}),
    Workload("relations.around, 10 nodes", _around(_ten), {"Cypher": _around_cypher(_ten)}),
    Workload(
        "relations.around, hub of 100,000",
        _around(_hub),
        {"Cypher": _around_cypher(_hub)},
        graphs=("powerlaw",),
    ),
    Workload("neighbors, 1 node", _neighbors(_start), {"Cypher": _neighbors_cypher(_start)}),
    Workload("neighbors, 10 nodes", _neighbors(_ten), {"Cypher": _neighbors_cypher(_ten)}),
    Workload(
        "neighbors, hub of 100,000, 5 relations",
        _neighbors(_hub, _rare),
        {"Cypher": _neighbors_cypher(_hub, _rare)},
        graphs=("powerlaw",),
    ),
    Workload("follow, 3 hops", _follow, {"Cypher": _follow_cypher}),
    Workload(
        "paths.all ≤ 3",
        _paths("paths.all", 3),
        {
            "Cypher, by length": _paths_by_length(join=False),
            "Cypher, by length, joined": _paths_by_length(join=True),
            "Cypher [*1..3]": _paths_matched("(s)-[*1..3]-(t)", _SIMPLE),
        },
        target=10.0,
    ),
    Workload(
        "paths.shortest ≤ 4",
        _paths("paths.shortest", 4),
        {
            "Cypher allShortestPaths": _paths_matched("allShortestPaths((s)-[*..4]-(t))"),
            "Cypher ALL SHORTEST": _paths_matched("ALL SHORTEST (s)--{1,4}(t)"),
        },
    ),
    Workload("beam, 3 hops, all relations", beam(0), {"Cypher": _beam_cypher}),
)
