"""Tables of triples with columns about both ends: x_id, x_name, x_type, …, y_id, y_name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kgdb.loading.drafting.column_roles import ENDS, IDS, NAMES, RELATIONS, find
from kgdb.loading.drafting.sample import Column

# The type of a value is its datatype, not a kind of entity.
_PAIRS = (*(pair for pair in ENDS if "value" not in pair), ("x", "y"), ("a", "b"))
# The graph's own number comes first: an id is often unique only within one of several vocabularies.
_KEYS = ("index", *IDS, "cui")
_KINDS = tuple("type kind category class semtype label".split())


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
