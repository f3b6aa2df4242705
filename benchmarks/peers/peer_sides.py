"""How one side is asked: for one question, or for many of them in one statement.

A procedure takes many start sets in one call. Its peers get the questions as a list that the
statement unwinds, which is how their users batch them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from benchmarks.graphs import GraphUnderTest
from benchmarks.peers.peer_questions import Question
from benchmarks.timing import Statement
from kgdb.graph.connection.statements import quoted

Rows = list[list[Any]]


class Side(Protocol):
    """A procedure or one of its peers."""

    def one(self, graph: GraphUnderTest, question: Question) -> Statement:
        """The statement for one question; its columns are those of the case."""

    def many(self, graph: GraphUnderTest, questions: Sequence[Question]) -> Statement:
        """The statement for all of them; the number of the question is its first column."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """A procedure of kgdb, its config, and the columns that are read."""

    name: str
    columns: tuple[str, ...]
    config: Mapping[str, Any] = field(default_factory=dict)
    nodes: Callable[[Question], list[str]] = lambda question: [question.start, question.end]
    relations: Callable[[Question], list[str]] | None = None

    def one(self, graph: GraphUnderTest, question: Question) -> Statement:
        """One call for its nodes."""
        relations = self.relations(question) if self.relations else None
        return self._call(graph, self.columns, self.nodes(question), relations)

    def many(self, graph: GraphUnderTest, questions: Sequence[Question]) -> Statement:
        """One call for all sets of nodes."""
        relations = [self.relations(each) for each in questions] if self.relations else None
        nodes = [self.nodes(each) for each in questions]
        return self._call(graph, ("batch", *self.columns), nodes, relations)

    def _call(
        self,
        graph: GraphUnderTest,
        columns: tuple[str, ...],
        nodes: list[Any],
        relations: list[Any] | None,
    ) -> Statement:
        shown = ", ".join(columns)
        arguments = "$nodes, $config" if relations is None else "$nodes, $relations, $config"
        return Statement(
            f"CALL {self.name}({arguments}) YIELD {shown} RETURN {shown}",
            columns,
            {
                "nodes": nodes,
                "relations": relations,
                "config": {"kg": graph.name, **self.config},
            },
        )


@dataclass(frozen=True, slots=True)
class Peer:
    """A statement about the nodes ``s`` and ``t``, which ends with a RETURN of the case's columns.

    ``{types}`` in it is the relation of one question as a type; of many questions it is a type
    that each names. ``{relation}`` is the same as a text.
    """

    body: str
    columns: tuple[str, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    pair: bool = True
    heeds_limits: bool = True
    """Whether the server ends the statement at its time limit; else large graphs do without it."""

    def one(self, graph: GraphUnderTest, question: Question) -> Statement:
        """Both nodes are matched, then the body runs."""
        body = self._body(f":{quoted(question.relation)}" if question.relation else "")
        return Statement(
            f"WITH $asked AS asked {self._matches(graph)} {body}",
            self.columns,
            {**self.parameters, "asked": _parameters(question)},
        )

    def many(self, graph: GraphUnderTest, questions: Sequence[Question]) -> Statement:
        """The body runs for each question in turn."""
        nodes = "asked, s, t" if self.pair else "asked, s"
        shown = ", ".join(self.columns)
        return Statement(
            "UNWIND range(0, size($all) - 1) AS batch WITH batch, $all[batch] AS asked "
            f"{self._matches(graph)} CALL ({nodes}) {{ {self._body(':$(asked.relation)')} }} "
            f"RETURN batch, {shown}",
            ("batch", *self.columns),
            {**self.parameters, "all": list(map(_parameters, questions))},
        )

    def _matches(self, graph: GraphUnderTest) -> str:
        start = f"MATCH (s:{quoted(graph.label)} {{id: asked.start}})"
        end = f" MATCH (t:{quoted(graph.label)} {{id: asked.end}})"
        return start + end if self.pair else start

    def _body(self, types: str) -> str:
        return self.body.replace("{types}", types).replace("{relation}", "asked.relation")


def _parameters(question: Question) -> dict[str, str]:
    return {"start": question.start, "end": question.end, "relation": question.relation}
