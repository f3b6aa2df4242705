"""What one question may still spend: calls of the language model, and round trips."""

from __future__ import annotations

import sys
from collections.abc import Callable

from kgdb.values import Usage

_UNLIMITED = sys.maxsize


class Budget:
    """The limits that a method sets for one question, less what the question has spent.

    A batch does not change it: a call or round trip that many questions share counts for each.
    """

    def __init__(self, spent: Callable[[], Usage], *, has_llm: bool) -> None:
        self._spent = spent
        self._has_llm = has_llm
        self._calls = _UNLIMITED
        self._round_trips = _UNLIMITED

    def limit(self, *, calls: int = _UNLIMITED, round_trips: int = _UNLIMITED) -> None:
        """Set the most that the question may spend from now on; without a limit, any number."""
        spent = self._spent()
        self._calls, self._round_trips = spent.calls + calls, spent.round_trips + round_trips

    def calls_left(self, reserve: int = 0) -> int:
        """The prompts that the language model may still get, beside ``reserve`` of them.

        None where there is no language model.
        """
        return self._has_llm * max(0, self._calls - self._spent().calls - reserve)

    def round_trips_left(self, reserve: int = 0) -> int:
        """The round trips to the database that may still be made, beside ``reserve`` of them."""
        return max(0, self._round_trips - self._spent().round_trips - reserve)
