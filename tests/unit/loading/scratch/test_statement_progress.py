"""How far a statement is, and what an interrupt of it becomes."""

from __future__ import annotations

import duckdb
import pytest

from kgdb.loading.scratch.statement_progress import (
    enable_progress,
    interruptible,
    reporting_progress,
)
from kgdb.progress import Event, Progress

pytestmark = pytest.mark.unit


def test_a_statement_is_reported_to_its_end() -> None:
    events: list[Event] = []
    with duckdb.connect() as connection:
        enable_progress(connection)
        with reporting_progress(connection, "counting", 1_000, "rows", events.append):
            connection.execute("SELECT sum(i) FROM range(300_000_000) AS numbers (i)").fetchall()
    *before, last = events
    assert last == Progress("counting", 1_000, 1_000, "rows")
    done = [event.done for event in before if isinstance(event, Progress)]
    assert done == sorted(done)
    assert max(done, default=0) < 1_000


def test_an_interrupt_of_a_statement_is_one_of_the_program() -> None:
    with pytest.raises(KeyboardInterrupt), interruptible():
        raise RuntimeError("Query interrupted")
    with pytest.raises(RuntimeError, match="else"), interruptible():
        raise RuntimeError("something else")
