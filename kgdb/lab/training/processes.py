"""The processes that train one model, as ``torchrun`` and ``accelerate launch`` start them.

Both say by variables of the environment which process this is, and how many there are.
"""

from __future__ import annotations

import os


def is_main() -> bool:
    """Whether this process writes and reports; the others only compute."""
    return int(os.environ.get("RANK", "0")) == 0


def process_count() -> int:
    """How many processes there are."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def cpu_backend() -> str | None:
    """What the processes of a training without GPUs talk by; none where there is one alone."""
    return "gloo" if "WORLD_SIZE" in os.environ else None
