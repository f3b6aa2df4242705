"""What training added to the weights of an encoder, as matrices of low rank."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

from kgdb.language.encoders.adapter import FILE

_NEGLIGIBLE = 1e-7


def interpolated(
    before: Mapping[str, Tensor], after: Mapping[str, Tensor], share: float
) -> dict[str, Tensor]:
    """The weights at ``share`` of the way from one model to another."""
    return {
        name: torch.lerp(old, after[name], share) if old.is_floating_point() else after[name]
        for name, old in before.items()
    }


def write_adapter(
    before: Mapping[str, Tensor], after: Mapping[str, Tensor], folder: Path, rank: int
) -> int:
    """Write the difference of two models to ``folder``; its size in bytes.

    Of each matrix the ``rank`` largest singular values are kept, in half precision.
    """
    kept: dict[str, Tensor] = {}
    for name, old in before.items():
        difference = (after[name] - old).float()
        if difference.abs().max() <= _NEGLIGIBLE:
            continue
        if difference.ndim == 2 and min(difference.shape) > rank:
            up, sizes, down = torch.linalg.svd(difference, full_matrices=False)
            root = sizes[:rank].sqrt()
            kept[f"{name}.up"] = (up[:, :rank] * root).half().contiguous()
            kept[f"{name}.down"] = (root[:, None] * down[:rank]).half().contiguous()
        else:
            kept[f"{name}.add"] = difference.half().contiguous()
    folder.mkdir(parents=True, exist_ok=True)
    save_file(kept, folder / FILE)
    return (folder / FILE).stat().st_size
