"""What a method may ask for while it works on one question, and the record of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from kgdb.errors import ModelError
from kgdb.graph import Graph, RelationVectors
from kgdb.graph.linking import SAME_NAME
from kgdb.language import (
    Ask,
    Completion,
    Encoder,
    LanguageModel,
    Reranker,
    encode_relations,
    fit,
)
from kgdb.language.examples import Example, examples
from kgdb.language.prompts import language_of
from kgdb.lazy import lazy_property
from kgdb.methods.expert import Expert
from kgdb.methods.retrieving import STARTS_IN_PLAIN, Retrieving
from kgdb.methods.together import Call, apart
from kgdb.methods.tracing import StageRecord, Trace
from kgdb.values import Stage, Step, Usage
from kgdb.wording import counted, in_units, plural, short

_R = TypeVar("_R")
_G = TypeVar("_G")

Watch = Callable[[str, Stage], None]

_SHOWN = 3
"""Nodes without an id that are told."""


@dataclass(frozen=True)
class Tools:
    """What every question of a run shares. ``llm`` is ``None`` where there is no language model.

    ``home`` is the folder for what is worth keeping between runs, where there is one.
    ``prices`` is what a million tokens cost, those of prompts and those of replies;
    ``examples`` the folder of the user's own examples.
    """

    graph: Graph
    encoder: Encoder
    llm: LanguageModel | None
    reranker: Reranker
    watch: Watch | None = None
    home: Path | None = None
    prices: tuple[float, float] | None = None
    examples: Path | None = None

    @lazy_property
    def relation_vectors(self) -> RelationVectors:
        """As loading stored them, where it was by the same encoder; else made here, once."""
        stored = self.graph.relation_vectors(self.encoder.name)
        return stored or encode_relations(tuple(self.graph.relations.values()), self.encoder)


class Work(Retrieving):
    """One question on its way: whatever it asks for goes out with what others ask for.

    Whatever is asked for belongs to the stage that is open: its calls, tokens, time and round
    trips are charged to it.
    """

    def __init__(self, tools: Tools, question: str) -> None:
        self._trace = Trace()
        super().__init__(tools.graph, self._trace.charge)
        self.tools = tools
        self.question = question
        self._notes: list[str] = []

    @property
    def trace(self) -> tuple[Stage, ...]:
        """The stages that ended so far."""
        return self._trace.stages

    @contextmanager
    def stage(self, name: str) -> Iterator[StageRecord]:
        """A stage of the method; what it says is kept in the trace."""
        with self._trace.stage(name) as record:
            yield record
        if self.tools.watch:
            self.tools.watch(self.question, self._trace.stages[-1])

    @property
    def calls(self) -> int:
        """The prompts that the language model replied to for this question so far."""
        return self._trace.usage.calls

    @property
    def round_trips(self) -> int:
        """The round trips to the database that the question took part in so far."""
        return self._trace.usage.round_trips

    def leads_to_mediators(self, step: Step) -> bool:
        """Whether what the step arrives at only stands for a fact of several parts."""
        info = self.graph.relations.get(step.relation)
        return info is not None and info.leads_to_mediators(reverse=step.reverse)

    def note(self, text: str) -> None:
        """Keep something that the user should know of the answer."""
        if text not in self._notes:
            self._notes.append(text)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was noted, and what of the graph was left out on the way."""
        return (*self._notes, *self._left_out())

    def _left_out(self) -> Iterator[str]:
        for name in sorted(self.capped):
            yield (
                f"More than {SAME_NAME:,} entities are called {short(name)}: so many were taken, "
                "and the others left out."
            )
        if self.left_unfollowed:
            yield (
                f"Without the kgdb plugin only {STARTS_IN_PLAIN} of "
                f"{counted(self.left_unfollowed, 'entity', 'entities')} of one name were followed."
            )
        if self.without_id:
            number, shown = len(self.without_id), sorted(self.without_id)[:_SHOWN]
            nodes = f"{counted(number, 'node')} {plural(number, 'has', 'have')}"
            more = f" and {number - _SHOWN} more" if number > _SHOWN else ""
            yield (
                f"{nodes} no property {short(self.graph.info.id_property)}, by which entities of "
                f"this graph go, and {plural(number, 'was', 'were')} left out "
                f"({', '.join(shown)}{more})."
            )

    def fit(
        self,
        pieces: Sequence[_G],
        written: Callable[[Sequence[_G]], str],
        max_tokens: int,
        what: str = "pieces of evidence",
        least: int = 1,
    ) -> int:
        """How many of ``pieces`` (best first) the language model can read beside its reply.

        What is left out is told, as so many ``what``. Raises :class:`ModelError` where not even
        ``least``, 0 or 1, fit; there has to be a language model.
        """
        llm = self.tools.llm
        if llm is None:
            raise AssertionError("there is no language model to read anything")
        of, kept = len(pieces), fit(llm, pieces, written, max_tokens, least)
        if kept < of:
            self.note(
                f"{of - kept:,} of {in_units(of, what)} {plural(of - kept, 'was', 'were')} left "
                f"out: the context of {llm.name} holds no more."
            )
        return kept

    async def at_once(
        self, kind: str, given: _G, run: Callable[[Sequence[_G]], Sequence[_R]]
    ) -> _R:
        """What a method does for all questions of a batch at once, such as a search of its own.

        ``run`` takes what each question gives and returns a result for each; of one ``kind`` it
        must not differ between questions.
        """
        result: _R = await Call(("at once", kind), given, run, self.charge)
        return result

    def examples(self, task: str) -> tuple[Example, ...]:
        """What the prompt of a task may show: replies to questions over such a graph."""
        language = language_of(self.question)
        return examples(task, self.graph.name, language, self.tools.examples)

    async def complete(self, ask: Ask) -> Completion:
        """What the language model replies. Raises :class:`ModelError`."""
        (completion,) = await self.completions([ask])
        return completion

    async def completions(self, asks: Sequence[Ask]) -> list[Completion]:
        """What it replies to each. Raises the first :class:`ModelError` of them."""
        llm = self.tools.llm
        if llm is None:
            raise ModelError("There is no language model to ask.", hint="Name one: --llm smollm2")

        def run(given: Sequence[Sequence[Ask]]) -> list[list[Completion | ModelError]]:
            return apart(llm.complete([ask for asks in given for ask in asks]), given)

        replies = await Call("complete", asks, run, self.charge)
        for reply in replies:
            # What did not reply is no call; what replied with nothing of use is.
            if not isinstance(reply, ModelError) or reply.requests:
                self.charge(self._spent(reply))
        errors = [reply for reply in replies if isinstance(reply, ModelError)]
        if errors:
            raise errors[0]
        return [reply for reply in replies if not isinstance(reply, ModelError)]

    def _spent(self, reply: Completion | ModelError) -> Usage:
        """One call; what comes from the cache costs nothing."""
        cached = isinstance(reply, Completion) and reply.cached
        price_in, price_out = self.tools.prices or (0.0, 0.0)
        cost = 0.0 if cached else reply.tokens_in * price_in + reply.tokens_out * price_out
        return Usage(
            1,
            int(cached),
            reply.tokens_in,
            reply.tokens_out,
            cost / 1_000_000,
            requests=reply.requests,
        )

    async def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of shape ``(len(texts), dimensions)``."""

        def run(given: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
            vectors = self.tools.encoder.encode([text for texts in given for text in texts])
            ends = np.cumsum([len(texts) for texts in given])
            return np.split(vectors, ends[:-1])

        return await Call("encode", texts, run, self.charge)

    async def relation_vectors(self) -> tuple[tuple[Step, ...], NDArray[np.float32]]:
        """Every relation of the graph, along it and against it, and what each leads to.

        The vectors are unit vectors of texts such as *the director of it*, a row for each step:
        their product with the vector of a sub-query tells how well a step fits it.
        """

        def run(given: Sequence[None]) -> list[RelationVectors]:
            return [self.tools.relation_vectors] * len(given)

        vectors = await Call("relation_vectors", None, run, self.charge)
        return vectors.steps, vectors.matrix

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the query; higher is better."""
        if not texts:
            return []

        def run(given: Sequence[Sequence[tuple[str, str]]]) -> list[list[float]]:
            scores = self.tools.reranker.scores([pair for pairs in given for pair in pairs])
            return apart(scores, given)

        return await Call("rerank", [(query, text) for text in texts], run, self.charge)

    async def judged(self, expert: Expert, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """What an expert thinks of each pair of a query and a fact; see :class:`Expert`."""
        if not pairs:
            return []

        def run(given: Sequence[Sequence[tuple[str, str]]]) -> list[list[float]]:
            return apart(expert.scores([pair for pairs in given for pair in pairs]), given)

        return await Call(("judge", id(expert)), pairs, run, self.charge)
