"""Replies of a language model: what it says without its thoughts, and JSON of a given form.

A model that nothing holds to the form may reply with anything: that is no value, never an error.
"""

from __future__ import annotations

import json
import re
from typing import Any

MAX_REPLY = 100_000
"""Characters of a reply behind its thoughts: a longer one is not read."""

_THOUGHT_END = "</think>"
_THOUGHT = "<think>"
_MARKS = r"<[|｜][^<>\n]{1,40}[|｜]>|</?s>|<(?:end|start)_of_turn>|\[/?INST\]"
_CONTROL = re.compile(_MARKS)
_LEADING = re.compile(rf"(?:\s*+(?:{_MARKS}))*+")


def spoken(text: str) -> str | None:
    """The reply behind its thoughts and up to a control token.

    ``None`` for one that was cut off among its thoughts, or is too long.
    """
    reply = without_thoughts(text)
    if reply is None or len(reply) > MAX_REPLY:
        return None
    reply = _LEADING.sub("", reply.replace("\ufeff", " "), count=1)
    ended = _CONTROL.search(reply)
    return reply[: ended.start()] if ended else reply


def without_thoughts(text: str) -> str | None:
    """The reply behind its thoughts; ``None`` for one that was cut off among them."""
    if _THOUGHT_END in text:
        return text.rpartition(_THOUGHT_END)[2]
    return None if text.lstrip().startswith(_THOUGHT) else text


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
