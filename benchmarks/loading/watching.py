"""When things happen while a graph is loaded, and how much memory it takes."""

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
    """A report that notes when each message came."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._began = time.perf_counter()
        self.messages: list[tuple[float, str]] = []

    def __call__(self, event: Event) -> None:
        """Take note of a message, and pass on what is reported."""
        if isinstance(event, Message):
            self.messages.append((self.seconds(), event.text))
        self._report(event)

    def seconds(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self._began

    def at(self, beginning: str, *, after: float = 0.0) -> float:
        """When the first message with that beginning came, ``after`` so many seconds."""
        return next(at for at, text in self.messages if at >= after and text.startswith(beginning))


class Memory:
    """The largest resident memory seen, in bytes: of this process, and of those it started."""

    def __init__(self) -> None:
        self.own = 0
        self._began = time.perf_counter()
        self._started: list[tuple[float, int]] = []

    def add(self, own: int, started: int) -> None:
        """Take note of what there is now."""
        self.own = max(self.own, own)
        self._started.append((time.perf_counter() - self._began, started))

    def started(self, begin: float = 0.0, end: float = math.inf) -> int:
        """Of all processes it started together, between these seconds since the beginning."""
        return max((size for at, size in self._started if begin <= at < end), default=0)


@contextlib.contextmanager
def peak_memory() -> Iterator[Memory]:
    """Watch the memory while the block runs."""
    memory, ended = Memory(), threading.Event()
    me = psutil.Process()

    def watch() -> None:
        while not ended.wait(_EVERY_S):
            started = 0
            for child in me.children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    started += child.memory_info().rss
            memory.add(me.memory_info().rss, started)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield memory
    finally:
        ended.set()
        thread.join()


class Size:
    """The most bytes that were seen in a folder."""

    def __init__(self) -> None:
        self.most = 0


@contextlib.contextmanager
def peak_size(folder: Path, files: str = "*") -> Iterator[Size]:
    """Watch how much the files below the folder take, those of that pattern, in the block."""
    size, ended = Size(), threading.Event()

    def watch() -> None:
        while not ended.wait(_EVERY_S):
            now = 0
            for path in folder.rglob(files):
                with contextlib.suppress(OSError):  # it may be gone by now
                    now += path.stat().st_blocks * _BLOCK if path.is_file() else 0
            size.most = max(size.most, now)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield size
    finally:
        ended.set()
        thread.join()
