"""The roles of a table's columns in a graph, by their names or by their values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kgdb.loading.drafting.sample import Column
from kgdb.loading.scratch.sql_quoting import bare_identifier, literal

ENDS = tuple(
    tuple(pair.split("/"))
    for pair in "start_id/end_id head/tail subject/object source/target from/to head_id/tail_id "
    "subject_id/object_id source_id/target_id from_id/to_id fromnodeid/tonodeid src/dst start/end "
    "node1/node2 entity1/entity2 h/t s/o entity/value".split()
)
RELATIONS = tuple(
    "relation predicate relationship relation_type relationship_type relation_name rel_type rel "
    "edge_type metaedge interaction_type interaction edge property type label r p".split()
)
HEADS, TAILS = (tuple(dict.fromkeys(ends)) for ends in zip(*ENDS, strict=True))
IDS = tuple("id _id identifier iri uri key code".split())
NAMES = tuple("name title label".split())
"""Lower-case column names for each role, the clearest names first."""

_ENTITY_WORDS = frozenset(("type", "label"))
_AMBIGUOUS_WORDS = frozenset(("start", "end", "value"))

DEFAULT_RELATION = "related_to"
"""The relation of a source without a relation column."""

# Columns of the files that Neo4j imports: :START_ID(Person), name, year:int, tags:string[].
_NEO4J = re.compile(
    r"(?P<title>.*?):(?:(?P<role>ID|LABEL|TYPE|START_ID|END_ID|IGNORE)|"
    r"(?i:int|long|float|double|bool(?:ean)?|byte|short|char|string|point|date|time|localtime|"
    r"localdatetime|datetime|duration)(?P<array>\[\])?)(?:[({].*[)}])?"
)

_NEPTUNE = {"~from": ":START_ID", "~to": ":END_ID", "~label": ":TYPE", "~id": ":IGNORE"}
_NEPTUNE_NODES = {"~id": ":ID", "~label": ":LABEL"}
_KGX = {"subject": ":START_ID", "predicate": ":TYPE", "object": ":END_ID", "id": ":IGNORE"}
_KGX_NODES = {"id": ":ID", "category": ":LABEL"}
"""The columns of other formats, as Neo4j's importer would call them."""
_FEW = 0.5
_SHARED = 0.5
"""The share of the fewer values of two columns that both have, if they name the same things."""

_GROUP = re.compile(r".*:(?:ID|START_ID|END_ID)\((?P<group>[^()]+)\)(?:\{.*\})?")
_ROLES = ("id", "start_id", "end_id")


def with_neo4j_roles(columns: Sequence[Column], notes: list[str]) -> tuple[Column, ...]:
    """The columns with their roles, if the header is that of a Neo4j or Neptune import file."""
    names = {column.name for column in columns}
    alike = _NEPTUNE if {"~from", "~to"} <= names else _NEPTUNE_NODES if "~id" in names else {}
    return _with_roles(columns, alike, notes)


def with_kgx_roles(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns with their roles, if the header is that of a table of KGX: of Biolink graphs."""
    names = {column.name for column in columns}
    if _KGX.keys() - {"id"} <= names:
        return _with_roles(columns, _KGX, [])
    return _with_roles(columns, _KGX_NODES, []) if _KGX_NODES.keys() <= names else tuple(columns)


def _with_roles(
    columns: Sequence[Column], alike: Mapping[str, str], notes: list[str]
) -> tuple[Column, ...]:
    matches = [_NEO4J.fullmatch(alike.get(column.name, column.name)) for column in columns]
    roles = {match["role"] for match in matches if match}
    if "ID" not in roles and not {"START_ID", "END_ID"} <= roles:
        return tuple(columns)
    with_roles = []
    for column, each in zip(columns, matches, strict=True):
        if each is None:
            with_roles.append(column)
        elif each["role"] == "IGNORE":
            notes.append(f"Left out: {column.name}.")
        else:
            role, kind = (each["role"] or "").casefold(), "array" if each["array"] else column.kind
            with_roles.append(replace(column, role=role, kind=kind, title=each["title"]))
    return tuple(with_roles)


@dataclass(frozen=True, slots=True)
class Triple:
    """The columns of a triple; ``relation`` is ``None`` if all rows have the same relation."""

    head: Column
    relation: Column | None
    tail: Column


def triple_of(columns: Sequence[Column], notes: list[str], *, named: bool) -> Triple | None:
    """The columns of a triple, or ``None`` if each row is an entity."""
    parts = _triple_by_name(columns, notes) if named else triple_by_position(columns, notes)
    if parts is None:
        return None
    head, relation, tail = parts
    if head.kind != "text" or (relation and relation.kind != "text"):
        return None
    if relation is None:
        notes.append(f"UNSURE: no column names the relation; all rows get {DEFAULT_RELATION!r}.")
    return Triple(head, relation, tail)


def _triple_by_name(
    columns: Sequence[Column], notes: list[str]
) -> tuple[Column, Column | None, Column] | None:
    """Head, relation and tail by the column names of the header."""
    columns = [column for column in columns if not is_direction(column)]
    head, tail = _ends(columns)
    relation = find([one for one in columns if one not in (head, tail)], RELATIONS)
    # A table of entities may have columns type and label too.
    sure = (
        tail is not None
        or (head is not None and head.word != "entity")
        or (relation is not None and relation.word not in _ENTITY_WORDS)
    )
    if len(columns) == 3 and relation is columns[1] and sure:
        head, tail = head or columns[0], tail or columns[2]
    if head is None or tail is None:
        return None
    others = [one for one in columns if one not in (head, tail) and not one.is_numeric]
    if relation is None and others and {head.word, tail.word} & _AMBIGUOUS_WORDS:
        return None
    if relation is None and len(columns) == 3 and others == [columns[1]]:
        relation = others[0]
        notes.append(f"UNSURE: {relation.name}, between both ends, is read as the relation.")
    return head, relation, tail


def _ends(columns: Sequence[Column]) -> tuple[Column | None, Column | None]:
    """Head and tail, preferably a pair of matching words: a lone source is often a document."""
    if both := edge_ends(columns):
        return both
    first, second = columns[:2]
    if first.word.endswith("1") and second.word == f"{first.word[:-1]}2":
        return first, second
    return find(columns, HEADS), find(columns, TAILS)


def edge_ends(columns: Sequence[Column]) -> tuple[Column, Column] | None:
    """The columns that are called as the ends of edges are, by a pair of matching words."""
    for pair in ENDS:
        head, tail = (find(columns, [word]) for word in pair)
        if head and tail:
            return head, tail
    return None


def triple_by_position(
    columns: Sequence[Column], notes: list[str]
) -> tuple[Column, Column | None, Column] | None:
    """Head, relation and tail without a header: the relation has the fewest different values."""
    filled = [column for column in columns if column.values]
    if len(filled) < 3:
        return (filled[0], None, filled[1]) if len(filled) == 2 else None
    first, second, third = filled[:3]
    if order := _linked(first, second, third):
        if order[1] is not second:
            notes.append(
                f"Column {columns.index(order[1]) + 1} is read as the relation: the other two name "
                "the same entities."
            )
        return order
    if not all(one.is_numeric or one.is_date or one.variety < _FEW for one in filled[3:]):
        return None
    # A first column of unique values before two numeric columns is an entity with two values.
    numbers = second.is_numeric and third.is_numeric and not first.is_numeric
    if first.variety == 1 and (len(filled) > 3 or (numbers and len(first.values) > 1)):
        notes.append(
            "UNSURE: column 1 has no value twice, so each row is read as an entity, not as a "
            "triple."
        )
        return None
    order, codes = (first, second, third), second.is_numeric
    few = first.variety < second.variety / 2 and first.variety < _FEW
    if few or (codes and not first.is_numeric):
        order = second, first, third
    elif (
        third.variety < second.variety / 2
        and third.variety < _FEW
        and (codes or not third.is_numeric)
    ):
        order = first, third, second
    if order[1] is not second:
        notes.append(
            f"UNSURE: column {columns.index(order[1]) + 1} has the fewest different values and is "
            "read as the relation."
        )
    elif len(filled) > 3 or codes or second.variety >= _FEW or first.variety == 1:
        notes.append("UNSURE: columns 1, 2 and 3 are read as head, relation and tail.")
    return order


def ends_of(columns: Sequence[Column]) -> list[Column]:
    """The columns with ids of entities, by their names: heads, tails, ids."""
    head, tail = _ends(columns) if len(columns) > 1 else (None, None)
    both = [head, tail] if head and tail else [find(columns, IDS)]
    return [column for column in both if column is not None]


def is_direction(column: Column) -> bool:
    """Whether its values say if an edge has a direction, as Gephi writes them."""
    words = {value.casefold() for value in column.values}
    return bool(words) and words <= {"directed", "undirected"}


def _linked(first: Column, second: Column, third: Column) -> tuple[Column, Column, Column] | None:
    """Head, relation and tail where two columns name the same entities, and the third others."""
    for head, relation, tail in (
        (first, second, third),
        (first, third, second),
        (second, first, third),
    ):
        heads, relations, tails = (set(each.values) for each in (head, relation, tail))
        both = len(heads & tails)
        shared = both / max(1, min(len(heads), len(tails)))
        apart = not relations & (heads | tails)
        if both > 1 and shared >= _SHARED and apart and not head.is_numeric:
            return head, relation, tail
    return None


def find(columns: Sequence[Column], words: Sequence[str]) -> Column | None:
    """The column whose role or name is the earliest of the words; roles come before names."""
    named: dict[str, Column] = {}
    for column in sorted(columns, key=lambda column: not column.role):
        named.setdefault(column.word, column)
    return next((named[word] for word in words if word in named), None)


def group_of(column: Column) -> str | None:
    """The group of the column's ids, if its header names one."""
    match = _GROUP.fullmatch(column.name) if column.role in _ROLES else None
    return match["group"] if match else None


class IdGroups:
    """The ids of some columns, told apart by their groups where they could be taken for another.

    Ids that surely differ, such as ``p1`` and ``m1``, stay as they are.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        values: dict[str, set[str]] = {}
        numeric: dict[str, bool] = {}
        for column in columns:
            if column.role in _ROLES:
                group = group_of(column) or ""
                values.setdefault(group, set()).update(column.values)
                numeric[group] = numeric.get(group, False) or column.is_numeric
        self.collide = len(values) > 1 and (_share_one(values) or sum(numeric.values()) > 1)

    def id_of(self, column: Column, cast: str = "") -> str:
        """An SQL expression for the entity's id, by a column with the id in its group."""
        cell = f"{bare_identifier(column.name)}{cast}"
        group = group_of(column)
        return f"{literal(group + ':')} || {cell}" if self.collide and group else cell


def _share_one(values: Mapping[str, set[str]]) -> bool:
    return sum(map(len, values.values())) > len(set[str]().union(*values.values()))
