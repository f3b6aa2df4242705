"""The check of ids before nodes are adopted, where the caller names a property with ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph import Database
from kgdb.wording import counted, listed, plural, short

_MISSING = "NULL"
_IDS = frozenset({"STRING NOT NULL", "INTEGER NOT NULL"})
_EXAMPLES = 3
"""Nodes that an error names."""


def check_ids(database: Database, label: str, prop: str) -> bool:
    """Refuse ids that are missing or of a type that is none; tells whether they are of two types.

    A key that the caller names must hold for every node, so all nodes with the label are read.
    """
    rows = database.run("adopt/ids", label=label, id=prop)
    nodes = sum(row["nodes"] for row in rows)
    for row in rows:
        if row["id"] not in _IDS:
            raise _unusable(database, label, prop, row["id"], (row["nodes"], nodes))
    return len(rows) > 1


def require_distinct_ids(database: Database, label: str, prop: str) -> None:
    """Refuse nodes that share an id."""
    rows = database.run("adopt/doubled", {"limit": _EXAMPLES}, label=label, id=prop)
    _refuse_duplicates(label, prop, rows)


def require_unmixed_ids(database: Database, label: str, prop: str) -> None:
    """Refuse an id that is a number on one node and the same text on another."""
    rows = database.run("adopt/mixed", {"limit": _EXAMPLES}, label=label, id=prop)
    _refuse_duplicates(label, prop, rows)


def _unusable(
    database: Database, label: str, prop: str, type_name: str, counts: tuple[int, int]
) -> UsageError:
    """An error that names some nodes whose id has an unusable type."""
    parameters = {"kind": type_name, "limit": _EXAMPLES}
    examples = database.run("adopt/examples", parameters, label=label, property=prop)
    shown = "; ".join(
        f"{row['node']} (it has {listed(sorted(row['properties']), 'nothing')})" for row in examples
    )
    kind = type_name.removesuffix(" NOT NULL").partition("<")[0].lower()
    what = "no property" if type_name == _MISSING else f"a {kind} as"
    unusable, nodes = counts
    return UsageError(
        f"{unusable:,} of {counted(nodes, 'node')} labelled {short(label)} "
        f"{plural(unusable, 'has', 'have')} {what} {short(prop)}, for instance {shown}.",
        hint="Name another property with --id; expected a text or a whole number, unique for every "
        "node. Or leave --id out: then ids are the database's own.",
    )


def _refuse_duplicates(label: str, prop: str, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        shown = ", ".join(f"{short(row['id'])} ({counted(row['nodes'], 'node')})" for row in rows)
        raise UsageError(
            f"Several nodes labelled {short(label)} have the same {short(prop)}, for instance "
            f"{shown}.",
            hint="Name another property with --id; expected one that is unique for every node. Or "
            "leave --id out: then ids are the database's own.",
        )
