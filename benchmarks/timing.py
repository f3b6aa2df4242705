"""Times statements, inside the server and as a client sees them."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import neo4j
from neo4j.exceptions import Neo4jError

TIMEOUT_S = 5.0
"""A statement that runs longer is given up, and counts with this time."""

SLOW_NS = 2_000_000_000
"""A statement that runs longer is timed once."""

_ENOUGH_NS = 300_000_000
_MANY = 1000
_TERMINATED = "Neo.ClientError.Transaction.TransactionTimedOut"

# Each repetition is timed by itself. The outer CALL makes all its rows before the clock is read.
_TIMED = """
UNWIND range(1, $__repetitions) AS __repetition
WITH __repetition, datetime.realtime() AS __began
CALL (__repetition, __began) {{
  CALL (__repetition) {{
    WITH * WHERE __repetition > 0
    {body}
  }}
  RETURN collect([{columns}]) AS __rows
}}
WITH __began, datetime.realtime() AS __ended, __rows
RETURN duration.inSeconds(__began, __ended).nanoseconds AS took, {shown} AS shown
"""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that reads: ``body`` ends with a RETURN of exactly ``columns``.

    ``planned_anew`` says that each question has a text of its own, so that whoever asks it waits
    for the planner as well.
    """

    body: str
    columns: tuple[str, ...]
    parameters: dict[str, Any] = field(default_factory=dict)
    planned_anew: bool = False

    def in_one_record(self) -> Statement:
        """The same with all rows in one record, as kgdb's Python asks its procedures."""
        shown = ", ".join(self.columns)
        body = self.body.removesuffix(f"RETURN {shown}") + f"RETURN collect([{shown}]) AS rows"
        return Statement(body, ("rows",), self.parameters)

    def timed(self, shown: str = "size(__rows)") -> str:
        """The statement that runs this one again and again and tells how long each run took."""
        return _TIMED.format(body=self.body, columns=", ".join(self.columns), shown=shown)


def rows(session: neo4j.Session, statement: Statement) -> list[list[Any]]:
    """What the statement returns."""
    query = neo4j.Query(statement.body, timeout=TIMEOUT_S)
    return [list(record.values()) for record in session.run(query, statement.parameters)]


def server_ns(session: neo4j.Session, statement: Statement, repetitions: int) -> float:
    """The median nanoseconds of one run inside the server, the first ones not counted."""
    text = neo4j.Query(statement.timed(), timeout=TIMEOUT_S)

    def run(times: int) -> list[int]:
        parameters = {**statement.parameters, "__repetitions": times}
        return [record["took"] for record in session.run(text, parameters)]

    try:
        first = run(1)[0]
        if first > SLOW_NS:
            return first
        # A slow statement needs fewer runs to be told from another.
        times = max(1, min(repetitions, math.ceil(_ENOUGH_NS / first)))
        return statistics.median(run(times + 2)[2:])
    except Neo4jError as error:
        if is_timeout(error):
            return TIMEOUT_S * 1e9
        raise


def timed_rows(
    session: neo4j.Session, statement: Statement, timeout_s: float
) -> tuple[int, list[list[Any]]]:
    """The nanoseconds of a single run inside the server, and what it returned."""
    text = neo4j.Query(statement.timed(shown="__rows"), timeout=timeout_s)
    (record,) = session.run(text, {**statement.parameters, "__repetitions": 1})
    return record["took"], record["shown"]


def run_often(
    session: neo4j.Session, statement: Statement, seconds: float, timeout_s: float
) -> None:
    """Run it again and again for about so long, and twice at least: to be planned and compiled."""
    text = neo4j.Query(statement.timed(), timeout=timeout_s)
    list(session.run(neo4j.Query(statement.body, timeout=timeout_s), statement.parameters))
    once = {**statement.parameters, "__repetitions": 1}
    (record,) = session.run(text, once)
    times = min(_MANY, int(seconds * 1e9 / max(record["took"], 1)))
    if times:
        list(session.run(text, {**once, "__repetitions": times}))


def is_timeout(error: Neo4jError) -> bool:
    """Whether the statement was given up."""
    return bool(error.code and error.code.startswith(_TERMINATED))


def client_ns(call: Callable[[], object], repetitions: int) -> float:
    """The median nanoseconds of one call as its caller sees it."""
    took = []
    for _ in range(repetitions):
        began = time.perf_counter_ns()
        call()
        took.append(time.perf_counter_ns() - began)
        if sum(took) > _ENOUGH_NS:
            break
    return statistics.median(took)


@dataclass(frozen=True, slots=True)
class Times:
    """Times of many cases, in microseconds."""

    p50: float
    p95: float

    @staticmethod
    def of(nanoseconds: Sequence[float]) -> Times:
        """The percentiles by nearest rank, as no case lies between two others."""
        ordered = sorted(nanoseconds)

        def percentile(share: float) -> float:
            return round(ordered[math.ceil(share * len(ordered)) - 1] / 1000, 1)

        return Times(percentile(0.50), percentile(0.95))
