"""Adapters of the default encoder: what tuning adds to its weights, as matrices of low rank.

The name of an encoder with an adapter is ``minilm+FOLDER``.
``adapter.safetensors`` has for a matrix ``W`` either ``W.up`` and ``W.down``, whose product is
added, or ``W.add``, which is added itself; ``config.json`` beside it tells how it was trained.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kgdb import shipped_files
from kgdb.errors import UsageError
from kgdb.wording import short

FILE = "adapter.safetensors"
CONFIG = "config.json"
BASE = "all-MiniLM-L6-v2"

_ADAPTED = "minilm+"

Array = NDArray[np.float32]


def adapter_folder(encoder: str) -> Path | None:
    """The folder of the adapter that the name of an encoder stands for; ``None`` without one."""
    if encoder == "minilm":
        return shipped_files.adapter("relations")
    if not encoder.startswith(_ADAPTED):
        return None
    return Path(encoder.removeprefix(_ADAPTED)).expanduser()


def adapted(weights: Mapping[str, Array], folder: Path) -> dict[str, Array]:
    """The weights with the adapter in that folder added.

    Raises :class:`kgdb.errors.UsageError` if it is none, or one of another encoder.
    """
    added = {**weights}
    for name, parts in _parts(folder).items():
        if name not in weights or (delta := _delta(parts)).shape != weights[name].shape:
            raise UsageError(
                f"The adapter {short(str(folder))} does not fit {BASE}: {short(name)}.",
                hint="It is of another encoder. kgdb lab train relations makes one that fits.",
            )
        added[name] = weights[name] + delta
    return added


def _parts(folder: Path) -> dict[str, dict[str, Array]]:
    from safetensors import SafetensorError, safe_open

    parts: dict[str, dict[str, Array]] = {}
    try:
        with safe_open(folder / FILE, framework="numpy") as file:
            for key in file.keys():  # noqa: SIM118 - no mapping
                name, _, part = key.rpartition(".")
                parts.setdefault(name, {})[part] = file.get_tensor(key).astype(np.float32)
    except (OSError, SafetensorError) as error:
        raise UsageError(
            f"{short(str(folder))} has no adapter that can be read: {error}.",
            hint=f"Expected a folder with {FILE}, as kgdb lab train relations writes it.",
        ) from None
    return parts


def _delta(parts: Mapping[str, Array]) -> Array:
    if "add" in parts:
        return parts["add"]
    if not {"up", "down"} <= parts.keys():
        return np.empty(0, np.float32)
    product: Array = parts["up"] @ parts["down"]
    return product
