"""What agents may do with a graph, as functions from text to text; all of them only read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kgdb.interop.evidence_documents import AnsweringGraph
from kgdb.plain_text import answer_text, verdict_text

_ROWS = 100


@dataclass(frozen=True, slots=True)
class AgentFunction:
    """A function, with the name and the description by which a language model chooses it."""

    name: str
    description: str
    function: Callable[[str], str]


def agent_functions(
    graph: AnsweringGraph, prefix: str, options: Mapping[str, Any] | None
) -> tuple[AgentFunction, ...]:
    """The functions ``answer``, ``verify`` and ``read_cypher`` over the graph."""
    given = dict(options or {})

    def answer(question: str) -> str:
        return answer_text(graph.answer(question, **given))

    def verify(claim: str) -> str:
        return verdict_text(graph.verify(claim, **given))

    def read_cypher(query: str) -> str:
        return json.dumps(
            asdict(graph.read_cypher(query, max_rows=_ROWS)), default=str, ensure_ascii=False
        )

    descriptions = {
        answer: f"Answer a question from the knowledge graph {graph.name}, with the facts that "
        "prove the answer. The question is one sentence in plain words with the names that the "
        'graph has. "I don\'t know" is an answer: do not fill it in.',
        verify: f"Judge a claim by the knowledge graph {graph.name}: SUPPORTED, REFUTED or NOT "
        "ENOUGH EVIDENCE, with the facts.",
        read_cypher: f"Run a Cypher query that only reads, over the knowledge graph {graph.name} "
        f"alone. The result is JSON: columns, at most {_ROWS} rows, and the error if the query is "
        "refused.",
    }
    return tuple(
        AgentFunction(f"{prefix}{function.__name__}", description, function)
        for function, description in descriptions.items()
    )
