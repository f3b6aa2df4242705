"""Ends statements that wait for a server that no longer answers.

The driver waits for a reply as long as the connection is open, and a server that hangs keeps it
open. A statement may also just take long, so its age alone says nothing: the server is asked
something small over another connection, and only if that gets no reply either, it is given up.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

PATIENCE_S = 30.0
"""The age at which a statement makes kgdb ask whether the server still answers."""

PROBE_S = 15.0
"""How long the reply to that may take."""

_GRACE_S = 2.0
"""How long after its own time limit a statement may still be on its way."""

_TICK_S = 0.5


class Waiting:
    """A statement that waits; ``given_up`` is set when its server does not answer."""

    def __init__(self, limit_s: float | None) -> None:
        self.since = monotonic()
        self.patience = PATIENCE_S if limit_s is None else min(PATIENCE_S, limit_s + _GRACE_S)
        self.given_up = False


class SilenceWatch:
    """Watches the statements of one driver from a thread that runs while there are any."""

    def __init__(
        self, open_probe: Callable[[], neo4j.Driver], database: str, give_up: Callable[[], None]
    ) -> None:
        """``open_probe`` opens a driver to ask by; ``give_up`` closes the one that waits."""
        self._open_probe = open_probe
        self._database = database
        self._give_up = give_up
        self._waiting: set[Waiting] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, limit_s: float | None = None) -> Iterator[Waiting]:
        """Watch one statement, which the server should end after ``limit_s``."""
        waiting = Waiting(limit_s)
        with self._lock:
            self._waiting.add(waiting)
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.start()
        try:
            yield waiting
        finally:
            with self._lock:
                self._waiting.discard(waiting)

    def _watch(self) -> None:
        pause = threading.Event()
        while True:
            pause.wait(_TICK_S)
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                now = monotonic()
                late = any(now - each.since > each.patience for each in self._waiting)
            if not late:
                continue
            answered = self._answers()
            with self._lock:
                for each in self._waiting:
                    each.since = monotonic()
                    each.given_up = not answered
            if not answered:
                self._give_up()

    def _answers(self) -> bool:
        """Whether the server replies in time, be it with an error."""
        replied = threading.Event()

        def ask() -> None:
            try:
                driver.execute_query("RETURN 1", database_=self._database)
            except Neo4jError:
                pass
            except (DriverError, OSError, ValueError):
                return
            replied.set()

        with self._open_probe() as driver:
            threading.Thread(target=ask, daemon=True).start()
            return replied.wait(PROBE_S)


def while_reading_a_reply(error: BaseException) -> bool:
    """Whether the driver failed on what the server sent, and not on what was to be sent."""
    place = error.__traceback__
    while place is not None:
        if place.tb_frame.f_code.co_name == "fetch_message":
            return True
        place = place.tb_next
    return False
