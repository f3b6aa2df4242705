"""SQL for the cells of a drafted table: values, lists, datatypes."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.loading.drafting.sample import Column
from kgdb.loading.loaders.spec import RESERVED_LABELS
from kgdb.loading.scratch.sql_quoting import bare_identifier, literal

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
