"""Loading models by large libraries without Python's collector, which they only keep busy."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Within, nothing is looked through for garbage.

    What an import makes stays, and the collector goes through all of it each time that there is a
    quarter more: a fifth of the processor time that an encoder takes to be there.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
