"""Threads that the keys of a service share: they take turns, and none takes all."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import ParamSpec, TypeVar

from kgdb.serving.access_keys import ANYBODY, ASKER, AccessKey
from kgdb.serving.problem_details import Refused
from kgdb.worker_threads import in_thread

_P = ParamSpec("_P")
_R = TypeVar("_R")


class Turns:
    """Who may take one of so many slots next.

    Keys take turns, however much each of them asks. While others wait, a key has at most half of
    the slots, and alone it leaves one for whoever comes. Who asks without a key, on this machine,
    may have all.
    """

    def __init__(self, slots: int) -> None:
        self.free = slots
        self._slots = slots
        self._held: Counter[AccessKey] = Counter()
        self._last: dict[AccessKey, int] = {}
        self._number = count(1)

    def take(self, waiting: Collection[AccessKey]) -> AccessKey | None:
        """Give a slot to the key whose turn it is; ``None`` where none of them may have one."""
        may = [key for key in waiting if self._held[key] < self._most(key, len(waiting))]
        if not self.free or not may:
            return None
        chosen = min(may, key=lambda key: self._last.get(key, 0))
        self._last[chosen] = next(self._number)
        self._held[chosen] += 1
        self.free -= 1
        return chosen

    def join(self, key: AccessKey, waiting: Collection[AccessKey]) -> bool:
        """Let a key share the slot that another has taken, which then counts for both."""
        may = self._held[key] < self._most(key, len(waiting))
        self._held[key] += may
        return may

    def give_back(self, *keys: AccessKey) -> None:
        """End what the keys have shared a slot for."""
        self.free += 1
        self._held.subtract(keys)

    def _most(self, key: AccessKey, waiting: int) -> int:
        if waiting > 1:
            return (self._slots + 1) // 2
        return self._slots if key == ANYBODY else max(1, self._slots - 1)


def check_share(key: AccessKey, of_key: int, of_all: int, most: int) -> None:
    """Raise :class:`Refused` where too many would wait: of all keys, or of one more than half."""
    if of_all > most or (of_key > max(1, most // 2) and key != ANYBODY):
        raise Refused(
            503, "Busy", "Too many questions wait.", "Ask again in a moment.", retry_after=1
        )


class FairThreads:
    """Runs what takes long in threads that all keys share; at most ``waiting`` may wait for one."""

    def __init__(self, threads: int, waiting: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._turns = Turns(threads)
        self._most = waiting
        self._waiting: dict[AccessKey, deque[asyncio.Future[None]]] = {}

    async def run(self, work: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Run the work for the key that asks at the moment, when its turn has come."""
        key = ASKER.get()
        await self._turn(key)
        try:
            return await in_thread(self._threads, work, *args, **kwargs)
        finally:
            self._turns.give_back(key)
            self._next()

    def shutdown(self) -> None:
        """Wait for what runs."""
        self._threads.shutdown()

    async def _turn(self, key: AccessKey) -> None:
        of_all = sum(map(len, self._waiting.values())) + 1
        check_share(key, len(self._waiting.get(key, ())) + 1, of_all, self._most)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(turn)
        self._next()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it had come
                self._turns.give_back(key)
                self._next()
            raise

    def _next(self) -> None:
        while (key := self._turns.take(self._waiting)) is not None:
            turn = self._waiting[key].popleft()
            if not self._waiting[key]:
                del self._waiting[key]
            if turn.cancelled():
                self._turns.give_back(key)
            else:
                turn.set_result(None)
