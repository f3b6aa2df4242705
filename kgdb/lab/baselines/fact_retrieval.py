"""Retrieval of single facts, put into words: by their words (``bm25``) or meaning (``embedding``).

Neither follows the graph: a fact is found because it reads like the question. Of a graph that is
small enough all facts are searched, of a larger one those around the question's entities.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from kgdb.graph.linking.mention_linking import unbracketed
from kgdb.lab.baselines.fact_index import FactIndex, Floats, WordRanking, top
from kgdb.language import fact
from kgdb.methods.answering.abstention import cannot_verify, no_entity_named
from kgdb.methods.answering.extraction import Evidence, extract_answers
from kgdb.methods.answering.llm_reader import LLMReader
from kgdb.methods.context import QuestionContext, Resources
from kgdb.methods.neighbors import around
from kgdb.methods.option_declarations import AllowUnsupported, MethodOptions, ProofPaths, Range
from kgdb.values import Answer, Entity, Path, Step, Triple, Verdict

_MaxFacts = Annotated[
    int, Range(0, 10_000_000), "facts of the largest graph that corpus=auto searches whole"
]
_NeighborsFetched = Annotated[
    int,
    Range(1, 100_000),
    "neighbours of a neighbourhood that are read from the graph for each hop at most",
]


@dataclass(frozen=True, slots=True)
class Bm25Options(MethodOptions):
    """The options of ``bm25``."""

    max_evidence: Annotated[
        int, Range(1, 10_000), "facts that are read as evidence at most, the best first"
    ] = 50
    corpus: Annotated[
        Literal["auto", "graph", "neighborhood"],
        "facts that are searched: the whole graph, or the neighbourhood of the question's "
        "entities; auto: the neighbourhood in a large graph",
    ] = "auto"
    max_facts: _MaxFacts = 500_000
    hops: Annotated[int, Range(1, 4), "hops of a neighborhood"] = 2
    neighbors_fetched: _NeighborsFetched = 2000
    paths: ProofPaths = 3
    allow_unsupported: AllowUnsupported = False


@dataclass(frozen=True, slots=True)
class EmbeddingOptions(Bm25Options):
    """The options of ``embedding``: as an encoder is slow, it reads less."""

    max_facts: _MaxFacts = 20_000
    neighbors_fetched: _NeighborsFetched = 300


class FactRetrieval(ABC):
    """Finds facts that read like the question, and reads the answer out of them."""

    name: ClassVar[str]

    def __init__(self, options: Bm25Options) -> None:
        self._options = options
        self._index: FactIndex | None = None

    @abstractmethod
    def index(self, resources: Resources) -> FactIndex:
        """All facts of the graph, to be searched."""

    @abstractmethod
    async def scores(self, ctx: QuestionContext, query: str, texts: Sequence[str]) -> Floats:
        """How well each of some texts goes with the question."""

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The answers that the best facts give; at most four round trips."""
        options = self._options
        with ctx.stage("link") as stage:
            links = await ctx.graph.mentions(ctx.question)
            mentioned = list(dict.fromkeys(entity for link in links for entity in link.entities))
            stage.record(entities=[entity.id for entity in mentioned])
        with ctx.stage("retrieve") as stage:
            if self._reads_all(ctx):
                triples = await self._search_graph(ctx)
            elif mentioned:
                triples = await self._search_neighborhood(ctx, mentioned)
            else:
                return no_entity_named(ctx, self.name)
            texts = ctx.graph.relations
            stage.record(facts=[fact(triple, texts) for triple in triples])
        with ctx.stage("read"):
            ids = {entity.id for entity in mentioned}
            return await extract_answers(
                ctx,
                self.name,
                Evidence([_path(triple, ids) for triple in triples], [link.ids for link in links]),
                LLMReader(allow_unsupported=options.allow_unsupported),
                max_proofs=options.paths,
            )

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """It only answers questions."""
        raise cannot_verify(self.name, ctx.question)

    def _reads_all(self, ctx: QuestionContext) -> bool:
        if self._options.corpus == "auto":
            return ctx.graph.info.triples <= self._options.max_facts
        return self._options.corpus == "graph"

    async def _search_graph(self, ctx: QuestionContext) -> list[Triple]:
        def run(queries: Sequence[str]) -> list[list[Triple]]:
            if self._index is None:
                self._index = self.index(ctx.resources)
            return [self._index.best(query, self._options.max_evidence) for query in queries]

        return await ctx.run_for_batch("search facts", unbracketed(ctx.question), run)

    async def _search_neighborhood(
        self, ctx: QuestionContext, mentioned: Sequence[Entity]
    ) -> list[Triple]:
        paths, _ = await around(ctx, mentioned, self._options.hops, self._options.neighbors_fetched)
        facts = list(dict.fromkeys(triple for path in paths for triple in path.triples))
        if not facts:
            return []
        texts = [fact(triple, ctx.graph.relations) for triple in facts]
        scores = await self.scores(ctx, unbracketed(ctx.question), texts)
        return [facts[index] for index in top(scores, self._options.max_evidence)]


class Bm25(FactRetrieval):
    """Facts by their words: BM25, by the library bm25s (extra ``baselines``)."""

    name = "bm25"

    def __init__(self, options: Bm25Options | None = None) -> None:
        super().__init__(options or Bm25Options())

    def index(self, resources: Resources) -> FactIndex:
        """As it was kept by an earlier run, else made now and kept."""
        return FactIndex.by_words(resources.graph, resources.home)

    async def scores(self, ctx: QuestionContext, query: str, texts: Sequence[str]) -> Floats:  # noqa: ARG002
        """BM25 among these texts alone."""
        return WordRanking(texts).scores(query)


class Embedding(FactRetrieval):
    """Facts by their meaning: the encoder's similarity of fact and question."""

    name = "embedding"

    def __init__(self, options: EmbeddingOptions | None = None) -> None:
        super().__init__(options or EmbeddingOptions())

    def index(self, resources: Resources) -> FactIndex:
        """As it was kept by an earlier run, else every fact is encoded now, and kept."""
        return FactIndex.by_meaning(resources.graph, resources.encoder, resources.home)

    async def scores(self, ctx: QuestionContext, query: str, texts: Sequence[str]) -> Floats:
        """Cosines; the texts of many questions are encoded together."""
        vectors = await ctx.encoder.encode([query, *texts])
        cosines: Floats = vectors[1:] @ vectors[0]
        return cosines


def _path(triple: Triple, mentioned: Collection[str]) -> Path:
    """A fact as a path, from what the question names where it names one end."""
    if triple.tail.id in mentioned and triple.head.id not in mentioned:
        return Path((triple.tail, triple.head), (Step(triple.relation, reverse=True),))
    return Path((triple.head, triple.tail), (Step(triple.relation),))
