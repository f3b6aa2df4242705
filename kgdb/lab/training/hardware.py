"""What a training computes on, and in which numbers."""

from __future__ import annotations

import platform
from collections.abc import Callable

import torch

from kgdb.lab.training.setting_checks import Precision
from kgdb.wording import counted


def computes_in_bfloat16(precision: Precision) -> bool:
    """Whether matrices are multiplied in bfloat16: as told, or where there are units for it."""
    if precision != "auto":
        return precision == "bfloat16"
    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported())
    has_units: Callable[[], bool] = getattr(torch.cpu, "_is_amx_tile_supported", lambda: False)
    return bool(has_units())


def device_name(processes: int = 1) -> str:
    """The device in words; each process has one GPU."""
    if torch.cuda.is_available():
        return f"{max(1, processes)} × {torch.cuda.get_device_name(0)}"
    return f"a processor ({platform.machine()}, {counted(torch.get_num_threads(), 'thread')})"
