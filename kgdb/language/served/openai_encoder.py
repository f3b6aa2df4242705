"""A sentence encoder behind an OpenAI-compatible server, which many services may share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kgdb.errors import ModelError
from kgdb.language.encoders.sentence_encoder import SentenceEncoder
from kgdb.language.served.client import LLMClient

_BATCH = 32
"""Texts of a request. Text Embeddings Inference takes no more, unless it is told to."""


def served_encoder(model: str, url: str | None, timeout: float) -> SentenceEncoder:
    """The encoder of that name at the server, by default OpenAI's.

    Vectors are kept under its name alone, so that services which reach it by several addresses
    share them. Raises as :class:`LLMClient` does.
    """
    client = LLMClient(model, url, timeout)

    def embed(texts: list[str]) -> NDArray[np.float32]:
        found: list[list[float]] = []
        for start in range(0, len(texts), _BATCH):
            found += client.embeddings(texts[start : start + _BATCH])
        return _unit(found, f"The model {model} at {client.url}")

    return SentenceEncoder(f"openai:{model}", embed)


def _unit(found: list[list[float]], who: str) -> NDArray[np.float32]:
    """The vectors at length one. Raises :class:`ModelError` for what is none."""
    if len({len(vector) for vector in found}) == 1:
        vectors = np.asarray(found, np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if np.isfinite(lengths).all() and lengths.all():
            unit: NDArray[np.float32] = vectors / lengths
            return unit
    raise ModelError(
        f"{who} gives vectors that cannot be compared: of several sizes, or without a direction.",
        hint="Expected a model of embeddings, such as sentence-transformers/all-MiniLM-L6-v2.",
    )
