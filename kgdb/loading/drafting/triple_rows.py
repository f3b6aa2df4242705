"""The draft for tables whose rows are triples."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgdb.loading.drafting.cells import (
    as_name,
    datatype_of,
    empty,
    forbidden_labels,
    lexical_of,
    union,
    unnested,
)
from kgdb.loading.drafting.column_roles import (
    DEFAULT_RELATION,
    Triple,
    is_direction,
)
from kgdb.loading.drafting.draft import Draft
from kgdb.loading.drafting.edge_columns import DescribedTriple, End
from kgdb.loading.drafting.neo4j_groups import IdGroups
from kgdb.loading.drafting.sample import Column
from kgdb.loading.scratch.sql_quoting import bare_identifier, literal
from kgdb.wording import short

_FEW = 0.5


def add_triple_rows(columns: Sequence[Column], triple: Triple, made: Draft, *, typed: bool) -> None:
    """One triple per row; further columns are properties of the relationship."""
    head, tail = bare_identifier(triple.head.name), bare_identifier(triple.tail.name)
    groups = IdGroups([triple.head, triple.tail])
    relation = (
        bare_identifier(triple.relation.name) if triple.relation else literal(DEFAULT_RELATION)
    )
    used = [triple.head, triple.relation, triple.tail]
    others = [column for column in columns if column not in used]
    undirected = next((column for column in others if is_direction(column)), None)
    others = [column for column in others if column is not undirected]
    further = _qualifiers(others, undirected, made)
    numbers = triple.tail.is_numeric or triple.tail.is_date
    said = triple.tail.role == "end_id"
    ids = said or (triple.tail.is_numeric and _are_ids(triple))
    if said:
        made.notes.append("The header says that both ends are ids of entities.")
    elif ids:
        made.notes.append(
            f"UNSURE: {triple.tail.name} contains numbers, like the heads: they are read as ids "
            "of entities. Values belong in `literals`."
        )
    elif numbers:
        made.notes.append(
            f"UNSURE: {triple.tail.name} contains numbers or dates: they are read as literals, "
            "which entities do not share. Ids of entities belong in `triples`."
        )
    else:
        made.notes.append(
            "The names of entities are their ids: the source seems to have no other ids."
        )
    lists = triple.tail.kind == "list"
    value = unnested(triple.tail, typed=typed) if lists else tail
    complete = " AND ".join(f"{part} <> ''" for part in dict.fromkeys((head, relation, tail)))
    fact = f"{as_name(groups.id_of(triple.head), 'head')}, {as_name(relation, 'relation')}"
    rows = f"FROM source WHERE {complete}"
    if lists:
        rows = f"FROM source WHERE {head} <> ''"
    if numbers and not ids:
        made.tables["triples"] = empty("head", "relation", "tail")
        datatype = f"{datatype_of(triple.tail, value)} AS datatype"
        made.tables["literals"] = (
            f"SELECT {fact}, {as_name(lexical_of(triple.tail, value), 'value')}, {datatype}, "
            "NULL AS language"
            f"{_qualifiers(others, None, None)} {rows}"
        )
    else:
        end = groups.id_of(triple.tail) if groups.collide else value
        made.tables["triples"] = f"SELECT {fact}, {as_name(end, 'tail')}{further} {rows}"
    if groups.collide:
        made.notes.append(
            "Ids are unique within their group only, so that the group stands before them."
        )
        made.tables["entities"] = union(
            [
                f"SELECT DISTINCT {groups.id_of(column)} AS id, "
                f"{as_name(bare_identifier(column.name), 'name')}\nFROM source "
                f"WHERE {bare_identifier(column.name)} <> ''"
                for column in (triple.head, triple.tail)
            ]
        )
    if not typed and not lists:
        made.tables["other"] = (
            "SELECT 'rows without all parts of a triple' AS reason, count(*) AS records "
            f"FROM source WHERE ({complete}) IS NOT TRUE"
        )


def _qualifiers(columns: Sequence[Column], undirected: Column | None, made: Draft | None) -> str:
    """The further columns of a triple, each after a comma: properties of the relationship."""
    parts = []
    for column in columns:
        name = column.title or column.name
        cell = bare_identifier(column.name)
        parts.append(f", {as_name(cell, bare_identifier(name))}")
    if made is not None and columns:
        names = ", ".join(column.title or column.name for column in columns)
        made.notes.append(f"Properties of the relationship: {names}.")
    if undirected is not None:
        cell = bare_identifier(undirected.name)
        parts.append(f", lower({cell}) = 'undirected' AS undirected")
        if made is not None:
            made.notes.append(
                f"{undirected.name} says which triples have no direction: they are stated both "
                "ways."
            )
    return "".join(parts)


def add_described_triples(
    columns: Sequence[Column], triple: DescribedTriple, made: Draft, *, typed: bool
) -> None:
    """One triple per row, with columns about its ends."""
    cast = "::VARCHAR" if typed else ""
    head, tail = (f"{bare_identifier(end.key.name)}{cast}" for end in (triple.head, triple.tail))
    relation = (
        f"{bare_identifier(triple.relation.name)}{cast}"
        if triple.relation
        else literal(DEFAULT_RELATION)
    )
    used = [*triple.head.columns(), triple.relation, *triple.tail.columns()]
    others = [column for column in columns if column not in used]
    of_ends = [column for column in others if _is_of_an_end(column, triple)]
    if of_ends:
        made.notes.append(f"Left out: {', '.join(column.name for column in of_ends)}.")
    further = _qualifiers([column for column in others if column not in of_ends], None, made)
    for end in (triple.head, triple.tail):
        roles = [
            f"{column.name} is its {role}"
            for column, role in ((end.name, "name"), (end.kind, "label"))
            if column
        ]
        made.notes.append(f"{end.key.name} is the id of an entity, {', '.join(roles)}.")
    if triple.relation is None:
        made.notes.append(
            f"UNSURE: no column names the relation; all rows get {short(DEFAULT_RELATION)}."
        )
    complete = " AND ".join(f"{part} <> ''" for part in (head, relation, tail))
    made.tables["triples"] = (
        f"SELECT {as_name(head, 'head')}, {as_name(relation, 'relation')}, {as_name(tail, 'tail')}"
        f"{further} FROM source WHERE {complete}"
    )
    made.tables["entities"] = union([_end(triple.head, cast), _end(triple.tail, cast)])
    made.tables["other"] = (
        "SELECT 'rows without all parts of a triple' AS reason, count(*) AS records "
        f"FROM source WHERE ({complete}) IS NOT TRUE"
    )


def _is_of_an_end(column: Column, triple: DescribedTriple) -> bool:
    """Whether the column tells more of one end, such as x_source beside x_id."""
    prefixes = {re.split(r"[ _.:;-]", end.key.word)[0] for end in (triple.head, triple.tail)}
    return any(re.match(rf"{re.escape(prefix)}[ _.:;-]", column.word) for prefix in prefixes)


def _end(end: End, cast: str) -> str:
    """A SELECT of the entities at one end of the triples."""
    key = f"{bare_identifier(end.key.name)}{cast}"
    name = f"{bare_identifier(end.name.name)}{cast}" if end.name else key
    columns = [as_name(key, "id"), as_name(name, "name")]
    # If rows of one entity have different names, one is its name; the others are aliases.
    columns.append(
        f"CASE WHEN {name} <> '' THEN [{name}] END AS aliases" if end.name else "NULL AS aliases"
    )
    if end.kind:
        kind = f"{bare_identifier(end.kind.name)}{cast}"
        columns.append(
            f"CASE WHEN {kind} NOT IN ({forbidden_labels()}) THEN [{kind}] END AS labels"
        )
    return f"SELECT DISTINCT {', '.join(columns)} FROM source WHERE {key} <> ''"


def _are_ids(triple: Triple) -> bool:
    """Whether the numeric tails are ids of entities."""
    tails = set(triple.tail.values)
    shared = tails.intersection(triple.head.values)
    return triple.head.is_numeric or len(shared) >= _FEW * len(tails)
