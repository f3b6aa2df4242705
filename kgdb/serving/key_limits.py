"""What a key may use up: questions a minute, open requests, tokens and money a day.

The counts live in the process: a service that is started again begins anew.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from kgdb.serving.access_keys import ANYBODY, AccessKey
from kgdb.serving.problem_details import Refused
from kgdb.values import Usage
from kgdb.wording import counted

_DAY = 86_400


@dataclass(slots=True)
class _Bucket:
    """Questions that are left: it fills up again as time goes by (a token bucket)."""

    left: float
    at: float


@dataclass(slots=True)
class _Day:
    """What was spent since midnight (UTC)."""

    number: int
    tokens: int = 0
    cost: float = 0.0


class KeyLimits:
    """Counts what each key uses, in any thread; raises :class:`Refused` where it is too much."""

    def __init__(self, open_requests: int, clock: Callable[[], float] = time.time) -> None:
        self._most_open = open_requests
        self._clock = clock
        self._lock = threading.Lock()
        self._open: Counter[AccessKey] = Counter()
        self._buckets: dict[AccessKey, _Bucket] = {}
        self._days: dict[AccessKey, _Day] = {}

    @contextmanager
    def request(self, key: AccessKey) -> Iterator[None]:
        """One request of the key, which counts as a question: it may have half of all at once."""
        if key != ANYBODY and self._open[key] >= max(1, self._most_open // 2):
            raise Refused(503, "Busy", "Too many requests of the key are open.", retry_after=1)
        self.ask(key, 1)
        self._open[key] += 1
        try:
            yield
        finally:
            self._open[key] -= 1

    def ask(self, key: AccessKey, questions: int) -> None:
        """Count questions against ``per_minute``: all, or none where these are too many."""
        most = key.per_minute
        if most is None or questions <= 0:
            return
        with self._lock:
            now = self._clock()
            bucket = self._buckets.setdefault(key, _Bucket(most, now))
            passed = max(0.0, now - bucket.at)
            bucket.left, bucket.at = min(most, bucket.left + passed * most / 60), now
            if bucket.left >= questions:
                bucket.left -= questions
                return
            wait = int((questions - bucket.left) * 60 / most) + 1
        detail = f"The key may ask {counted(most, 'question')} a minute."
        if questions > most:
            raise Refused(429, "Too often", detail, f"Ask at most {most} together.")
        raise Refused(429, "Too often", detail, f"Wait {wait} s.", retry_after=wait)

    def check_day(self, key: AccessKey) -> None:
        """Refuse what may ask a language model once the day's tokens or money are spent."""
        if key.tokens_per_day is None and key.cost_per_day is None:
            return
        with self._lock:
            spent = self._today(key)
            told = None
            if key.tokens_per_day is not None and spent.tokens >= key.tokens_per_day:
                told = f"The key may use {counted(key.tokens_per_day, 'token')} a day."
            elif key.cost_per_day is not None and spent.cost >= key.cost_per_day:
                told = f"The key may cost {key.cost_per_day:g} a day."
        if told is not None:
            wait = int(_DAY - self._clock() % _DAY) + 1
            hint = 'Ask with "llm": "none", which uses no model, or wait until midnight (UTC).'
            raise Refused(429, "Spent", told, hint, retry_after=wait)

    def spend(self, key: AccessKey, usage: Usage) -> None:
        """Count what an answer took."""
        if key.tokens_per_day is None and key.cost_per_day is None:
            return
        with self._lock:
            spent = self._today(key)
            spent.tokens += usage.tokens_in + usage.tokens_out
            spent.cost += usage.cost

    def _today(self, key: AccessKey) -> _Day:
        number = int(self._clock() // _DAY)
        if key not in self._days or self._days[key].number != number:
            self._days[key] = _Day(number)
        return self._days[key]
