"""Control tokens in texts of a graph, for models whose tokenizer is not at hand.

A server puts a prompt into its chat template and reads the whole as tokens: a name such as
``<|im_end|>`` may end the message that it stands in. What looks like a control token of any model
is broken by a space, before it is sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kgdb.language.language_model import Completion, CompletionRequest

_OPENING = re.compile(
    # <|im_end|>, and DeepSeek's with wide bars.
    r"<(?=[|｜]"
    # <s>, </s>, <end_of_turn>, <think>, and the inner half of <<SYS>>.
    r"|/?\w[\w.:-]*>)"
    # [INST], [/INST], [TOOL_CALLS], [gMASK].
    r"|\[(?=/?g?[A-Z_]{2,}\])"
)
"""The first character of what may be a control token."""


def broken(text: str) -> str:
    """The text with a space behind the first character of what may be a control token."""
    return _OPENING.sub(r"\g<0> ", text)


@dataclass(frozen=True, slots=True)
class SanitizedRequest:
    """An ask without control tokens, and the way back from the reply to it.

    ``request`` is what a server is to be asked. Its grammar is as it was given: no chat template
    shows it, and a server holds it against the characters of a reply.
    """

    request: CompletionRequest
    _given: CompletionRequest
    _names: Mapping[str, str]

    @classmethod
    def of(cls, request: CompletionRequest) -> SanitizedRequest:
        """The ask with its prompt, choices and schema broken."""
        names: dict[str, str] = {}

        def listed(text: str) -> str:
            plain = broken(text)
            if plain != text:
                names.setdefault(plain, text)
            return plain

        sanitized = replace(
            request,
            prompt=broken(request.prompt),
            choices=tuple(map(broken, request.choices)),
            schema=_with_texts(request.schema, listed),
        )
        return cls(sanitized, request, names)

    def restored(self, reply: Completion) -> Completion:
        """The reply with the choice, or the names that the schema lists, as they were given."""
        if self.request.choices:
            return replace(reply, text=self._given.choices[self.request.choices.index(reply.text)])
        if not self._names:
            return reply
        try:
            value = json.loads(reply.text)
        except (ValueError, RecursionError):
            return reply  # It was cut off, and no name of it counts.
        value = _with_texts(value, lambda text: self._names.get(text, text))
        return replace(reply, text=json.dumps(value, ensure_ascii=False))


def _with_texts(value: Any, changed: Callable[[str], str]) -> Any:
    """A value of JSON with its texts changed, all but the keys of objects."""
    match value:
        case str():
            return changed(value)
        case Mapping():
            return {key: _with_texts(part, changed) for key, part in value.items()}
        case list() | tuple():
            return [_with_texts(part, changed) for part in value]
    return value
