"""A graph of thought with both ends grounded: what joins two entities by relations like three."""

from __future__ import annotations

from itertools import pairwise

from benchmarks.cases import Case
from benchmarks.graphs import GraphUnderTest
from benchmarks.timing import Statement
from benchmarks.workloads.search import call, types
from kgdb.graph.statements import quoted

# Which of equally similar embeddings come first is the procedure's own; their scores are not.
_COLUMNS = ("score",)
_MOST = 10
_KEPT = 100_000
"""Embeddings that the procedure keeps after each edge: all of them, as plain Cypher does."""


def match(graph: GraphUnderTest, case: Case) -> Statement:
    """The procedure's search of the thought."""
    words = [f"hop {place}" for place, _ in enumerate(case.hops)]
    variables = ["s", *(f"v{place}" for place, _ in enumerate(case.hops[1:])), "t"]
    return call(
        "got.match",
        _COLUMNS,
        "$thought, $grounding, {kg: $kg, width: $width, limit: $most}",
        thought={
            "relationships": [
                {"source": source, "type": word, "target": target}
                for (source, target), word in zip(pairwise(variables), words, strict=True)
            ]
        },
        grounding={
            "nodes": {"s": case.start, "t": case.answer},
            "relations": dict(zip(words, case.hops, strict=True)),
        },
        kg=graph.name,
        width=_KEPT,
        most=_MOST,
    )


def match_cypher(graph: GraphUnderTest, case: Case) -> Statement:
    """The same as one pattern."""
    label = quoted(graph.label)
    ends = ["s", *(f"v{place}" for place, _ in enumerate(case.hops[1:])), "t"]
    pattern = "(s)" + "".join(
        f"-[r{place}{types(sorted({spec.removeprefix('^') for spec in hop}))}]-({end})"
        for place, (hop, end) in enumerate(zip(case.hops, ends[1:], strict=True))
    )
    similarities = [
        f"$hops[{place}][CASE startNode(r{place}) WHEN {end} THEN '' ELSE '^' END + type(r{place})]"
        for place, end in enumerate(ends[:-1])
    ]
    return Statement(
        f"""MATCH (s:{label} {{id: $start}}) MATCH (t:{label} {{id: $end}})
        MATCH {pattern}
        WITH DISTINCT {", ".join(ends)}, {
            ", ".join(f"{each} AS x{place}" for place, each in enumerate(similarities))
        }, [{", ".join(f"type(r{place})" for place, _ in enumerate(case.hops))}] AS relations
        WITH {" + ".join(f"x{place}" for place, _ in enumerate(case.hops))} AS score
        WHERE score IS NOT NULL
        RETURN score ORDER BY score DESC LIMIT {_MOST}""",
        _COLUMNS,
        {"start": case.start, "end": case.answer, "hops": list(case.hops)},
    )
