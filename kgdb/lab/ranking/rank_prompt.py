"""What a judge is asked about the answers to a question, and how its reply is read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from string import ascii_uppercase
from typing import Any

from kgdb.lab.texts.dialogue_sets import DialogueQuestion
from kgdb.language import Completion, CompletionRequest
from kgdb.language.text.prompts import Language, language_of, prompt
from kgdb.language.text.replies import spoken

LETTERS = ascii_uppercase
"""What answers are called, so that no name tells by which method they are."""

_REPLY_TOKENS = 400
_TRIED = 50  # places of a reply at which an object may begin
_NAMED = {"en": "Answer {}: ", "zh": "回答{}："}
_RANK: dict[Language, str] = {"en": "rank", "zh": "名次"}


def rank_request(question: DialogueQuestion, texts: Sequence[str]) -> CompletionRequest:
    """Ask for the ranks of the texts: they are called by :data:`LETTERS` in this order."""
    language = language_of(question.text)
    letters = LETTERS[: len(texts)]
    answers = [
        _NAMED[language].format(letter) + text for letter, text in zip(letters, texts, strict=True)
    ]
    text = prompt(
        "rank",
        language,
        question=flat(question.text),
        reference=flat(question.reference),
        answers="\n\n".join(answers),
        count=str(len(texts)),
        form="{" + ", ".join(f'"{letter}": {_RANK[language]}' for letter in letters) + "}",
    )
    # A reply that is something else is no ranking, which is counted; it is no error of the model.
    return CompletionRequest(text, _REPLY_TOKENS, schema=_schema(letters), best_effort=True)


def ranks_in(reply: Completion, count: int) -> tuple[int, ...] | None:
    """The ranks of the first ``count`` letters as the judge gives them, from 1 for the best.

    ``None`` if the reply is cut off, ranks other letters than these, or has two rankings: what a
    judge means is never guessed.
    """
    text = None if reply.finish == "length" else spoken(reply.text)
    found = {
        tuple(value[letter] for letter in LETTERS[:count])
        for value in _objects(text or "")
        if set(value) == set(LETTERS[:count])
        and all(type(rank) is int and 1 <= rank <= count for rank in value.values())
    }
    return found.pop() if len(found) == 1 else None


def flat(text: str) -> str:
    """A text on one line: no line of it looks like one of the prompt."""
    return " ".join(text.split())


def _schema(letters: str) -> dict[str, Any]:
    rank = {"type": "integer", "enum": list(range(1, len(letters) + 1))}
    return {
        "type": "object",
        "properties": dict.fromkeys(letters, rank),
        "required": list(letters),
        "additionalProperties": False,
    }


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The objects of JSON in a text; one inside another is read as a part of it alone."""
    decoder, start = json.JSONDecoder(object_pairs_hook=_object), text.find("{")
    for _ in range(_TRIED):
        if start < 0:
            return
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield value
        start = text.find("{", end)


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Of an object that has a key twice, nothing is known."""
    given = dict(pairs)
    return given if len(given) == len(pairs) else {}
