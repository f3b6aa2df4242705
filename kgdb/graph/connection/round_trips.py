"""Counting the statements that are sent to a database, for whoever asked for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class RoundTrips:
    """How many statements were sent to a database while it was counting."""

    def __init__(self) -> None:
        self.count = 0


_COUNTING: ContextVar[tuple[RoundTrips, ...]] = ContextVar("kgdb_round_trips", default=())


@contextmanager
def count_round_trips() -> Iterator[RoundTrips]:
    """Count the statements this thread or task sends inside the block; blocks may nest."""
    counter = RoundTrips()
    token = _COUNTING.set((*_COUNTING.get(), counter))
    try:
        yield counter
    finally:
        _COUNTING.reset(token)


@contextmanager
def uncounted() -> Iterator[None]:
    """Leave the statements inside the block out of every count.

    For what is read once for a connection, whoever needs it first.
    """
    token = _COUNTING.set(())
    try:
        yield
    finally:
        _COUNTING.reset(token)


def count_statement() -> None:
    """One more, for everybody who counts in this thread or task."""
    for counter in _COUNTING.get():
        counter.count += 1
