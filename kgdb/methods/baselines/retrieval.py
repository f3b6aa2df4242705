"""Retrieval of single facts, put into words: by their words (``bm25``) or meaning (``embedding``).

Neither follows the graph: a fact is found because it reads like the question. Of a graph that is
small enough all facts are searched, of a larger one those around the question's entities.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from kgdb.graph.linking import unbracketed
from kgdb.language import fact
from kgdb.methods.baselines.fact_index import FactIndex, Floats, WordRanking, top
from kgdb.methods.baselines.neighbors import around
from kgdb.methods.reading import read_answers
from kgdb.methods.refusals import cannot_verify, names_nothing
from kgdb.methods.settings import check_ranges
from kgdb.methods.work import Tools, Work
from kgdb.values import Answer, Entity, Path, Step, Triple, Verdict


@dataclass(frozen=True, slots=True)
class Bm25Options:
    """The knobs of ``bm25``.

    ``evidence``: facts that are read, the best first. ``corpus``: what is searched: the whole
    ``graph``, the ``neighborhood`` of the question's entities, or ``auto``: the whole graph where
    it has at most ``largest`` facts. ``hops``: how far a neighbourhood reaches. ``fetched``:
    neighbours taken from the database per hop. ``paths``: how many an answer carries as its proof.
    ``allow_unsupported``: also give what the language model says beyond the evidence.
    """

    evidence: int = 50
    corpus: Literal["auto", "graph", "neighborhood"] = "auto"
    largest: int = 500_000
    hops: int = 2
    fetched: int = 2000
    paths: int = 3
    allow_unsupported: bool = False

    def __post_init__(self) -> None:
        check_ranges(
            self,
            ("evidence", 1, 10_000),
            ("largest", 0, 10_000_000),
            ("hops", 1, 4),
            ("fetched", 1, 100_000),
            ("paths", 1, 1000),
        )


@dataclass(frozen=True, slots=True)
class EmbeddingOptions(Bm25Options):
    """The knobs of ``embedding``: as an encoder is slow, it reads less.

    ``evidence``: facts that are read, the best first. ``corpus``: what is searched: the whole
    ``graph``, the ``neighborhood`` of the question's entities, or ``auto``: the whole graph where
    it has at most ``largest`` facts. ``hops``: how far a neighbourhood reaches. ``fetched``:
    neighbours taken from the database per hop. ``paths``: how many an answer carries as its proof.
    ``allow_unsupported``: also give what the language model says beyond the evidence.
    """

    largest: int = 20_000
    fetched: int = 300


class FactRetrieval(ABC):
    """Finds facts that read like the question, and reads the answer out of them."""

    name: ClassVar[str]

    def __init__(self, options: Bm25Options) -> None:
        self._options = options
        self._index: FactIndex | None = None

    @abstractmethod
    def index(self, tools: Tools) -> FactIndex:
        """All facts of the graph, to be searched."""

    @abstractmethod
    async def scores(self, work: Work, query: str, texts: Sequence[str]) -> Floats:
        """How well each of some texts goes with the question."""

    async def answer(self, work: Work) -> Answer:
        """The answers that the best facts give; at most four round trips."""
        options = self._options
        with work.stage("link") as stage:
            links = await work.mentions(work.question)
            asked = list(dict.fromkeys(entity for link in links for entity in link.entities))
            stage.say(entities=[entity.id for entity in asked])
        with work.stage("retrieve") as stage:
            if self._reads_all(work):
                found = await self._of_the_graph(work)
            elif asked:
                found = await self._of_the_neighborhood(work, asked)
            else:
                return names_nothing(work, self.name)
            texts = work.graph.relations
            stage.say(facts=[fact(triple, texts) for triple in found])
        with work.stage("read"):
            ids = {entity.id for entity in asked}
            return await read_answers(
                work,
                self.name,
                [_path(triple, ids) for triple in found],
                [link.ids for link in links],
                paths=options.paths,
                allow_unsupported=options.allow_unsupported,
            )

    async def verify(self, work: Work) -> Verdict:
        """It only answers questions."""
        raise cannot_verify(self.name, work.question)

    def _reads_all(self, work: Work) -> bool:
        if self._options.corpus == "auto":
            return work.graph.info.triples <= self._options.largest
        return self._options.corpus == "graph"

    async def _of_the_graph(self, work: Work) -> list[Triple]:
        def run(queries: Sequence[str]) -> list[list[Triple]]:
            if self._index is None:
                self._index = self.index(work.tools)
            return [self._index.best(query, self._options.evidence) for query in queries]

        return await work.at_once("search facts", unbracketed(work.question), run)

    async def _of_the_neighborhood(self, work: Work, asked: Sequence[Entity]) -> list[Triple]:
        paths, _ = await around(work, asked, self._options.hops, self._options.fetched)
        facts = list(dict.fromkeys(triple for path in paths for triple in path.triples))
        if not facts:
            return []
        texts = [fact(triple, work.graph.relations) for triple in facts]
        scores = await self.scores(work, unbracketed(work.question), texts)
        return [facts[place] for place in top(scores, self._options.evidence)]


class Bm25(FactRetrieval):
    """Facts by their words: BM25, by the library bm25s (extra ``baselines``)."""

    name = "bm25"

    def __init__(self, options: Bm25Options | None = None) -> None:
        super().__init__(options or Bm25Options())

    def index(self, tools: Tools) -> FactIndex:
        """As it was kept by an earlier run, else made now and kept."""
        return FactIndex.by_words(tools.graph, tools.home)

    async def scores(self, work: Work, query: str, texts: Sequence[str]) -> Floats:  # noqa: ARG002
        """BM25 among these texts alone."""
        return WordRanking(texts).scores(query)


class Embedding(FactRetrieval):
    """Facts by their meaning: the encoder's similarity of fact and question."""

    name = "embedding"

    def __init__(self, options: EmbeddingOptions | None = None) -> None:
        super().__init__(options or EmbeddingOptions())

    def index(self, tools: Tools) -> FactIndex:
        """As it was kept by an earlier run, else every fact is encoded now, and kept."""
        return FactIndex.by_meaning(tools.graph, tools.encoder, tools.home)

    async def scores(self, work: Work, query: str, texts: Sequence[str]) -> Floats:
        """Cosines; the texts of many questions are encoded together."""
        vectors = await work.encode([query, *texts])
        cosines: Floats = vectors[1:] @ vectors[0]
        return cosines


def _path(triple: Triple, asked: Collection[str]) -> Path:
    """A fact as a path, from what the question names where it names one end."""
    if triple.tail.id in asked and triple.head.id not in asked:
        return Path((triple.tail, triple.head), (Step(triple.relation, reverse=True),))
    return Path((triple.head, triple.tail), (Step(triple.relation),))
