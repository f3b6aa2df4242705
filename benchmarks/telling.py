"""What a benchmark says while it runs: on standard error, apart from its report."""

from __future__ import annotations

import sys

from kgdb.progress import Event, Message


def say(text: str) -> None:
    """One line, at once."""
    print(text, file=sys.stderr, flush=True)


def tell(event: Event) -> None:
    """The messages of what runs; no progress bars."""
    if isinstance(event, Message):
        say(event.text)
