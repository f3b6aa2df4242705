"""A language model that replies as a test has written down."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest

Reply = str | ModelError | Callable[[CompletionRequest], str]


class ScriptedModel:
    """Replies to a prompt that contains a text of ``replies`` with what stands there, the first
    one that fits; to any other with the least that keeps the constraint, or with nothing.

    A scripted reply need not keep a schema: servers send garbage. One that is none of the choices
    is an error, as with a real backend. ``asked`` keeps every :class:`CompletionRequest`.
    """

    name = "scripted"

    def __init__(
        self,
        replies: Mapping[str, Reply] | None = None,
        *,
        context: int = 8192,
        supports_grammar: bool = False,
        parameters: int | None = None,
    ) -> None:
        self.replies = dict(replies or {})
        self.context = context
        self.supports_grammar = supports_grammar
        self.parameters = parameters
        self.asked: list[CompletionRequest] = []

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        self.asked += requests
        return [self._reply(ask) for ask in requests]

    def _reply(self, ask: CompletionRequest) -> Completion | ModelError:
        found = next((reply for part, reply in self.replies.items() if part in ask.prompt), None)
        if isinstance(found, ModelError):
            return found
        text = found(ask) if callable(found) else found
        if text is None:
            text = ask.choices[0] if ask.choices else _least_text(ask.schema)
        if ask.choices and text not in ask.choices:
            return ModelError(f"The model was asked for a choice and replied {text!r}.")
        return Completion(text, len(ask.prompt.split()), len(text.split()))


def _least_text(schema: Mapping[str, Any] | None) -> str:
    return "" if schema is None else json.dumps(_least(schema), ensure_ascii=False)


def _least(schema: Mapping[str, Any]) -> Any:
    """The smallest value that keeps a schema of the few kinds that are asked for here."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            given = schema.get("properties", {})
            return {key: _least(given.get(key, {})) for key in schema.get("required", ())}
        case "array":
            return [_least(schema["items"]) for _ in range(schema.get("minItems", 0))]
        case "string":
            return ""
        case "boolean":
            return False
        case _:
            return schema.get("minimum", 0)
