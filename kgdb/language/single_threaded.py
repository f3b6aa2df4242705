"""Encoding beside other work that wants the processors."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def single_threaded() -> Iterator[None]:
    """Within, PyTorch works in the calling thread alone, if it is loaded.

    Its threads wait for each other by spinning. Beside something that keeps the processors busy two
    are slower than one, and take twice its processor time (docs/loading-speed.md).
    """
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
