"""How similar texts are to a sentence encoder, which reads each for itself."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.language.base import Encoder


def cosines(encoder: Encoder, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """The cosine similarity of both texts of each pair, from -1 to 1."""
    if not pairs:
        return []
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    rows = dict(zip(texts, encoder.encode(texts), strict=True))
    return [float(rows[one] @ rows[other]) for one, other in pairs]
