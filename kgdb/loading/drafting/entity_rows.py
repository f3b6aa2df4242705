"""Label columns: the names of the entities in another column, as country and countryLabel."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgdb.errors import UsageError
from kgdb.loading.drafting.column_roles import (
    IDS,
    NAMES,
    find,
)
from kgdb.loading.drafting.draft import (
    Draft,
    as_name,
    empty,
    forbidden_labels,
    other_records,
    union,
    value_columns,
    values_of,
)
from kgdb.loading.drafting.sample import Column
from kgdb.loading.scratch.sql_quoting import bare_identifier, literal

# The first is the suffix of the label columns that Wikidata's SPARQL service adds.
_SUFFIXES = ("label", "_label", " label", "_name", " name", "_title", " title")
_ID_ENDINGS = ("_id", " id")

_FEW = 0.5
_LONG = 60


def label_columns(columns: Sequence[Column], key: Column) -> dict[str, Column]:
    """For each column with a label column: the column's name, and its label column.

    A numeric column counts only if it is ``key``: other numbers may be values.
    """
    texts = [one for one in columns if one.kind == "text" and (one is key or not one.is_numeric)]
    by_word = {column.word: column for column in texts}
    labels = {}
    for column in texts:
        stems = [column.word.removesuffix(end) for end in _ID_ENDINGS if column.word.endswith(end)]
        words = [stem + suffix for stem in (column.word, *stems) for suffix in _SUFFIXES]
        name = next((by_word[word] for word in (*words, *stems) if word in by_word), None)
        if name and column.values:
            labels[column.name] = name
    return labels


def relation_name(column: Column) -> str:
    """The relation that a column of ids stands for: country for country_id."""
    name = column.title or column.name
    ending = next((end for end in _ID_ENDINGS if column.word.endswith(end)), "")
    return name[: len(name) - len(ending)] if len(name) > len(ending) else name


def add_entity_rows(  # noqa: PLR0915 - one kind of row after the other
    columns: Sequence[Column], made: Draft, *, named: bool, typed: bool
) -> None:
    """One entity per row; other columns are its values, or lead to other entities."""
    texts = [column for column in columns if column.kind == "text"]
    key = (find(texts, IDS) if named else None) or next(iter(texts), columns[0])
    labels = next((one for one in columns if one.role == "label"), None)
    rest = [one for one in columns if one not in (key, labels)]
    names = label_columns(columns, key) if named else {}
    name = names.get(key.name) or find([one for one in rest if one in texts], NAMES)
    name = name if named else None
    made.notes.append(
        f"Each row is an entity: {key.name} is its id"
        + (f", {name.name} its name." if name else ".")
    )
    if key.variety < 1:
        made.notes.append(
            f"UNSURE: {key.name} repeats; rows with the same value are the same entity."
        )
    cast = "::VARCHAR" if typed else ""
    entity = bare_identifier(key.name)
    links = [
        one for one in rest if one.name in names and not (_is_value(one) or one.split > _FEW / 2)
    ]
    for one in links:
        made.notes.append(f"{names[one.name].name} has the names of {one.name}.")
    codes = {} if typed else _codes(rest, key)
    triples, literals = [], []
    for column in rest:
        if column is name or column in [names[one.name] for one in links]:
            continue
        title = relation_name(column) if column in links else column.title or column.name
        relation = literal(re.sub(r"\s+", "_", title.strip()) or column.name)
        if column.name in codes:
            code = codes[column.name]
            made.notes.append(
                f"UNSURE: the values of {column.name} are read as those of {code.name}, which "
                "stand for other rows."
            )
            triples.append(_by_codes(entity, relation, column, code))
            continue
        pairs = f"SELECT {entity}{cast} AS head, {values_of(column, made.notes, typed)} AS value"
        rows = f"FROM ({pairs} FROM source)\nWHERE head <> '' AND value <> ''"
        is_code = column in codes.values()
        if is_code or (_is_value(column) and not _is_key_of_others(column, key, made.notes)):
            literals.append(
                f"SELECT head, {relation} AS relation, {value_columns(column, 'value')}\n{rows}"
            )
        else:
            triples.append(f"SELECT head, {relation} AS relation, value AS tail\n{rows}")
    if not triples and not literals:
        raise UsageError(
            "The source has ids and names, but nothing that relates entities.",
            hint="Name it nodes.csv, put it beside edges.csv, then: kgdb load csv FOLDER",
        )
    made.notes.append(
        "Numbers, dates and long texts are literals of their entity. Other cells are entities; "
        "equal texts are the same entity. Empty cells are ignored."
    )
    made.tables["triples"] = union(triples) or empty("head", "relation", "tail")
    if literals:
        made.tables["literals"] = union(literals)
    shown = bare_identifier(name.name) if name else entity
    selected = [as_name(entity, "id"), as_name(shown, "name")]
    if name:
        # If rows of one entity have different names, one is its name; the others are aliases.
        selected.append(f"CASE WHEN {shown}{cast} <> '' THEN [{shown}] END AS aliases")
    if labels:
        kinds = f"string_split({bare_identifier(labels.name)}, ';')"
        selected.append(
            f"[kind FOR kind IN {kinds} IF kind NOT IN ({forbidden_labels()})] AS labels"
        )
    selects = [f"SELECT {', '.join(selected)} FROM source WHERE {entity}{cast} <> ''"]
    for one in links:
        id_, given = (f"{bare_identifier(column.name)}{cast}" for column in (one, names[one.name]))
        more = [f"CASE WHEN {given} <> '' THEN [{given}] END"] if name else []
        more += ["NULL"] if labels else []
        selects.append(
            f"SELECT DISTINCT {', '.join([id_, given, *more])} FROM source WHERE {id_} <> ''"
        )
    made.tables["entities"] = union(selects)
    made.tables["other"] = other_records(
        "rows without an id", where=f"coalesce({entity}{cast}, '') = ''"
    )


def _by_codes(entity: str, relation: str, column: Column, code: Column) -> str:
    """The triples of a column whose values are codes of other rows; an unknown one is an entity."""
    cells = f"unnest(regexp_split_to_array({bare_identifier(column.name)}, '\\s*,\\s*'))"
    return (
        f"SELECT head, {relation} AS relation, coalesce(others.other, code) AS tail\n"
        f"FROM (SELECT {entity} AS head, {cells} AS code FROM source)\n"
        f"LEFT JOIN (SELECT {entity} AS other, {bare_identifier(code.name)} AS code FROM source) "
        "AS others USING (code)\nWHERE head <> '' AND code <> ''"
    )


def _codes(columns: Sequence[Column], key: Column) -> dict[str, Column]:
    """By the names of columns whose values stand for rows: the column with these codes.

    A cell may have several, with commas between.
    """
    texts = [column for column in columns if column.kind == "text" and not _is_value(column)]
    unique = [code for code in texts if code.values and code.variety == 1]
    found = {}
    for column in texts:
        lists = any("," in value for value in column.values)
        items = {part.strip() for value in column.values for part in value.split(",")}
        for code in (*unique, *([key] if lists else ())):
            if code is not column and items and items <= set(code.values):
                found[column.name] = code
                break
    return found


def _is_value(column: Column) -> bool:
    """Whether its cells are literals, not entities."""
    longest = max(map(len, column.values), default=0)
    typed = column.datatype is not None
    return typed or column.is_numeric or column.is_date or column.is_boolean or longest > _LONG


def _is_key_of_others(column: Column, key: Column, notes: list[str]) -> bool:
    """Whether its values are ids of other rows."""
    looks_like_ids = column.kind == "list" or re.search(r"(?i:_id)$|Id$|ID$", column.name)
    if not looks_like_ids or not column.values:
        return False
    if not set(column.values) <= set(key.values):
        return False
    notes.append(f"UNSURE: the values of {column.name} are read as ids in {key.name}.")
    return True
