"""Sentence encoders that the user names, by the sentence-transformers library."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sentence_transformers import SentenceTransformer

from kgdb.language.encoders.sentence_encoder import SentenceEncoder
from kgdb.language.revisions import revision_of

_REVISION = 12
"""Digits of a revision that a name has."""


def pretrained_encoder(name: str, path: str) -> SentenceEncoder:
    """The encoder at a path, or of that name from the hub.

    The weights may be trained anew, so their revision is a part of the encoder's name.
    """
    model: Any = SentenceTransformer(path)

    def embed(texts: list[str]) -> NDArray[np.float32]:
        vectors: NDArray[np.float32] = model.encode(
            texts, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return vectors

    # A name of the hub has its revision once it is fetched.
    revision = revision_of(path)[:_REVISION]
    return SentenceEncoder(f"{name}@{revision}" if revision else name, embed)
