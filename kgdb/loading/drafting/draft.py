"""The parts of a drafted loader file: their TOML, and SQL for the cells of a table.

Before it reads cells, a drafted loader takes off quotation marks that a program put around every
field, marks for missing values, and the ``.0`` of whole numbers that once stood beside such marks.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from kgdb.loading.drafting.sample import MOSTLY, Column
from kgdb.loading.loaders.loader_spec import RESERVED_LABELS
from kgdb.loading.scratch.sql_quoting import bare_identifier, literal

MISSING = ("NULL", "null", "\\N", "NaN", "nan", "N/A", "n/a", "#N/A", "None", "none", "nil")
"""How programs write that there is no value."""

VIEW = "cleaned"
"""The view of a drafted loader with its cells as they are read."""

_QUOTED = re.compile(r"'.*'", re.DOTALL)
_FLOAT_ID = re.compile(r"(\d+)\.0+")

_WIDTH = 98
_FEW = 0.5


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


@dataclass
class Draft:
    """The parts of a loader file; ``source`` has the lines of that section, ``notes`` comments.

    Of several tables ``sources`` has for each its file and the lines of its section.
    """

    notes: list[str] = field(default_factory=list)
    source: list[str] = field(default_factory=list)
    sources: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    views: dict[str, str] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)


def toml_list(texts: Iterable[str]) -> str:
    """A TOML list of texts."""
    return f"[{', '.join(map(toml, texts))}]"


def toml(text: str) -> str:
    """A TOML text, without escapes where possible."""
    lines = "\n" in text
    plain = all((ord(sign) >= 32 and sign != "\x7f") or sign == "\n" for sign in text)
    if plain and (lines or '"' in text) and "'''" not in text and not text.endswith("'"):
        return f"'''\n{text}'''"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    escaped = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", lambda at: f"\\u{ord(at[0]):04X}", escaped)
    return f'"""\n{escaped}"""' if lines else f'"{escaped}"'


def comment(text: str) -> list[str]:
    """A text as comment lines, without control characters."""
    clean = re.sub(r"[\x00-\x1f\x7f]", "�", text)
    return [f"# {line}" for line in textwrap.wrap(clean, _WIDTH, break_on_hyphens=False)]


def values_of(column: Column, notes: list[str], typed: bool) -> str:
    """An SQL expression for the values in a cell."""
    cell = bare_identifier(column.name)
    if column.kind == "list":
        return unnested(column, typed=typed)
    if column.kind == "array":
        return f"unnest(string_split({cell}, ';'))"
    if column.split > _FEW / 2:
        notes.append(
            f"UNSURE: {column.name} seems to have several values per cell, with ; or | between."
        )
        return f"unnest(regexp_split_to_array({cell}, '\\s*[;|]\\s*'))"
    if column.has_comma_lists:
        notes.append(
            f"UNSURE: {column.name} seems to have several values per cell, with commas between."
        )
        return f"unnest(regexp_split_to_array({cell}, '\\s*,\\s*'))"
    return cell + ("::VARCHAR" if typed else "")


def unnested(column: Column, *, typed: bool) -> str:
    """An SQL expression for the items of a list; a cell that is not a JSON list is one value."""
    cell = bare_identifier(column.name)
    if typed:
        return f"unnest({cell}::VARCHAR[])"
    return (
        f"unnest(CASE json_type(TRY_CAST({cell} AS JSON)) WHEN 'ARRAY' "
        f"THEN from_json({cell}, '[\"VARCHAR\"]') ELSE [{cell}] END)"
    )


def datatype_of(column: Column, value: str) -> str:
    """An SQL expression for the datatype of a value, NULL for values of another form."""
    datatype = column.datatype
    if datatype is None:
        return "NULL"
    form, iri = literal(datatype.form), literal(datatype.iri)
    return f"if(regexp_full_match({value}, {form}), {iri}, NULL)"


def lexical_of(column: Column, value: str) -> str:
    """An SQL expression for a value in the form of its datatype: T in times, 1234.50, true."""
    datatype = column.datatype
    if datatype is None:
        return value
    form = f"regexp_full_match({value}, {literal(datatype.form)})"
    if datatype.comma:
        return f"if({form}, replace(replace({value}, '.', ''), ',', '.'), {value})"
    if datatype.iri.endswith("#boolean") and any(each != each.lower() for each in column.values):
        return f"if({form}, lower({value}), {value})"
    if datatype.iri.endswith("#dateTime") and any(" " in each for each in column.values):
        return f"if({form}, replace({value}, ' ', 'T'), {value})"
    return value


def value_columns(column: Column, value: str) -> str:
    """The last columns of a literal, in SQL: its value, its datatype and its language."""
    return (
        f"{as_name(lexical_of(column, value), 'value')}, {datatype_of(column, value)} AS datatype, "
        "NULL AS language"
    )


def other_records(reason: str, table: str = "source", where: str = "") -> str:
    """A SELECT that counts rows which the loader reads for another purpose than facts."""
    rows = f"SELECT {literal(reason)} AS reason, count(*) AS records FROM {table}"
    return f"{rows} WHERE {where}" if where else rows


def union(selects: Sequence[str]) -> str:
    """The rows of all SELECTs."""
    return "\nUNION ALL\n".join(selects)


def empty(*columns: str) -> str:
    """A SELECT without rows."""
    return f"SELECT {', '.join(f'NULL AS {column}' for column in columns)} WHERE false"


def as_name(expression: str, name: str) -> str:
    """An expression under a name."""
    return name if expression == name else f"{expression} AS {name}"


def forbidden_labels() -> str:
    """The forbidden labels of entities, as an SQL list."""
    return ", ".join(literal(label) for label in ("", *sorted(RESERVED_LABELS)))
