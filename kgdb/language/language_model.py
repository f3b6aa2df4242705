"""What a method asks of a language model and of an encoder: batches in, typed values out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from kgdb.errors import ModelError


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One thing to ask a language model.

    A chat model takes ``prompt`` as the user's message; with ``continues`` it is a text to go on
    with instead. At most ``max_tokens`` are written, up to the first of the texts in ``stop``.

    At most one constraint may be given, and a reply that was not cut off always keeps it:
    ``choices`` (the reply is one of these texts), ``schema`` (a JSON schema, the reply is JSON) or
    ``grammar`` (in Lark's notation). ``stop`` is for replies without one.

    With ``best_effort`` a server that does not keep the schema may reply with anything, for whoever
    reads the reply with errors of its own; without it, such a reply is an error.
    """

    prompt: str
    max_tokens: int = 256
    choices: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = None
    grammar: str | None = None
    stop: tuple[str, ...] = ()
    continues: bool = False
    best_effort: bool = False


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote.

    Where it had to choose, ``scores`` holds for each choice its log-probability after the prompt
    (in nats, summed over its tokens), if the model tells it. ``finish`` is ``"length"`` where
    ``max_tokens`` cut the reply off. ``cached`` tells that nothing was computed for it now.
    ``requests`` is how many replies of the model it took, those of no use among them; tokens are
    of all. As the tokens, it stays what it was when the reply comes from a cache.
    """

    text: str
    tokens_in: int
    tokens_out: int
    scores: tuple[float, ...] | None = None
    finish: Literal["stop", "length"] = "stop"
    cached: bool = False
    requests: int = 1


class LanguageModel(Protocol):
    """A language model."""

    @property
    def name(self) -> str:
        """The model, as a person would cite it."""

    @property
    def context(self) -> int:
        """The tokens that a prompt and its reply may have together."""

    @property
    def supports_grammar(self) -> bool:
        """Whether a reply can be held to a grammar; where not, such an ask is an error."""

    @property
    def parameters(self) -> int | None:
        """How many parameters the model has; ``None`` where it does not tell."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has; where the model does not tell, an upper estimate."""

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        """The reply to each, in their order, and the same as if each had been asked alone.

        What cannot be answered has an error in its place; the others are not touched by it.
        """


class Encoder(Protocol):
    """A sentence encoder."""

    @property
    def name(self) -> str:
        """The model, as a person would cite it."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, one row per text: their dot product is the cosine similarity."""
