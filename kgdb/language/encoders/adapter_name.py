"""The names of encoders and rerankers with an adapter: ``minilm+FOLDER``, ``hf:BASE+FOLDER``."""

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


def reranker_parts(reranker: str) -> tuple[str, Path] | None:
    """The base that the name of a reranker of chains stands for, and the folder of its adapter.

    The base is ``minilm`` or ``hf:NAME_OR_FOLDER``. ``None`` for the names of other rerankers.
    """
    base, plus, folder = reranker.rpartition("+")
    is_base = base == "minilm" or base.startswith("hf:")
    if not (plus and folder and is_base) or _is_path(reranker.removeprefix("hf:")):
        return None
    return base, Path(folder).expanduser()


def _is_path(name: str) -> bool:
    """Whether a file or folder has the whole name; it may have a ``+`` in it."""
    return Path(name).expanduser().exists()
