"""Sentence encoders that remember vectors, whatever library computes them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgdb.language.revisions import revision_of

_REMEMBERED = 50_000
_REVISION = 12
"""Digits of a revision that a name has."""

Embed = Callable[[list[str]], NDArray[np.float32]]
"""Computes unit vectors of distinct texts, a row each."""


class SentenceEncoder:
    """An encoder that remembers vectors: the texts of relations recur in every question.

    It works for one thread at a time, as a tokenizer can. Vectors are kept under its name.
    """

    def __init__(self, name: str, embed: Embed) -> None:
        self.name = name
        self._embed = embed
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of shape ``(len(texts), dimensions)``."""
        with self._lock:
            return self._encoded(texts)

    def _encoded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        missing = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if missing:
            self._vectors.update(zip(missing, self._embed(missing), strict=True))
        result = np.stack([self._vectors[text] for text in texts])
        for text in texts:
            self._vectors.move_to_end(text)
        while len(self._vectors) > _REMEMBERED:
            self._vectors.popitem(last=False)
        return result


def pretrained_encoder(name: str, path: str) -> SentenceEncoder:
    """The encoder at a path, or of that name from the hub, by sentence-transformers.

    The weights may be trained anew, so their revision is a part of the encoder's name.
    """
    from sentence_transformers import SentenceTransformer

    model: Any = SentenceTransformer(path)

    def embed(texts: list[str]) -> NDArray[np.float32]:
        vectors: NDArray[np.float32] = model.encode(
            texts, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return vectors

    # A name of the hub has its revision once it is fetched.
    revision = revision_of(path)[:_REVISION]
    return SentenceEncoder(f"{name}@{revision}" if revision else name, embed)
