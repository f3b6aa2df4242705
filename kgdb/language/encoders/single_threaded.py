"""Encoding beside other work that wants the processors."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_LOCK = Lock()
_WITHIN: list[int] = []
"""The threads that PyTorch had before, once for each who wants it to have one."""


@contextmanager
def single_threaded() -> Iterator[None]:
    """Within, PyTorch works in the calling thread alone, if it is loaded.

    Its threads wait for each other by spinning. Beside something that keeps the processors busy two
    are slower than one, and take twice its processor time (docs/measurements/loading.md).
    """
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    with _LOCK:
        _WITHIN.append(_WITHIN[0] if _WITHIN else torch.get_num_threads())
        torch.set_num_threads(1)
    try:
        yield
    finally:
        # It is one setting for the whole process: whoever ends last gives it back.
        with _LOCK:
            before = _WITHIN.pop()
            if not _WITHIN:
                torch.set_num_threads(before)
