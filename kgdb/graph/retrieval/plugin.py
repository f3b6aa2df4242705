"""Retrieval by the procedures of the plugin: what a call sends, and what becomes of its rows.

A search is declared once, as a :class:`Search`: the columns that its call returns are those that
the fields of its rows are read from. :mod:`kgdb.graph.plain.plain_retrieval` gives the same rows
without the plugin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import itemgetter
from typing import Any, Generic, Protocol, TypeVar

from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import Statement, rows_of_call, statement
from kgdb.graph.retrieval.identified import WITHOUT_ID
from kgdb.graph.retrieval.qualifiers import path_qualifiers
from kgdb.graph.retrieval.results import Rows
from kgdb.graph.retrieval.retrieval_options import Config, key_of
from kgdb.lazy import lazy_property
from kgdb.values import Entity, Path, Step

_T = TypeVar("_T")

Row = dict[str, Any]
Starts = Sequence[Sequence[str]]
Chains = Sequence[Sequence[str]]
Hops = Sequence[Mapping[str, float]] | Sequence[Sequence[Mapping[str, float]]]
Pairs = Sequence[Sequence[tuple[str, str]]] | None
Limits = Sequence[int] | None
Vectors = Sequence[Sequence[float] | None] | None


@dataclass(frozen=True)
class Search(Generic[_T]):
    """A procedure that searches from many sets at once.

    ``options`` is the ``TypedDict`` of its config and ``kind`` the class of its rows;
    ``arguments`` are those before the config, by name. ``kg``, if it is none of them, is a key of
    the config.
    """

    procedure: str
    options: type[Any]
    kind: type[_T]
    arguments: tuple[str, ...] = ("nodes",)

    @lazy_property
    def call(self) -> Statement:
        """The ``CALL``, with its arguments as parameters; ``kgdb.follow`` has files instead."""
        arguments = (*self.arguments, "config")
        return rows_of_call(self.procedure, arguments, ("batch", *self.columns, "cut"))

    @lazy_property
    def columns(self) -> Sequence[str]:
        """Those of one result."""
        return [column for names, _ in _parts(self.kind) for column in names]

    @lazy_property
    def read(self) -> Callable[[Row], _T]:
        """What makes a value of a row."""
        kind, parts = self.kind, [read for _, read in _parts(self.kind)]
        return lambda row: kind(*[read(row) for read in parts])

    def results(self, sets: Sequence[object], rows: Iterable[Row]) -> list[Rows[_T]]:
        """The rows of each set."""
        return results(sets, rows, self.kind, self.read, self.columns[0])


def results(
    sets: Sequence[object],
    rows: Iterable[Row],
    kind: type[_T],
    read: Callable[[Row], _T],
    column: str,
) -> list[Rows[_T]]:
    """The rows of each set. One that has nothing in the column only tells what was cut."""
    results: list[list[_T]] = [[] for _ in sets]
    cuts: list[Sequence[str]] = [() for _ in sets]
    without: list[Sequence[str]] = [() for _ in sets]
    for row in rows:
        cuts[row["batch"]] = row["cut"]
        if WITHOUT_ID in row:
            without[row["batch"]] = row[WITHOUT_ID]
        elif row.get(column) is not None:
            results[row["batch"]].append(read(row))
    return [
        Rows(result, cut, kind, without_id)
        for result, cut, without_id in zip(results, cuts, without, strict=True)
    ]


class Retrieval(Protocol):
    """What both ways of retrieval can do; the rows are those of the procedures."""

    def search(
        self, search: Search[Any], config: Config, arguments: Mapping[str, Any]
    ) -> list[Row]:
        """The rows of all sets."""

    def follow(
        self, starts: Starts, chains: Chains, config: Config, limits: Limits = None
    ) -> list[Row]:
        """``kgdb.follow``; there may be a limit for each set."""

    def candidate_relations(self, starts: Starts, chains: Chains, ends: int) -> list[Row]:
        """``kgdb.relations.around`` the ends of each chain from its set; its place is ``chain``."""


class PluginRetrieval:
    """Calls the procedures for one graph."""

    def __init__(self, database: Database, kg: str) -> None:
        self._database = database
        self._kg = kg

    def search(
        self, search: Search[Any], config: Config, arguments: Mapping[str, Any]
    ) -> list[Row]:
        """``CALL`` the procedure."""
        parameters = {**arguments, "config": {"kg": self._kg, **config.given}}
        if "kg" in search.arguments:
            parameters["kg"] = parameters["config"].pop("kg")
        return self._database.collected(search.call, parameters)

    def follow(
        self, starts: Starts, chains: Chains, config: Config, limits: Limits = None
    ) -> list[Row]:
        """``CALL kgdb.follow``, once for all sets of the same limit."""
        places: dict[int | None, list[int]] = {}
        for place, limit in enumerate(limits or [None] * len(starts)):
            places.setdefault(limit, []).append(place)
        groups = [
            {
                "places": of,
                "nodes": [starts[place] for place in of],
                "relations": [chains[place] for place in of],
                "config": {"kg": self._kg, **config.given} | ({"limit": limit} if limit else {}),
            }
            for limit, of in places.items()
        ]
        return self._database.collected(statement("follow"), {"groups": groups})

    def candidate_relations(self, starts: Starts, chains: Chains, ends: int) -> list[Row]:
        """Two procedures composed in the database, so that the ends do not travel."""
        return self._database.collected(
            statement("relations/around_chains"),
            {
                "starts": starts,
                "chains": chains,
                "follow": {"kg": self._kg, "limit": ends, "paths": 0},
                "config": {"kg": self._kg},
            },
        )


_Part = tuple[tuple[str, ...], Callable[[Row], Any]]
"""The columns that a field is read from, and how."""


def _parts(kind: Any) -> list[_Part]:
    """For each field of the class of a row; a scalar has the column of its name."""
    parts: list[_Part] = []
    for field in fields(kind):
        key = key_of(field.name)
        parts.append(_PARTS.get(str(field.type)) or ((key,), itemgetter(key)))
    return parts


def _path(ids: Sequence[str], names: Sequence[str], steps: tuple[Step, ...]) -> Path:
    return Path(tuple(map(Entity, ids, names)), steps)


def _one_path(row: Row) -> Path:
    return _path(row["ids"], row["names"], tuple(map(Step.parse, row["relations"])))


def _paths_of_chain(row: Row) -> tuple[Path, ...]:
    """All along the chain that was followed, which the row of ``kgdb.follow`` does not repeat."""
    steps = tuple(map(Step.parse, row["relations"]))
    return tuple(
        _path(ids, names, steps) for ids, names in zip(row["paths"], row["names"], strict=True)
    )


def _step_on(row: Row) -> Step | None:
    return None if row["viaRelation"] is None else Step.parse(row["viaRelation"])


# Rows have no properties where they were not asked for.
_PARTS: Mapping[str, _Part] = {
    "Entity": (("id", "name"), lambda row: Entity(row["id"], row["name"])),
    "Path": (("ids", "names", "relations"), _one_path),
    "PathQualifiers": (("properties",), lambda row: path_qualifiers(row.get("properties"))),
    "Step": (
        ("relation", "direction"),
        lambda row: Step(row["relation"], reverse=row["direction"] == "in"),
    ),
    "Step | None": (("viaRelation",), _step_on),
    "tuple[Path, ...]": (("paths", "names", "relations"), _paths_of_chain),
    "tuple[PathQualifiers, ...]": (
        ("properties",),
        lambda row: tuple(map(path_qualifiers, row.get("properties") or ())),
    ),
    "tuple[float, ...]": (("similarities",), lambda row: tuple(row["similarities"])),
}
