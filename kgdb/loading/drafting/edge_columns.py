"""Tables of triples that also say what their ends are: x_id, x_name, x_type, …, y_id, y_name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kgdb.loading.drafting.column_roles import ENDS, IDS, NAMES, RELATIONS, find
from kgdb.loading.drafting.sample import Column

# Of a value, type is its datatype.
_PAIRS = (*(pair for pair in ENDS if "value" not in pair), ("x", "y"), ("a", "b"))
# A number of the graph's own first: what is called an id often comes from several vocabularies,
# and is one thing's in each.
_KEYS = ("index", *IDS, "cui")
_KINDS = tuple("type kind category class semtype label".split())


@dataclass(frozen=True, slots=True)
class End:
    """The columns that say of one end its id, its name and its kind."""

    key: Column
    name: Column | None
    kind: Column | None

    def columns(self) -> tuple[Column, ...]:
        """Those that there are."""
        return tuple(one for one in (self.key, self.name, self.kind) if one)


@dataclass(frozen=True, slots=True)
class Described:
    """A triple whose ends have columns of their own."""

    head: End
    relation: Column | None
    tail: End


def described_of(columns: Sequence[Column]) -> Described | None:
    """The columns of a triple, if they say of both ends more than an id."""
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
        return Described(ends[0], find(others, RELATIONS), ends[1])
    return None


def _parts(by_word: dict[str, Column], end: str) -> dict[str, Column]:
    """The columns of one end by what they say of it; the one named as the end itself by ''."""
    found = {}
    for word, column in by_word.items():
        if match := re.fullmatch(rf"{end}(?:[ _.:;-](.+))?", word):
            found[match[1] or ""] = column
    return found
