"""The parts of a drafted loader file: their TOML, and SQL for the cells of a table."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kgdb.loading.drafting.sample import Column
from kgdb.loading.loaders.loader_spec import RESERVED_LABELS
from kgdb.loading.scratch.sql_quoting import bare_identifier, literal

_WIDTH = 98


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


_FEW = 0.5


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
