"""The relationship types and labels of a database, to check what a caller names."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from kgdb.errors import DatabaseError
from kgdb.graph.database import Database, uncounted
from kgdb.wording import short


class Names:
    """Read when the first name is checked, and once more before one is refused."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._relations: frozenset[str] = frozenset()
        self._labels: frozenset[str] = frozenset()

    def check_relations(self, specs: Iterable[str]) -> None:
        """Refuse a relation, written ``r`` or ``^r``, of which the database knows nothing."""
        names = {spec.removeprefix("^") for spec in specs}
        if not names <= self._relations:
            self._read()
        for name in sorted(names - self._relations):
            raise DatabaseError(
                f"no relation {short(name)} in the store{_did_you_mean(name, self._relations)}"
            )

    def check_labels(self, labels: Iterable[str]) -> None:
        """Refuse a label that no node of the database can have."""
        names = set(labels)
        if not names <= self._labels:
            self._read()
        for name in sorted(names - self._labels):
            raise DatabaseError(
                f"no label {short(name)} in the store{_did_you_mean(name, self._labels)}"
            )

    def _read(self) -> None:
        with uncounted():
            (row,) = self._database.run("plain/names")
        self._relations = frozenset(row["relations"])
        self._labels = frozenset(row["labels"])


def _did_you_mean(name: str, candidates: Iterable[str]) -> str:
    near = get_close_matches(name, sorted(candidates), n=3)
    return f" (did you mean {' or '.join(map(short, near))}?)" if near else ""
