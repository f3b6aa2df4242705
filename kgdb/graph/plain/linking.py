"""``kgdb.entities.link`` without the plugin: candidates by Cypher, compared here.

At most four round trips: whole names, and as these are written where many have them (with
``ties``); words with a letter wrong for the mentions that are none; and with two letters wrong for
those that are still nothing like a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kgdb.errors import ArgumentRefused, DatabaseError
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.node_expressions import NameSource
from kgdb.graph.connection.statements import joined, statement
from kgdb.graph.linking import name_similarity
from kgdb.graph.linking.name_similarity import NameForms
from kgdb.graph.retrieval.plugin import Row, Vectors
from kgdb.graph.retrieval.retrieval_options import Config
from kgdb.lazy import lazy_property
from kgdb.wording import counted, short

_MOST_WRONG = 2

_WRITINGS = 10
"""Rows whose names are looked up to find others that are called the same."""


class PlainLink:
    """Links mentions to the entities of one graph."""

    def __init__(self, database: Database, info: GraphInfo) -> None:
        self._database = database
        self._info = info

    def link(self, mentions: Sequence[str], vectors: Vectors, config: Config) -> list[Row]:
        """As ``kgdb.entities.link``."""
        each = [None] * len(mentions) if vectors is None else [v or None for v in vectors]
        searches = [
            _Search(place, mention, vector)
            for place, (mention, vector) in enumerate(zip(mentions, each, strict=True))
        ]
        for vector in filter(None, each):
            self._check(vector)
        asked = [search.whole_name() for search in searches]
        for place, rows in self._ask(asked, config).items():
            in_order = sum(row["found"] == "index" for row in rows)
            searches[place].is_full = in_order >= config["candidates"]
            searches[place].add(rows, words=False)
        # As names are written there, which may be otherwise than in the mention.
        many = [s for s in searches if config["ties"] and s.is_full and s.is_whole]
        asked = [search.best_names() for search in many]
        for place, rows in self._ask([one for one in asked if one["names"]], config).items():
            searches[place].add(rows, words=False)
        most = _MOST_WRONG if config["fuzzy"] else 0
        for wrong in range(min(1, most), most + 1):
            first = wrong <= 1
            fields = len(self._indexes.fields)
            unlike = [s for s in searches if s.mention and not (s.is_whole if first else s.likely)]
            asked = [search.words(wrong, fields, first=first) for search in unlike]
            for place, rows in self._ask(asked, config).items():
                searches[place].add(rows, words=True)
        return [row for search in searches for row in search.rows(config)]

    def _ask(self, asked: Sequence[Row], config: Config) -> dict[int, list[Row]]:
        """The candidates for each mention, by its place."""
        found: dict[int, list[Row]] = {}
        if not asked:
            return found
        info, indexes = self._info, self._indexes
        if info.id_property is None:
            asked = [one | {"ids": []} for one in asked]
        named = [
            statement("plain/link/named", label=source.label, property=source.properties[0])
            for source in indexes.over_names
        ]
        text = statement("plain/link", **info.places, named=joined("", named))
        parameters = {
            "asked": asked,
            "fulltext": info.fulltext_index,
            "embeddings": info.embedding_index,
            "euclidean": indexes.euclidean,
            "fields": list(info.alias_properties),
            **config.values("candidates", "labels"),
        }
        for row in self._database.query(text, parameters, timeout_ms=config["timeoutMs"]):
            found.setdefault(row["batch"], []).append(row)
        return found

    @lazy_property
    def _indexes(self) -> _Indexes:
        rows = self._database.run("plain/indexes", {"labels": list(self._info.labels)})
        fulltext = [row for row in rows if row["name"] == self._info.fulltext_index]
        if not fulltext:
            raise DatabaseError(
                f"graph {short(self._info.name)} has no full-text index "
                f"{self._info.fulltext_index} over its names; load it again"
            )
        nearest = [row for row in rows if row["name"] == self._info.embedding_index]
        config = nearest[0]["config"] if nearest else {}
        return _Indexes(
            fields=fulltext[0]["properties"],
            over_names=[
                source
                for source in self._info.names
                if source.is_one_property
                and any(
                    row["type"] == "RANGE"
                    and row["labelsOrTypes"] == [source.label]
                    and row["properties"] == [source.properties[0]]
                    for row in rows
                )
            ],
            has_embeddings=bool(nearest),
            dimensions=config.get("vector.dimensions"),
            euclidean=str(config.get("vector.similarity_function")).upper() == "EUCLIDEAN",
        )

    def _check(self, vector: Sequence[float]) -> None:
        index = self._info.embedding_index
        if not self._indexes.has_embeddings:
            raise ArgumentRefused(
                f"vectors: graph {short(self._info.name)} has no vector index {index} over its "
                "names; write the embeddings first, or leave vectors out"
            )
        dimensions = self._indexes.dimensions
        if dimensions not in (None, len(vector)):
            raise ArgumentRefused(
                f"vectors: expected vectors of {counted(dimensions, 'number')}, as the index "
                f"{index} holds, got one of {len(vector)}"
            )
        if not self._indexes.euclidean and not any(vector):
            raise ArgumentRefused(
                "vectors: got one that is all zeros, which points nowhere; give [] for a mention "
                "without a vector"
            )


@dataclass(frozen=True, slots=True)
class _Indexes:
    fields: list[str]
    over_names: list[NameSource]
    has_embeddings: bool
    dimensions: int | None
    euclidean: bool


@dataclass(slots=True)
class _Candidate:
    row: Row
    names: list[str]
    by_name: bool
    score: float
    matched: str
    reason: str


@dataclass(slots=True)
class _Search:
    """One mention's candidates."""

    place: int
    given: str
    vector: Sequence[float] | None
    mention: str = field(init=False)
    forms: NameForms = field(init=False)
    candidates: dict[str, _Candidate | None] = field(default_factory=dict)
    is_full: bool = False

    def __post_init__(self) -> None:
        self.mention = name_similarity.stripped(self.given)[: name_similarity.LONGEST]
        self.forms = NameForms.of(self.mention)

    @property
    def is_whole(self) -> bool:
        """Whether something is called like the mention."""
        return any(c.reason in name_similarity.WHOLE for c in self._named())

    @property
    def likely(self) -> bool:
        """Whether something is, also with letters wrong."""
        return any(c.reason in name_similarity.WHOLE or c.reason == "typo" for c in self._named())

    def whole_name(self) -> Row:
        """What is asked first."""
        texts = [self.mention] if self.mention else []
        queries = [name_similarity.phrase(text) for text in texts]
        return self._asked(texts, queries, near=self.vector is not None)

    def best_names(self) -> Row:
        """What is asked where many may be called like the best."""
        named = sorted(self._named(), key=lambda c: -c.score)
        best = [c.matched for c in named if c.score == named[0].score][:_WRITINGS]
        names = [name for name in dict.fromkeys(best) if name != self.mention]
        return self._asked([], [], near=False) | {"names": names}

    def words(self, wrong: int, fields: int, *, first: bool) -> Row:
        """What is asked where no name is the mention."""
        query = "" if self.likely else name_similarity.words_query(self.forms, wrong, fields)
        texts = name_similarity.writings(self.mention) if first else []
        return self._asked(texts, [query] if query else [], near=False)

    def add(self, rows: Sequence[Row], *, words: bool) -> None:
        """More candidates. Words count only where no name is like the mention already."""
        for row in rows:
            if row["found"] == "text":
                self._add(row)
        if words and self.likely:
            return
        for row in rows:
            if row["found"] != "text":
                self._add(row)

    def _add(self, row: Row) -> None:
        known = self.candidates.get(row["node"])
        by_name = row["found"] != "vector"
        if row["node"] in self.candidates and (known is None or known.by_name or not by_name):
            return
        if not row["meant"]:
            self.candidates[row["node"]] = None
            return
        names = list(dict.fromkeys([row["name"], *_texts(row["names"])]))
        best = name_similarity.best_name(
            self.mention, self.forms, row["id"], names, by_name=by_name
        )
        self.candidates[row["node"]] = _Candidate(row, names, by_name, *best)

    def rows(self, config: Config) -> list[Row]:
        """The rows of the procedure."""
        found = [
            self._row(candidate, config["vectorWeight"])
            for candidate in self.candidates.values()
            if candidate is not None
        ]
        found = [(prior, row) for prior, row in found if row["score"] >= config["minScore"]]
        found.sort(key=lambda pair: (-pair[1]["score"], -pair[0], pair[1]["id"]))
        full = len(self.mention) < len(name_similarity.stripped(self.given))
        cut = ["mention"] * full + ["candidates"] * self.is_full
        tied = (
            sum(row["score"] == found[0][1]["score"] for _, row in found) if config["ties"] else 0
        )
        cut += ["ties"] * (tied > config["limit"] + config["ties"])
        kept = max(config["limit"], min(tied, config["limit"] + config["ties"]))
        cut += ["limit"] * (len(found) > kept)
        rows = [row | {"cut": cut} for _, row in found[:kept]]
        if not rows and cut:
            return [{"batch": self.place, "cut": cut}]
        return rows

    def _named(self) -> list[_Candidate]:
        return [c for c in self.candidates.values() if c is not None and c.by_name]

    def _asked(self, texts: Sequence[str], queries: Sequence[str], *, near: bool) -> Row:
        return {
            "batch": self.place,
            "ids": texts,
            "names": texts,
            "queries": queries,
            "vector": self.vector,
            "near": near,
        }

    def _row(self, candidate: _Candidate, weight: float) -> tuple[float, Row]:
        row, score = candidate.row, candidate.score
        if self.vector is not None:
            near = row["vectorScore"]
            score = (1 - weight) * score + weight * (
                name_similarity.UNKNOWN if near is None else near
            )
        prior = row["prior"]
        is_number = isinstance(prior, int | float) and not isinstance(prior, bool)
        return prior if is_number else float("-inf"), {
            "batch": self.place,
            "id": row["id"],
            "name": row["name"],
            "score": score,
            "textScore": candidate.score,
            "vectorScore": row["vectorScore"],
            "matched": candidate.matched,
            "reason": candidate.reason,
        }


def _texts(values: Sequence[Any]) -> list[str]:
    texts: list[str] = []
    for value in values:
        each = value if isinstance(value, list) else [value]
        texts += [text for text in each if isinstance(text, str)]
    return texts
