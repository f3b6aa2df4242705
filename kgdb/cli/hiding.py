"""Importing without packages that a library would take in only because they are installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def hidden(*packages: str) -> Iterator[None]:
    """Within, these packages are as if they were not installed, unless they are imported already.

    The Neo4j driver imports pandas and pyarrow where it finds them, which takes as long as all of
    kgdb, and no command passes it a frame.
    """
    absent = [name for name in packages if name not in sys.modules]
    for name in absent:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]
