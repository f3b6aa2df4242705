"""Loading a causal language model and its tokenizer, from whatever form they are in."""

from __future__ import annotations

import contextlib
import io
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


@dataclass(frozen=True, slots=True)
class Weights:
    """A model, ready to compute, and its tokenizer."""

    model: Any
    tokenizer: Any


def load_weights(base: str, adapter: str | None = None, dtype: str | None = None) -> Weights:
    """The model ``base``, with the LoRA adapter merged into it.

    ``base`` is a name of the hub, a folder, or a GGUF file; ``adapter`` a name of the hub or a
    folder. Numbers are float32 on a CPU (many have no matrix units for bfloat16, which is several
    times slower there) and bfloat16 on a GPU, unless ``dtype`` names one of them.
    """
    from transformers import AutoModelForCausalLM, AutoTokenizer

    if base.endswith(".gguf"):
        weights = from_gguf(Path(base), numbers(dtype))
    else:
        weights = Weights(
            AutoModelForCausalLM.from_pretrained(base, dtype=numbers(dtype)),
            AutoTokenizer.from_pretrained(base),
        )
    model = weights.model
    if adapter:
        from peft import PeftModel

        with warnings.catch_warnings():
            # It calls the library by a name that is on its way out.
            warnings.simplefilter("ignore", FutureWarning)
            model = PeftModel.from_pretrained(model, adapter).merge_and_unload()
    model.to(device()).eval()
    return Weights(model, weights.tokenizer)


def device() -> torch.device:
    """Where models compute."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def numbers(dtype: str | None) -> torch.dtype:
    """What models compute with: what is named, or else what suits the device."""
    return _DTYPES[dtype or ("bfloat16" if torch.cuda.is_available() else "float32")]


def from_gguf(file: Path, dtype: torch.dtype) -> Weights:
    """A model in llama.cpp's form, its quantized numbers unpacked: this takes long, and memory."""
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    # Other files beside it would be taken for its tokenizer's; and the conversion draws a progress
    # bar that no setting of transformers turns off.
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.redirect_stderr(io.StringIO()),
    ):
        (Path(folder) / file.name).symlink_to(file.absolute())
        tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file.name)
        model = AutoModelForCausalLM.from_pretrained(
            folder,
            gguf_file=file.name,
            dtype=dtype,
            quantization_config=GgufConfig(dequantize=True),
        )
    return Weights(model, tokenizer)
