"""Loading rerankers by their names: cross-encoders for evidence, and those tuned on chains."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kgdb.errors import UsageError
from kgdb.language.base import Reranker
from kgdb.language.catalog import (
    BASE_ENCODER,
    ENCODER_EXTRA,
    MINILM,
    loaded,
    local_or_hub,
    minilm_folder,
    model_key,
    require,
    with_adapter,
)
from kgdb.language.encoders.adapter_name import adapter_folder, reranker_parts
from kgdb.settings import Settings
from kgdb.wording import short

_ADAPTER = "adapter.safetensors"


def load_cross_encoder(settings: Settings) -> Reranker:
    """The reranker of evidence ``hf:NAME_OR_FOLDER`` that ``settings.reranker`` names.

    Raises :class:`ModelMissing` and :class:`UsageError` as :func:`load_llm` does.
    """
    kind, _, rest = settings.reranker.partition(":")
    if kind == "hf" and rest:
        return _cross_encoder(rest, _source(rest))
    raise UsageError(
        f"{short(settings.reranker)} names no reranker.",
        hint="Expected encoder, minilm+FOLDER of kgdb lab train reranker, or hf:NAME_OR_FOLDER of a "
        "cross-encoder, which may have such a +FOLDER behind it.",
    )


def load_chain_reranker(settings: Settings) -> Reranker | None:
    """The reranker that was trained on chains of relations; ``None`` without one.

    It is that of ``minilm+FOLDER`` or ``hf:NAME_OR_FOLDER+FOLDER``, as ``kgdb lab train reranker``
    writes it, and for chains alone. Its scores are in nats. Raises as :func:`load_cross_encoder`.
    """
    parts = reranker_parts(settings.reranker)
    if parts is None:
        return None
    base, folder = parts
    if not (folder / _ADAPTER).is_file():
        raise UsageError(
            f"{short(str(folder))} has no adapter of a reranker.",
            hint=f"Expected a folder with {_ADAPTER}, as kgdb lab train reranker writes it.",
        )
    if base == "minilm":
        return _minilm(minilm_folder(), folder)
    rest = base.removeprefix("hf:")
    return _cross_encoder(rest, _source(rest), folder)


@dataclass(frozen=True, slots=True)
class RerankerBase:
    """What a reranker of chains is tuned from.

    ``source`` is the folder or hub name of the weights, ``start`` an adapter that they have at the
    start. ``name`` is for people; ``used_as`` stands before the folder of the adapter, where
    ``--reranker`` names it.
    """

    name: str
    source: str
    used_as: str
    start: Path | None = None


def reranker_base(name: str) -> RerankerBase:
    """The base of that name: ``minilm``, with or without an adapter, or a cross-encoder ``hf:…``.

    Raises :class:`ModelMissing` and :class:`UsageError`.
    """
    kind, _, rest = name.partition(":")
    start = adapter_folder(name)
    if name == BASE_ENCODER or start:
        return RerankerBase(MINILM, str(minilm_folder()), "minilm+", start)
    if kind == "hf" and rest:
        source = _source(rest)
        return RerankerBase(Path(rest).name, source, f"hf:{Path(rest).name}+")
    raise UsageError(
        f"{short(name)} names nothing that a reranker can be tuned from.",
        hint="Expected minilm, minilm:base, minilm+FOLDER or hf:NAME_OR_FOLDER of a cross-encoder.",
    )


def _source(name: str) -> str:
    """The folder or hub name of a cross-encoder."""
    require("sentence_transformers", ENCODER_EXTRA)
    return local_or_hub(name)


def _minilm(folder: Path, adapter: Path) -> Reranker:
    name = with_adapter(MINILM, adapter)

    def load() -> Reranker:
        from kgdb.language.encoders.minilm_reranker import MiniLMReranker

        return MiniLMReranker(name, folder, adapter)

    key = model_key("reranker", name, None, str(folder), str(adapter))
    return loaded(name, key, load, prepare=False)


def _cross_encoder(name: str, path: str, adapter: Path | None = None) -> Reranker:
    paths = [path]
    if adapter is not None:
        name = with_adapter(name, adapter)
        paths.append(str(adapter))

    def load() -> Reranker:
        from kgdb.language.encoders.cross_encoder import CrossEncoderReranker

        return CrossEncoderReranker(name, path, adapter)

    return loaded(name, model_key("reranker", name, None, *paths), load)
