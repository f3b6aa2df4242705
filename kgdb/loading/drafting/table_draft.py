"""The draft for lines of fields, JSON lines and Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from kgdb.errors import UsageError
from kgdb.loading.drafting.column_roles import (
    ends_of,
    triple_by_position,
    triple_of,
    with_neo4j_roles,
)
from kgdb.loading.drafting.draft import VIEW, Cleaning, Draft, cleaning_of, toml, toml_list
from kgdb.loading.drafting.entity_rows import add_entity_rows
from kgdb.loading.drafting.sample import Column, Sample
from kgdb.loading.drafting.triple_rows import (
    add_described_triples,
    add_triple_rows,
    find_described_triple,
)
from kgdb.wording import short

_OPTION = re.compile(r"\{\w+\}")


def table_draft(sample: Sample, path: Path) -> Draft:
    """The draft for a table with one triple or one entity per row; messages call it ``path``."""
    made = Draft()
    columns = source_columns(sample, made)
    cleaning = Cleaning()
    if sample.format != "parquet":
        cleaning = cleaning_of(columns, ends_of(columns), made.notes)
        columns = cleaning.cleaned(columns)
    if len(columns) < 2:
        hint = "Expected at least two: an entity and a related entity or value."
        if inner := [column.name for column in sample.columns if column.kind == "nested"]:
            hint += (
                f" Objects ({', '.join(inner)}) cannot be values: move their content to fields of"
            )
            hint += " their own, for example by jq -c '{head: .subject.id, relation: .predicate}'."
        raise UsageError(f"{path} has fewer than two usable columns.", hint=hint)
    named = sample.format != "table" or bool(sample.header)
    typed = sample.format == "parquet"
    if named and (described := find_described_triple(columns)):
        add_described_triples(columns, described, made, typed=typed)
    elif triple := triple_of(columns, made.notes, named=named):
        add_triple_rows(columns, triple, made, typed=typed)
    else:
        add_entity_rows(columns, made, named=named, typed=typed)
    if cleaning.view is not None:
        made.views[VIEW] = cleaning.view
        made.tables = {
            name: query.replace("FROM source", f"FROM {VIEW}")
            for name, query in made.tables.items()
        }
    return made


def source_columns(sample: Sample, made: Draft) -> tuple[Column, ...]:
    """Draft the section of the source; returns its columns with their roles."""
    if sample.format == "table":
        columns = _lines(sample, made)
        if sample.header_file:
            made.notes.append(f"The header is that of {sample.header_file}.")
        if with_comma := [column.name for column in columns if column.has_decimal_commas]:
            made.notes.append(
                f"UNSURE: the comma in the numbers of {', '.join(with_comma)} is read as a decimal "
                "point."
            )
    else:
        made.source = [f'format = "{sample.format}"']
        columns = sample.columns
        _require_different(columns)
        nested = [column.name for column in columns if column.kind == "nested"]
        columns = tuple(column for column in columns if column.kind != "nested")
        if nested:
            made.notes.append(
                f"UNSURE: left out, because they contain objects: {', '.join(nested)}."
            )
        inside = [column.name for column in columns if "." in column.name]
        if inside and sample.format == "jsonl":
            made.source.append(f"columns = {toml_list(inside)}")
    return with_neo4j_roles(columns, made.notes)


def _lines(sample: Sample, made: Draft) -> tuple[Column, ...]:
    """Draft the section ``source`` for lines of fields; returns their columns."""
    columns = sample.columns
    if not sample.sure:
        made.notes.append(
            "UNSURE: the first line is read as "
            + ("the header." if sample.header else "data, not as the header.")
        )
    if sample.skip:
        made.notes.append(f"Skipped lines above the table: {sample.skip}.")
    if sample.above:
        made.notes.append("UNSURE: the last of them is read as the header.")
    if sample.marks:
        made.notes.append(
            "UNSURE: quotation marks do not enclose whole fields and are read as characters."
        )
    if not sample.header:
        columns = _renamed(columns, _fields(columns))
    csv = sample.quoted or (bool(sample.header) and not sample.marks)
    if not csv:
        # In a list of columns, {x} would be replaced by an option.
        columns = tuple(
            replace(column, name=f"column{i}") if _OPTION.fullmatch(column.name) else column
            for i, column in enumerate(columns, start=1)
        )
    names = [column.name for column in columns]
    renamed = [n for n, cell in zip(names, sample.header, strict=False) if n != cell]
    if renamed:
        made.notes.append(f"Columns that got a name here: {', '.join(renamed)}.")
    in_lines = bool(sample.header) and not (sample.above or sample.header_file)
    skip = sample.skip + (in_lines and not csv)
    made.source = [
        f'format = "{"csv" if csv else "delimited"}"',
        f"delimiter = {toml(sample.delimiter)}",
    ]
    if skip:
        made.source.append(f"skip = {skip}")
    if not csv:
        made.source.append(f"columns = {toml_list(names)}")
    elif not (in_lines and sample.named):
        made.source.append(f"names = {toml_list(names)}")
    if csv and not in_lines:
        made.source.append("header = false")
    if sample.numbering:
        made.notes.append(f"Left out: {sample.numbering}, which only numbers the rows.")
    return tuple(column for column in columns if column.name != sample.numbering)


def _require_different(columns: Sequence[Column]) -> None:
    """Raise for two columns whose names are equal in SQL."""
    seen: dict[str, str] = {}
    for column in columns:
        other = seen.setdefault(column.name.casefold(), column.name)
        if other != column.name:
            raise UsageError(
                f"The source has {short(other)} and {short(column.name)}, which are the same name.",
                hint="Rename one of them: SQL ignores upper and lower case.",
            )


def _fields(columns: Sequence[Column]) -> list[str]:
    """Names for columns without a header: head, relation, tail, and column4 and so on."""
    parts = triple_by_position(columns, []) or ()
    roles = dict(zip(map(id, parts), ("head", "relation", "tail"), strict=False))
    if parts:
        dates = [column for column in columns if column.is_date and id(column) not in roles]
        names = ["date"] if len(dates) == 1 else ["since", "until"] if len(dates) == 2 else []
        roles |= dict(zip(map(id, dates), names, strict=False))
    return [roles.get(id(column), f"column{i}") for i, column in enumerate(columns, start=1)]


def _renamed(columns: Sequence[Column], names: Iterable[str]) -> tuple[Column, ...]:
    return tuple(replace(column, name=name) for column, name in zip(columns, names, strict=True))
