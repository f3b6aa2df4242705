"""The name of an encoder with an adapter: ``minilm+FOLDER``."""

from __future__ import annotations

from pathlib import Path

_ADAPTED = "minilm+"


def adapter_folder(encoder: str) -> Path | None:
    """The folder of the adapter in the name of an encoder; ``None`` without one."""
    if not encoder.startswith(_ADAPTED):
        return None
    return Path(encoder.removeprefix(_ADAPTED)).expanduser()
