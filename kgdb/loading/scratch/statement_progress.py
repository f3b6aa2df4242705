"""The progress of a running DuckDB statement, and its interruption by the user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

import duckdb

from kgdb.progress import Progress, Report, silent

_EVERY_S = 0.25


def enable_progress(connection: duckdb.DuckDBPyConnection) -> None:
    """Make DuckDB measure the progress of statements, without drawing a bar of its own.

    In a notebook without ipywidgets it refuses to, and statements have no progress.
    """
    with suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = true")
        connection.execute("SET enable_progress_bar_print = false")


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` where DuckDB reports an interrupt as a ``RuntimeError``."""
    try:
        yield
    except RuntimeError as error:
        if str(error) != "Query interrupted":
            raise
        raise KeyboardInterrupt from error


@contextmanager
def reporting_progress(
    connection: duckdb.DuckDBPyConnection, stage: str, total: int, unit: str, report: Report
) -> Iterator[None]:
    """Report the progress of the statement inside the block, in units of ``total``."""
    if report is silent:
        yield
        return
    ended = Event()

    def poll() -> None:
        reached = 0
        while not ended.wait(_EVERY_S):
            # Unknown at first, and lower for a moment while DuckDB plans the next part.
            reached = max(reached, int(total * connection.query_progress() / 100))
            report(Progress(stage, min(reached, total - 1), total, unit))

    thread = Thread(target=poll, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    report(Progress(stage, total, total, unit))
