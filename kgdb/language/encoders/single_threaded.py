"""How many threads models compute with: one beside other work that wants the processors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

_LOCK = Lock()
_WITHIN: list[int | None] = []
"""The threads that PyTorch had before, once for each who wants a single one."""


def threads() -> int:
    """How many threads a model may compute with now.

    One within :func:`single_threaded`; else as many as ``OMP_NUM_THREADS`` says, or half the
    processors. Prompts are short: more threads gain little, and threads that wait for a busy
    processor make each operation many times slower.
    """
    if _WITHIN:
        return 1
    told = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    return int(told) if told.isdecimal() and int(told) else max(1, (os.cpu_count() or 1) // 2)


@contextmanager
def single_threaded() -> Iterator[None]:
    """Within, models compute in the calling thread alone; PyTorch too, if it is loaded.

    Its threads wait for each other by spinning. Beside something that keeps the processors busy two
    are slower than one, and take twice its processor time (docs/measurements/loading.md).
    """
    torch = _torch()
    with _LOCK:
        _WITHIN.append(_WITHIN[0] if _WITHIN else torch and torch.get_num_threads())
        if torch:
            torch.set_num_threads(1)
    try:
        yield
    finally:
        # It is one setting for the whole process: whoever ends last gives it back.
        with _LOCK:
            before = _WITHIN.pop()
            if torch and before and not _WITHIN:
                torch.set_num_threads(before)


def _torch() -> Any:
    """PyTorch, if it is loaded whole: another thread may be importing it."""
    torch = sys.modules.get("torch")
    return torch if hasattr(torch, "set_num_threads") else None
