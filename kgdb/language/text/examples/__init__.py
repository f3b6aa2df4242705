"""Examples that prompts show a model: data, per task, language of the question and graph.

An example is a line of JSON with a ``question``, the ``reply`` to it (a text, or JSON as it is) and
perhaps the ``entities`` of the question. Those of a file ``TASK.GRAPH.jsonl`` are shown for that
graph, those of ``TASK.jsonl`` for any other; a user's own folder comes before what ships with kgdb.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from kgdb.errors import UsageError
from kgdb.language.text.prompts import Language

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Example:
    """A question and the reply that a model should give to it."""

    question: str
    reply: str
    entities: tuple[str, ...] = ()


def examples(
    task: str, graph: str, language: Language = "en", folder: Path | None = None
) -> tuple[Example, ...]:
    """The examples of a task for questions over a graph, best first; empty if there are none.

    ``folder`` is the user's own, with a folder for each language in it. Raises
    :class:`UsageError` for a file that does not hold examples, naming the line.
    """
    # The name of a graph comes out of the database: it must not lead anywhere else.
    names = [f"{task}.{graph}.jsonl"] if _NAME.fullmatch(graph) else []
    names.append(f"{task}.jsonl")
    if folder:
        for name in names:
            if (file := folder / language / name).is_file():
                return _read(file)
    return next(filter(None, (_shipped(language, name) for name in names)), ())


@cache
def _shipped(language: Language, name: str) -> tuple[Example, ...]:
    file = files(__package__).joinpath(language, name)
    return _read(file) if file.is_file() else ()


def _read(file: Traversable) -> tuple[Example, ...]:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The examples in {file} cannot be read: {error}.") from error
    return tuple(_parsed(text, file))


def _parsed(text: str, file: Traversable) -> Iterator[Example]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        example = _example(line)
        if example is None:
            raise UsageError(
                f"{file}, line {number}, is no example.",
                hint='Expected {"question": "…", "reply": …}, and perhaps "entities": ["…"].',
            )
        yield example


def _example(line: str) -> Example | None:
    try:
        given: dict[str, Any] = json.loads(line)
        question, reply = given.pop("question"), given.pop("reply")
        entities = tuple(given.pop("entities", ()))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    if given or not isinstance(question, str) or not all(isinstance(e, str) for e in entities):
        return None
    written = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
    return Example(question, written, entities)
