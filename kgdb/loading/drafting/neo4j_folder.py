"""The draft for a folder of files for Neo4j's importer: their headers say what each column is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kgdb.loading.drafting.column_roles import NAMES, IdGroups, find, group_of
from kgdb.loading.drafting.draft import (
    Draft,
    as_name,
    empty,
    forbidden_labels,
    other_records,
    union,
    value_columns,
    values_of,
)
from kgdb.loading.drafting.folder_tables import Table
from kgdb.loading.drafting.sample import Column
from kgdb.loading.loaders.loader_spec import RESERVED_LABELS
from kgdb.loading.scratch.sql_quoting import bare_identifier, literal

_ENDS = {"start_id", "end_id"}
_SHORT = 60


def is_for_neo4j(table: Table) -> bool:
    """Whether the header is one for Neo4j's importer."""
    roles = {column.role for column in table.columns}
    return "id" in roles or roles >= _ENDS


def draft_for_neo4j(tables: Sequence[Table], made: Draft) -> None:
    """Write the SQL for the tables whose header is one for Neo4j's importer."""
    left_out = [table for table in tables if not is_for_neo4j(table)]
    for table in left_out:
        made.notes.append(
            f"UNSURE: {table.file} has no header for an importer, as others have: it is left out."
        )
    tables = [table for table in tables if table not in left_out]
    nodes = [table for table in tables if any(c.role == "id" for c in table.columns)]
    edges = [table for table in tables if table not in nodes]
    groups = IdGroups([column for table in tables for column in table.columns])
    if groups.collide:
        made.notes.append(
            "Ids are unique within their group only, so that the group stands before them: "
            "Person:1."
        )
    literals = [each for table in nodes for each in _values(table, groups, made)]
    made.tables["triples"] = "\nUNION ALL BY NAME\n".join(
        _edges(table, groups, made) for table in edges
    ) or empty("head", "relation", "tail")
    if literals:
        made.tables["literals"] = union(literals)
    entities = [_nodes(table, groups, made) for table in nodes]
    made.tables["entities"] = union(entities) if entities else empty("id")
    made.tables["other"] = union(
        [other_records(f"rows of {table.file}", table.name) for table in [*nodes, *left_out]]
        + [_incomplete(table) for table in edges]
    )


def _role(table: Table, role: str) -> Column:
    return next(column for column in table.columns if column.role == role)


def _cell(column: Column) -> str:
    return f"{bare_identifier(column.name)}::VARCHAR"


def _kind(column: Column) -> str:
    """A cell with kinds, without a prefix that all of them have: treats of biolink:treats."""
    kinds = [kind for value in column.values for kind in re.split("[;|]", value)]
    prefixes = {kind.partition(":")[0] for kind in kinds if ":" in kind}
    if len(prefixes) != 1 or not all(":" in kind for kind in kinds):
        return _cell(column)
    prefix = f"(^|[;|]){re.escape(prefixes.pop())}:"
    return f"regexp_replace({_cell(column)}, {literal(prefix)}, '\\1', 'g')"


def _relation_of(table: Table) -> str:
    """The relation that the name of a file says: ``KNOWS`` for ``knows.csv``."""
    return re.sub(r"\W+", "_", table.stem).strip("_").upper() or "RELATED_TO"


def _plain_label(table: Table, key: Column) -> str:
    label = group_of(key) or table.label
    return f"{label}Node" if label in RESERVED_LABELS else label


def _name_of(table: Table) -> Column | None:
    texts = [c for c in table.columns if c.kind == "text" and not c.role]
    described = find(texts, ("description", "desc"))
    if described and (described.variety < 1 or max(map(len, described.values)) > _SHORT):
        described = None
    return find(texts, NAMES) or described


def _nodes(table: Table, groups: IdGroups, made: Draft) -> str:
    key = _role(table, "id")
    name = _name_of(table)
    labels = next((column for column in table.columns if column.role == "label"), None)
    shown = f"coalesce(nullif({_cell(name)}, ''), {_cell(key)})" if name else _cell(key)
    kinds = f"[{literal(_plain_label(table, key))}]"
    if labels is not None:
        split = f"regexp_split_to_array({_kind(labels)}, '[;|]')"
        kinds = f"[kind FOR kind IN {split} IF kind NOT IN ({forbidden_labels()})]"
    made.notes.append(
        f"{table.file}: each row is a node; {key.name} is its id"
        + (f", {name.name} its name." if name else ".")
    )
    return (
        f"SELECT {groups.id_of(key, '::VARCHAR')} AS id, {shown} AS name, NULL AS aliases, "
        f"{kinds} AS labels\nFROM {table.name} WHERE {_cell(key)} <> ''"
    )


def _values(table: Table, groups: IdGroups, made: Draft) -> Iterator[str]:
    """The other columns as values of the nodes."""
    key, name = _role(table, "id"), _name_of(table)
    head = groups.id_of(key, "::VARCHAR")
    for column in table.columns:
        if column in (key, name) or column.role == "label" or not column.values:
            continue
        relation = re.sub(r"\s+", "_", (column.title or column.name).strip())
        yield (
            f"SELECT head, {literal(relation)} AS relation, {value_columns(column, 'value')}\nFROM "
            f"(SELECT {head} AS head, {values_of(column, made.notes, True)} AS value "
            f"FROM {table.name} WHERE {_cell(key)} <> '') WHERE value <> ''"
        )


def _edges(table: Table, groups: IdGroups, made: Draft) -> str:
    head, tail = _role(table, "start_id"), _role(table, "end_id")
    kind = next((column for column in table.columns if column.role == "type"), None)
    relation = _kind(kind) if kind else literal(_relation_of(table))
    rest = [column for column in table.columns if column not in (head, tail, kind)]
    properties = "".join(
        f", {as_name(_property(column), bare_identifier(column.title or column.name))}"
        for column in rest
    )
    made.notes.append(
        f"{table.file}: each row is a relationship from {head.name} to {tail.name}"
        + (f"; its properties: {', '.join(c.title or c.name for c in rest)}." if rest else ".")
    )
    return (
        f"SELECT {groups.id_of(head, '::VARCHAR')} AS head, {relation} AS relation, "
        f"{groups.id_of(tail, '::VARCHAR')} AS tail{properties}\n"
        f"FROM {table.name} WHERE {_complete(table)}"
    )


def _property(column: Column) -> str:
    if column.kind == "array":
        return f"string_split(nullif({_cell(column)}, ''), ';')"
    return bare_identifier(column.name)


def _complete(table: Table) -> str:
    parts = [column for column in table.columns if column.role in {*_ENDS, "type"}]
    return " AND ".join(f"{_cell(column)} <> ''" for column in parts)


def _incomplete(table: Table) -> str:
    reason = f"rows of {table.file} without both ends and a type"
    return other_records(reason, table.name, f"({_complete(table)}) IS NOT TRUE")
