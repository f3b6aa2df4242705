"""The relations of a graph, the labels and the property keys of its database, to check names."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from kgdb.errors import ArgumentRefused
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.round_trips import uncounted
from kgdb.wording import short


class Names:
    """Read when the first name is checked, and once more before one is refused.

    Relations are those of one graph: what others in the database have makes no difference.
    """

    def __init__(self, database: Database, info: GraphInfo) -> None:
        self._database = database
        self._info = info
        self._listed: frozenset[str] = frozenset()
        self._relations: frozenset[str] = frozenset()
        self._labels: frozenset[str] = frozenset()
        self._properties: frozenset[str] = frozenset()

    def check_relations(self, specs: Iterable[str]) -> None:
        """Refuse a relation, written ``r`` or ``^r``, that the graph has not."""
        names = {spec.removeprefix("^") for spec in specs}
        if not names <= self._relations:
            types = self._read()
            self._relations |= self._unlisted((names - self._relations) & types)
        for name in sorted(names - self._relations):
            raise ArgumentRefused(
                f"no relation {short(name)} in graph {short(self._info.name)}"
                f"{_did_you_mean(name, self._listed)}"
            )

    def check_labels(self, labels: Iterable[str]) -> None:
        """Refuse a label that no node of the database can have."""
        names = set(labels)
        if not names <= self._labels:
            self._read()
        for name in sorted(names - self._labels):
            raise ArgumentRefused(
                f"no label {short(name)} in the store{_did_you_mean(name, self._labels)}"
            )

    def check_properties(self, properties: Iterable[str]) -> None:
        """Refuse a property that nothing in the database can have."""
        names = set(properties)
        if not names <= self._properties:
            self._read()
        for name in sorted(names - self._properties):
            raise ArgumentRefused(
                f"where: no relationship has a property {short(name)}"
                f"{_did_you_mean(name, self._properties)}"
            )

    def _read(self) -> frozenset[str]:
        """Read what the graph lists; every relationship type of the database."""
        with uncounted():
            (row,) = self._database.run("plain/names", {"kg": self._info.name})
        self._listed = frozenset(row["relations"])
        self._relations |= self._listed
        self._labels = frozenset(row["labels"])
        self._properties = frozenset(row["properties"])
        return frozenset(row["types"])

    def _unlisted(self, types: Iterable[str]) -> frozenset[str]:
        """Those that its entities have, though they are not listed: it was changed since."""
        with uncounted():
            return frozenset(
                type_
                for type_ in types
                if any(
                    self._database.run("plain/relations/used", label=label, relation=type_)[0][
                        "used"
                    ]
                    for label in self._info.labels
                )
            )


def _did_you_mean(name: str, candidates: Iterable[str]) -> str:
    near = get_close_matches(name, sorted(candidates), n=3)
    return f" (did you mean {' or '.join(map(short, near))}?)" if near else ""
