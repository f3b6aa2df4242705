"""The draft for lines of fields, JSON lines and Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from kgdb.errors import UsageError
from kgdb.loading.drafting.column_roles import (
    DEFAULT_RELATION,
    IDS,
    NAMES,
    Triple,
    find,
    is_direction,
    triple_by_position,
    triple_of,
    with_neo4j_roles,
)
from kgdb.loading.drafting.draft import Draft, toml, toml_list
from kgdb.loading.drafting.edge_columns import DescribedTriple, End, find_described_triple
from kgdb.loading.drafting.label_columns import label_columns, relation_name
from kgdb.loading.drafting.sample import Column, Sample
from kgdb.loading.loaders.spec import RESERVED_LABELS
from kgdb.loading.scratch.sql_quoting import bare_identifier, literal
from kgdb.wording import short

_OPTION = re.compile(r"\{\w+\}")
_FEW = 0.5
_LONG = 60


def table_draft(sample: Sample) -> Draft:
    """The draft for a table with one triple or one entity per row."""
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
            made.notes.append(f"Left out, because they contain objects: {', '.join(nested)}.")
    columns = with_neo4j_roles(columns, made.notes)
    if len(columns) < 2:
        hint = "Expected at least two: an entity and a related entity or value."
        if inner := [column.name for column in sample.columns if column.kind == "nested"]:
            hint += (
                f" Objects ({', '.join(inner)}) cannot be values: move their content to fields of"
            )
            hint += " their own, for example by jq -c '{head: .subject.id, relation: .predicate}'."
        raise UsageError("The source has fewer than two usable columns.", hint=hint)
    named = sample.format != "table" or bool(sample.header)
    typed = sample.format == "parquet"
    if named and (described := find_described_triple(columns)):
        _add_described_triples(columns, described, made, typed=typed)
    elif triple := triple_of(columns, made.notes, named=named):
        _add_triple_rows(columns, triple, made, typed=typed)
    else:
        _add_entity_rows(columns, made, named=named, typed=typed)
    return made


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


def _add_triple_rows(
    columns: Sequence[Column], triple: Triple, made: Draft, *, typed: bool
) -> None:
    head, tail = bare_identifier(triple.head.name), bare_identifier(triple.tail.name)
    relation = (
        bare_identifier(triple.relation.name) if triple.relation else literal(DEFAULT_RELATION)
    )
    used = [triple.head, triple.relation, triple.tail]
    others = [column for column in columns if column not in used]
    undirected = next((column for column in others if is_direction(column)), None)
    others = [column for column in others if column is not undirected]
    further = _qualifiers(others, undirected, made)
    numbers = triple.tail.is_numeric or triple.tail.is_date
    ids = triple.tail.is_numeric and _are_ids(triple)
    if ids:
        made.notes.append(
            f"UNSURE: {triple.tail.name} contains numbers, like the heads: they are read as ids "
            "of entities. Values belong in `literals`."
        )
    elif numbers:
        made.notes.append(
            f"UNSURE: {triple.tail.name} contains numbers or dates: they are read as literals, "
            "which entities do not share. Ids of entities belong in `triples`."
        )
    else:
        made.notes.append(
            "The names of entities are their ids: the source seems to have no other ids."
        )
    lists = triple.tail.kind == "list"
    value = _unnested(triple.tail, typed=typed) if lists else tail
    complete = " AND ".join(f"{part} <> ''" for part in dict.fromkeys((head, relation, tail)))
    rows = f"FROM source WHERE {complete}"
    if lists:
        rows = f"FROM source WHERE {head} <> ''"
    if numbers and not ids:
        made.tables["triples"] = _empty("head", "relation", "tail")
        made.tables["literals"] = (
            f"SELECT {_as(head, 'head')}, {_as(relation, 'relation')}, {_as(value, 'value')}, "
            f"{_datatype(triple.tail, value)} AS datatype, NULL AS language"
            f"{_qualifiers(others, None, None)} {rows}"
        )
    else:
        made.tables["triples"] = (
            f"SELECT {_as(head, 'head')}, {_as(relation, 'relation')}, {_as(value, 'tail')}"
            f"{further} {rows}"
        )
    if not typed and not lists:
        made.tables["other"] = (
            "SELECT 'rows without all parts of a triple' AS reason, count(*) AS records "
            f"FROM source WHERE ({complete}) IS NOT TRUE"
        )


def _qualifiers(columns: Sequence[Column], undirected: Column | None, made: Draft | None) -> str:
    """The further columns of a triple, each after a comma: properties of the relationship."""
    parts = []
    for column in columns:
        name = column.title or column.name
        cell = bare_identifier(column.name)
        parts.append(f", {_as(cell, bare_identifier(name))}")
    if made is not None and columns:
        names = ", ".join(column.title or column.name for column in columns)
        made.notes.append(f"Properties of the relationship: {names}.")
    if undirected is not None:
        cell = bare_identifier(undirected.name)
        parts.append(f", lower({cell}) = 'undirected' AS undirected")
        if made is not None:
            made.notes.append(
                f"{undirected.name} says which triples have no direction: they are stated both ways."
            )
    return "".join(parts)


def _add_described_triples(
    columns: Sequence[Column], triple: DescribedTriple, made: Draft, *, typed: bool
) -> None:
    """One triple per row, with columns about its ends."""
    cast = "::VARCHAR" if typed else ""
    head, tail = (f"{bare_identifier(end.key.name)}{cast}" for end in (triple.head, triple.tail))
    relation = (
        f"{bare_identifier(triple.relation.name)}{cast}"
        if triple.relation
        else literal(DEFAULT_RELATION)
    )
    used = [*triple.head.columns(), triple.relation, *triple.tail.columns()]
    further = _qualifiers([column for column in columns if column not in used], None, made)
    for end in (triple.head, triple.tail):
        roles = [
            f"{column.name} is its {role}"
            for column, role in ((end.name, "name"), (end.kind, "label"))
            if column
        ]
        made.notes.append(f"{end.key.name} is the id of an entity, {', '.join(roles)}.")
    if triple.relation is None:
        made.notes.append(
            f"UNSURE: no column names the relation; all rows get {DEFAULT_RELATION!r}."
        )
    complete = " AND ".join(f"{part} <> ''" for part in (head, relation, tail))
    made.tables["triples"] = (
        f"SELECT {_as(head, 'head')}, {_as(relation, 'relation')}, {_as(tail, 'tail')}"
        f"{further} FROM source WHERE {complete}"
    )
    made.tables["entities"] = _union([_end(triple.head, cast), _end(triple.tail, cast)])
    made.tables["other"] = (
        "SELECT 'rows without all parts of a triple' AS reason, count(*) AS records "
        f"FROM source WHERE ({complete}) IS NOT TRUE"
    )


def _end(end: End, cast: str) -> str:
    """A SELECT of the entities at one end of the triples."""
    key = f"{bare_identifier(end.key.name)}{cast}"
    name = f"{bare_identifier(end.name.name)}{cast}" if end.name else key
    columns = [_as(key, "id"), _as(name, "name")]
    # If rows of one entity have different names, one is its name; the others are aliases.
    columns.append(
        f"CASE WHEN {name} <> '' THEN [{name}] END AS aliases" if end.name else "NULL AS aliases"
    )
    if end.kind:
        kind = f"{bare_identifier(end.kind.name)}{cast}"
        columns.append(
            f"CASE WHEN {kind} NOT IN ({_forbidden_labels()}) THEN [{kind}] END AS labels"
        )
    return f"SELECT DISTINCT {', '.join(columns)} FROM source WHERE {key} <> ''"


def _forbidden_labels() -> str:
    """The forbidden labels of entities, as an SQL list."""
    return ", ".join(literal(label) for label in ("", *sorted(RESERVED_LABELS)))


def _are_ids(triple: Triple) -> bool:
    """Whether the numeric tails are ids of entities."""
    tails = set(triple.tail.values)
    shared = tails.intersection(triple.head.values)
    return triple.head.is_numeric or len(shared) >= _FEW * len(tails)


def _as(expression: str, name: str) -> str:
    return name if expression == name else f"{expression} AS {name}"


def _add_entity_rows(columns: Sequence[Column], made: Draft, *, named: bool, typed: bool) -> None:
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
    triples, literals = [], []
    for column in rest:
        if column is name or column in [names[one.name] for one in links]:
            continue
        pairs = f"SELECT {entity}{cast} AS head, {_values(column, made.notes, typed)} AS value"
        title = relation_name(column) if column in links else column.title or column.name
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
            "The source has ids and names, but nothing that relates entities.",
            hint="Name it nodes.csv, put it beside edges.csv, then: kgdb load csv FOLDER",
        )
    made.notes.append(
        "Numbers, dates and long texts are literals of their entity. Other cells are entities; "
        "equal texts are the same entity. Empty cells are ignored."
    )
    made.tables["triples"] = _union(triples) or _empty("head", "relation", "tail")
    if literals:
        made.tables["literals"] = _union(literals)
    shown = bare_identifier(name.name) if name else entity
    selected = [_as(entity, "id"), _as(shown, "name")]
    if name:
        # If rows of one entity have different names, one is its name; the others are aliases.
        selected.append(f"CASE WHEN {shown}{cast} <> '' THEN [{shown}] END AS aliases")
    if labels:
        kinds = f"string_split({bare_identifier(labels.name)}, ';')"
        selected.append(
            f"[kind FOR kind IN {kinds} IF kind NOT IN ({_forbidden_labels()})] AS labels"
        )
    selects = [f"SELECT {', '.join(selected)} FROM source WHERE {entity}{cast} <> ''"]
    for one in links:
        id_, given = (f"{bare_identifier(column.name)}{cast}" for column in (one, names[one.name]))
        more = [f"CASE WHEN {given} <> '' THEN [{given}] END"] if name else []
        more += ["NULL"] if labels else []
        selects.append(
            f"SELECT DISTINCT {', '.join([id_, given, *more])} FROM source WHERE {id_} <> ''"
        )
    made.tables["entities"] = _union(selects)
    made.tables["other"] = (
        "SELECT 'rows without an id' AS reason, count(*) AS records FROM source "
        f"WHERE coalesce({entity}{cast}, '') = ''"
    )


def _values(column: Column, notes: list[str], typed: bool) -> str:
    """An SQL expression for the values in a cell."""
    cell = bare_identifier(column.name)
    if column.kind == "list":
        return _unnested(column, typed=typed)
    if column.kind == "array":
        return f"unnest(string_split({cell}, ';'))"
    if column.split > _FEW / 2:
        notes.append(
            f"UNSURE: {column.name} seems to have several values per cell, with ; or | between."
        )
        return f"unnest(regexp_split_to_array({cell}, '\\s*[;|]\\s*'))"
    return cell + ("::VARCHAR" if typed else "")


def _unnested(column: Column, *, typed: bool) -> str:
    """An SQL expression for the items of a list; a cell that is not a JSON list is one value."""
    cell = bare_identifier(column.name)
    if typed:
        return f"unnest({cell}::VARCHAR[])"
    return (
        f"unnest(CASE json_type(TRY_CAST({cell} AS JSON)) WHEN 'ARRAY' "
        f"THEN from_json({cell}, '[\"VARCHAR\"]') ELSE [{cell}] END)"
    )


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


def _datatype(column: Column, value: str) -> str:
    """An SQL expression for the datatype of a value, NULL for values of another form."""
    datatype = column.datatype
    if datatype is None:
        return "NULL"
    form, iri = literal(datatype.form), literal(datatype.iri)
    return f"if(regexp_full_match({value}, {form}), {iri}, NULL)"


def _union(selects: Sequence[str]) -> str:
    return "\nUNION ALL\n".join(selects)


def _empty(*columns: str) -> str:
    return f"SELECT {', '.join(f'NULL AS {column}' for column in columns)} WHERE false"
