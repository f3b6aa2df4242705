"""The process of a command: signals that end it, and standard streams that are closed."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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


_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def open_closed() -> None:
    """Let nothing be read from, and written to, a stream that was closed (``kgdb graphs >&-``).

    Its number is taken as well: else the next file that is opened would get it, and what a child
    process prints would be written into that file.
    """
    for number, (name, mode) in enumerate(_STREAMS):
        if getattr(sys, name) is None:
            if not _is_open(number):
                _point_nowhere(number)
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115


def discard_unwritable() -> None:
    """Drop what cannot be written any more: Python would complain of it at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                _point_nowhere(stream.fileno())


def _point_nowhere(number: int) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    if nowhere != number:
        os.dup2(nowhere, number)
        os.close(nowhere)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
