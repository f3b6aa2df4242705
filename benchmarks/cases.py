"""What is searched for: real 3-hop questions on MetaQA, random walks on the power-law graph.

All draws are seeded, and none goes by the order in which a store happens to hold relationships:
each run measures the same cases, on any machine.
"""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from benchmarks import powerlaw
from benchmarks.graphs import METAQA, GraphUnderTest, data_folder
from kgdb.connection import Connection
from kgdb.graph.connection.statements import quoted

BEST, REST = 0.9, 0.7
"""Similarity of the relation that a hop is about, and the most that any other relation has."""

_OTHER_RELATIONS = 40
_CANDIDATES = 500
_TOPIC = re.compile(r"\[(.+?)\]")
_RELATIONS_OF_METAQA = {
    "director": "directed_by",
    "actor": "starred_actors",
    "writer": "written_by",
    "year": "release_year",
    "genre": "has_genre",
    "language": "in_language",
    "tags": "has_tags",
    "imdbvotes": "has_imdb_votes",
    "imdbrating": "has_imdb_rating",
}


@dataclass(frozen=True, slots=True)
class Case:
    """One question, as far as the database sees it.

    ``start`` is the entity it names and ``name`` how people call it, ``chain`` the relations that
    answer it, ``hops`` what an encoder may make of them, ``answer`` an entity that the chain leads
    to, ``other`` a second entity, which is the answer too where the chain only leads back,
    ``several`` ten entities, ``candidates`` the ones around the start, and ``related`` five
    entities with paths between them: both ends and candidates.
    """

    start: str
    name: str
    chain: tuple[str, ...]
    hops: tuple[dict[str, float], ...]
    answer: str
    other: str
    several: tuple[str, ...]
    candidates: tuple[str, ...]
    related: tuple[str, ...]


def draw(connection: Connection, graph: GraphUnderTest, count: int, seed: int) -> list[Case]:
    """The first ``count`` cases of that seed."""
    return _Drawing(connection, graph, random.Random(seed)).cases(count)


class _Drawing:
    def __init__(self, connection: Connection, graph: GraphUnderTest, rng: random.Random) -> None:
        self.connection = connection
        self.graph = graph
        self.rng = rng
        rows = self.rows("MATCH (r:Relation {kg: $kg}) RETURN r.id AS id, r.count AS count")
        rows.sort(key=lambda row: str(row["id"]))
        self.relations = [row["id"] for row in rows]
        self.frequencies = [row["count"] for row in rows]

    def cases(self, count: int) -> list[Case]:
        questions = self.metaqa() if self.graph.name == METAQA else self.walks(2 * count)
        self.rng.shuffle(questions)
        starts = [start for start, _ in questions]
        cases = []
        for place, (start, chain) in enumerate(questions[:count]):
            # Half of the pairs have a path of three hops for sure, and the walk ends at hubs often.
            distant = self.rng.choice(starts) if place % 2 else self.walk(start, 3)[0]
            other = distant if distant != start else self.rng.choice(starts)
            hops = tuple(self.similarities(relation) for relation in chain)
            several = tuple(self.rng.sample(sorted(set(starts)), 10))
            candidates = self.candidates(start)
            cases.append(
                Case(
                    start=start,
                    name=self.name(start),
                    chain=chain,
                    hops=hops,
                    answer=self.answer(start, chain) or other,
                    other=other,
                    several=several,
                    candidates=candidates,
                    related=_related((start, other), candidates, several),
                )
            )
        return [case for case in cases if case.start != case.other]

    def metaqa(self) -> list[tuple[str, tuple[str, ...]]]:
        folder = data_folder() / "metaqa" / "3-hop"
        with (
            gzip.open(folder / "vanilla" / "qa_dev.txt.gz", "rt", encoding="utf-8") as questions,
            gzip.open(folder / "qa_dev_qtype.txt.gz", "rt", encoding="utf-8") as types,
        ):
            read = []
            for question, kind in zip(questions, types, strict=True):
                topic = _TOPIC.search(question)
                if topic:
                    read.append((topic[1], _chain(kind.strip())))
        return read

    def walks(self, count: int) -> list[tuple[str, tuple[str, ...]]]:
        entities = powerlaw.FULL.entities
        starts = [powerlaw.entity_id(self.rng.randrange(entities)) for _ in range(count)]
        walks = [(start, self.walk(start, 3)[1]) for start in starts]
        return [(start, chain) for start, chain in walks if len(chain) == 3]

    def walk(self, start: str, steps: int) -> tuple[str, tuple[str, ...]]:
        """Where a random walk ends, and by which relations."""
        at, chain = start, []
        entity = f"MATCH (n:{self.graph.label} {{id: $id}})"
        for _ in range(steps):
            degree = self.rows(f"{entity} RETURN COUNT {{ (n)--() }} AS degree", id=at)[0]["degree"]
            if not degree:
                break
            row = self.rows(
                f"{entity}-[r]-(m) RETURN m.id AS id, "
                "CASE startNode(r) WHEN n THEN '' ELSE '^' END + type(r) AS spec "
                "ORDER BY id, spec SKIP $place LIMIT 1",
                id=at,
                place=self.rng.randrange(degree),
            )[0]
            at = row["id"]
            chain.append(row["spec"])
        return at, tuple(chain)

    def answer(self, start: str, chain: tuple[str, ...]) -> str | None:
        """The first entity by its id that the chain leads to, other than its start."""
        ends = "n0"
        match = [f"MATCH (n0:{self.graph.label} {{id: $id}})"]
        for hop, spec in enumerate(chain, 1):
            relation = quoted(spec.removeprefix("^"))
            arrow = f"<-[:{relation}]-" if spec.startswith("^") else f"-[:{relation}]->"
            match.append(f"MATCH ({ends}){arrow}(n{hop}) WITH DISTINCT n{hop}")
            ends = f"n{hop}"
        text = " ".join(match) + f" WHERE {ends}.id <> $id RETURN min({ends}.id) AS id"
        answer: str | None = self.rows(text, id=start)[0]["id"]
        return answer

    def similarities(self, relation: str) -> dict[str, float]:
        """Each relation of a hop, as an encoder finds it similar to the one that is meant."""
        if len(self.relations) <= _OTHER_RELATIONS:
            others = self.relations
        else:
            others = self.rng.choices(self.relations, self.frequencies, k=_OTHER_RELATIONS)
        specs = {other for name in others for other in (name, "^" + name)}
        found = {spec: round(self.rng.uniform(0, REST), 3) for spec in sorted(specs)}
        return found | {relation: BEST}

    def candidates(self, start: str) -> tuple[str, ...]:
        rows = self.rows(
            f"MATCH (n:{self.graph.label} {{id: $id}})--(m) "
            "WITH DISTINCT m ORDER BY m.id LIMIT 100 "
            "MATCH (m)--(o) WITH DISTINCT o ORDER BY o.id LIMIT $most RETURN o.id AS id",
            id=start,
            most=_CANDIDATES,
        )
        return tuple(sorted(row["id"] for row in rows))

    def name(self, start: str) -> str:
        rows = self.rows(
            f"MATCH (n:{self.graph.label} {{id: $id}}) RETURN n.name AS name", id=start
        )
        return str(rows[0]["name"])

    def rows(self, text: str, **parameters: Any) -> list[dict[str, Any]]:
        found = self.connection.driver.execute_query(
            text, {"kg": self.graph.name, **parameters}
        ).records
        return [record.data() for record in found]


def _related(
    ends: tuple[str, str], candidates: tuple[str, ...], several: tuple[str, ...]
) -> tuple[str, ...]:
    near = [entity for entity in candidates if entity not in ends]
    # Drawn by the start alone: all else of a case stays as it is without this.
    random.Random(ends[0]).shuffle(near)
    return tuple(dict.fromkeys((*ends, *near, *several)))[:5]


def _chain(kind: str) -> tuple[str, ...]:
    """``movie_to_director_to_movie`` → ``directed_by``, ``^directed_by``."""
    stations: Sequence[str] = kind.split("_to_")
    return tuple(
        "^" + _RELATIONS_OF_METAQA[before] if after == "movie" else _RELATIONS_OF_METAQA[after]
        for before, after in pairwise(stations)
    )
