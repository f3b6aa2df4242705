"""What a search is to the benchmarks, and what the statements of several kinds share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.cases import Case
from benchmarks.graphs import GraphUnderTest
from benchmarks.timing import Statement
from kgdb.graph.connection.statements import quoted

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


def call(
    procedure: str, columns: tuple[str, ...], arguments: str, **parameters: object
) -> Statement:
    """The statement that calls a procedure and returns some of its columns."""
    shown = ", ".join(columns)
    body = f"CALL kgdb.{procedure}({arguments}) YIELD {shown} RETURN {shown}"
    return Statement(body, columns, parameters)


def types(names: list[str]) -> str:
    """Relations as they stand in an arrow; none of them is all of them."""
    return ":" + "|".join(quoted(name) for name in sorted(names)) if names else ""


def arrow(spec: str, variable: str) -> str:
    """One step of a chain."""
    if spec.startswith("^"):
        return f"<-[{variable}:{quoted(spec[1:])}]-"
    return f"-[{variable}:{quoted(spec)}]->"
