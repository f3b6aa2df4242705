"""Work that somebody may call off from another thread while it runs, down to the database.

Each statement of such work carries a key in the metadata of its transaction. Whoever calls the work
off has the server end the transactions with that key: the connection stays whole, and the server
stops to compute what nobody waits for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import uuid4

from kgdb.errors import Cancelled, KgdbError

_PAUSE_S, _TRIES = 0.05, 40
"""A statement may be on its way to the server when it is called off: it is looked for again."""

_CURRENT: ContextVar[Cancellation | None] = ContextVar("kgdb_cancellation", default=None)


class Cancellation:
    """Calls work off: what it asks next, or waits for, raises :class:`Cancelled`."""

    def __init__(self) -> None:
        self.key = uuid4().hex
        self._called_off = threading.Event()
        self._lock = threading.Lock()
        self._statements: dict[int, Callable[[], None]] = {}
        self._number = 0

    @property
    def is_cancelled(self) -> bool:
        """Whether the work is called off."""
        return self._called_off.is_set()

    @contextmanager
    def covering(self) -> Iterator[None]:
        """Cover the work in the block, in this thread or task."""
        token = _CURRENT.set(self)
        try:
            yield
        finally:
            _CURRENT.reset(token)

    @contextmanager
    def running(self, end: Callable[[], None]) -> Iterator[None]:
        """A statement of the work runs in the block; ``end`` has the server end it."""
        self.check()
        with self._lock:
            self._number += 1
            number = self._number
            self._statements[number] = end
        try:
            yield
        finally:
            with self._lock:
                del self._statements[number]

    def check(self) -> None:
        """Raise :class:`Cancelled` where the work is called off."""
        if self.is_cancelled:
            raise Cancelled("The work was cancelled.")

    def cancel(self) -> None:
        """Call the work off; returns when none of its statements runs, or after two seconds."""
        self._called_off.set()
        for _ in range(_TRIES):
            with self._lock:
                ends = list(self._statements.values())
            if not ends:
                return
            for end in ends:
                try:
                    end()
                except KgdbError:
                    return  # the server does not let its transactions be ended, or is gone
            threading.Event().wait(_PAUSE_S)


def current_cancellation() -> Cancellation | None:
    """What calls off the work of this thread or task, if anything can."""
    return _CURRENT.get()


def transaction_metadata() -> dict[str, str] | None:
    """What a transaction of this thread or task carries: by this ``cypher/end_work`` finds it."""
    return None if (current := _CURRENT.get()) is None else {"kgdb_work": current.key}


def check_cancelled() -> None:
    """Raise :class:`Cancelled` where the work of this thread or task is called off."""
    if (current := _CURRENT.get()) is not None:
        current.check()
