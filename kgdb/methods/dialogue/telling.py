"""Whether a text tells something of its own before it asks, as patients do."""

from __future__ import annotations

import re

# More than one sentence; of Chinese, clauses that a space sets apart count too.
_SENTENCE_END = re.compile(r"[.!?。！？]+(?:\s+|(?=[\u4e00-\u9fff]))|(?<=[\u4e00-\u9fff])\s+")

_SPEAKER = re.compile(r"\b(?:i|i['’](?:m|ve|d|ll)|my|we|our)\b|[我咱俺]", re.IGNORECASE)


def is_telling(text: str) -> bool:
    """Whether the text has more than one sentence, or speaks of who asks (*I*, *my*, *我*)."""
    sentences = [part for part in _SENTENCE_END.split(text.strip()) if part]
    return len(sentences) > 1 or _SPEAKER.search(text) is not None
