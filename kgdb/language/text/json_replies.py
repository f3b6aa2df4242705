"""Replies of a language model that are JSON of a given form.

A model that nothing holds to the form may reply with anything: that is no value, never an error.
"""

from __future__ import annotations

import json
from typing import Any


def value_in(reply: str, key: str) -> Any:
    """What a JSON object has under a key; ``None`` where the reply is no object or has no such."""
    try:
        return json.loads(reply)[key]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def texts_in(reply: str, key: str) -> list[str]:
    """The texts of a list under a key, each once; a reply that is something else has none."""
    texts = value_in(reply, key)
    if not isinstance(texts, list):
        return []
    return list(dict.fromkeys(text for text in texts if isinstance(text, str) and text.strip()))


def list_schema(key: str, most: int) -> dict[str, Any]:
    """The schema of a reply that is one list of texts under a key."""
    items = {"type": "array", "items": {"type": "string"}, "maxItems": most}
    return {
        "type": "object",
        "properties": {key: items},
        "required": [key],
        "additionalProperties": False,
    }
