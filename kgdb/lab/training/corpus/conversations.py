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

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kgdb.lab.training.corpus.json_lines import RowKind, read_lines, text, texts, write_lines
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
    return write_lines(path, map(asdict, conversations))


def read_conversations(path: Path) -> Iterator[Conversation]:
    """The conversations of a corpus.

    Raises :class:`kgdb.errors.UsageError` for a file without any and, naming the line, for what is
    no conversation.
    """
    return read_lines(path, _conversation, _KIND)


_KIND = RowKind(
    "conversation",
    '{"task": …, "messages": [{"role": …, "content": …}], "reply": …}',
    "kgdb lab train conversations",
    "docs/reference/conversations.md",
)


def _conversation(given: Mapping[str, Any]) -> Conversation:
    messages = given["messages"]
    if not isinstance(messages, list) or not messages:
        raise TypeError("messages is a list of at least one message")
    continues = given.get("continues", False)
    if not isinstance(continues, bool):
        raise TypeError("continues is true or false")
    row = Conversation(
        text(given, "task"),
        tuple(map(_turn, messages)),
        text(given, "reply"),
        graph=text(given, "graph", ""),
        source=text(given, "source", ""),
        licence=text(given, "licence", ""),
        choices=texts(given, "choices"),
        continues=continues,
        group=text(given, "group", ""),
    )
    if not row.task.strip():
        raise ValueError("its task is empty")
    if row.messages[-1].role == "assistant":
        raise ValueError("the last message is the assistant's; that is the reply")
    return row


def _turn(given: Any) -> Turn:
    if not isinstance(given, Mapping):
        raise TypeError("a message is a JSON object")
    turn = Turn(text(given, "role"), text(given, "content"))
    if turn.role not in ROLES:
        raise ValueError(f"the role {short(turn.role)} is none of {', '.join(ROLES)}")
    return turn
