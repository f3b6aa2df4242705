"""What a drafted loader takes off the cells of a table before it reads them.

Quotation marks that a program put around every field, marks for missing values, and the ``.0`` of
whole numbers that once stood beside missing ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgdb.loading.drafting.sample import MOSTLY, Column
from kgdb.loading.scratch.sql_quoting import bare_identifier, literal

MISSING = ("NULL", "null", "\\N", "NaN", "nan", "N/A", "n/a", "#N/A", "None", "none", "nil")
"""How programs write that there is no value."""

VIEW = "cleaned"
"""The view of a drafted loader with its cells as they are read."""

_QUOTED = re.compile(r"'.*'", re.DOTALL)
_FLOAT_ID = re.compile(r"(\d+)\.0+")


def without_missing(column: Column) -> Column:
    """The column without what stands for no value."""
    return replace(column, values=tuple(v for v in column.values if v.strip() not in MISSING))


@dataclass(frozen=True, slots=True)
class Cleaning:
    """What is taken off; ``whole`` are the columns whose numbers lose their ``.0``."""

    quoted: bool = False
    missing: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()

    @property
    def view(self) -> str | None:
        """The SELECT of the view; ``None`` where nothing is to be done."""
        if not (self.quoted or self.missing or self.whole):
            return None
        cell = "COLUMNS(*)"
        if self.quoted:
            inner = f"regexp_replace({cell}, '^''(.*)''$', '\\1', 's')"
            cell = f"replace({inner}, '''''', '''')"
        if self.missing:
            cell = f"if(trim({cell}) IN ({', '.join(map(literal, self.missing))}), NULL, {cell})"
        rows = f"SELECT {cell} FROM source"
        if self.whole:
            cut = ", ".join(
                f"regexp_replace({bare_identifier(name)}, '^([0-9]+)[.]0+$', '\\1') "
                f"AS {bare_identifier(name)}"
                for name in self.whole
            )
            rows = f"SELECT * REPLACE ({cut}) FROM ({rows})"
        return rows

    def cleaned(self, columns: Sequence[Column]) -> tuple[Column, ...]:
        """The columns with their values as the view gives them."""
        return tuple(replace(column, values=tuple(self._values(column))) for column in columns)

    def _values(self, column: Column) -> list[str]:
        values = list(column.values)
        if self.quoted:
            values = [_unquoted(value) for value in values]
        values = [value for value in values if value and value.strip() not in self.missing]
        if column.name in self.whole:
            values = [_FLOAT_ID.sub(r"\1", value) for value in values]
        return values


def cleaning_of(columns: Sequence[Column], ends: Sequence[Column], notes: list[str]) -> Cleaning:
    """What is to be taken off, by the sample; ``ends`` are columns with ids of entities."""
    filled = [column for column in columns if column.values]
    quoted = bool(filled) and all(
        sum(bool(_QUOTED.fullmatch(v)) for v in column.values) >= MOSTLY * len(column.values)
        for column in filled
    )
    if quoted:
        notes.append("UNSURE: single quotation marks around the fields are taken off.")
    held = {value.strip() for column in columns for value in column.values}
    missing = tuple(mark for mark in MISSING if mark in held or (quoted and f"'{mark}'" in held))
    if missing:
        notes.append(f"UNSURE: {', '.join(missing)} are read as missing values.")
    whole = tuple(column.name for column in ends if any(map(_FLOAT_ID.fullmatch, column.values)))
    if whole:
        notes.append(
            f"UNSURE: numbers of {', '.join(whole)} that end in .0 are read as whole numbers: "
            "2.0 is the id 2."
        )
    return Cleaning(quoted, missing, whole)


def _unquoted(value: str) -> str:
    inner = value[1:-1] if _QUOTED.fullmatch(value) else value
    return inner.replace("''", "'")
