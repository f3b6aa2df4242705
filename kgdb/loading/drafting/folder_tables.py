"""The tables of a folder and how they hang together: keys, references, tables that only join."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgdb.loading.drafting.cleaning import MISSING
from kgdb.loading.drafting.column_roles import ENDS, IDS, NAMES, RELATIONS, find, is_direction
from kgdb.loading.drafting.sample import Column

_SELF = re.compile(r"reports?_?to|parent|manager|boss|supervisor|leader|head_?of|replies|reply")
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
_STEM = 4  # letters that two words of one stem have in common


@dataclass(frozen=True, slots=True)
class Table:
    """One file of the folder: the name of its table in SQL, its columns, its key if it has one."""

    file: str
    name: str
    columns: tuple[Column, ...]
    key: Column | None

    @property
    def label(self) -> str:
        """The kind of its rows: ``OrderDetail`` for ``order-details.csv``."""
        return "".join(word[:1].upper() + word[1:] for word in self.words)

    @property
    def words(self) -> list[str]:
        """The words of its name, the last one in the singular."""
        stem = self.file.partition(".")[0]
        words = [word for word in re.split(r"[\W_]+", stem) if word] or ["row"]
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
        return ()


@dataclass(frozen=True, slots=True)
class Reference:
    """A column whose values are keys of a table."""

    column: Column
    to: Table

    @property
    def relation(self) -> str:
        """What it says of its row: ``supplier`` for ``supplierID``."""
        name = self.column.title or self.column.name
        return re.sub(_KEY.pattern, "", name, flags=re.IGNORECASE).strip(" _-") or name


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


def _owns(table: Table, column: Column) -> bool:
    return column.word in IDS or _stem(column) in (table.whole_name, table.words[-1].lower())


def singular(word: str) -> str:
    """A plural as people write names of tables, in the singular."""
    for ending, one in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x")):
        if word.lower().endswith(ending):
            return word[: -len(ending)] + one
    return word[:-1] if re.search(r"[^s]s$", word, re.IGNORECASE) else word


def with_key(file: str, name: str, columns: Sequence[Column]) -> Table:
    """A table with the column whose values are unique and that is called as a key is."""
    table = Table(file, name, tuple(columns), None)
    unique = [c for c in columns if c.kind == "text" and c.values and c.variety == 1]
    roles = [c for c in unique if c.role == "id"]
    named = [c for c in unique if _owns(table, c)]
    may_be_first = not is_edges(columns)
    first = [c for c in columns[:1] if c in unique and (_KEY.search(c.word) or may_be_first)]
    key = next((c for each in (roles, named, first) for c in each), None)
    return Table(file, name, tuple(columns), key)


def is_edges(columns: Sequence[Column]) -> bool:
    """Whether two columns are called as the ends of edges are."""
    return ends(columns) is not None


def ends(columns: Sequence[Column]) -> tuple[Column, Column] | None:
    """The columns that are called as the ends of edges are."""
    for pair in ENDS:
        head, tail = (find(columns, [word]) for word in pair)
        if head and tail:
            return head, tail
    return None


def references(table: Table, tables: Sequence[Table]) -> list[Reference]:
    """The columns of a table whose values are keys of a table, by their names and values."""
    both = ends(table.columns)
    found = []
    for column in table.columns:
        if column is table.key or not column.values:
            continue
        is_end = both is not None and column in both
        for other in tables:
            if other.key is None or not _fits(column, other):
                continue
            if is_end or _is_called(column, other, own=other is table):
                found.append(Reference(column, other))
                break
    return found


def relation_column(table: Table, used: Sequence[Column]) -> Column | None:
    """The column of a table of edges that names their relation."""
    others = [c for c in table.columns if c not in used and not is_direction(c)]
    return find(others, RELATIONS) if is_edges(table.columns) else None


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
