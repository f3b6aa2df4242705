"""Language models in this process, by vLLM: for GPUs, or a processor that it is built for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from vllm import LLM, SamplingParams
from vllm.sampling_params import StructuredOutputsParams

from kgdb.errors import ModelError
from kgdb.language.language_model import Completion, CompletionRequest
from kgdb.language.local.prompt_tokens import Choices, Tokens, too_long
from kgdb.wording import short


@dataclass(frozen=True, slots=True)
class _Request:
    """What vLLM is given: one for each reply that is written, one for each choice."""

    tokens: list[int]
    params: SamplingParams


@dataclass(frozen=True, slots=True)
class _Asked:
    """An ask as its requests."""

    request: CompletionRequest
    requests: list[_Request]
    choices: Choices | None = None

    def completion(self, outputs: Sequence[Any]) -> Completion:
        """What the outputs of its requests come to."""
        if self.choices:
            given = zip(outputs, self.choices.rests, strict=True)
            scores = tuple(_log_probability(output, rest) for output, rest in given)
            return self.choices.chosen(self.request, scores)
        (output,) = outputs
        reply = output.outputs[0]
        constrained = self.request.schema is not None or self.request.grammar is not None
        return Completion(
            reply.text if constrained else reply.text.strip(),
            len(self.requests[0].tokens),
            len(reply.token_ids),
            finish="length" if reply.finish_reason == "length" else "stop",
        )


class VllmModel:
    """A causal language model, run by vLLM, which makes the batches by itself.

    Choices are scored by their exact log-probabilities. Schemas and grammars are kept by the same
    library (llguidance) that
    :class:`~kgdb.language.local.transformers_model.TransformersModel` uses; but a reply
    that ``max_tokens`` cuts off is left as it is. The engine serves one thread at a time.
    """

    def __init__(self, name: str, path: str, dtype: str | None = None) -> None:
        self.name = name
        self._lock = Lock()
        self._llm = LLM(
            model=path,
            seed=0,
            dtype=dtype or "auto",
            structured_outputs_config={"backend": "guidance", "disable_any_whitespace": True},
        )
        self._tokens = Tokens(self._llm.get_tokenizer())

    @property
    def context(self) -> int:
        """What the engine was started with."""
        return int(self._llm.llm_engine.model_config.max_model_len)

    @property
    def parameters(self) -> int | None:
        """VLLM does not tell."""
        return None

    @property
    def supports_grammar(self) -> bool:
        """Always."""
        return True

    def count(self, texts: Sequence[str]) -> list[int]:
        """As the model's own tokenizer counts."""
        with self._lock:
            return self._tokens.count(texts)

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        """All as one batch; where vLLM refuses that, each alone."""
        with self._lock:
            return self._completed(requests)

    def _completed(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        asked = [self._asked(request) for request in requests]
        good = [each for each in asked if isinstance(each, _Asked)]
        completions = iter(self._completions(good))
        return [next(completions) if isinstance(a, _Asked) else a for a in asked]

    def _completions(self, asked: Sequence[_Asked]) -> Sequence[Completion | ModelError]:
        requests = [request for each in asked for request in each.requests]
        if not requests:
            return []
        try:
            outputs = iter(
                self._llm.generate(
                    [{"prompt_token_ids": request.tokens} for request in requests],
                    [request.params for request in requests],
                    use_tqdm=False,
                )
            )
        except (ValueError, TypeError) as error:
            # So vLLM tells of a request that it cannot serve, such as a schema it does not know.
            if len(asked) == 1:
                return [ModelError(f"The model {short(self.name)} refused an ask: {error}")]
            return [completion for each in asked for completion in self._completions([each])]
        return [each.completion([next(outputs) for _ in each.requests]) for each in asked]

    def _asked(self, request: CompletionRequest) -> _Asked | ModelError:
        if request.choices:
            choices = self._tokens.choices(request)
            scored = SamplingParams(temperature=0.0, max_tokens=1, prompt_logprobs=1)
            requests = [_Request(choices.shared + rest, scored) for rest in choices.rests]
            # One token has to be written, though nothing is done with it.
            error = self._too_long(max(len(request.tokens) for request in requests), 1)
            return error or _Asked(request, requests, choices)
        tokens = self._tokens.prompt(request)
        params = SamplingParams(
            temperature=0.0,
            max_tokens=request.max_tokens,
            stop=list(request.stop) or None,
            structured_outputs=_structured(request),
        )
        return self._too_long(len(tokens), request.max_tokens) or _Asked(
            request, [_Request(tokens, params)]
        )

    def _too_long(self, prompt: int, reply: int) -> ModelError | None:
        if prompt + reply <= self.context:
            return None
        return too_long(self.name, prompt, reply, self.context)


def _structured(request: CompletionRequest) -> StructuredOutputsParams | None:
    if request.schema is not None:
        return StructuredOutputsParams(json=json.dumps(request.schema))
    if request.grammar is not None:
        return StructuredOutputsParams(grammar=request.grammar)
    return None


def _log_probability(output: Any, rest: Sequence[int]) -> float:
    """That of the last tokens of a prompt, in nats."""
    told = output.prompt_logprobs[len(output.prompt_logprobs) - len(rest) :]
    return float(sum(at[token].logprob for at, token in zip(told, rest, strict=True)))
