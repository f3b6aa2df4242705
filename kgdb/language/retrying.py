"""Calling a server that may fail: what can pass is tried again, with growing pauses, for so long.

Pauses double from try to try and are drawn at random below that, so that callers which failed
together do not come back together. A server that says when to come back is obeyed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import TypeVar

import openai
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_before_delay,
    wait_random_exponential,
)
from tenacity.stop import stop_base

_TRIES = 6
_TRIES_UNREACHED = 4
"""Fewer where nothing answers at all: it is more often a wrong address than a short failure."""

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
_PASSING = frozenset({408, 409, 429})
_NOT_IMPLEMENTED = 501

_R = TypeVar("_R")


def retried(call: Callable[[float], _R], seconds: float) -> _R:
    """What ``call`` gives, tried again while what it raises may pass.

    All tries and pauses together take no longer than ``seconds``: ``call`` is told how many are
    left. What is raised at the end is the last error.
    """
    until = time.monotonic() + seconds
    tries = Retrying(
        stop=_TriedEnough() | stop_before_delay(seconds),
        wait=_pause,
        retry=retry_if_exception(_may_pass),
        reraise=True,
    )
    return tries(lambda: call(max(0.001, until - time.monotonic())))


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, openai.APITimeoutError):
        return False  # it had all the time there was
    if isinstance(error, openai.APIStatusError):
        code = error.status_code
        return code in _PASSING or (code >= 500 and code != _NOT_IMPLEMENTED)
    return isinstance(error, openai.APIConnectionError)


class _TriedEnough(stop_base):
    def __call__(self, retry_state: RetryCallState) -> bool:
        error = retry_state.outcome.exception() if retry_state.outcome else None
        unreached = isinstance(error, openai.APIConnectionError)
        return retry_state.attempt_number >= (_TRIES_UNREACHED if unreached else _TRIES)


def _pause(state: RetryCallState) -> float:
    drawn = wait_random_exponential(_FIRST_PAUSE, _LONGEST_PAUSE)(state)
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, openai.APIStatusError):
        return max(drawn, _asked_for(error))
    return drawn


def _asked_for(error: openai.APIStatusError) -> float:
    """The seconds after which the server wants to be asked again; 0 where it does not say."""
    headers = error.response.headers
    for header, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        with suppress(TypeError, ValueError):
            return max(0.0, float(headers.get(header, "")) * unit)
    with suppress(TypeError, ValueError):
        date = parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, date.timestamp() - time.time())
    return 0.0
