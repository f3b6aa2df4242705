"""What a model says in a free reply, without its thoughts and the control tokens around it."""

from __future__ import annotations

import re

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
    if _THOUGHT_END in text:
        text = text.rpartition(_THOUGHT_END)[2]
    elif text.lstrip().startswith(_THOUGHT):
        return None  # It was cut off while the model was thinking.
    if len(text) > MAX_REPLY:
        return None
    text = _LEADING.sub("", text.replace("\ufeff", " "), count=1)
    ended = _CONTROL.search(text)
    return text[: ended.start()] if ended else text
