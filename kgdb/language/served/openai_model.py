"""Language models behind an OpenAI-compatible server: vLLM, llama.cpp, Ollama, a hosted one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Lock
from typing import Any, Literal

from kgdb.errors import ModelError
from kgdb.language.language_model import Completion, CompletionRequest
from kgdb.language.served.client import LLMClient, Refused, Reply, encodable
from kgdb.language.served.control_tokens import SanitizedRequest, broken
from kgdb.language.served.lenient_json import check_schema, choice_of, json_of
from kgdb.language.served.server_info import LLMServer
from kgdb.language.text.prompt_fit import tokens_at_most
from kgdb.language.text.prompts import language_of, prompt
from kgdb.progress import Message, Report, silent
from kgdb.wording import counted, short

_PARALLEL = 16
_DEFAULT_CONTEXT = 4096
_SHOWN = 200  # characters of a reply of no use

Way = Literal["scores", "constraint", "schema", "hint", "completions", "words"]

_LACKS: Mapping[Way, str] = {
    "scores": "does not tell how likely a text is",
    "constraint": "does not keep replies to the choices given",
    "schema": "does not keep replies to a JSON schema",
    "hint": "does not take a JSON schema that contains itself",
    "completions": "does not continue texts",
}
"""What a server may turn out not to do."""


class _Unfit(Exception):
    """A reply that is not in the form asked for, or that the model did not come to."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.text)
        self.reply = reply


class OpenAIModel:
    """A model that a server has, kept to choices, schemas and grammars where the server can.

    vLLM keeps to all of them, and tells how likely each choice is after a text. Other servers
    are asked by JSON schema, and those that refuse or ignore it are asked in words: what a server
    turns out not to do is said once, and not tried again. A reply that cannot be brought into the
    form asked for is an error, never a guess, and so is one that was cut off while the model was
    still thinking. What looks like a control token in a prompt, a choice or a schema is broken
    before it is sent: it comes out of a graph.

    ``timeout`` is how many seconds one request may take, with all tries; ``context`` is how many
    tokens the model reads, where the server does not tell.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None,
        *,
        timeout: float = 120,
        context: int | None = None,
        report: Report = silent,
    ) -> None:
        self.name = model
        self._client = LLMClient(model, base_url, timeout)
        self._context = context
        self._report = report
        self._missing: set[Way] = set()
        self._lock = Lock()

    @property
    def address(self) -> str:
        """Where the server is; another may have other weights under the same name."""
        return self._client.url

    @property
    def context(self) -> int:
        """As it was given, else as the server tells it, else what small ones are started with."""
        return self._context or self._client.server.context or _DEFAULT_CONTEXT

    @property
    def parameters(self) -> int | None:
        """No server tells."""
        return None

    @property
    def supports_grammar(self) -> bool:
        """Whether the server is a vLLM; one that is down is none, and each ask then says so."""
        return self._client.server.kind == "vllm"

    def count(self, texts: Sequence[str]) -> list[int]:
        """An upper estimate: servers do not tell how their tokenizers split a text."""
        return [tokens_at_most(broken(text)) for text in texts]

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        """Several at a time; each is tried again by itself where its failure may pass."""
        if not requests:
            return []
        server = self._client.server

        def answered(request: CompletionRequest) -> Completion | ModelError:
            return self._answered(request, server)

        with ThreadPoolExecutor(min(_PARALLEL, len(requests))) as pool:
            return list(pool.map(answered, requests))

    def _answered(self, request: CompletionRequest, server: LLMServer) -> Completion | ModelError:
        sanitized = SanitizedRequest.of(request)
        try:
            outcome = self._completed(sanitized.request, server)
        except ModelError as error:
            return error
        if isinstance(outcome, ModelError):
            return outcome
        reply = sanitized.restored(outcome)
        return replace(reply, text=encodable(reply.text))

    def _completed(self, request: CompletionRequest, server: LLMServer) -> Completion | ModelError:
        """The reply by the first way that works; the ways before it that did not are forgotten."""
        refused: list[Way] = []
        wasted: list[Reply] = []
        failure: ModelError | None = None
        for way, run in self._ways(request, server):
            try:
                reply = run(request)
            except Refused as error:
                refused.append(way)
                failure = error
                continue
            except _Unfit as unfit:
                wasted.append(unfit.reply)
                failure = _unfit(request, unfit.reply)
                if unfit.reply.thinking:
                    break  # It would think again, however it is asked.
                if not _is_cut_json(unfit.reply):
                    self._forget(way)
                continue
            except ModelError as error:
                return _after(wasted, error)
            # It may have been the request as such that was refused, not the way of asking.
            for lacking in refused:
                self._forget(lacking)
            whole = _joined([*wasted, reply])
            return Completion(
                whole.text,
                whole.tokens_in,
                whole.tokens_out,
                whole.scores,
                whole.finish,
                requests=whole.requests,
            )
        assert failure is not None  # noqa: S101
        return _after(wasted, failure)

    def _forget(self, way: Way) -> None:
        """Not ask that way again: the server does not do it."""
        with self._lock:
            if way in self._missing or way not in _LACKS:
                return
            self._missing.add(way)
        self._report(Message(f"The server at {self._client.url} {_LACKS[way]}; asking otherwise."))

    def _ways(
        self, request: CompletionRequest, server: LLMServer
    ) -> Iterator[tuple[Way, Callable[[CompletionRequest], Reply]]]:
        """How an ask may be put to the server, the best way first."""
        is_vllm = server.kind == "vllm"
        if request.grammar is not None and not is_vllm:
            raise ModelError(
                f"The server at {self._client.url} cannot keep a reply to a grammar.",
                hint="A vLLM server can, and so can a model in this process: --llm hf:NAME",
            )
        ways: list[tuple[Way, Callable[[CompletionRequest], Reply]]]
        if request.grammar is not None:
            ways = [("words", self._by_grammar)]
        elif request.choices:
            ways = [("schema", self._choice_by_schema), ("words", self._choice_in_words)]
            if is_vllm:
                ways.insert(0, ("constraint", self._choice_by_constraint))
            if is_vllm and request.continues:
                ways.insert(0, ("scores", self._choice_by_scores))
        elif request.schema is not None:
            check_schema(request.schema)
            ways = [("schema", self._json_by_schema), ("words", self._json_in_words)]
            if request.best_effort:
                ways = [("hint", self._by_hint), ("words", self._written)]
        elif request.continues:
            ways = [("completions", self._continued), ("words", self._continued_in_words)]
        else:
            ways = [("words", self._written)]
        return ((way, run) for way, run in ways if way not in self._missing)

    def _choice_by_scores(self, request: CompletionRequest) -> Reply:
        """The choice that is the likeliest after the prompt."""
        # The space belongs to the first word of a choice, as it would in running text.
        scored = self._client.likelihoods(
            request.prompt, [f" {choice}" for choice in request.choices]
        )
        return replace(scored, text=scored.text[1:])

    def _choice_by_constraint(self, request: CompletionRequest) -> Reply:
        constraint = self._client.server.constraint("choice", list(request.choices))
        reply = self._chat(_choosing(request), _room(request), extra_body=constraint)
        return _as_choice(reply, request)

    def _choice_by_schema(self, request: CompletionRequest) -> Reply:
        schema = _object({"choice": {"type": "string", "enum": list(request.choices)}})
        reply = self._chat(
            _in_json(request, _choosing(request), schema),
            _room(request),
            response_format=_format(schema),
        )
        return _as_choice(reply, request)

    def _choice_in_words(self, request: CompletionRequest) -> Reply:
        return self._insisting(request, _choosing(request), _room(request), _as_choice)

    def _json_by_schema(self, request: CompletionRequest) -> Reply:
        assert request.schema is not None  # noqa: S101
        reply = self._chat(
            request.prompt, request.max_tokens, response_format=_format(request.schema)
        )
        return _as_json(reply, request)

    def _by_hint(self, request: CompletionRequest) -> Reply:
        """Asked by the schema; the reply is as it comes."""
        assert request.schema is not None  # noqa: S101
        shape = _format(request.schema, strict=False)
        return self._chat(request.prompt, request.max_tokens, response_format=shape)

    def _json_in_words(self, request: CompletionRequest) -> Reply:
        assert request.schema is not None  # noqa: S101
        text = _in_json(request, request.prompt, request.schema)
        return self._insisting(request, text, request.max_tokens, _as_json)

    def _by_grammar(self, request: CompletionRequest) -> Reply:
        constraint = self._client.server.constraint("grammar", request.grammar)
        return self._chat(request.prompt, request.max_tokens, extra_body=constraint)

    def _continued(self, request: CompletionRequest) -> Reply:
        return _until(
            request, self._client.continued(request.prompt, request.max_tokens, **_stops(request))
        )

    def _continued_in_words(self, request: CompletionRequest) -> Reply:
        text = prompt("served_continue", language_of(request.prompt), prompt=request.prompt)
        return _until(request, self._chat(text, request.max_tokens, **_stops(request)))

    def _written(self, request: CompletionRequest) -> Reply:
        return _until(request, self._chat(request.prompt, request.max_tokens, **_stops(request)))

    def _insisting(
        self,
        request: CompletionRequest,
        text: str,
        max_tokens: int,
        read: Callable[[Reply, CompletionRequest], Reply],
    ) -> Reply:
        """Asked in words alone; a reply in another form is turned back once."""
        first = self._chat(text, max_tokens)
        try:
            return read(first, request)
        except _Unfit:
            turned_back = [
                {"role": "user", "content": text},
                {"role": "assistant", "content": broken(first.text) or "…"},
                {"role": "user", "content": prompt("served_again", language_of(request.prompt))},
            ]
        try:
            again = self._client.chat(turned_back, max_tokens)
        except ModelError as error:
            raise _after([first], error) from error.__cause__
        return read(_thought(_joined([first, again])), request)

    def _chat(self, text: str, max_tokens: int, **given: Any) -> Reply:
        messages = [{"role": "user", "content": text}]
        return _thought(self._client.chat(messages, max_tokens, **given))


def _choosing(request: CompletionRequest) -> str:
    """The prompt with the choices under it."""
    listed = "\n".join(f"- {choice}" for choice in request.choices)
    language = language_of(request.prompt)
    if request.continues:
        return prompt("served_next", language, prompt=request.prompt, choices=listed)
    return prompt("served_choices", language, prompt=request.prompt, choices=listed)


def _in_json(request: CompletionRequest, text: str, schema: Mapping[str, Any]) -> str:
    written = json.dumps(schema, ensure_ascii=False)
    return prompt("served_json", language_of(request.prompt), prompt=text, schema=written)


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _format(schema: Mapping[str, Any], *, strict: bool = True) -> dict[str, Any]:
    """A JSON schema as servers take it; OpenAI's own refuses many ``strict`` ones."""
    described = {"name": "reply", "schema": schema, "strict": strict}
    return {"type": "json_schema", "json_schema": described}


def _stops(request: CompletionRequest) -> dict[str, Any]:
    return {"stop": list(request.stop)} if request.stop else {}


def _room(request: CompletionRequest) -> int:
    """Tokens for any of the choices, written as JSON: a token has a byte at least."""
    return max(request.max_tokens, 20 + max(len(choice.encode()) for choice in request.choices))


def _thought(reply: Reply) -> Reply:
    """A reply that the model came to."""
    if reply.thinking:
        raise _Unfit(reply)
    return reply


def _as_choice(reply: Reply, request: CompletionRequest) -> Reply:
    choice = choice_of(reply.text, request.choices)
    if choice is None:
        raise _Unfit(reply)
    return replace(reply, text=choice, finish="stop")


def _as_json(reply: Reply, request: CompletionRequest) -> Reply:
    """The JSON of a reply alone; one that was cut off stays as it is."""
    value = json_of(reply.text, request.schema or {})
    if value is not None:
        return replace(reply, text=json.dumps(value, ensure_ascii=False), finish="stop")
    if _is_cut_json(reply):
        return reply
    raise _Unfit(reply)


def _is_cut_json(reply: Reply) -> bool:
    """Whether it may have been on its way to the form asked for; nothing yet may, too."""
    return reply.finish == "length" and reply.text[:1] in ("", "{", "[", "`")


def _until(request: CompletionRequest, reply: Reply) -> Reply:
    """What was written up to the first of the texts to stop at, which some servers do not."""
    text = reply.text
    for stop in request.stop:
        text = text.partition(stop)[0]
    return replace(reply, text=text.strip())


def _joined(replies: Sequence[Reply]) -> Reply:
    """The last of several replies, charged with all of them."""
    return replace(
        replies[-1],
        tokens_in=sum(reply.tokens_in for reply in replies),
        tokens_out=sum(reply.tokens_out for reply in replies),
        requests=sum(reply.requests for reply in replies),
    )


def _after(replies: Sequence[Reply], error: ModelError) -> ModelError:
    """An error, charged with the replies before it, which were of no use."""
    if not replies:
        return error
    spent = _joined(replies)
    error.tokens_in += spent.tokens_in
    error.tokens_out += spent.tokens_out
    error.requests += spent.requests
    return error


def _unfit(request: CompletionRequest, reply: Reply) -> ModelError:
    if reply.thinking:
        return ModelError(
            "The model was still thinking when its reply was cut off after "
            f"{counted(reply.tokens_out, 'token')}.",
            hint="vLLM, SGLang and llama.cpp are told to have it reply at once. If it thinks all "
            "the same, turn that off where it is served, or use a model that does not.",
        )
    choices = counted(len(request.choices), "choice")
    wanted = f"one of {choices}" if request.choices else "JSON of a given form"
    cut = (
        f", cut off after {counted(reply.tokens_out, 'token')}" if reply.finish == "length" else ""
    )
    return ModelError(
        f"The model was asked for {wanted} and replied {short(reply.text, _SHOWN)}{cut}.",
        hint="Use a server that keeps replies to JSON schemas (vLLM, llama.cpp and Ollama do), "
        "or a larger model.",
    )
