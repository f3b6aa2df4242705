"""Sentence encoders, by the sentence-transformers library."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer

_REMEMBERED = 50_000


class SentenceEncoder:
    """An encoder that remembers vectors: the texts of relations recur in every question."""

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self._model = SentenceTransformer(path)
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of shape ``(len(texts), dimensions)``."""
        missing = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if missing:
            vectors = self._model.encode(
                missing, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
            )
            self._vectors.update(zip(missing, vectors, strict=True))
        result = np.stack([self._vectors[text] for text in texts])
        for text in texts:
            self._vectors.move_to_end(text)
        while len(self._vectors) > _REMEMBERED:
            self._vectors.popitem(last=False)
        return result
