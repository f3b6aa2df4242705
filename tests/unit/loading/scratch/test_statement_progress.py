"""How far a statement is, and what an interrupt of it becomes."""

from __future__ import annotations

import subprocess
import sys

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


_IN_A_NOTEBOOK = """
import sys, types
shell = types.SimpleNamespace(config={"IPKernelApp": {}})
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: shell)
sys.modules["ipywidgets"] = None
import duckdb
from kgdb.loading.scratch.statement_progress import enable_progress, reporting_progress
connection = duckdb.connect()
enable_progress(connection)
with reporting_progress(connection, "counting", 9, "rows", lambda event: print(event.done)):
    connection.execute("SELECT sum(i) FROM range(300_000_000) AS numbers (i)").fetchall()
"""


def test_in_a_notebook_without_widgets_statements_run_all_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _IN_A_NOTEBOOK], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) <= {"0", "9"}


def test_an_interrupt_of_a_statement_is_one_of_the_program() -> None:
    with pytest.raises(KeyboardInterrupt), interruptible():
        raise RuntimeError("Query interrupted")
    with pytest.raises(RuntimeError, match="else"), interruptible():
        raise RuntimeError("something else")
