"""The name of an encoder with an adapter: ``minilm+FOLDER``."""

from __future__ import annotations

from pathlib import Path

from kgdb import shipped_files

_ADAPTED = "minilm+"


def adapter_folder(encoder: str) -> Path | None:
    """The folder of the adapter that the name of an encoder stands for; ``None`` without one."""
    if encoder == "minilm":
        return shipped_files.adapter("relations")
    if not encoder.startswith(_ADAPTED):
        return None
    return Path(encoder.removeprefix(_ADAPTED)).expanduser()
