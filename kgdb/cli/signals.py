"""Signals that ask a command to end: it ends as after Ctrl-C, with what it cleans up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Never

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Terminated(KeyboardInterrupt):
    """The process got such a signal."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.exit_code = 128 + number
        self.name = signal.Signals(number).name


def _terminate(number: int, _: FrameType | None) -> Never:
    raise Terminated(number)


@contextmanager
def heeded() -> Iterator[None]:
    """Raise :class:`Terminated` in the block where the signal would end the process at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # One that is ignored stays so: nohup means it.
    usual = [number for number in _SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    for number in usual:
        signal.signal(number, _terminate)
    try:
        yield
    finally:
        for number in usual:
            signal.signal(number, signal.SIG_DFL)
