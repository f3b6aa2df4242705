"""Calling a server that may fail: what can pass is tried again, with growing pauses, for so long.

Pauses double from try to try and are drawn at random below that, so that callers which failed
together do not come back together. A server that says when to come back is obeyed. A reply that
trickles in is broken off when its time is up.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from threading import Lock, Timer
from types import TracebackType
from typing import Any, TypeVar

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


class Deadline:
    """Breaks off the reply to the request of a block when its time is up.

    The client's own limit is for each piece of a reply, of which there may be any number. Raises
    :class:`openai.APITimeoutError`, as the client does. The client has to have :func:`watched`
    among its hooks for responses.
    """

    def __init__(self, seconds: float) -> None:
        self._timer = Timer(seconds, self._end)
        self._timer.daemon = True
        self._lock = Lock()
        self._over = False
        self._response: Any = None
        self._broken_off: Any = None

    def __enter__(self) -> None:
        self._outer = _DEADLINE.set(self)
        self._timer.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        _DEADLINE.reset(self._outer)
        with self._lock:
            # Its connection may be another request's from now on.
            self._response = None
        if self._broken_off is not None and (error is None or isinstance(error, Exception)):
            raise openai.APITimeoutError(self._broken_off.request) from error

    def watch(self, response: Any) -> None:
        """Be in charge of a response of which the head has come."""
        with self._lock:
            self._response = response
            self._break_off()

    def _end(self) -> None:
        with self._lock:
            self._over = True
            self._break_off()

    def _break_off(self) -> None:
        if not self._over or self._response is None:
            return
        self._broken_off = self._response
        stream = self._response.extensions.get("network_stream")
        connection = stream and stream.get_extra_info("socket")
        if connection is not None:
            with suppress(OSError):
                # Closing it would not wake the thread that reads. Below TLS, which would wait for
                # the other side.
                socket.socket.shutdown(connection, socket.SHUT_RDWR)


_DEADLINE: ContextVar[Deadline | None] = ContextVar("_DEADLINE", default=None)
"""That of the request that is under way in this thread."""


def watched(response: Any) -> None:
    """The hook of a client for responses by which deadlines get to know them."""
    if deadline := _DEADLINE.get():
        deadline.watch(response)


def retried(call: Callable[[float], _R], seconds: float) -> _R:
    """What ``call`` gives, tried again while what it raises may pass.

    All tries and pauses together take no longer than ``seconds``: ``call`` is told how many are
    left. What is raised at the end is the last error that says what is wrong: a try cut short
    because others have used up the time does not hide why they failed.
    """
    until = time.monotonic() + seconds
    failures: list[openai.APIError] = []

    def tried() -> _R:
        try:
            return call(max(0.001, until - time.monotonic()))
        except openai.APITimeoutError as error:
            if failures:
                raise failures[-1] from error
            raise
        except openai.APIError as error:
            failures.append(error)
            raise

    tries = Retrying(
        stop=_TriedEnough() | stop_before_delay(seconds),
        wait=_pause,
        retry=retry_if_exception(_may_pass),
        reraise=True,
    )
    return tries(tried)


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
        then = parsedate_to_datetime(headers.get("retry-after", ""))
        # By the server's own clock: this one may be wrong.
        now = parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, then.timestamp() - now.timestamp())
    return 0.0
