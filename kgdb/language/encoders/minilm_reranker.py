"""The default encoder with the head of a reranker, computed with numpy.

It is :class:`kgdb.language.encoders.pair_model.PairHead`, which is trained, without the libraries
that take long to import (tests hold it to that).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from kgdb.errors import UsageError
from kgdb.language.encoders.adapter import HEAD
from kgdb.language.encoders.minilm import MiniLM, gelu
from kgdb.language.encoders.pair_weights import COSINE
from kgdb.wording import short

Array = NDArray[np.float32]

_LAYERS = ("query", "key", "compare", "aggregate", "score")


class MiniLMReranker:
    """Reads a question and a chain together; its scores are in nats.

    ``folder`` has the encoder, ``adapter`` what ``kgdb lab train reranker`` wrote for it.
    """

    def __init__(self, name: str, folder: Path, adapter: Path) -> None:
        self.name = f"{name} (cross-encoder)"
        self._lock = Lock()
        self._encoder = MiniLM(folder, adapter)
        weights = self._encoder.head
        if missing := [layer for layer in _LAYERS if f"{HEAD}{layer}.weight" not in weights]:
            raise UsageError(
                f"The adapter {short(str(adapter))} has no head of a reranker: {missing[0]}.",
                hint="It may be one of the encoder (--encoder). kgdb lab train reranker makes one.",
            )
        self._matrices = {
            layer: (weights[f"{HEAD}{layer}.weight"].T, weights[f"{HEAD}{layer}.bias"])
            for layer in _LAYERS
        }

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Each pair is judged once, and each text is read once."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        if not texts:
            return []
        with self._lock:  # its tokenizer serves one thread at a time
            rows = dict(zip(texts, self._encoder.token_vectors(texts), strict=True))
        known = {pair: self._score(rows[pair[0]], rows[pair[1]]) for pair in dict.fromkeys(pairs)}
        return [known[pair] for pair in pairs]

    def _score(self, question: Array, chain: Array) -> float:
        """The score of two texts, given as the vectors of their tokens."""
        scale = np.float32(question.shape[1] ** 0.5)
        one, two = _unit(question.mean(axis=0)), _unit(chain.mean(axis=0))
        units = _unit(question), _unit(chain)
        added = np.concatenate(
            [
                self._compared(units[0], units[1], scale),
                self._compared(units[1], units[0], scale),
                one * two * scale,
                np.abs(one - two) * scale,
            ]
        )
        inner = self._linear("aggregate", added[None])
        gelu(inner)
        return COSINE * float(one @ two) + float(self._linear("score", inner)[0, 0])

    def _compared(self, text: Array, other: Array, scale: np.float32) -> Array:
        """The mean over the tokens of a text of how they compare with those of the other."""
        alike = self._linear("query", text) @ self._linear("key", other).T * scale
        shares = np.exp(alike - alike.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        aligned = shares @ other
        parts = np.concatenate([text, aligned, text * aligned * scale, text - aligned], axis=1)
        compared = self._linear("compare", parts)
        gelu(compared)
        mean: Array = compared.mean(axis=0)
        return mean

    def _linear(self, layer: str, rows: Array) -> Array:
        matrix, bias = self._matrices[layer]
        result: Array = rows @ matrix + bias
        return result


def _unit(rows: Array) -> Array:
    unit: Array = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
    return unit
