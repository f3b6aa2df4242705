"""LoRA adapters as peft writes them: a folder with a configuration and safetensors."""

from __future__ import annotations

import json
from pathlib import Path

from kgdb.wording import short

_PLAIN = {
    "peft_type": "LORA",
    "use_dora": False,
    "use_rslora": False,
    "fan_in_fan_out": False,
    "bias": "none",
}
_EMPTY = ("rank_pattern", "alpha_pattern", "modules_to_save", "megatron_config")


def adapter_folder(name: str) -> Path:
    """The folder of an adapter: that of this name, or that of the hub, fetched once."""
    path = Path(name).expanduser()
    if path.exists():
        return path
    from huggingface_hub import snapshot_download

    return Path(snapshot_download(name, allow_patterns=["*.json", "*.safetensors"]))


def lora_scale(folder: Path) -> float:
    """What the product of the two matrices of a LoRA adapter is multiplied by.

    Raises :class:`ValueError` for an adapter of another kind.
    """
    config = json.loads((folder / "adapter_config.json").read_text("utf-8"))
    for key, value in _PLAIN.items():
        if config.get(key, value) != value:
            raise ValueError(
                f"the adapter has {key} {short(config[key])}; {short(value)} is expected"
            )
    for key in _EMPTY:
        if config.get(key):
            raise ValueError(f"the adapter has {key}; only plain LoRA can be merged")
    return float(config["lora_alpha"] / config["r"])
