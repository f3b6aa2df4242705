"""The log of a running benchmark, on standard error; its report goes to standard output."""

from __future__ import annotations

import sys

from kgdb.progress import Event, Message


def say(text: str) -> None:
    """Print one line at once."""
    print(text, file=sys.stderr, flush=True)


def tell(event: Event) -> None:
    """Print messages of kgdb, without progress bars."""
    if isinstance(event, Message):
        say(event.text)
