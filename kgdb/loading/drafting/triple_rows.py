"""The draft for tables whose rows are triples, perhaps with columns about both ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kgdb.loading.drafting.column_roles import (
    DEFAULT_RELATION,
    ENDS,
    IDS,
    NAMES,
    RELATIONS,
    IdGroups,
    Triple,
    find,
    is_direction,
)
from kgdb.loading.drafting.draft import (
    Draft,
    as_name,
    empty,
    forbidden_labels,
    other_records,
    union,
    unnested,
    value_columns,
)
from kgdb.loading.drafting.sample import Column
from kgdb.loading.scratch.sql_quoting import bare_identifier, literal
from kgdb.wording import short

# The type of a value is its datatype, not a kind of entity.
_PAIRS = (*(pair for pair in ENDS if "value" not in pair), ("x", "y"), ("a", "b"))
# The graph's own number comes first: an id is often unique only within one of several vocabularies.
_KEYS = ("index", *IDS, "cui")
_KINDS = tuple("type kind category class semtype label".split())

_FEW = 0.5
_INCOMPLETE = "rows without all parts of a triple"


@dataclass(frozen=True, slots=True)
class End:
    """The columns with the id, the name and the kind of one end."""

    key: Column
    name: Column | None
    kind: Column | None

    def columns(self) -> tuple[Column, ...]:
        """The columns that exist."""
        return tuple(one for one in (self.key, self.name, self.kind) if one)


@dataclass(frozen=True, slots=True)
class DescribedTriple:
    """The columns of a triple whose ends have columns for names or kinds."""

    head: End
    relation: Column | None
    tail: End


def find_described_triple(columns: Sequence[Column]) -> DescribedTriple | None:
    """The columns of a triple, if both ends have a name or a kind besides the id."""
    texts = [column for column in columns if column.kind == "text"]
    by_word = {column.word: column for column in texts}
    for first, second in _PAIRS:
        head, tail = _parts(by_word, first), _parts(by_word, second)
        both = [part for part in head if part in tail]
        key, name, kind = (
            next((part for part in words if part in both), None)
            for words in ((*_KEYS, ""), (*NAMES, ""), _KINDS)
        )
        key = name if key is None else key
        if key is None or len({key, name, kind} - {None}) < 2:
            continue
        ends = [
            End(
                parts[key],
                parts[name] if name not in (None, key) else None,
                parts[kind] if kind not in (None, name) else None,
            )
            for parts in (head, tail)
        ]
        used = [*head.values(), *tail.values()]
        others = [column for column in texts if column not in used]
        return DescribedTriple(ends[0], _relation(others), ends[1])
    return None


def _relation(columns: Sequence[Column]) -> Column | None:
    """The column with the relation; of columns that describe it (predicate.label) its name."""
    by_word = {column.word: column for column in columns}
    described = (_parts(by_word, word) for word in RELATIONS)
    found = (parts[word] for parts in described for word in (*NAMES, *IDS) if word in parts)
    return find(columns, RELATIONS) or next(found, None)


def _parts(by_word: dict[str, Column], end: str) -> dict[str, Column]:
    """The columns of one end by the rest of their names; the column named like the end has ''."""
    columns = {}
    for word, column in by_word.items():
        if match := re.fullmatch(rf"{end}(?:[ _.:;-](.+))?", word):
            columns[match[1] or ""] = column
    return columns


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
        made.tables["literals"] = (
            f"SELECT {fact}, {value_columns(triple.tail, value)}"
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
        made.tables["other"] = other_records(_INCOMPLETE, where=f"({complete}) IS NOT TRUE")


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
    made.tables["other"] = other_records(_INCOMPLETE, where=f"({complete}) IS NOT TRUE")


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
