"""Runs a command that dies with its parent process, even if the parent is killed.

    python die_with_parent.py PARENT COMMAND…

asks Linux for a signal at the parent's death, then becomes the command. So a killed parent leaves
no process behind that goes on writing. This takes a program of its own, because code between fork
and exec may hang if the parent has threads. Other systems have no such request; there the command
runs unchanged.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

_SET_PARENT_DEATH_SIGNAL = 1


def die_with_parent(command: Sequence[str]) -> list[str]:
    """The command line that runs ``command`` and ends it with this process."""
    if sys.platform != "linux" or not sys.executable:
        return list(command)
    # Isolated and without site packages, Python starts in 10 ms.
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def run(parent: int, command: list[str]) -> None:
    """Become the command, unless the parent has ended already."""
    ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() == parent:
        os.execv(command[0], command)  # noqa: S606


if __name__ == "__main__":
    run(int(sys.argv[1]), sys.argv[2:])
