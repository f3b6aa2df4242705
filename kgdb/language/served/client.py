"""Single requests to an OpenAI-compatible server, and its failures in words."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from threading import Lock
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

import openai

from kgdb.errors import ModelError, ModelUnavailable, UsageError
from kgdb.language.served.retries import Deadline, retried, watched
from kgdb.language.served.server_info import LLMServer, look_at
from kgdb.language.text.replies import without_thoughts
from kgdb.settings import without_login
from kgdb.wording import counted, listed, plural, short

_CONNECTING = 10.0

_LOOKING = 5.0
"""Seconds for finding out whether there is a server at all."""

_CHECK_URL = "Check the URL after @; most end in /v1."

_TEMPLATE = "chat_template_kwargs"
_UNTHINKING = {_TEMPLATE: {"enable_thinking": False}}
"""Models that think aloud first would spend the whole reply on it."""

_ALIKE = {"temperature": 0, "seed": 0}
"""The same request gets the same reply, as far as a server can promise that."""

_INSTEAD = {
    "temperature": None,
    "seed": None,
    "max_tokens": "max_completion_tokens",
    _TEMPLATE: None,
}
"""Parameters that some models refuse, and what they take in their place."""

_TEMPLATE_REFUSED = re.compile(r"chat_template|enable_thinking")
"""How servers refuse the one that is not of OpenAI's protocol: they do not name it as others."""

_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size"
    r"|(?:maximum|model's|available) (?:context|model) (?:length|size|window)",
    re.IGNORECASE,
)
"""How OpenAI, llama.cpp, vLLM and SGLang say that a prompt and its reply do not fit."""

_SURROGATE = re.compile("[\ud800-\udfff]")

_R = TypeVar("_R")

Message = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server said, and what it counted.

    ``requests`` is how many it took; ``thinking`` that the last was cut off before the model had
    thought enough to reply.
    """

    text: str
    tokens_in: int
    tokens_out: int
    finish: Literal["stop", "length"] = "stop"
    scores: tuple[float, ...] | None = None
    requests: int = 1
    thinking: bool = False


class Refused(ModelError):
    """The server refuses this request: trying again would not help, asking otherwise may."""


class LLMClient:
    """One model at one server; thread-safe.

    ``timeout`` is how many seconds one request may take, with all tries. Every failure is a
    :class:`ModelError` that tells what to do, and :class:`Refused` where the server does not take
    the request as it is. Raises :class:`UsageError` for a ``base_url`` that is none.
    """

    def __init__(self, model: str, base_url: str | None, timeout: float) -> None:
        self._model = model
        self._timeout = timeout
        self._refused: frozenset[str] = frozenset()
        self._server: LLMServer | None = None
        self._lock = Lock()
        http = openai.DefaultHttpxClient(event_hooks={"response": [watched]})
        address = base_url or os.environ.get("OPENAI_BASE_URL")
        try:
            self._client = openai.OpenAI(
                base_url=address and _with_host(address),
                # Servers of one's own take any key, but the client insists on one.
                api_key=os.environ.get("OPENAI_API_KEY") or ("none" if base_url else None),
                max_retries=0,
                http_client=http,
            )
        except openai.OpenAIError as error:
            raise ModelError(
                f"The model openai:{model} cannot be called: {error}",
                hint="Set OPENAI_API_KEY, or name your own server: openai:MODEL@URL",
            ) from error
        except Exception as error:
            if not address:
                raise
            # What it raises for a URL is an error of its library for HTTP, which is another one in
            # each version.
            origin = f"the address of openai:{model}" if base_url else "OPENAI_BASE_URL"
            raise UsageError(
                f"{short(without_login(address))}, {origin}, is no URL; expected one such as "
                "http://localhost:8000/v1.",
                hint="Check the host, the port (a number) and the / before v1.",
            ) from error
        self.url = without_login(str(self._client.base_url))

    @property
    def server(self) -> LLMServer:
        """What the server is: asked once, and again as long as it is down."""
        with self._lock:
            if self._server is None:
                with suppress(openai.APITimeoutError), Deadline(self._timeout):
                    self._server = look_at(self._client, self._model)
            return self._server or LLMServer()

    def chat(self, messages: Sequence[Message], max_tokens: int, **given: Any) -> Reply:
        """What the model replies to the messages."""

        def create(**parameters: Any) -> Any:
            typed: Any = messages
            return self._client.chat.completions.create(messages=typed, **parameters)

        def read(reply: Any) -> Reply:
            (choice, *_) = reply.choices
            return _chatted(choice, reply)

        unthinking = _UNTHINKING if self._has_templates else {}
        return self._asked(create, read, _ALIKE | {"max_tokens": max_tokens} | unthinking | given)

    def continued(self, text: str, max_tokens: int, **given: Any) -> Reply:
        """How the model goes on with a text."""

        def create(**parameters: Any) -> Any:
            return self._client.completions.create(prompt=text, **parameters)

        def read(reply: Any) -> Reply:
            (choice, *_) = reply.choices
            return _reply(choice.text or "", choice, reply)

        return self._asked(create, read, _ALIKE | {"max_tokens": max_tokens} | given)

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
                raise ValueError(
                    f"{counted(len(scores), 'score')} for "
                    f"{counted(len(continuations), 'continuation')}"
                )
            best = max(range(len(scores)), key=lambda i: (scores[i], -i))
            read = _reply(continuations[best], choices[0], reply)
            return Reply(read.text, read.tokens_in, read.tokens_out, "stop", scores)

        return self._asked(create, read, _ALIKE | {"max_tokens": 1, "logprobs": 1})

    def embeddings(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors of the texts, in their order, as the model gives them."""

        def create(**parameters: Any) -> Any:
            given = [encodable(text) for text in texts]
            return self._client.embeddings.create(
                input=given, encoding_format="float", **parameters
            )

        def read(reply: Any) -> list[list[float]]:
            vectors = {int(each.index): list(each.embedding) for each in reply.data}
            return [vectors[number] for number in range(len(texts))]

        return self._asked(create, read, {})

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
                hint=_CHECK_URL,
            ) from error

    @property
    def _has_templates(self) -> bool:
        """Whether the server, as far as it is known, lets chat templates be told something.

        Of those that are not known by name, SGLang does, and it tells the context as vLLM does.
        """
        server = self._server
        return server is not None and (server.kind != "other" or server.context is not None)

    def _sent(self, create: Callable[..., Any], given: Mapping[str, Any], seconds: float) -> Any:
        """One request, without the parameters that this model has refused before."""
        until = time.monotonic() + seconds
        refused = self._refused
        while True:
            parameters = _without(given, refused)
            left = max(0.001, until - time.monotonic())
            limit = openai.Timeout(left, connect=min(_CONNECTING, left))
            try:
                with Deadline(left):
                    reply = create(model=self._model, timeout=limit, **parameters)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                refusing = _refused_by(error) & given.keys()
                if refusing <= refused:
                    raise
                refused |= refusing
            else:
                # Where it is refused without them too, they were not the reason.
                self._refused |= refused
                return reply

    def _failure(self, error: openai.OpenAIError) -> ModelError:
        """What went wrong, and what to do about it."""
        who = f"The model {short(self._model)} at {self.url}"
        why = encodable(" ".join(str(error).split())[:400])
        match error:
            case openai.APITimeoutError():
                return ModelUnavailable(
                    f"{who} did not reply within {self._timeout:g} "
                    f"{plural(self._timeout, 'second')}.",
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
        if error.status_code == 404 and not served and not self._lists_models():
            return Refused(f"{who} was not found: {why}", hint=_CHECK_URL)
        has = f" The server has: {listed(served)}." if served else ""
        return Refused(
            f"{who} refused the request: {why}",
            hint=f"Check the name of the model, before @.{has} If a prompt is too long for "
            "the model, tell how much it reads: KGDB_LLM_CONTEXT.",
        )

    def _lists_models(self) -> bool:
        """Whether there is a place at the address where a server would list its models."""
        client = self._client.with_options(timeout=_LOOKING, max_retries=0)
        try:
            with Deadline(_LOOKING):
                client.get("models", cast_to=object)
        except openai.NotFoundError:
            return False
        except (openai.OpenAIError, ValueError, TypeError):
            pass  # whatever it has there, it is there
        return True


def encodable(text: str) -> str:
    """The text with U+FFFD for lone surrogates: JSON may have them, and no encoding takes them."""
    return _SURROGATE.sub("\ufffd", text)


def _with_host(url: str) -> str:
    """The URL. Raises :class:`ValueError` where it has no host, or a port that is none."""
    parts = urlsplit(url)
    if not parts.hostname or parts.port == 0:
        raise ValueError("no host, or port 0")
    return url


def _without(given: Mapping[str, Any], refused: frozenset[str]) -> dict[str, Any]:
    """The parameters of a request as the client takes them, but for those that were refused."""
    parameters = dict(given)
    for name in refused & parameters.keys():
        value = parameters.pop(name)
        if instead := _INSTEAD[name]:
            parameters[instead] = value
    if _TEMPLATE in parameters:
        template = {_TEMPLATE: parameters.pop(_TEMPLATE)}
        parameters["extra_body"] = template | parameters.get("extra_body", {})
    return parameters


def _refused_by(error: openai.APIStatusError) -> frozenset[str]:
    """The parameter that a request was refused for; none where it cannot be left out."""
    if error.param in _INSTEAD:
        return frozenset({error.param})
    return frozenset({_TEMPLATE} if _TEMPLATE_REFUSED.search(str(error)) else ())


def _chatted(choice: Any, reply: Any) -> Reply:
    """What a chat model replied, without what it thought before."""
    message = choice.message
    content = message.content or ""
    counted = _reply((without_thoughts(content) or "").strip(), choice, reply)
    # Servers that tell thoughts from replies give them in a field that has two names.
    thoughts = getattr(message, "reasoning_content", None) or getattr(message, "reasoning", None)
    begun = bool(thoughts) or ("<think>" in content and "</think>" not in content)
    return replace(counted, thinking=begun and not counted.text and counted.finish == "length")


def _reply(text: str, choice: Any, reply: Any) -> Reply:
    usage = reply.usage
    return Reply(
        encodable(text),
        (usage.prompt_tokens or 0) if usage else 0,
        (usage.completion_tokens or 0) if usage else 0,
        "length" if choice.finish_reason == "length" else "stop",
    )
