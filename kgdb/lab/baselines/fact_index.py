"""The facts of a graph in words, to be searched by words (BM25) or by meaning (an encoder)."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from kgdb.file_permissions import private_folder
from kgdb.graph import Graph
from kgdb.graph.linking.name_words import normalize
from kgdb.language import Encoder, fact
from kgdb.optional_packages import optional
from kgdb.values import Entity, Triple

_FORMAT = "1"
"""Changes with what is kept on disk, and with how facts are put into words."""

_VECTORS = "vectors.npy"

_UNKNOWN = "\0"
"""A word that no text has: a query needs one."""

Floats = NDArray[np.float32]


class Ranking(Protocol):
    """Texts that can be ranked by how well they go with a query."""

    def scores(self, query: str) -> Floats:
        """How well each text goes with the query; higher is better."""

    def save(self, folder: Path) -> None:
        """Keep it in files."""


class WordRanking:
    """BM25 (Lucene's form, by the library bm25s) over words without case and diacritics."""

    def __init__(self, texts: Sequence[str]) -> None:
        # A text without any word still has its place.
        words = [normalize(text).split() or [""] for text in texts or [""]]
        self._index = _bm25s().BM25()
        self._index.index(words, show_progress=False)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What :meth:`save` has written."""
        ranking = cls.__new__(cls)
        ranking._index = _bm25s().BM25.load(str(folder))
        return ranking

    def save(self, folder: Path) -> None:
        """Keep the index."""
        self._index.save(str(folder), show_progress=False)

    def scores(self, query: str) -> Floats:
        """The sum over the query's words; 0 for a text with none of them."""
        scores: Floats = self._index.get_scores(normalize(query).split() or [_UNKNOWN])
        return scores


class MeaningRanking:
    """Cosines of an encoder."""

    def __init__(self, vectors: Floats, encoder: Encoder) -> None:
        self._vectors = vectors
        self._encoder = encoder

    @classmethod
    def of(cls, texts: Sequence[str], encoder: Encoder) -> Self:
        """Encode the texts."""
        return cls(encoder.encode(texts or [""]), encoder)  # it need not take nothing at all

    @classmethod
    def load(cls, folder: Path, encoder: Encoder) -> Self:
        """What :meth:`save` has written."""
        return cls(np.load(folder / _VECTORS), encoder)

    def save(self, folder: Path) -> None:
        """Keep the vectors; whoever loads them has the encoder."""
        np.save(folder / _VECTORS, self._vectors)

    def scores(self, query: str) -> Floats:
        """The similarity of each text with the query."""
        scores: Floats = self._vectors @ self._encoder.encode([query])[0]
        return scores


class FactIndex:
    """All facts of a graph, in an order that is always the same, with their ranking."""

    def __init__(self, facts: Sequence[Triple], ranking: Ranking) -> None:
        self._facts = facts
        self._ranking = ranking

    @classmethod
    def by_words(cls, graph: Graph, home: Path | None = None) -> FactIndex:
        """Searched by BM25; kept below ``home`` for the next time, by what the graph holds."""
        return cls._cached(graph, home, "bm25", WordRanking, WordRanking.load)

    @classmethod
    def by_meaning(cls, graph: Graph, encoder: Encoder, home: Path | None = None) -> FactIndex:
        """Searched by the similarity that the encoder sees; kept as the other is."""
        return cls._cached(
            graph,
            home,
            f"embedding {encoder.name}",
            lambda texts: MeaningRanking.of(texts, encoder),
            lambda folder: MeaningRanking.load(folder, encoder),
        )

    @classmethod
    def _cached(
        cls,
        graph: Graph,
        home: Path | None,
        kind: str,
        build: Callable[[Sequence[str]], Ranking],
        load_ranking: Callable[[Path], Ranking],
    ) -> FactIndex:
        # An adopted graph is somebody else's, who may change it at any time.
        if home is None or graph.info.adopted:
            facts = _facts(graph)
            return cls(facts, build(_texts(facts, graph)))
        folder = home / "indexes" / f"{kind.split(maxsplit=1)[0]}-{_content(graph, kind)}"
        if not folder.is_dir():
            facts = _facts(graph)
            ranking = build(_texts(facts, graph))
            _save(folder, facts, ranking)
            return cls(facts, ranking)
        lines = (folder / "facts.jsonl").read_text(encoding="utf-8").splitlines()
        return cls([_fact(*json.loads(line)) for line in lines], load_ranking(folder))

    def best(self, query: str, count: int) -> list[Triple]:
        """The facts that go best with a query, best first."""
        if not self._facts:
            return []
        return [self._facts[index] for index in top(self._ranking.scores(query), count)]


def top(scores: Floats, count: int) -> list[int]:
    """The places of the best scores above 0, best first; of equal ones the first."""
    best = np.argsort(-scores, kind="stable")[:count]
    return [int(index) for index in best if scores[index] > 0]


def _facts(graph: Graph) -> list[Triple]:
    return sorted(set(graph.facts()), key=lambda t: (t.head.id, t.relation, t.tail.id))


def _texts(facts: Sequence[Triple], graph: Graph) -> list[str]:
    return [fact(triple, graph.relations) for triple in facts]


def _content(graph: Graph, kind: str) -> str:
    """Tells indexes apart that differ in kind, in the facts of the graph, or in their words."""
    words = {relation: info.text for relation, info in sorted(graph.relations.items())}
    text = json.dumps([_FORMAT, kind, graph.info.sha256, graph.info.triples, words])
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _save(folder: Path, facts: Sequence[Triple], ranking: Ranking) -> None:
    """Write all files, then give their folder its name: whoever finds it finds it whole."""
    private_folder(folder.parent)
    temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        ranking.save(temporary)
        with (temporary / "facts.jsonl").open("w", encoding="utf-8") as file:
            for triple in facts:
                head, tail = triple.head, triple.tail
                fields = [head.id, head.name, triple.relation, tail.id, tail.name]
                # Everything outside ASCII is escaped: a line is a line.
                file.write(json.dumps(fields) + "\n")
        try:
            temporary.rename(folder)
        except OSError:
            # Another process was faster: its index is the same.
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _fact(head: str, head_name: str, relation: str, tail: str, tail_name: str) -> Triple:
    return Triple(Entity(head, head_name), relation, Entity(tail, tail_name))


def _bm25s() -> Any:
    return optional("bm25s", "lab")
