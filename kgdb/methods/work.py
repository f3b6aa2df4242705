"""What a method may ask for while it works on one question, and the record of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from kgdb.errors import KgdbError, ModelError
from kgdb.graph import (
    BeamPath,
    FollowedEntity,
    Found,
    FoundPath,
    Gathered,
    GatherOptions,
    Graph,
    GroundedRun,
    Link,
    LinkedEntity,
    Neighbor,
    RankedEntity,
    RelationAround,
    RelationVectors,
    Wanted,
    gather,
    link,
    options,
)
from kgdb.graph.batch import Chain, Hop
from kgdb.language import Ask, Completion, Encoder, LanguageModel, Reranker, encode_relations
from kgdb.language.examples import Example, examples
from kgdb.language.prompts import language_of
from kgdb.methods.expert import Expert
from kgdb.methods.together import Call
from kgdb.methods.tracing import StageRecord, Trace
from kgdb.model import Stage, Step, Usage

_R = TypeVar("_R")
_G = TypeVar("_G")

Watch = Callable[[str, Stage], None]


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

    @cached_property
    def relation_vectors(self) -> RelationVectors:
        """As loading stored them, where it was by the same encoder; else made here, once."""
        stored = self.graph.relation_vectors(self.encoder.name)
        return stored or encode_relations(tuple(self.graph.relations.values()), self.encoder)


class Work:
    """One question on its way: whatever it asks for goes out with what others ask for.

    Whatever is asked for belongs to the stage that is open: its calls, tokens, time and round
    trips are charged to it.
    """

    def __init__(self, tools: Tools, question: str) -> None:
        self.tools = tools
        self.question = question
        self.notes: list[str] = []
        self._trace = Trace()

    @property
    def graph(self) -> Graph:
        """The graph, for what it knows without asking the database again: name and relations."""
        return self.tools.graph

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
        """The prompts that the language model was given for this question so far."""
        return self._trace.usage.calls

    def charge(self, usage: Usage) -> None:
        """Count what the open stage has used."""
        self._trace.charge(usage)

    def note(self, text: str) -> None:
        """Keep something that the user should know of the answer."""
        if text not in self.notes:
            self.notes.append(text)

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

        def run(given: Sequence[Sequence[Ask]]) -> list[list[Completion] | KgdbError]:
            flat = llm.complete([ask for asks in given for ask in asks])
            return [_all_or_error(replies) for replies in _split(flat, given)]

        completions = await Call("complete", asks, run, self.charge)
        for completion in completions:
            self.charge(self._spent(completion))
        return completions

    def _spent(self, completion: Completion) -> Usage:
        """One call; what comes from the cache costs nothing."""
        tokens_in, tokens_out = completion.tokens_in, completion.tokens_out
        price_in, price_out = self.tools.prices or (0.0, 0.0)
        cost = 0.0 if completion.cached else tokens_in * price_in + tokens_out * price_out
        return Usage(1, int(completion.cached), tokens_in, tokens_out, cost / 1_000_000)

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
            return _split(scores, given)

        return await Call("rerank", [(query, text) for text in texts], run, self.charge)

    async def judged(self, expert: Expert, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """What an expert thinks of each pair of a query and a fact; see :class:`Expert`."""
        if not pairs:
            return []

        def run(given: Sequence[Sequence[tuple[str, str]]]) -> list[list[float]]:
            return _split(expert.scores([pair for pairs in given for pair in pairs]), given)

        return await Call(("judge", id(expert)), pairs, run, self.charge)

    async def mentions(self, question: str) -> tuple[Link, ...]:
        """The entities that a text names word for word; see :func:`kgdb.graph.link`."""
        (found,) = await self.mentions_all([question])
        return found

    async def mentions_all(
        self, texts: Sequence[str], *, exact: bool = True, misspelt: bool = True
    ) -> list[tuple[Link, ...]]:
        """The same for several texts; ``exact`` and ``misspelt`` as there."""

        def run(given: Sequence[Sequence[str]]) -> list[list[tuple[Link, ...]]]:
            flat = [text for texts in given for text in texts]
            return _split(link(self.graph, flat, exact=exact, misspelt=misspelt), given)

        return await Call(("mentions", exact, misspelt), texts, run, self.charge)

    async def link(
        self,
        mentions: Sequence[str],
        vectors: Sequence[Sequence[float] | None] | None = None,
        **given: Unpack[options.LinkOptions],
    ) -> list[Found[LinkedEntity]]:
        """For each mention the entities it may mean; see :meth:`kgdb.graph.Graph.link`."""
        if not mentions:
            return []

        def run(
            of_all: Sequence[tuple[Sequence[str], Sequence[Sequence[float] | None]]],
        ) -> list[list[Found[LinkedEntity]]]:
            texts = [mention for mentions, _ in of_all for mention in mentions]
            numbers = [vector for _, vectors in of_all for vector in vectors]
            found = self.graph.batch.link(
                texts, numbers if any(v is not None for v in numbers) else None, **given
            )
            return _split(found, [mentions for mentions, _ in of_all])

        return await self._ask("link", given, (mentions, vectors or [None] * len(mentions)), run)

    async def neighbors(
        self, nodes: Sequence[str], **given: Unpack[options.NeighborOptions]
    ) -> Found[Neighbor]:
        """See :meth:`kgdb.graph.Graph.neighbors`."""
        return await self._ask(
            "neighbors", given, nodes, lambda sets: self.graph.batch.neighbors(sets, **given)
        )

    async def relations_around(
        self, nodes: Sequence[str], **given: Unpack[options.AroundOptions]
    ) -> Found[RelationAround]:
        """See :meth:`kgdb.graph.Graph.relations_around`."""
        return await self._ask(
            "around", given, nodes, lambda sets: self.graph.batch.relations_around(sets, **given)
        )

    async def menus(
        self, nodes: Sequence[str], chains: Sequence[Sequence[Step]]
    ) -> list[tuple[RelationAround, ...]]:
        """See :meth:`kgdb.graph.Graph.menus`."""
        return await self.menus_each([(nodes, chain) for chain in chains])

    async def menus_each(
        self, chains: Sequence[tuple[Sequence[str], Sequence[Step]]]
    ) -> list[tuple[RelationAround, ...]]:
        """The same for chains that each have entities to begin with."""
        if not chains:
            return []

        def run(
            given: Sequence[Sequence[tuple[Sequence[str], Sequence[Step]]]],
        ) -> list[list[tuple[RelationAround, ...]]]:
            return _split(self.graph.batch.menus([c for chains in given for c in chains]), given)

        return await Call("menus", chains, run, self.charge)

    async def follow(
        self, nodes: Sequence[str], chain: Chain, **given: Unpack[options.FollowOptions]
    ) -> Found[FollowedEntity]:
        """See :meth:`kgdb.graph.Graph.follow`."""
        (found,) = await self.follow_all(nodes, [chain], **given)
        return found

    async def follow_all(
        self,
        nodes: Sequence[str],
        chains: Sequence[Chain],
        **given: Unpack[options.FollowOptions],
    ) -> list[Found[FollowedEntity]]:
        """Each chain from the same entities."""
        return await self.follow_each([(nodes, chain) for chain in chains], **given)

    async def follow_each(
        self,
        chains: Sequence[tuple[Sequence[str], Chain]],
        **given: Unpack[options.FollowOptions],
    ) -> list[Found[FollowedEntity]]:
        """Each chain from its own entities."""
        if not chains:
            return []

        def run(
            of_all: Sequence[Sequence[tuple[Sequence[str], Chain]]],
        ) -> list[list[Found[FollowedEntity]]]:
            flat = [pair for chains in of_all for pair in chains]
            found = self.graph.batch.follow(
                [nodes for nodes, _ in flat], [chain for _, chain in flat], **given
            )
            return _split(found, of_all)

        return await self._ask("follow", given, chains, run)

    async def all_paths(
        self, nodes: Sequence[str], **given: Unpack[options.PathOptions]
    ) -> Found[FoundPath]:
        """See :meth:`kgdb.graph.Graph.all_paths`."""
        return await self._ask(
            "all_paths", given, nodes, lambda sets: self.graph.batch.all_paths(sets, **given)
        )

    async def shortest_paths(
        self, nodes: Sequence[str], **given: Unpack[options.ShortestOptions]
    ) -> Found[FoundPath]:
        """See :meth:`kgdb.graph.Graph.shortest_paths`."""
        return await self._ask(
            "shortest", given, nodes, lambda sets: self.graph.batch.shortest_paths(sets, **given)
        )

    async def beam(
        self, nodes: Sequence[str], hops: Sequence[Hop], **given: Unpack[options.BeamOptions]
    ) -> Found[BeamPath]:
        """See :meth:`kgdb.graph.Graph.beam`."""
        return await self._ask(
            "beam",
            given,
            (nodes, hops),
            lambda of_all: self.graph.batch.beam(
                [nodes for nodes, _ in of_all], [hops for _, hops in of_all], **given
            ),
        )

    async def pagerank(
        self,
        nodes: Sequence[str],
        relationships: Sequence[tuple[str, str]],
        **given: Unpack[options.PagerankOptions],
    ) -> Found[RankedEntity]:
        """See :meth:`kgdb.graph.Graph.pagerank`."""
        return await self._ask(
            "pagerank",
            given,
            (nodes, relationships),
            lambda of_all: self.graph.batch.pagerank(
                [nodes for nodes, _ in of_all], [pairs for _, pairs in of_all], **given
            ),
        )

    async def ground_thought(
        self,
        script: str,
        *,
        link: options.LinkOptions | None = None,
        **given: Unpack[options.ThoughtOptions],
    ) -> GroundedRun:
        """See :meth:`kgdb.graph.Graph.ground_thoughts`."""
        return await self._ask(
            "ground_thought",
            {"link": link, "run": given},
            script,
            lambda scripts: self.graph.ground_thoughts(scripts, link=link, **given),
        )

    async def gather(self, wanted: Wanted, given: GatherOptions) -> Gathered:
        """See :func:`kgdb.graph.gather`."""
        return await self._ask(
            "gather", asdict(given), wanted, lambda of_all: gather(self.graph, of_all, given)
        )

    async def _ask(
        self,
        kind: str,
        config: Mapping[str, Any],
        given: Any,
        run: Callable[[Sequence[Any]], Sequence[_R]],
    ) -> _R:
        """A retrieval call: those with the same options go out together."""
        group = (kind, json.dumps(config, sort_keys=True, default=str))
        result: _R = await Call(group, given, run, self.charge)
        return result


def _split(flat: Sequence[_R], sizes: Sequence[Sequence[Any]]) -> list[list[_R]]:
    """The results of several calls, which were made as one, apart again."""
    remaining = iter(flat)
    return [[next(remaining) for _ in each] for each in sizes]


def _all_or_error(replies: Sequence[Completion | ModelError]) -> list[Completion] | KgdbError:
    completions = []
    for reply in replies:
        if isinstance(reply, ModelError):
            return reply
        completions.append(reply)
    return completions
