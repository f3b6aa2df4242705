"""Measures the stages, the memory and the disk space of a load."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from kgdb.progress import Event, Message, Report

_EVERY_S = 0.1
_BLOCK = 512


class Stages:
    """A report that records the time of each message."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._began = time.perf_counter()
        self.messages: list[tuple[float, str]] = []

    def __call__(self, event: Event) -> None:
        """Record the time of a message, and pass the event on."""
        if isinstance(event, Message):
            self.messages.append((self.seconds(), event.text))
        self._report(event)

    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._began

    def at(self, beginning: str, *, after: float = 0.0) -> float:
        """The time of the first message with that beginning, ``after`` so many seconds."""
        return next(at for at, text in self.messages if at >= after and text.startswith(beginning))


class Memory:
    """The peak resident memory in bytes, of this process and of its child processes."""

    def __init__(self) -> None:
        self.own = 0
        self._began = time.perf_counter()
        self._started: list[tuple[float, int]] = []

    def add(self, own: int, started: int) -> None:
        """Add a measurement."""
        self.own = max(self.own, own)
        self._started.append((time.perf_counter() - self._began, started))

    def started(self, begin: float = 0.0, end: float = math.inf) -> int:
        """The peak of all child processes together, between these seconds since the start."""
        return max((size for at, size in self._started if begin <= at < end), default=0)


@contextlib.contextmanager
def peak_memory() -> Iterator[Memory]:
    """Measure the memory during the block."""
    memory, ended = Memory(), threading.Event()
    me = psutil.Process()

    def poll() -> None:
        while not ended.wait(_EVERY_S):
            started = 0
            for child in me.children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    started += child.memory_info().rss
            memory.add(me.memory_info().rss, started)

    thread = threading.Thread(target=poll, daemon=True)
    thread.start()
    try:
        yield memory
    finally:
        ended.set()
        thread.join()


class Size:
    """The peak size of a folder in bytes."""

    def __init__(self) -> None:
        self.bytes = 0


@contextlib.contextmanager
def peak_size(folder: Path, files: str = "*") -> Iterator[Size]:
    """Measure the files in the folder that match the pattern, during the block."""
    size, ended = Size(), threading.Event()

    def poll() -> None:
        while not ended.wait(_EVERY_S):
            now = 0
            with contextlib.suppress(OSError):  # a folder may be deleted meanwhile
                for path in folder.rglob(files):
                    with contextlib.suppress(OSError):  # and so may a file
                        now += path.stat().st_blocks * _BLOCK if path.is_file() else 0
            size.bytes = max(size.bytes, now)

    thread = threading.Thread(target=poll, daemon=True)
    thread.start()
    try:
        yield size
    finally:
        ended.set()
        thread.join()
