"""Scripts that a language model wrote: graphs of thought, and queries that only read.

They are hostile input. The database runs them, in a sandbox, and what is wrong with one comes back
as a :class:`ScriptError` that is fit to show to the model; nothing here raises for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.graph.connection.database import Database
from kgdb.graph.retrieval.identified import Identified
from kgdb.graph.retrieval.retrieval_options import TIES, Config
from kgdb.values import Entity

_OK = "ok"


@dataclass(frozen=True, slots=True)
class ScriptError:
    """Why a script was refused or stopped; ``line`` and ``column`` (characters) count from 1.

    The codes are listed on the page of each procedure.
    """

    code: str
    message: str
    line: int | None
    column: int | None

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}: " if self.line is not None else ""
        return f"{place}{self.message}"


@dataclass(frozen=True, slots=True)
class ThoughtNode:
    """A node of a graph of thought; ``name`` is how it is shown."""

    variable: str | None
    name: str
    labels: tuple[str, ...]
    properties: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ThoughtEdge:
    """A relationship between two nodes, which are told by their places in the thought.

    ``optional`` is not the model's to say: set it where a match may do without the edge.
    """

    source: int
    type: str
    target: int
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Thought:
    """A graph of thought (GoT-R, section 3.3)."""

    nodes: tuple[ThoughtNode, ...]
    edges: tuple[ThoughtEdge, ...]

    @property
    def triples(self) -> tuple[tuple[str, str, str], ...]:
        """Head, relation and tail of each edge, by the names of the nodes."""
        return tuple(
            (self.nodes[edge.source].name, edge.type, self.nodes[edge.target].name)
            for edge in self.edges
        )


@dataclass(frozen=True, slots=True)
class ThoughtRun:
    """What became of a script: a thought, or an error.

    ``executed`` tells whether the database held the graph; where it could not, ``obstacle`` says
    why, and the thought is what the parser read. In a database that no ``kgdb load`` has touched
    it cannot: the page of ``kgdb.got.run`` tells what to do.
    """

    thought: Thought | None
    error: ScriptError | None
    executed: bool
    obstacle: str | None


@dataclass(frozen=True, slots=True)
class GroundedRun:
    """What became of a script, and the entities that the nodes of its thought may stand for.

    ``entities`` are best first, by the places of the nodes; only a node with a name of its own has
    any. ``without_id`` are those without an id, which are left out, and ``capped`` the names that
    more entities have than were taken.
    """

    run: ThoughtRun
    entities: Mapping[int, tuple[Entity, ...]]
    without_id: frozenset[str] = frozenset()
    capped: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What a query that only reads gave, or the error that it ended with.

    A node is a map of id, name and labels, a relationship one of relation, source and target (ids),
    a path a list of id, relation, id and so on. ``truncated``: there was more than is shown.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool
    error: ScriptError | None


def run_thoughts(database: Database, scripts: Sequence[str], config: Config) -> list[ThoughtRun]:
    """``CALL kgdb.got.run`` for each script, in one round trip."""
    rows = database.run("got/run", {"scripts": list(scripts), "config": dict(config.given)})
    return [_run(row) for row in rows]


def ground_thoughts(
    database: Database,
    kg: str,
    scripts: Sequence[str],
    config: Config,
    link: Config,
    identified: Identified,
) -> list[GroundedRun]:
    """The same, each with the entities that its nodes may stand for; also one round trip."""
    rows = database.run(
        "got/ground",
        {
            "scripts": list(scripts),
            "config": dict(config.given),
            "kg": kg,
            "link": dict(link.given),
        },
    )
    without = identified.without_id(id_ for row in rows for _, id_, *_ in row["entities"])
    grounded = []
    for row in rows:
        entities: dict[int, tuple[Entity, ...]] = {}
        for place, id_, name, _ in row["entities"]:
            if id_ is not None and id_ not in without:
                entities[place] = (*entities.get(place, ()), Entity(id_, name))
        met = without.intersection(id_ for _, id_, *_ in row["entities"])
        capped = frozenset(
            row["nodes"][place]["name"] for place, *_, cut in row["entities"] if TIES in cut
        )
        grounded.append(GroundedRun(_run(row), entities, met, capped))
    return grounded


def _run(row: Mapping[str, Any]) -> ThoughtRun:
    if row["status"] != _OK:
        return ThoughtRun(None, _error(row), executed=False, obstacle=None)
    thought = Thought(
        tuple(
            ThoughtNode(node["variable"], node["name"], tuple(node["labels"]), node["properties"])
            for node in row["nodes"]
        ),
        tuple(
            ThoughtEdge(edge["source"], edge["type"], edge["target"])
            for edge in row["relationships"]
        ),
    )
    return ThoughtRun(thought, None, row["executed"], row["message"])


def read_cypher(database: Database, script: str, kg: str, config: Config) -> ReadAnswer:
    """``CALL kgdb.cypher.read``."""
    parameters = {"script": script, "config": {"kg": kg, **config.given}}
    (row,) = database.run("cypher_read", parameters)
    return ReadAnswer(
        tuple(row["columns"]),
        tuple(tuple(values) for values in row["rows"]),
        row["truncated"],
        None if row["status"] == _OK else _error(row),
    )


def _error(row: Mapping[str, Any]) -> ScriptError:
    return ScriptError(row["status"], row["message"], row["line"], row["column"])
