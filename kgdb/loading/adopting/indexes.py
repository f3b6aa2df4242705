"""The check of ids before nodes are adopted, where the caller names a property with ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.errors import DatabaseError, UsageError
from kgdb.graph import Database, GraphInfo
from kgdb.graph.connection.catalog import fulltext_index, id_constraint, name_index
from kgdb.graph.connection.statements import Labels, joined, statement
from kgdb.loading.adopting.name_choice import ChosenNames, kind_of
from kgdb.loading.writing.graph_constraints import await_indexes
from kgdb.progress import Message, Report
from kgdb.wording import counted, listed, plural, short

_MISSING = "NULL"
_IDS = frozenset({"STRING NOT NULL", "INTEGER NOT NULL"})
_EXAMPLES = 3
"""Nodes that an error names."""

_MAX_NAME_LENGTH = 1_750
"""Characters of the longest name that surely fits into an index, at four bytes each."""

_FULLTEXT, _RANGE = "FULLTEXT", "RANGE"
_ANALYZER = "fulltext.analyzer"
_FOLDING = "standard-folding"


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


def require_distinct_ids(database: Database, label: str, prop: str, *, mixed: bool = False) -> None:
    """Refuse nodes that share an id; ``mixed``: one as a number, another as the same text."""
    examples = {"limit": _EXAMPLES}
    if mixed:
        rows = database.run("adopt/mixed", examples, label=label, id=prop)
    else:
        rows = database.run("adopt/doubled", examples, label=label, id=prop)
    if rows:
        shown = ", ".join(f"{short(row['id'])} ({counted(row['nodes'], 'node')})" for row in rows)
        raise UsageError(
            f"Several nodes labelled {short(label)} have the same {short(prop)}, for instance "
            f"{shown}.",
            hint="Name another property with --id; expected one that is unique for every node. Or "
            "leave --id out: then ids are the database's own.",
        )


def _unusable(
    database: Database, label: str, prop: str, type_name: str, counts: tuple[int, int]
) -> UsageError:
    """An error that names some nodes whose id has an unusable type."""
    parameters = {"kind": type_name, "limit": _EXAMPLES}
    examples = database.run("adopt/examples", parameters, label=label, property=prop)
    shown = "; ".join(
        f"{row['node']} (it has {listed(sorted(row['properties']), 'nothing')})" for row in examples
    )
    kind = kind_of(type_name)
    what = "no property" if type_name == _MISSING else f"a {kind} as"
    unusable, nodes = counts
    return UsageError(
        f"{unusable:,} of {counted(nodes, 'node')} labelled {short(label)} "
        f"{plural(unusable, 'has', 'have')} {what} {short(prop)}, for instance {shown}.",
        hint="Name another property with --id; expected a text or a whole number, unique for every "
        "node. Or leave --id out: then ids are the database's own.",
    )


@dataclass(frozen=True, slots=True)
class Index:
    """An index as kgdb would create it; ``unique`` makes it one of a constraint."""

    name: str
    type: str
    labels: tuple[str, ...]
    properties: tuple[str, ...]
    unique: bool = False

    def is_(self, row: Mapping[str, Any]) -> bool:
        """Whether an index of the database is over the same."""
        return (
            row["type"] == self.type
            and set(row["labels"]) == set(self.labels)
            and set(row["properties"]) == set(self.properties)
        )


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """What is to be created and dropped.

    ``fulltext`` is the name of the user's own full-text index, where it serves. ``own`` are the
    names of all indexes that are kgdb's afterwards.
    """

    fulltext: str | None
    own: tuple[str, ...]
    create: tuple[Index, ...]
    drop: tuple[str, ...]
    mixed_ids: bool


def plan_indexes(
    database: Database,
    labels: Sequence[str],
    id_property: str | None,
    names: ChosenNames,
    aliases: Sequence[str],
    current: GraphInfo | None,
    report: Report,
) -> IndexPlan:
    """Compare the indexes that the graph needs with those that are there; nothing is written."""
    existing = database.run("adopt/indexes", {"labels": list(labels)})
    own = set(current.own_indexes) if current else set()
    users = [row for row in existing if row["name"] not in own]
    wanted = []
    fields = [name for source in names.sources for name in source.properties]
    over_names = Index(
        fulltext_index(labels[0]),
        _FULLTEXT,
        tuple(labels),
        tuple(dict.fromkeys([*fields, *aliases])),
    )
    if not over_names.properties:
        raise UsageError(
            f"No property of the nodes labelled {listed(labels)} looks like a name.",
            hint="Name one with --name LABEL=PROPERTY: kgdb finds entities by their names.",
        )
    fulltext = next((row for row in users if over_names.is_(row)), None)
    if fulltext is None:
        wanted.append(over_names)
    else:
        report(Message(_serves(fulltext)))
    wanted += _name_indexes(names, id_property, users, report)
    mixed = False
    if id_property is not None:
        mixed = check_ids(database, labels[0], id_property)
        wanted += _id_index(database, labels[0], id_property, users)
    by_name = {row["name"]: row for row in existing if row["name"] in own}
    as_wanted = {index.name for index in wanted if _is_there(index, by_name)}
    return IndexPlan(
        fulltext=fulltext["name"] if fulltext else None,
        own=tuple(index.name for index in wanted),
        create=tuple(index for index in wanted if index.name not in as_wanted),
        drop=tuple(sorted(set(by_name) - as_wanted)),
        mixed_ids=mixed,
    )


def write_indexes(
    database: Database,
    plan: IndexPlan,
    labels: Sequence[str],
    id_property: str | None,
    report: Report,
) -> None:
    """Create what is missing, and wait until it is complete."""
    for name in plan.drop:
        database.write("drop/constraint", constraint=name)
        database.write("drop/index", index=name)
    for index in plan.create:
        _create(database, index)
    if plan.mixed_ids and id_property is not None:
        require_distinct_ids(database, labels[0], id_property, mixed=True)
    try:
        await_indexes(database)
    except DatabaseError:
        if not _drop_failed(database, plan, labels, report):
            raise
        await_indexes(database)


def _serves(row: Mapping[str, Any]) -> str:
    analyzer = (row["config"] or {}).get(_ANALYZER)
    note = f"Your full-text index {short(row['name'])} is used"
    if analyzer == _FOLDING:
        return note
    return f"{note}. Its analyzer is {analyzer}: names are found as that one reads them"


def _name_indexes(
    names: ChosenNames, id_property: str | None, users: Sequence[Mapping[str, Any]], report: Report
) -> list[Index]:
    """The indexes over whole names, where the user has none."""
    wanted = []
    for source in names.sources:
        name = source.properties[0]
        if len(source.properties) > 1 or name == id_property:
            continue
        if names.longest[source.label] > _MAX_NAME_LENGTH:
            report(
                Message(
                    f"No index over whole names of nodes labelled {short(source.label)}: some "
                    "names are too long for it."
                )
            )
            continue
        index = Index(name_index(source.label), _RANGE, (source.label,), (name,))
        if not any(index.is_(row) for row in users):
            wanted.append(index)
    return wanted


def _id_index(
    database: Database, label: str, id_property: str, users: Sequence[Mapping[str, Any]]
) -> list[Index]:
    """The constraint on ids, unless the user's own index serves as well."""
    index = Index(id_constraint(label), _RANGE, (label,), (id_property,), unique=True)
    same = [row for row in users if index.is_(row)]
    if same and not same[0]["owningConstraint"]:
        # Neo4j allows no constraint beside the user's own index.
        require_distinct_ids(database, label, id_property)
    return [] if same else [index]


def _is_there(index: Index, by_name: Mapping[str, Mapping[str, Any]]) -> bool:
    return index.name in by_name and index.is_(by_name[index.name])


def _create(database: Database, index: Index) -> None:
    label = Labels(index.labels)
    if index.type == _FULLTEXT:
        parts = [statement("adopt/property", property=name) for name in index.properties]
        database.write(
            "adopt/fulltext", label=label, index=index.name, properties=joined(", ", parts)
        )
    elif not index.unique:
        database.write("adopt/name_index", label=label, name=index.properties[0], index=index.name)
    else:
        (id_property,) = index.properties
        try:
            database.write("adopt/constraint", label=label, id=id_property, constraint=index.name)
        except DatabaseError:
            require_distinct_ids(database, index.labels[0], id_property)
            raise


def _drop_failed(
    database: Database, plan: IndexPlan, labels: Sequence[str], report: Report
) -> bool:
    """Drop new indexes over whole names that could not be filled: without them no write fails."""
    rows = database.run("adopt/indexes", {"labels": list(labels)})
    created = {index.name for index in plan.create if index.type == _RANGE and not index.unique}
    failed = [row["name"] for row in rows if row["state"] == "FAILED" and row["name"] in created]
    for name in failed:
        database.write("drop/index", index=name)
        report(Message(f"No index {name} over whole names: some names are too long for it."))
    return bool(failed)
