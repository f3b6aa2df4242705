"""The tables of a folder and how they hang together: keys, references, tables that only join."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kgdb.loading.drafting.column_roles import IDS, NAMES, RELATIONS, edge_ends, find, is_direction
from kgdb.loading.drafting.draft import MISSING, without_missing
from kgdb.loading.drafting.sample import Column

_SELF = re.compile(
    r"reports?_?to|parent|manager|boss|supervisor|leader|head_?of|replies|reply|previous|"
    r"predecessor|successor|mentor|superior|spouse|[a-z]{3}_?by$"
)
_KEY = re.compile(r"[_ -]?(?:id|key|code|nr|no|number|ref)$")
_TITLES = (
    ("firstname", "lastname"),
    ("givenname", "familyname"),
    ("companyname",),
    ("fullname",),
    ("displayname",),
    ("username",),
    ("lastname",),
)
_MIN_SHARED = 2
_MAX_PARTS = 4
_SHORT = 60
_MEASURES = ("decimal", "double", "boolean")
_STEM = 4  # letters that two words of one stem have in common


@dataclass(frozen=True, slots=True)
class Table:
    """One file of the folder: the name of its table in SQL, its columns, its key if it has one.

    ``parts`` are the columns of a key of several columns; then ``key`` is ``None``. ``stem`` is
    what the file is called without its ending, and without the number of a part.
    """

    file: str
    stem: str
    name: str
    columns: tuple[Column, ...]
    key: Column | None
    parts: tuple[Column, ...] = ()

    @property
    def keys(self) -> tuple[Column, ...]:
        """The columns whose values together tell its rows apart; none if there are no such."""
        return (self.key,) if self.key else self.parts

    @property
    def label(self) -> str:
        """The kind of its rows: ``OrderDetail`` for ``order-details.csv``."""
        return "".join(word[:1].upper() + word[1:] for word in self.words)

    @property
    def words(self) -> list[str]:
        """The words of its name, the last one in the singular."""
        words = [word for word in re.split(r"[\W_]+", self.stem) if word] or ["row"]
        return [*words[:-1], singular(words[-1])]

    @property
    def whole_name(self) -> str:
        """Its words as one, in lower case."""
        return "".join(self.words).casefold()

    @property
    def is_of_kinds(self) -> bool:
        """Whether its name says no kind: *nodes* may be of any."""
        return self.words[-1].lower() in ("node", "vertex", "vertice", "entity", "row", "record")

    @property
    def titles(self) -> tuple[Column, ...]:
        """The columns with what people call its rows; a first and a last name are two."""
        texts = [c for c in self.columns if c.kind == "text" and c is not self.key and c.values]
        by_word = {_plain(column): column for column in texts}
        owns = (self.whole_name, self.words[-1].lower())
        own = [f"{word}{what}" for what in ("name", "title", "description") for word in owns]
        for words in (*((word,) for word in (*own[:4], *NAMES)), *_TITLES, *((w,) for w in own)):
            if all(word in by_word for word in words):
                return tuple(by_word[word] for word in words)
        return tuple(self._titles_in_short(by_word))

    def _titles_in_short(self, by_word: Mapping[str, Column]) -> list[Column]:
        """The name under a short form of the table's: CUST_NAME of customers; a description."""
        stem = _stem(self.key) if self.key else ""
        for word, column in by_word.items():
            short = next((word.removesuffix(e) for e in ("name", "title") if word.endswith(e)), "")
            if short and (short == stem or self.words[-1].lower().startswith(short)):
                return [column]
        described = by_word.get("description")
        if described and described.variety == 1 and max(map(len, described.values)) <= _SHORT:
            return [described]
        return []


@dataclass(frozen=True, slots=True)
class Reference:
    """A column whose values are keys of a table, or the columns of a key of several."""

    columns: tuple[Column, ...]
    to: Table

    @property
    def names(self) -> str:
        """The names of its columns, for people."""
        return ", ".join(column.name for column in self.columns)

    @property
    def relation(self) -> str:
        """What it says of its row: ``supplier`` for ``supplierID``, ``book`` for the ``isbn``."""
        name = self.columns[0].title or self.columns[0].name
        relation = re.sub(_KEY.pattern, "", name, flags=re.IGNORECASE).strip(" _-") or name
        key = self.to.key
        if key is None or (relation == name and _plain(self.columns[0]) == _plain(key)):
            return " ".join(self.to.words).lower()
        return relation


def without_borrowed_key(table: Table, tables: Sequence[Table]) -> Table:
    """The table without its key, if this is called after another table and the rows only join."""
    key = table.key
    if key is None or key.word in IDS or _stem(key) == table.whole_name:
        return table
    is_of_another = any(
        other.whole_name == _stem(key) for other in tables if other is not table and other.key
    )
    keyless = replace(table, key=None)
    # A table of profiles, one for each user, has the key of the users and joins nothing.
    joins = is_of_another and len(references(keyless, tables)) >= 2
    return keyless if joins else table


def with_titles_as_keys(tables: Sequence[Table]) -> list[Table]:
    """The tables with names for keys, where edges refer to names and not to keys.

    Their former keys are left out: nothing refers to them.
    """
    by_names: dict[str, Column] = {}
    edges: set[str] = set()
    for table in tables:
        both = edge_ends(table.columns)
        if both is None or any(
            _fits(end, other) for end in both for other in tables if other.key is not None
        ):
            continue
        for other in tables:
            named = replace(other, key=other.titles[0]) if len(other.titles) == 1 else other
            unique = named.key is not None and named.key.variety == 1
            if (
                unique
                and named is not other
                and other is not table
                and all(_fits(end, named) for end in both)
            ):
                by_names[other.name] = other.titles[0]
                edges.add(table.name)
    return [
        replace(
            table,
            key=by_names.get(table.name),
            columns=tuple(column for column in table.columns if column is not table.key),
        )
        if table.name in by_names or table.name in edges
        else table
        for table in tables
    ]


def with_parts(table: Table, tables: Sequence[Table]) -> Table:
    """The table with a key of several columns, the first that tell its rows apart.

    A table that only joins others needs none, and has none.
    """
    if table.key or edge_ends(table.columns) or len(references(table, tables)) >= 2:
        return table
    rows = max((len(column.values) for column in table.columns), default=0)
    may_be = [
        column
        for column in table.columns
        if column.kind == "text"
        and len(column.values) == rows > 1
        and not (column.datatype and column.datatype.iri.endswith(_MEASURES))
        and without_missing(column) == column
    ]
    for number in range(2, min(_MAX_PARTS, len(may_be)) + 1):
        parts = tuple(may_be[:number])
        if len(_keys_of(parts)) == rows and any(map(_may_be_part, parts)):
            return replace(table, parts=parts)
    return table


def _may_be_part(column: Column) -> bool:
    return column.is_date or bool(re.search(_KEY, column.word))


def _keys_of(columns: Sequence[Column]) -> set[tuple[str, ...]]:
    return set(zip(*(column.values for column in columns), strict=False))


def _owns(table: Table, column: Column) -> bool:
    return column.word in IDS or _stem(column) in (table.whole_name, table.words[-1].lower())


def singular(word: str) -> str:
    """A plural as people write names of tables, in the singular."""
    for ending, one in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x")):
        if word.lower().endswith(ending):
            return word[: -len(ending)] + one
    return word[:-1] if re.search(r"[^s]s$", word, re.IGNORECASE) else word


def with_key(file: str, stem: str, name: str, columns: Sequence[Column]) -> Table:
    """A table with the column whose values are unique and that is called as a key is."""
    table = Table(file, stem, name, tuple(columns), None)
    unique = [c for c in columns if c.kind == "text" and c.values and c.variety == 1]
    roles = [c for c in unique if c.role == "id"]
    named = [c for c in unique if _owns(table, c)]
    may_be_first = edge_ends(columns) is None
    first = [c for c in columns[:1] if c in unique and (_KEY.search(c.word) or may_be_first)]
    key = next((c for each in (roles, named, first) for c in each), None)
    return replace(table, key=key)


def references(table: Table, tables: Sequence[Table]) -> list[Reference]:
    """The columns of a table whose values are keys of a table, by their names and values."""
    both = edge_ends(table.columns)
    found = []
    for column in table.columns:
        if column is table.key or not column.values:
            continue
        is_end = both is not None and column in both
        for other in tables:
            if other.key is None or not _fits(column, other):
                continue
            if is_end or _is_called(column, other, own=other is table):
                found.append(Reference((column,), other))
                break
    if several := _reference_by_parts(table, tables):
        found.insert(0, several)
    return found


def _reference_by_parts(table: Table, tables: Sequence[Table]) -> Reference | None:
    """The columns with the key of another table that has several, the longest of such keys."""
    by_word = {_plain(column): column for column in table.columns}
    for other in sorted(tables, key=lambda each: -len(each.parts)):
        words = [_plain(part) for part in other.parts]
        if not words or other is table or not all(word in by_word for word in words):
            continue
        columns = tuple(by_word[word] for word in words)
        values = _keys_of(columns)
        if values and 2 * len(values & _keys_of(other.parts)) >= len(values):
            return Reference(columns, other)
    return None


def relation_column(table: Table, used: Sequence[Column]) -> Column | None:
    """The column of a table of edges that names their relation."""
    others = [c for c in table.columns if c not in used and not is_direction(c)]
    return find(others, RELATIONS) if edge_ends(table.columns) else None


def _fits(column: Column, table: Table) -> bool:
    """Whether most values of the column are keys of the table, as far as the samples go."""
    assert table.key is not None  # noqa: S101
    values = {value for value in column.values if value.strip() not in MISSING}
    keys = set(table.key.values)
    shared = len(values & keys)
    return (
        shared > 0
        and shared >= min(_MIN_SHARED, len(values))
        and 2 * shared >= min(len(values), len(keys))
    )


def _is_called(column: Column, table: Table, *, own: bool) -> bool:
    assert table.key is not None  # noqa: S101
    if own:
        return bool(_SELF.search(column.word))
    called = {table.whole_name, table.words[-1].lower()}
    same = _plain(column) == _plain(table.key) and table.key.word not in IDS
    stem = _stem(column)
    ending = any(
        stem.endswith(each) and (len(each) >= _STEM or not each.isascii()) for each in called
    )
    # "ship via" of an order is the number of a shipper.
    word = table.words[-1].lower()
    begins = next(
        (n for n, (one, two) in enumerate(zip(stem, word, strict=False)) if one != two),
        min(len(stem), len(word)),
    )
    kin = begins >= _STEM and 2 * begins >= len(word)
    return same or stem in called or ending or kin


def _plain(column: Column) -> str:
    return re.sub(r"[\W_]", "", column.word)


def _stem(column: Column) -> str:
    """The name of a column without what says that it is a key."""
    return re.sub(r"[\W_]", "", _KEY.sub("", column.word))
