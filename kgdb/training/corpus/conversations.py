"""Conversations: prompts for a language model, each with the reply that it is tuned to give.

One line of the file is one conversation::

    {"task": "chains",
     "messages": [{"role": "user", "content": "Question: who directed this? …"}],
     "reply": "the director of this",
     "choices": ["the director of this", "the writer of this"], "continues": true,
     "graph": "metaqa", "source": "metaqa train", "licence": "CC BY 3.0",
     "group": "who directed this"}

All of it is data: a text of a corpus is never executed, and never part of a chat template.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kgdb.errors import UsageError
from kgdb.text_arguments import is_valid_utf8
from kgdb.wording import short

ROLES = ("system", "user", "assistant")


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation: who speaks (one of :data:`ROLES`), and what."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a language model is asked, and what it has to reply.

    ``choices`` are the replies among which it has to choose, if it has to. With ``continues`` the
    messages are a text that the reply goes on with, instead of a chat. ``group`` names what
    belongs together, such as all prompts about one question: a group is held back as a whole.
    ``graph``, ``source`` and ``licence`` say where the conversation is from.
    """

    task: str
    messages: tuple[Turn, ...]
    reply: str
    graph: str = ""
    source: str = ""
    licence: str = ""
    choices: tuple[str, ...] = ()
    continues: bool = False
    group: str = ""


def write_conversations(path: Path, conversations: Iterable[Conversation]) -> int:
    """Write the corpus; the number of its rows. A corpus that cannot be finished is not left."""
    part = path.with_name(path.name + ".part")
    count = 0
    with part.open("w", encoding="utf-8") as file:
        for each in conversations:
            file.write(json.dumps(asdict(each), ensure_ascii=False) + "\n")
            count += 1
    part.replace(path)
    return count


def read_conversations(path: Path) -> Iterator[Conversation]:
    """The conversations of a corpus.

    Raises :class:`kgdb.errors.UsageError`, naming the line, for what is no conversation.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise UsageError(
            f"The corpus {short(str(path))} cannot be read: {error.strerror}.",
            hint="kgdb train conversations writes one.",
        ) from None
    with file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield _conversation(path, number, line)


def _conversation(path: Path, number: int, line: bytes) -> Conversation:
    try:
        return _read(json.loads(line.decode("utf-8")))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise UsageError(
            f"Line {number:,} of {short(str(path))} is no conversation: {reason}. It reads "
            f"{short(line.decode('utf-8', 'replace').strip())}.",
            hint='Expected {"task": …, "messages": [{"role": …, "content": …}], "reply": …}, as '
            "docs/reference/conversations.md describes. If it is the last line, the file is cut "
            "off: make it again.",
        ) from None


def _read(given: Any) -> Conversation:
    if not isinstance(given, Mapping):
        raise TypeError("a JSON object is expected")
    messages = given["messages"]
    if not isinstance(messages, list) or not messages:
        raise TypeError("messages is a list of at least one message")
    continues = given.get("continues", False)
    if not isinstance(continues, bool):
        raise TypeError("continues is true or false")
    choices = given.get("choices", [])
    if not isinstance(choices, list):
        raise TypeError("choices is a list of texts")
    row = Conversation(
        _text(given, "task"),
        tuple(map(_turn, messages)),
        _text(given, "reply"),
        graph=_text(given, "graph", ""),
        source=_text(given, "source", ""),
        licence=_text(given, "licence", ""),
        choices=tuple(_text({"choices": choice}, "choices") for choice in choices),
        continues=continues,
        group=_text(given, "group", ""),
    )
    if not row.task.strip():
        raise ValueError("its task is empty")
    if row.messages[-1].role == "assistant":
        raise ValueError("the last message is the assistant's; that is the reply")
    return row


def _turn(given: Any) -> Turn:
    if not isinstance(given, Mapping):
        raise TypeError("a message is a JSON object")
    turn = Turn(_text(given, "role"), _text(given, "content"))
    if turn.role not in ROLES:
        raise ValueError(f"the role {short(turn.role)} is none of {', '.join(ROLES)}")
    return turn


def _text(given: Mapping[str, Any], key: str, otherwise: str | None = None) -> str:
    text = given[key] if otherwise is None else given.get(key, otherwise)
    if not isinstance(text, str):
        raise TypeError(f"{key} is {short(text)}, where a text is expected")
    if not is_valid_utf8(text):
        raise ValueError(f"{key} holds half of a character")
    return text
