"""Sentence encoders, by the sentence-transformers library."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer

from kgdb.language.revisions import revision_of

_REMEMBERED = 50_000
_REVISION = 12


class SentenceEncoder:
    """An encoder that remembers vectors: the texts of relations recur in every question.

    It works for one thread at a time, as its tokenizer can. Vectors are kept under its name. With
    ``changes``, what is at the path may be trained anew, and its revision is a part of the name.
    """

    def __init__(self, name: str, path: str, *, changes: bool = False) -> None:
        self._model = SentenceTransformer(path)
        # A name of the hub has its revision once it is fetched.
        revision = revision_of(path)[:_REVISION] if changes else ""
        self.name = f"{name}@{revision}" if revision else name
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of shape ``(len(texts), dimensions)``."""
        with self._lock:
            return self._encoded(texts)

    def _encoded(self, texts: Sequence[str]) -> NDArray[np.float32]:
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
