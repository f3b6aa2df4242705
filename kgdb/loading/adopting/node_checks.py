"""The checks of nodes before they are adopted: their ids, names and relationships."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph import Database
from kgdb.loading.adopting.request import AdoptionRequest
from kgdb.loading.loaders.spec import RESERVED_LABELS
from kgdb.wording import counted, listed, plural, short

MISSING, _TEXT, _INTEGER = "NULL", "STRING NOT NULL", "INTEGER NOT NULL"
_IDS = frozenset({_TEXT, _INTEGER})
_NAMES = frozenset({MISSING, _TEXT, _INTEGER, "FLOAT NOT NULL", "BOOLEAN NOT NULL"})
EXAMPLES = 3
"""Nodes that an error names."""

_SAMPLE = 10_000


@dataclass(frozen=True, slots=True)
class ValueTypes:
    """The number of nodes, by the types of their ids and names."""

    nodes: int
    ids: Mapping[str, int]
    names: Mapping[str, int]
    longest_name: int


def check_values(database: Database, request: AdoptionRequest) -> ValueTypes:
    """Count the nodes by type; refuse ids and names of types that kgdb cannot use."""
    rows = database.run(
        "adopt/kinds", label=request.label, id=request.id_property, name=request.name_property
    )
    ids: dict[str, int] = {}
    names: dict[str, int] = {}
    for row in rows:
        ids[row["id"]] = ids.get(row["id"], 0) + row["nodes"]
        names[row["name"]] = names.get(row["name"], 0) + row["nodes"]
    nodes = sum(ids.values())
    if not nodes:
        raise _no_nodes(database, request.label)
    for type_name, count in ids.items():
        if type_name not in _IDS:
            what = "no property" if type_name == MISSING else f"a {_plain(type_name)} as"
            raise _unusable(database, request, request.id_property, type_name, (count, nodes), what)
    if set(names) == {MISSING}:
        raise _unusable(
            database, request, request.name_property, MISSING, (nodes, nodes), "no property"
        )
    for type_name, count in names.items():
        if type_name not in _NAMES:
            raise _unusable(
                database,
                request,
                request.name_property,
                type_name,
                (count, nodes),
                f"a {_plain(type_name)} as",
            )
    return ValueTypes(nodes, ids, names, max(row["longest"] or 0 for row in rows))


def _no_nodes(database: Database, label: str) -> UsageError:
    labels = database.run("labels")[0]["labels"]
    near = get_close_matches(label, labels, n=1)
    meant = f" Did you mean {short(near[0])}?" if near else ""
    return UsageError(
        f"No node is labelled {short(label)}.{meant}",
        hint="Expected the label that all entities of the graph share. Labels are: "
        f"{listed(sorted(set(labels) - RESERVED_LABELS))}.",
    )


def _unusable(
    database: Database,
    request: AdoptionRequest,
    prop: str,
    type_name: str,
    counts: tuple[int, int],
    what: str,
) -> UsageError:
    """An error that names some nodes whose property has an unusable type."""
    examples = database.run(
        "adopt/examples",
        {"kind": type_name, "limit": EXAMPLES},
        label=request.label,
        property=prop,
    )
    shown = "; ".join(
        f"{row['node']} (it has {listed(sorted(row['properties']), 'nothing')})" for row in examples
    )
    option, expected = (
        ("--id", "a text or a whole number, unique for every node")
        if prop == request.id_property
        else ("--name", "a text or a number")
    )
    unusable, nodes = counts
    return UsageError(
        f"{unusable:,} of {counted(nodes, 'node')} labelled {short(request.label)} "
        f"{plural(unusable, 'has', 'have')} {what} {short(prop)}, for instance {shown}.",
        hint=f"Name another property with {option}; expected {expected}.",
    )


def _plain(type_name: str) -> str:
    return type_name.removesuffix(" NOT NULL").partition("<")[0].lower()


def count_relations(
    database: Database, request: AdoptionRequest
) -> tuple[list[dict[str, Any]], int]:
    """The relations among the nodes, and the number of relationships to other nodes."""
    rows = database.run("adopt/relations", label=request.label)
    relations = [
        {
            "id": row["id"],
            "count": row["count"],
            "fan_out": round(row["count"] / row["heads"], 3),
            "fan_in": round(row["count"] / row["tails"], 3),
            "mediator_heads": 2 * row["mediator_heads"] >= row["count"],
            "mediator_tails": 2 * row["mediator_tails"] >= row["count"],
        }
        for row in rows
        if row["count"]
    ]
    outside = sum(row["outside"] for row in rows)
    if relations:
        return relations, outside
    sample = {"sample": _SAMPLE, "limit": EXAMPLES}
    labels = [row["label"] for row in database.run("adopt/outside", sample, label=request.label)]
    hint = "Expected the label that both ends of the graph's relationships have."
    if labels:
        together = "|".join([request.label, *labels])
        hint += (
            f" Its relationships lead to nodes labelled {listed(labels)}: give every "
            f"(n:{together}) another label by SET n:Mine, and adopt that label."
        )
    raise UsageError(f"No relationship joins two nodes labelled {short(request.label)}.", hint=hint)


def require_distinct_ids(database: Database, request: AdoptionRequest) -> None:
    """Refuse nodes that share an id."""
    limit = {"limit": EXAMPLES}
    rows = database.run("adopt/doubled", limit, label=request.label, id=request.id_property)
    refuse_duplicates(request, rows)


def refuse_duplicates(request: AdoptionRequest, rows: Sequence[Mapping[str, Any]]) -> None:
    """Refuse the ids in ``rows``, each of which several nodes have; no row is no error."""
    if rows:
        shown = ", ".join(f"{short(row['id'])} ({counted(row['nodes'], 'node')})" for row in rows)
        raise UsageError(
            f"Several nodes labelled {short(request.label)} have the same "
            f"{short(request.id_property)}, for instance {shown}.",
            hint="Name another property with --id; expected one that is unique for every node.",
        )
