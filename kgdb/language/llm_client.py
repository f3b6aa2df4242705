"""Single requests to an OpenAI-compatible server, and its failures in words."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from threading import Lock
from typing import Any, Literal, TypeVar

import openai

from kgdb.errors import ModelError, ModelUnavailable
from kgdb.language.llm_server import LLMServer, look_at
from kgdb.language.replies import said
from kgdb.language.retrying import retried
from kgdb.settings import without_login

_CONNECTING = 10.0

_INSTEAD = {"temperature": None, "seed": None, "max_tokens": "max_completion_tokens"}
"""Parameters that some models refuse, and what they take in their place."""

_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size"
    r"|(?:maximum|model's|available) (?:context|model) (?:length|size|window)",
    re.IGNORECASE,
)
"""How OpenAI, llama.cpp, vLLM and SGLang say that a prompt and its reply do not fit."""

_R = TypeVar("_R")

Message = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server said to one request, and what it counted."""

    text: str
    tokens_in: int
    tokens_out: int
    finish: Literal["stop", "length"] = "stop"
    scores: tuple[float, ...] | None = None


class Refused(ModelError):
    """The server refuses this request: trying again would not help, asking otherwise may."""


class LLMClient:
    """One model at one server; thread-safe.

    ``timeout`` is how many seconds one request may take, with all tries. Every failure is a
    :class:`ModelError` that tells what to do, and :class:`Refused` where the server does not take
    the request as it is.
    """

    def __init__(self, model: str, base_url: str | None, timeout: float) -> None:
        self._model = model
        self._timeout = timeout
        self._refused: set[str] = set()
        self._server: LLMServer | None = None
        self._lock = Lock()
        try:
            self._client = openai.OpenAI(
                base_url=base_url,
                # Servers of one's own take any key, but the client insists on one.
                api_key=os.environ.get("OPENAI_API_KEY") or ("none" if base_url else None),
                max_retries=0,
            )
        except openai.OpenAIError as error:
            raise ModelError(
                f"The model openai:{model} cannot be called: {error}",
                hint="Set OPENAI_API_KEY, or name your own server: --llm openai:MODEL@URL",
            ) from error
        self.url = without_login(str(self._client.base_url))

    @property
    def server(self) -> LLMServer:
        """What the server is: asked once, and again as long as it is down."""
        with self._lock:
            if self._server is None:
                self._server = look_at(self._client, self._model)
            return self._server or LLMServer()

    def chat(self, messages: Sequence[Message], max_tokens: int, **given: Any) -> Reply:
        """What the model replies to the messages."""

        def create(**parameters: Any) -> Any:
            typed: Any = messages
            return self._client.chat.completions.create(messages=typed, **parameters)

        def read(reply: Any) -> Reply:
            (choice, *_) = reply.choices
            return _reply(said(choice.message.content or ""), choice, reply)

        return self._asked(create, read, {"max_tokens": max_tokens} | given)

    def continued(self, text: str, max_tokens: int, **given: Any) -> Reply:
        """How the model goes on with a text."""

        def create(**parameters: Any) -> Any:
            return self._client.completions.create(prompt=text, **parameters)

        def read(reply: Any) -> Reply:
            (choice, *_) = reply.choices
            return _reply(choice.text or "", choice, reply)

        return self._asked(create, read, {"max_tokens": max_tokens} | given)

    def likelihoods(self, text: str, continuations: Sequence[str]) -> Reply:
        """How likely each continuation is after the text, in nats; the likeliest is the reply.

        The server tells the probabilities of the tokens of a whole text. Where the tokens of the
        text and a continuation meet in one, all continuations are measured from before it.
        """
        texts = [text, *(text + continuation for continuation in continuations)]

        def create(**parameters: Any) -> Any:
            return self._client.completions.create(prompt=texts, echo=True, **parameters)

        def read(reply: Any) -> Reply:
            choices = sorted(reply.choices, key=lambda choice: choice.index)
            if any(choice.logprobs is None for choice in choices):
                raise Refused(f"The server at {self.url} does not tell how likely a text is.")
            # The last token is not of the text: servers write one at least.
            tokens = [choice.logprobs.tokens[:-1] for choice in choices]
            places = zip(*tokens, strict=False)
            shared = sum(1 for _ in takewhile(lambda each: len(set(each)) == 1, places))
            scores = tuple(
                float(sum(choice.logprobs.token_logprobs[shared:-1])) for choice in choices[1:]
            )
            if len(scores) != len(continuations):
                raise ValueError(f"{len(scores)} scores for {len(continuations)} continuations")
            best = max(range(len(scores)), key=lambda i: (scores[i], -i))
            counted = _reply(continuations[best], choices[0], reply)
            return Reply(counted.text, counted.tokens_in, counted.tokens_out, "stop", scores)

        return self._asked(create, read, {"max_tokens": 1, "logprobs": 1})

    def _asked(
        self, create: Callable[..., Any], read: Callable[[Any], _R], given: Mapping[str, Any]
    ) -> _R:
        try:
            return read(retried(lambda seconds: self._sent(create, given, seconds), self._timeout))
        except openai.OpenAIError as error:
            raise self._failure(error) from error
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            # The client takes any successful reply for what it expects.
            raise ModelError(
                f"What answers at {self.url} is no OpenAI-compatible server: its reply cannot be "
                "read.",
                hint="Check the URL after @; most end in /v1.",
            ) from error

    def _sent(self, create: Callable[..., Any], given: Mapping[str, Any], seconds: float) -> Any:
        """One request, without the parameters that this model has refused before."""
        limit = openai.Timeout(seconds, connect=min(_CONNECTING, seconds))
        for _ in _INSTEAD:
            parameters = {"temperature": 0, "seed": 0, **given}
            for name in self._refused:
                value = parameters.pop(name, None)
                if instead := _INSTEAD[name]:
                    parameters[instead] = value
            try:
                return create(model=self._model, timeout=limit, **parameters)
            except openai.BadRequestError as error:
                if error.param not in _INSTEAD or error.param in self._refused:
                    raise
                self._refused.add(error.param)
        return create(model=self._model, timeout=limit, **parameters)

    def _failure(self, error: openai.OpenAIError) -> ModelError:
        """What went wrong, and what to do about it."""
        who = f"The model {self._model!r} at {self.url}"
        why = " ".join(str(error).split())[:400]
        match error:
            case openai.APITimeoutError():
                return ModelUnavailable(
                    f"{who} did not reply within {self._timeout:g} seconds.",
                    hint="Give it more with KGDB_LLM_TIMEOUT, or see why the server is slow.",
                )
            case openai.APIConnectionError():
                cause = f": {error.__cause__}" if error.__cause__ else "."
                return ModelUnavailable(
                    f"{who} cannot be reached{cause}",
                    hint="Check that the server is up, and the URL after @.",
                )
            case openai.RateLimitError():
                return ModelUnavailable(
                    f"{who} takes no more requests: {why}",
                    hint="Wait, or raise its limits; KGDB_LLM_TIMEOUT is how long kgdb waits.",
                )
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                return ModelUnavailable(f"{who} refuses the key: {why}", hint="Set OPENAI_API_KEY.")
            case openai.APIStatusError(status_code=status) if status < 500 or status == 501:
                return self._refusal(error, who, why)
        return ModelError(
            f"{who} failed: {why}", hint="Try again later; the server's log may tell why."
        )

    def _refusal(self, error: openai.APIStatusError, who: str, why: str) -> ModelError:
        """Of a request that the server does not take; one that is too long is so in any form."""
        if error.status_code in (400, 413) and _TOO_LONG.search(str(error)):
            return ModelError(
                f"{who} has no room for the prompt and its reply: {why}",
                hint="Tell how many tokens it reads: KGDB_LLM_CONTEXT; evidence beyond that is "
                "left out. Or use a model with a larger context.",
            )
        served = self.server.models
        has = f" The server has: {', '.join(served[:10])}." if served else ""
        return Refused(
            f"{who} refused the request: {why}",
            hint=f"Check the name of the model, before @.{has} If a prompt is too long for "
            "the model, tell how much it reads: KGDB_LLM_CONTEXT.",
        )


def _reply(text: str, choice: Any, reply: Any) -> Reply:
    usage = reply.usage
    return Reply(
        text,
        (usage.prompt_tokens or 0) if usage else 0,
        (usage.completion_tokens or 0) if usage else 0,
        "length" if choice.finish_reason == "length" else "stop",
    )
