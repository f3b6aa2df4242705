"""Standard streams that are closed, or whose other end has gone."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

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
