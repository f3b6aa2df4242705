"""Language models in this process, by the transformers library."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from kgdb.errors import ModelError
from kgdb.language.language_model import Completion, CompletionRequest
from kgdb.language.local.batch_memory import Memory
from kgdb.language.local.choice_scoring import log_probabilities
from kgdb.language.local.constraints import Constraints
from kgdb.language.local.generation import GreedyGenerator, Reply
from kgdb.language.local.model_weights import Weights
from kgdb.language.local.prompt_tokens import Tokens, too_long

_UNTOLD_CONTEXT = 2048
"""Of models without positions (ALiBi) that do not tell what they were trained for."""


class TransformersModel:
    """A causal language model.

    It scores choices by their exact log-probabilities, writes text greedily, and holds it to a
    schema or grammar token by token. In float32 a reply is the same in any batch; with the few
    digits of bfloat16 two tokens that are nearly equally likely may change places. It works for one
    thread at a time: its tokenizer cannot do otherwise, and all the processors work for each.
    """

    def __init__(self, name: str, weights: Weights) -> None:
        self.name = name
        self._lock = Lock()
        self._model = weights.model
        self._config = weights.model.config.get_text_config()
        self._tokens = Tokens(weights.tokenizer)
        ends = _ends(weights.model.generation_config.eos_token_id, weights.tokenizer.eos_token_id)
        self._memory = Memory(self._model)
        self._writer = GreedyGenerator(self._model, self._tokens, ends, self._memory)
        self._constraints = Constraints(weights.tokenizer, self._config.vocab_size, ends)

    @property
    def context(self) -> int:
        """What the model was trained for."""
        for field in ("max_position_embeddings", "seq_length"):
            if (length := getattr(self._config, field, None)) is not None:
                return int(length)
        return _UNTOLD_CONTEXT

    @property
    def supports_grammar(self) -> bool:
        """Always."""
        return True

    @property
    def parameters(self) -> int:
        """Of the model and its adapter."""
        return sum(weights.numel() for weights in self._model.parameters())

    def count(self, texts: Sequence[str]) -> list[int]:
        """As the model's own tokenizer counts."""
        with self._lock:
            return self._tokens.count(texts)

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        """Of choices the one of the highest log-probability, the first of equal ones.

        Text is written greedily, that of all asks together. A reply with a schema or grammar keeps
        it even where ``max_tokens`` cuts it off: it ends where it last kept it, or else is brought
        to its end with a few tokens more. What cannot be ended so is an error.
        """
        with self._lock:
            return self._completed(requests)

    def _completed(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        results: list[Completion | ModelError | Reply] = []
        for request in requests:
            try:
                results.append(self._choose(request) if request.choices else self._reply(request))
            except ModelError as error:
                results.append(error)
        self._writer.write([result for result in results if isinstance(result, Reply)])
        return [
            result.completion(self._tokens) if isinstance(result, Reply) else result
            for result in results
        ]

    def _reply(self, request: CompletionRequest) -> Reply:
        prompt = self._tokens.prompt(request)
        free = self._check(len(prompt), request.max_tokens)
        constrained = request.schema is not None or request.grammar is not None
        constraint = self._constraints.of(request) if constrained else None
        return Reply(request, prompt, self._writer.room(request, free), constraint)

    def _choose(self, request: CompletionRequest) -> Completion:
        choices = self._tokens.choices(request)
        self._check(len(choices.shared), max(map(len, choices.rests)))
        scores = log_probabilities(self._model, self._memory, choices)
        return choices.chosen(request, scores)

    def _check(self, prompt: int, reply: int) -> int:
        """The tokens that the context has for the reply. Raises :class:`ModelError`."""
        free = self.context - prompt
        if free < reply:
            raise too_long(self.name, prompt, reply, self.context)
        return free


def _ends(*told: int | Sequence[int] | None) -> frozenset[int]:
    """The tokens that end a reply, as the model and its tokenizer tell them: none, one or many."""
    ends: set[int] = set()
    for token in told:
        if isinstance(token, int):
            ends.add(token)
        elif token is not None:
            ends.update(token)
    return frozenset(ends)
