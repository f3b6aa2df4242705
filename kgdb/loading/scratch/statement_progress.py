"""How far a statement is that DuckDB is busy with, and its end when the user wants it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import duckdb

from kgdb.progress import Progress, Report, silent

_EVERY_S = 0.25


def watch(connection: duckdb.DuckDBPyConnection) -> None:
    """Let statements be watched. DuckDB then draws no bar of its own, as it may elsewhere."""
    connection.execute("SET enable_progress_bar = true")
    connection.execute("SET enable_progress_bar_print = false")


@contextmanager
def interruptible() -> Iterator[None]:
    """Make an interrupt what it is elsewhere: DuckDB tells it as an error."""
    try:
        yield
    except RuntimeError as error:
        if str(error) != "Query interrupted":
            raise
        raise KeyboardInterrupt from error


@contextmanager
def watched(
    connection: duckdb.DuckDBPyConnection, stage: str, total: int, unit: str, report: Report
) -> Iterator[None]:
    """Report how far the statement is that runs within the block, as a part of ``total``."""
    if report is silent:
        yield
        return
    ended = Event()

    def look() -> None:
        reached = 0
        while not ended.wait(_EVERY_S):
            # Not known at first, and lower for a moment where the next part is planned.
            reached = max(reached, int(total * connection.query_progress() / 100))
            report(Progress(stage, min(reached, total - 1), total, unit))

    thread = Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    report(Progress(stage, total, total, unit))
