"""A language model that tells how often it was asked."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest


class Counting:
    """A model that answers with how often it was asked, and fails on what is bad."""

    name = "counting"
    context = 77

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        self.asked.append([ask.prompt for ask in requests])
        return [self._reply(ask) for ask in requests]

    def _reply(self, ask: CompletionRequest) -> Completion | ModelError:
        if "bad" in ask.prompt:
            return ModelError("bad")
        if ask.choices:
            return Completion(ask.choices[0], 7, 2, tuple(-1.5 for _ in ask.choices))
        return Completion(f"{ask.prompt} {len(self.asked)}", 7, 2, finish="length")
