"""all-MiniLM-L6-v2, the default sentence encoder, computed with numpy.

Each question waits for it. To its first vector kgdb takes 1.1 s of processor time, and 9.3 s by
sentence-transformers (docs/measurements/server-and-models.md). Bulk is no slower: texts of one
length are computed together, so none is padded. The vectors are the library's to 1e-6 (tests hold
them to it).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from threadpoolctl import ThreadpoolController
from tokenizers import Tokenizer

from kgdb.language.encoders.adapter import adapted
from kgdb.language.encoders.single_threaded import threads

Array = NDArray[np.float32]

_TOKENS = 2_048
"""Tokens that are computed together: more gain nothing, and take memory."""

_ROWS = 64
"""Rows of the widest matrix that stay in a processor's own cache."""

_ERFC = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
"""Abramowitz and Stegun, 7.1.26: exact to 1.5e-7."""


@dataclass(frozen=True, slots=True)
class _Layer:
    """The weights of a transformer layer, each matrix as ``rows @ matrix`` takes it."""

    attention: tuple[Array, Array]
    attention_output: tuple[Array, Array]
    attention_norm: tuple[Array, Array]
    intermediate: tuple[Array, Array]
    output: tuple[Array, Array]
    output_norm: tuple[Array, Array]


class MiniLM:
    """A BERT encoder whose vectors are means over the tokens of a text.

    ``folder`` is laid out as sentence-transformers does it. ``adapter`` is a folder with what
    tuning adds to its weights.
    """

    def __init__(self, folder: Path, adapter: Path | None = None) -> None:
        config = _json(folder / "config.json")
        self._heads = int(config["num_attention_heads"])
        self._epsilon = np.float32(config["layer_norm_eps"])
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(
            _json(folder / "sentence_bert_config.json")["max_seq_length"]
        )
        with safe_open(folder / "model.safetensors", framework="numpy") as file:
            weights: dict[str, Array] = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if adapter is not None:
            weights = adapted(weights, adapter)
        self._words = weights["embeddings.word_embeddings.weight"]
        # All tokens of a text alone are of the first of two types.
        self._positions = (
            weights["embeddings.position_embeddings.weight"]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = _pair(weights, "embeddings.LayerNorm")
        self._layers = [_layer(weights, index) for index in range(config["num_hidden_layers"])]
        self._blas = ThreadpoolController()

    def __call__(self, texts: list[str]) -> Array:
        """Unit vectors, a row for each text."""
        encodings = self._tokenizer.encode_batch_fast(texts)
        tokens = [encoding.ids for encoding in encodings]
        batches = list(_batches(tokens))
        vectors = np.empty((len(texts), self._words.shape[1]), np.float32)

        def run(batch: list[int]) -> None:
            vectors[batch] = self._pooled([tokens[row] for row in batch])

        workers = min(threads(), len(batches))
        # The threads of BLAS wait for each other by spinning, which makes a short text ten times
        # slower beside other work: each batch has one thread, and batches share the processors.
        with self._blas.limit(limits=1, user_api="blas"):
            if workers < 2:
                for batch in batches:
                    run(batch)
            else:
                with ThreadPoolExecutor(workers) as pool:
                    list(pool.map(run, batches))
        return vectors

    def _pooled(self, texts: Sequence[Sequence[int]]) -> Array:
        """Unit vectors of texts in ascending order of length, given as tokens."""
        lengths = [len(text) for text in texts]
        rows = self._words[np.concatenate(texts)]
        rows += self._positions[np.concatenate([np.arange(length) for length in lengths])]
        rows = self._normalized(rows, *self._norm)
        for layer in self._layers:
            rows = self._transformed(rows, layer, lengths)
        starts = np.cumsum([0, *lengths[:-1]], dtype=np.intp)
        sums = np.add.reduceat(rows, starts)
        # A sum is a mean, but for its length, which does not count.
        unit: Array = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        return unit

    def _transformed(self, rows: Array, layer: _Layer, lengths: Sequence[int]) -> Array:
        attended = self._attended(_linear(rows, *layer.attention), lengths)
        mixed = _linear(attended, *layer.attention_output)
        mixed += rows
        mixed = self._normalized(mixed, *layer.attention_norm)
        wide = _linear(mixed, *layer.intermediate)
        _gelu(wide)
        result = _linear(wide, *layer.output)
        result += mixed
        return self._normalized(result, *layer.output_norm)

    def _attended(self, projected: Array, lengths: Sequence[int]) -> Array:
        """Attention within each text; ``projected`` has queries, keys and values side by side."""
        width = projected.shape[1] // 3
        attended = np.empty((len(projected), width), np.float32)
        scale = np.float32((width // self._heads) ** -0.5)
        start = 0
        for length, same in groupby(lengths):
            texts = len(list(same))
            end = start + texts * length
            shape = (texts, length, 3, self._heads, width // self._heads)
            queries, keys, values = projected[start:end].reshape(shape).transpose(2, 0, 3, 1, 4)
            weights = (queries * scale) @ keys.swapaxes(-1, -2)
            weights -= weights.max(axis=-1, keepdims=True)
            np.exp(weights, out=weights)
            weights /= weights.sum(axis=-1, keepdims=True)
            attended[start:end] = (weights @ values).transpose(0, 2, 1, 3).reshape(-1, width)
            start = end
        return attended

    def _normalized(self, rows: Array, weight: Array, bias: Array) -> Array:
        """Layer normalization, in place."""
        rows -= rows.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", rows, rows) / np.float32(rows.shape[1])
        rows /= np.sqrt(variance + self._epsilon)[:, None]
        rows *= weight
        rows += bias
        return rows


def _batches(texts: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The places of texts in ascending order of length, as many as are computed together."""
    batch: list[int] = []
    tokens = 0
    for place in sorted(range(len(texts)), key=lambda place: len(texts[place])):
        if batch and tokens + len(texts[place]) > _TOKENS:
            yield batch
            batch, tokens = [], 0
        batch.append(place)
        tokens += len(texts[place])
    if batch:
        yield batch


def _linear(rows: Array, matrix: Array, bias: Array) -> Array:
    result: Array = rows @ matrix
    result += bias
    return result


def _gelu(rows: Array) -> None:
    """``x * Phi(x)``, Phi the normal distribution function, in place."""
    for start in range(0, len(rows), _ROWS):
        x = rows[start : start + _ROWS]
        size = np.abs(x)
        z = size * np.float32(0.5**0.5)
        t = 1 / (1 + np.float32(0.3275911) * z)
        tail = np.zeros_like(t)
        for coefficient in _ERFC:
            tail += np.float32(coefficient)
            tail *= t
        z *= -z
        # Half of erfc(z), which is what Phi lacks of one where x is positive.
        tail *= np.exp(z, out=z)
        tail *= size
        np.maximum(x, 0, out=x)
        x -= np.float32(0.5) * tail


def _layer(weights: dict[str, Array], index: int) -> _Layer:
    layer = f"encoder.layer.{index}"
    inputs = [
        _dense(weights, f"{layer}.attention.self.{part}") for part in ("query", "key", "value")
    ]
    return _Layer(
        attention=(
            np.concatenate([matrix for matrix, _ in inputs], axis=1),
            np.concatenate([bias for _, bias in inputs]),
        ),
        attention_output=_dense(weights, f"{layer}.attention.output.dense"),
        attention_norm=_pair(weights, f"{layer}.attention.output.LayerNorm"),
        intermediate=_dense(weights, f"{layer}.intermediate.dense"),
        output=_dense(weights, f"{layer}.output.dense"),
        output_norm=_pair(weights, f"{layer}.output.LayerNorm"),
    )


def _dense(weights: dict[str, Array], name: str) -> tuple[Array, Array]:
    matrix, bias = _pair(weights, name)
    return matrix.T, bias


def _pair(weights: dict[str, Array], name: str) -> tuple[Array, Array]:
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def _json(path: Path) -> dict[str, int]:
    loaded: dict[str, int] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
