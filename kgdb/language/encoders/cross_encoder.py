"""Cross-encoders, by the sentence-transformers library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import torch
from sentence_transformers import CrossEncoder

from kgdb.language.encoders.pair_model import tuned

_BATCH = 32


class CrossEncoderReranker:
    """A model that reads a question and a text together; its scores are from 0 to 1 (sigmoid).

    With the ``adapter`` of ``kgdb lab train reranker`` it reads a question and a chain, and its scores
    are in nats.
    """

    def __init__(self, name: str, path: str, adapter: Path | None = None) -> None:
        self.name = f"{name} (cross-encoder)"
        self._lock = Lock()
        self._model = (
            tuned(path, adapter)
            if adapter
            else CrossEncoder(path, activation_fn=torch.nn.Sigmoid())
        )
        if (labels := self._model.num_labels) != 1:
            raise ValueError(f"a reranker gives one score, and this model gives {labels}")

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Each pair is judged once, however often it is given."""
        if not pairs:
            return []
        distinct = list(dict.fromkeys(pairs))
        with self._lock:  # its tokenizer serves one thread at a time
            scores = self._model.predict(distinct, batch_size=_BATCH, show_progress_bar=False)
        known = dict(zip(distinct, map(float, scores), strict=True))
        return [known[pair] for pair in pairs]
