"""A graph of thought with both ends grounded: what joins two entities by relations like three."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from benchmarks.cases import Case
from benchmarks.graphs import GraphUnderTest
from benchmarks.timing import Statement
from benchmarks.workloads.search import types
from kgdb.graph.connection.statements import quoted

_COLUMNS = ("score", "ids", "relations", "count")
_MOST = 10
_KEPT = 100_000
"""Embeddings that the procedure keeps after each edge: all of them, as plain Cypher does."""


def match(graph: GraphUnderTest, case: Case) -> Statement:
    """The procedure's search of the thought."""
    words = [f"hop {place}" for place, _ in enumerate(case.hops)]
    variables = _variables(case)
    ids = ", ".join(f"ids.{variable}" for variable in variables)
    return Statement(
        f"""CALL kgdb.got.match($thought, $grounding, {{kg: $kg, width: $width, limit: $most}})
        YIELD score, ids, relations, count
        RETURN score, [{ids}] AS ids, [each IN relations | each[0]] AS relations, count""",
        _COLUMNS,
        {
            "thought": {
                "relationships": [
                    {"source": source, "type": word, "target": target}
                    for (source, target), word in zip(pairwise(variables), words, strict=True)
                ]
            },
            "grounding": {
                "nodes": {variables[0]: case.start, variables[-1]: case.answer},
                "relations": dict(zip(words, case.hops, strict=True)),
            },
            "kg": graph.name,
            "width": _KEPT,
            "most": _MOST,
        },
    )


def match_cypher(graph: GraphUnderTest, case: Case) -> Statement:
    """The same as one pattern, for all thoughts of three hops the same text."""
    hops = [sorted({spec.removeprefix("^") for spec in hop}) for hop in case.hops]
    allowed = " AND ".join(f"type(r{place}) IN $types[{place}]" for place, _ in enumerate(hops))
    return _pattern(graph, case, ["" for _ in hops], f"WHERE {allowed}", {"types": hops})


def match_written_out(graph: GraphUnderTest, case: Case) -> Statement:
    """The same with the relations in the text: faster, once it is planned."""
    arrows = [types(sorted({spec.removeprefix("^") for spec in hop})) for hop in case.hops]
    return replace(_pattern(graph, case, arrows, "", {}), planned_anew=True)


def _pattern(
    graph: GraphUnderTest,
    case: Case,
    arrows: Sequence[str],
    where: str,
    parameters: Mapping[str, object],
) -> Statement:
    label = quoted(graph.label)
    variables = _variables(case)
    shown = ", ".join(variables)
    first, last = variables[0], variables[-1]
    pattern = f"({first})" + "".join(
        f"-[r{place}{arrow}]-({end})"
        for place, (arrow, end) in enumerate(zip(arrows, variables[1:], strict=True))
    )
    specs = ", ".join(
        f"CASE startNode(r{place}) WHEN {variable} THEN '' ELSE '^' END + type(r{place})"
        for place, variable in enumerate(variables[:-1])
    )
    score = " + ".join(f"$hops[{place}][relations[{place}]]" for place, _ in enumerate(case.hops))
    return Statement(
        f"""MATCH ({first}:{label} {{id: $start}}) MATCH ({last}:{label} {{id: $end}})
        MATCH {pattern} {where}
        WITH {shown}, [{specs}] AS relations, count(*) AS count
        WITH {shown}, relations, count, {score} AS score WHERE score IS NOT NULL
        RETURN score, [{", ".join(f"{each}.id" for each in variables)}] AS ids, relations, count
        ORDER BY score DESC, ids, relations LIMIT {_MOST}""",
        _COLUMNS,
        {"start": case.start, "end": case.answer, "hops": list(case.hops), **parameters},
    )


def _variables(case: Case) -> list[str]:
    return ["s", *(f"v{place}" for place, _ in enumerate(case.hops[1:])), "t"]
