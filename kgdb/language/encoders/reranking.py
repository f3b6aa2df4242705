"""Judging how well texts answer a question."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.language.base import Encoder


class BiEncoderReranker:
    """The cosine similarity of question and text, each encoded for itself.

    Weaker than a cross-encoder, which reads both together, but there wherever an encoder is.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.name = f"{encoder.name} (bi-encoder)"
        self._encoder = encoder

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Cosines, from -1 to 1."""
        if not pairs:
            return []
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        rows = dict(zip(texts, self._encoder.encode(texts), strict=True))
        return [float(rows[query] @ rows[text]) for query, text in pairs]
