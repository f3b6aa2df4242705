"""The beam search along the hops of a case."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.cases import Case
from benchmarks.graphs import GraphUnderTest
from benchmarks.timing import Statement
from benchmarks.workloads.search import Maker, call, types
from kgdb.graph.connection.statements import quoted

WIDTH = 10
RELATIONS_PER_NODE = 3

_BEAM = ("id", "name", "score", "ids", "relations", "count")


def beam(per_node: int) -> Maker:
    """The procedure's search along the hops of the case."""
    return lambda graph, case: call(
        "beam",
        _BEAM,
        "$nodes, $hops, {kg: $kg, width: $width, relationsPerNode: $perNode}",
        nodes=[case.start],
        hops=list(case.hops),
        kg=graph.name,
        width=WIDTH,
        perNode=per_node,
    )


def beam_cypher(graph: GraphUnderTest, case: Case) -> Statement:
    """The same in one statement, with all relations of each hop."""
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
        f"MATCH (n){arrow.format(types(wanted))}(m) RETURN '{prefix}' + type(r) AS spec, m, "
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
