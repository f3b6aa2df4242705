"""The models of one question: what many questions ask of them at one time is one batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from kgdb.errors import ModelError
from kgdb.graph import RelationVectors
from kgdb.language import Completion, CompletionRequest, LanguageModel, cosines, fit
from kgdb.methods.context.batching import BatchedCall, Charge, split_like
from kgdb.methods.context.expert import Expert
from kgdb.methods.context.resources import Resources
from kgdb.values import Step, Usage
from kgdb.wording import in_units, plural

_T = TypeVar("_T")

_SMALL = 1_000_000_000
"""Models with fewer parameters choose, and neither read nor write. SmolLM2 (135 million) cannot
list names from evidence reliably but ranks phrases well; others were not measured."""


class BatchedLLM:
    """The language model, or none: see :attr:`available`."""

    def __init__(self, resources: Resources, charge: Charge, note: Callable[[str], None]) -> None:
        self._llm = resources.llm
        self._prices = resources.prices or (0.0, 0.0)
        self._charge = charge
        self._note = note

    @property
    def available(self) -> bool:
        """Whether there is a language model."""
        return self._llm is not None

    @property
    def name(self) -> str | None:
        """The model, as a person would cite it."""
        return self._llm.name if self._llm else None

    @property
    def supports_grammar(self) -> bool:
        """Whether there is one, and a reply of it can be held to a grammar."""
        return self._llm is not None and self._llm.supports_grammar

    @property
    def is_small(self) -> bool:
        """Whether it is known to have too few parameters for more than choosing."""
        parameters = self._llm.parameters if self._llm else None
        return parameters is not None and parameters < _SMALL

    async def complete(self, request: CompletionRequest) -> Completion:
        """The reply to one request. Raises :class:`ModelError`."""
        (completion,) = await self.completions([request])
        return completion

    async def completions(self, requests: Sequence[CompletionRequest]) -> list[Completion]:
        """The reply to each request. Raises the first :class:`ModelError` of them."""
        llm = self._present()

        def run(
            batch: Sequence[Sequence[CompletionRequest]],
        ) -> list[list[Completion | ModelError]]:
            return split_like(llm.complete([one for each in batch for one in each]), batch)

        replies = await BatchedCall(("complete", id(llm)), requests, run, self._charge)
        for reply in replies:
            # What did not reply is no call; what replied with nothing of use is.
            if not isinstance(reply, ModelError) or reply.requests:
                self._charge(self._usage(reply))
        errors = [reply for reply in replies if isinstance(reply, ModelError)]
        if errors:
            raise errors[0]
        return [reply for reply in replies if not isinstance(reply, ModelError)]

    def fit(
        self,
        pieces: Sequence[_T],
        to_prompt: Callable[[Sequence[_T]], str],
        max_tokens: int,
        what: str = "pieces of evidence",
        at_least: int = 1,
    ) -> int:
        """How many of ``pieces`` (best first) the model can read beside its reply.

        A note says how many ``what`` were left out. Raises :class:`ModelError` where not even
        ``at_least``, 0 or 1, fit.
        """
        llm = self._present()
        total, kept = len(pieces), fit(llm, pieces, to_prompt, max_tokens, at_least)
        if kept < total:
            self._note(
                f"{total - kept:,} of {in_units(total, what)} "
                f"{plural(total - kept, 'was', 'were')} left out: the context of {llm.name} "
                "holds no more."
            )
        return kept

    def _present(self) -> LanguageModel:
        if self._llm is None:
            raise ModelError("There is no language model to ask.", hint="Name one: --llm smollm2")
        return self._llm

    def _usage(self, reply: Completion | ModelError) -> Usage:
        """One call; what comes from the cache costs nothing."""
        cached = isinstance(reply, Completion) and reply.cached
        price_in, price_out = self._prices
        cost = 0.0 if cached else reply.tokens_in * price_in + reply.tokens_out * price_out
        return Usage(
            1,
            int(cached),
            reply.tokens_in,
            reply.tokens_out,
            cost / 1_000_000,
            requests=reply.requests,
        )


class BatchedEncoder:
    """The encoder, and the experts that judge pairs of texts."""

    def __init__(self, resources: Resources, charge: Charge) -> None:
        self._resources = resources
        self._charge = charge

    @property
    def name(self) -> str:
        """The encoder, as a person would cite it."""
        return self._resources.encoder.name

    async def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of shape ``(len(texts), dimensions)``."""

        def run(batch: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
            vectors = self._resources.encoder.encode([text for texts in batch for text in texts])
            ends = np.cumsum([len(texts) for texts in batch])
            return np.split(vectors, ends[:-1])

        return await BatchedCall("encode", texts, run, self._charge)

    async def encode_chains(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same by the encoder of chains, which is another where one was trained for them."""
        encoder = self._resources.relation_encoder
        if encoder is None:
            return await self.encode(texts)

        def run(batch: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
            vectors = encoder.encode([text for texts in batch for text in texts])
            ends = np.cumsum([len(texts) for texts in batch])
            return np.split(vectors, ends[:-1])

        return await BatchedCall("encode chains", texts, run, self._charge)

    async def relation_vectors(self) -> tuple[tuple[Step, ...], NDArray[np.float32]]:
        """Every relation of the graph, along it and against it, and what each leads to.

        The vectors are unit vectors of texts such as *the director of it*, a row for each step:
        their product with the vector of a sub-query tells how well a step fits it.
        """

        def run(batch: Sequence[None]) -> list[RelationVectors]:
            return [self._resources.relation_vectors] * len(batch)

        vectors = await BatchedCall("relation_vectors", None, run, self._charge)
        return vectors.steps, vectors.matrix

    async def similarities(self, query: str, texts: Sequence[str]) -> list[float]:
        """How similar each text is to the query, from -1 to 1."""
        if not texts:
            return []

        def run(batch: Sequence[Sequence[tuple[str, str]]]) -> list[list[float]]:
            asked = [pair for each in batch for pair in each]
            return split_like(cosines(self._resources.encoder, asked), batch)

        pairs = [(query, text) for text in texts]
        return await BatchedCall("similarities", pairs, run, self._charge)

    async def expert_scores(self, expert: Expert, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """What an expert thinks of each pair of a query and a fact; see :class:`Expert`."""
        if not pairs:
            return []

        def run(batch: Sequence[Sequence[tuple[str, str]]]) -> list[list[float]]:
            return split_like(expert.scores([pair for each in batch for pair in each]), batch)

        return await BatchedCall(("expert", id(expert)), pairs, run, self._charge)
