"""The tables of a first loader file for lines of fields, JSON lines and Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

import duckdb

from kgdb.errors import UsageError
from kgdb.loading.drafting.column_roles import (
    IDS,
    NAMES,
    RELATED,
    Triple,
    find,
    of_neo4j,
    placed,
    triple_of,
)
from kgdb.loading.drafting.draft import Draft, toml, toml_list
from kgdb.loading.drafting.edge_columns import Described, End, described_of
from kgdb.loading.drafting.label_columns import called, companions
from kgdb.loading.drafting.sample import Column, Sample
from kgdb.loading.loaders.spec import RESERVED_LABELS
from kgdb.loading.scratch.sql_quoting import identifier, literal
from kgdb.wording import short

_OPTION = re.compile(r"\{\w+\}")
_FEW = 0.5
_LONG = 60


def table_draft(sample: Sample) -> Draft:
    """One triple a row, or one entity a row."""
    made = Draft()
    if sample.format == "table":
        columns = _lines(sample, made)
    else:
        made.source = [f'format = "{sample.format}"']
        columns = sample.columns
        _require_different(columns)
        nested = [column.name for column in columns if column.kind == "nested"]
        columns = tuple(column for column in columns if column.kind != "nested")
        if nested:
            made.notes.append(f"Left out, for they hold more than texts: {', '.join(nested)}.")
    columns = of_neo4j(columns, made.notes)
    if len(columns) < 2:
        hint = "Expected two at least: an entity, and what it is related to."
        if inner := [column.name for column in sample.columns if column.kind == "nested"]:
            hint += f" Objects ({', '.join(inner)}) are no cells: put what they hold into fields of"
            hint += " their own, for example by jq -c '{head: .subject.id, relation: .predicate}'."
        raise UsageError(
            "The source has fewer than two columns that a graph can be made of.", hint=hint
        )
    named = sample.format != "table" or bool(sample.header)
    typed = sample.format == "parquet"
    if named and (described := described_of(columns)):
        _described_triples(columns, described, made, typed=typed)
    elif triple := triple_of(columns, made.notes, named=named):
        _one_triple_a_row(columns, triple, made, typed=typed)
    else:
        _one_entity_a_row(columns, made, named=named, typed=typed)
    return made


def _lines(sample: Sample, made: Draft) -> tuple[Column, ...]:
    """How lines of fields are read, and the columns that are made of them."""
    columns = sample.columns
    if not sample.sure:
        made.notes.append(
            "UNSURE: the first line is taken "
            + ("for the names of the columns." if sample.header else "for data, not for names.")
        )
    if sample.skip:
        made.notes.append(f"Lines above the table that are passed over: {sample.skip}.")
    if sample.above:
        made.notes.append("UNSURE: the last of them is taken for the names of the columns.")
    if sample.marks:
        made.notes.append(
            "UNSURE: quotation marks do not enclose whole fields, and are taken for characters."
        )
    if not sample.header:
        columns = _renamed(columns, _fields(columns))
    csv = sample.quoted or (bool(sample.header) and not sample.marks)
    if not csv:
        # In a list of columns, {x} would stand for an option.
        columns = tuple(
            replace(column, name=f"column{i}") if _OPTION.fullmatch(column.name) else column
            for i, column in enumerate(columns, start=1)
        )
    names = [column.name for column in columns]
    given = [n for n, cell in zip(names, sample.header, strict=False) if n != cell]
    if given:
        made.notes.append(f"Columns without a name of their own there: {', '.join(given)}.")
    in_lines = bool(sample.header) and not sample.above
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
    """Raise for two columns that SQL takes for one."""
    seen: dict[str, str] = {}
    for column in columns:
        other = seen.setdefault(column.name.casefold(), column.name)
        if other != column.name:
            raise UsageError(
                f"The source has {short(other)} and {short(column.name)}, which are one name.",
                hint="Rename one of them: upper and lower case are the same in SQL.",
            )


def _fields(columns: Sequence[Column]) -> list[str]:
    """Names for columns without any: those of a triple by what they are in it."""
    parts = placed(columns, []) or ()
    roles = dict(zip(map(id, parts), ("head", "relation", "tail"), strict=False))
    return [roles.get(id(column), f"column{i}") for i, column in enumerate(columns, start=1)]


def _renamed(columns: Sequence[Column], names: Iterable[str]) -> tuple[Column, ...]:
    return tuple(replace(column, name=name) for column, name in zip(columns, names, strict=True))


def _one_triple_a_row(
    columns: Sequence[Column], triple: Triple, made: Draft, *, typed: bool
) -> None:
    head, tail = _quoted(triple.head.name), _quoted(triple.tail.name)
    relation = _quoted(triple.relation.name) if triple.relation else literal(RELATED)
    used = [triple.head, triple.relation, triple.tail]
    others = [column.name for column in columns if column not in used]
    if others:
        made.notes.append(f"Left out: {', '.join(others)}.")
    numbers = triple.tail.is_numeric or triple.tail.is_date
    ids = triple.tail.is_numeric and _are_ids(triple)
    if ids:
        made.notes.append(
            f"UNSURE: {triple.tail.name} holds numbers, as the heads are: they are taken for ids "
            "of entities. Values would belong into `literals`."
        )
    elif numbers:
        made.notes.append(
            f"UNSURE: {triple.tail.name} holds numbers or dates: they are taken for literals, "
            "which no two entities share. Ids of entities would belong into `triples`."
        )
    else:
        made.notes.append("Entities are their names: the source is taken to give no other id.")
    lists = triple.tail.kind == "list"
    value = _unnested(triple.tail, typed=typed) if lists else tail
    there = " AND ".join(f"{part} <> ''" for part in dict.fromkeys((head, relation, tail)))
    rows = f"FROM source WHERE {there}"
    if lists:
        rows = f"FROM source WHERE {head} <> ''"
    if numbers and not ids:
        made.tables["triples"] = _nothing("head", "relation", "tail")
        made.tables["literals"] = (
            f"SELECT {_as(head, 'head')}, {_as(relation, 'relation')}, {_as(value, 'value')}, "
            f"{_datatype(triple.tail, value)} AS datatype, NULL AS language {rows}"
        )
    else:
        made.tables["triples"] = (
            f"SELECT {_as(head, 'head')}, {_as(relation, 'relation')}, {_as(value, 'tail')} {rows}"
        )
    if not typed and not lists:
        made.tables["other"] = (
            "SELECT 'rows without all parts of a triple' AS why, count(*) AS records "
            f"FROM source WHERE ({there}) IS NOT TRUE"
        )


def _described_triples(
    columns: Sequence[Column], triple: Described, made: Draft, *, typed: bool
) -> None:
    """One triple a row, with what the row says of its ends."""
    cast = "::VARCHAR" if typed else ""
    head, tail = (f"{_quoted(end.key.name)}{cast}" for end in (triple.head, triple.tail))
    relation = f"{_quoted(triple.relation.name)}{cast}" if triple.relation else literal(RELATED)
    used = [*triple.head.columns(), triple.relation, *triple.tail.columns()]
    if others := [column.name for column in columns if column not in used]:
        made.notes.append(f"Left out: {', '.join(others)}.")
    for end in (triple.head, triple.tail):
        told = [
            f"{column.name} is its {what}"
            for column, what in ((end.name, "name"), (end.kind, "label"))
            if column
        ]
        made.notes.append(f"{end.key.name} is the id of an entity, {', '.join(told)}.")
    if triple.relation is None:
        made.notes.append(f"UNSURE: no column names the relation; it is {RELATED!r} throughout.")
    there = " AND ".join(f"{part} <> ''" for part in (head, relation, tail))
    made.tables["triples"] = (
        f"SELECT {_as(head, 'head')}, {_as(relation, 'relation')}, {_as(tail, 'tail')} "
        f"FROM source WHERE {there}"
    )
    made.tables["entities"] = _union([_end(triple.head, cast), _end(triple.tail, cast)])
    made.tables["other"] = (
        "SELECT 'rows without all parts of a triple' AS why, count(*) AS records "
        f"FROM source WHERE ({there}) IS NOT TRUE"
    )


def _end(end: End, cast: str) -> str:
    """A SELECT of the entities that one end of the triples names."""
    key = f"{_quoted(end.key.name)}{cast}"
    name = f"{_quoted(end.name.name)}{cast}" if end.name else key
    known = [_as(key, "id"), _as(name, "name")]
    # Of several rows of an entity one name is taken; the others are aliases.
    known.append(
        f"CASE WHEN {name} <> '' THEN [{name}] END AS aliases" if end.name else "NULL AS aliases"
    )
    if end.kind:
        kind = f"{_quoted(end.kind.name)}{cast}"
        known.append(f"CASE WHEN {kind} NOT IN ({_no_labels()}) THEN [{kind}] END AS labels")
    return f"SELECT DISTINCT {', '.join(known)} FROM source WHERE {key} <> ''"


def _no_labels() -> str:
    """What no label of an entity may be, as a list of SQL."""
    return ", ".join(literal(label) for label in ("", *sorted(RESERVED_LABELS)))


def _are_ids(triple: Triple) -> bool:
    """Whether the tails are numbers by which entities go."""
    tails = set(triple.tail.values)
    shared = tails.intersection(triple.head.values)
    return triple.head.is_numeric or len(shared) >= _FEW * len(tails)


def _as(expression: str, name: str) -> str:
    return name if expression == name else f"{expression} AS {name}"


def _one_entity_a_row(columns: Sequence[Column], made: Draft, *, named: bool, typed: bool) -> None:
    texts = [column for column in columns if column.kind == "text"]
    key = (find(texts, IDS) if named else None) or next(iter(texts), columns[0])
    labels = next((one for one in columns if one.role == "label"), None)
    rest = [one for one in columns if one not in (key, labels)]
    names = companions(columns, key) if named else {}
    name = names.get(key.name) or find([one for one in rest if one in texts], NAMES)
    name = name if named else None
    made.notes.append(
        f"Each row is an entity: {key.name} is its id"
        + (f", {name.name} its name." if name else ".")
    )
    if key.variety < 1:
        made.notes.append(f"UNSURE: {key.name} repeats; rows with the same are the same entity.")
    cast = "::VARCHAR" if typed else ""
    entity = _quoted(key.name)
    links = [
        one for one in rest if one.name in names and not (_is_value(one) or one.split > _FEW / 2)
    ]
    for one in links:
        made.notes.append(f"{names[one.name].name} holds the names of {one.name}.")
    triples, literals = [], []
    for column in rest:
        if column is name or column in [names[one.name] for one in links]:
            continue
        pairs = f"SELECT {entity}{cast} AS head, {_values(column, made.notes, typed)} AS value"
        title = called(column) if column in links else column.title or column.name
        relation = literal(re.sub(r"\s+", "_", title.strip()) or column.name)
        rows = f"FROM ({pairs} FROM source)\nWHERE head <> '' AND value <> ''"
        if _is_value(column) and not _is_key_of_others(column, key, made.notes):
            literals.append(
                f"SELECT head, {relation} AS relation, value, {_datatype(column, 'value')} AS "
                f"datatype, NULL AS language\n{rows}"
            )
        else:
            triples.append(f"SELECT head, {relation} AS relation, value AS tail\n{rows}")
    if not triples and not literals:
        raise UsageError(
            "The source has ids and names, and nothing that relates one to another.",
            hint="Put it as nodes.csv beside edges.csv: kgdb load csv FOLDER",
        )
    made.notes.append(
        "Numbers, dates and long texts are literals of their entity; other cells are entities, "
        "the same text the same entity. Empty cells say nothing."
    )
    made.tables["triples"] = _union(triples) or _nothing("head", "relation", "tail")
    if literals:
        made.tables["literals"] = _union(literals)
    shown = _quoted(name.name) if name else entity
    known = [_as(entity, "id"), _as(shown, "name")]
    if name:
        # Of several rows of an entity one name is taken; the others are aliases.
        known.append(f"CASE WHEN {shown}{cast} <> '' THEN [{shown}] END AS aliases")
    if labels:
        kinds = f"string_split({_quoted(labels.name)}, ';')"
        known.append(f"[kind FOR kind IN {kinds} IF kind NOT IN ({_no_labels()})] AS labels")
    selects = [f"SELECT {', '.join(known)} FROM source WHERE {entity}{cast} <> ''"]
    for one in links:
        id_, given = (f"{_quoted(column.name)}{cast}" for column in (one, names[one.name]))
        more = [f"CASE WHEN {given} <> '' THEN [{given}] END"] if name else []
        more += ["NULL"] if labels else []
        selects.append(
            f"SELECT DISTINCT {', '.join([id_, given, *more])} FROM source WHERE {id_} <> ''"
        )
    made.tables["entities"] = _union(selects)
    made.tables["other"] = (
        "SELECT 'rows without an id' AS why, count(*) AS records FROM source "
        f"WHERE coalesce({entity}{cast}, '') = ''"
    )


def _values(column: Column, notes: list[str], typed: bool) -> str:
    """An expression for each of the values in a cell."""
    cell = _quoted(column.name)
    if column.kind == "list":
        return _unnested(column, typed=typed)
    if column.kind == "array":
        return f"unnest(string_split({cell}, ';'))"
    if column.split > _FEW / 2:
        notes.append(f"UNSURE: {column.name} seems to hold several values, with ; or |.")
        return f"unnest(regexp_split_to_array({cell}, '\\s*[;|]\\s*'))"
    return cell + ("::VARCHAR" if typed else "")


def _unnested(column: Column, *, typed: bool) -> str:
    """An expression for each item of a list; what is none in JSON is one value."""
    cell = _quoted(column.name)
    if typed:
        return f"unnest({cell}::VARCHAR[])"
    return (
        f"unnest(CASE json_type(TRY_CAST({cell} AS JSON)) WHEN 'ARRAY' "
        f"THEN from_json({cell}, '[\"VARCHAR\"]') ELSE [{cell}] END)"
    )


def _is_value(column: Column) -> bool:
    """Whether its cells are literals, and no entities."""
    longest = max(map(len, column.values), default=0)
    typed = column.datatype is not None
    return typed or column.is_numeric or column.is_date or column.is_boolean or longest > _LONG


def _is_key_of_others(column: Column, key: Column, notes: list[str]) -> bool:
    """Whether its numbers are ids of other rows."""
    called = column.kind == "list" or re.search(r"(?i:_id)$|Id$|ID$", column.name)
    if not called or not column.values:
        return False
    if not set(column.values) <= set(key.values):
        return False
    notes.append(f"UNSURE: what {column.name} holds is taken for ids in {key.name}.")
    return True


def _datatype(column: Column, value: str) -> str:
    """An expression for that of the value, for some may be of another form."""
    datatype = column.datatype
    if datatype is None:
        return "NULL"
    form, iri = literal(datatype.form), literal(datatype.iri)
    return f"if(regexp_full_match({value}, {form}), {iri}, NULL)"


def _union(selects: Sequence[str]) -> str:
    return "\nUNION ALL\n".join(selects)


def _nothing(*columns: str) -> str:
    return f"SELECT {', '.join(f'NULL AS {column}' for column in columns)} WHERE false"


def _quoted(column: str) -> str:
    """A column in SQL."""
    if re.fullmatch(r"[a-z][a-z0-9_]*", column) and column not in _keywords():
        return column
    return identifier(column)


@cache
def _keywords() -> frozenset[str]:
    """The words that DuckDB may take for something else than a column."""
    words = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"
    with duckdb.connect() as connection:
        return frozenset(word for (word,) in connection.execute(words).fetchall())
