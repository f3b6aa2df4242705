"""Running a command that ends when the process which started it ends, however that ends.

    python tied.py PARENT COMMAND…

becomes the command, after it asked Linux to be told of its parent's end: a kill leaves no process
behind to write on. This takes a program of its own, because code between fork and exec may hang
when the parent has threads. Other systems have no such request; there the command runs as it is.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

_SET_PARENT_DEATH_SIGNAL = 1


def die_with_parent(command: Sequence[str]) -> list[str]:
    """The command line to start instead; what it starts has the given one as its own."""
    if sys.platform != "linux" or not sys.executable:
        return list(command)
    # Isolated and without site packages: it starts in 10 ms.
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def run(parent: int, command: list[str]) -> None:
    """Become the command, unless the parent ended already."""
    ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() == parent:
        os.execv(command[0], command)  # noqa: S606


if __name__ == "__main__":
    run(int(sys.argv[1]), sys.argv[2:])
