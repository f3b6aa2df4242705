"""The tables of a first loader file for lines of fields, JSON lines and Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import duckdb

from kgdb.errors import UsageError
from kgdb.loading.drafting.draft import Draft, toml, toml_list
from kgdb.loading.drafting.sample import Column, Sample
from kgdb.loading.quoting import identifier, literal

HEADS = frozenset(
    "head subject source from start src h s head_id subject_id source_id from_id start_id "
    "fromnodeid".split()
)
RELATIONS = frozenset(
    "relation predicate property relationship rel edge r p type label relation_type".split()
)
TAILS = frozenset(
    "tail object target to end dst t o value tail_id object_id target_id to_id end_id "
    "tonodeid".split()
)
IDS = frozenset("id key code uri iri identifier _id".split())
NAMES = frozenset("name title label".split())
"""Names of columns, in lower case, that tell what is in them."""

RELATED = "related_to"
"""The relation of a source that names none."""

# What stands behind a column's name in the files that Neo4j imports: :START_ID(Person), year:int.
_NEO4J = re.compile(r"(.*?):([A-Za-z_]+(?:\[\])?)(?:[({].*[)}])?")
_NEO4J_KINDS = frozenset("start_id end_id type id label".split())
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
    if len(columns) < 2:
        raise UsageError(
            "The source has fewer than two columns that a graph can be made of.",
            hint="Expected two at least: an entity, and what it is related to.",
        )
    named = sample.format != "table" or bool(sample.header)
    cast = "::VARCHAR" if sample.format == "parquet" else ""
    triple = _triple(columns, made.notes, named=named)
    if triple:
        _one_triple_a_row(columns, triple, made)
    else:
        _one_entity_a_row(columns, made, named=named, cast=cast)
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
        made.notes.append(f"The first {sample.skip} lines are comments, and passed over.")
    if sample.above:
        made.notes.append("UNSURE: the last of them is taken for the names of the columns.")
    if not sample.header:
        columns = _renamed(columns, _fields(columns))
    names = [column.name for column in columns]
    given = [n for n, cell in zip(names, sample.header, strict=False) if n != cell]
    if given:
        made.notes.append(f"Columns without a name of their own there: {', '.join(given)}.")
    in_lines = bool(sample.header) and not sample.above
    csv = sample.quoted or (bool(sample.header) and not sample.marks)
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
                f"The source has {other!r} and {column.name!r}, which are one name.",
                hint="Rename one of them: upper and lower case are the same in SQL.",
            )


def _fields(columns: Sequence[Column]) -> list[str]:
    """Names for columns without any: those of a triple by what they are in it."""
    roles = dict(
        zip(map(id, _placed(columns, []) or ()), ("head", "relation", "tail"), strict=False)
    )
    return [roles.get(id(column), f"column{i}") for i, column in enumerate(columns, start=1)]


def _renamed(columns: Sequence[Column], names: Iterable[str]) -> tuple[Column, ...]:
    return tuple(replace(column, name=name) for column, name in zip(columns, names, strict=True))


@dataclass(frozen=True, slots=True)
class _Triple:
    """Which columns are a triple; without a relation, it is always the same."""

    head: Column
    relation: Column | None
    tail: Column


def _triple(columns: Sequence[Column], notes: list[str], *, named: bool) -> _Triple | None:
    """The columns of a triple, or none where each row is an entity."""
    if named:
        head, relation, tail = (_find(columns, words) for words in (HEADS, RELATIONS, TAILS))
        if len(columns) == 3 and relation is columns[1]:
            head, tail = head or columns[0], tail or columns[2]
        if head is None or tail is None:
            return None
    else:
        placed = _placed(columns, notes)
        if placed is None:
            return None
        head, relation, tail = placed
    if relation is None:
        notes.append(f"UNSURE: no column names the relation; it is {RELATED!r} throughout.")
    return _Triple(head, relation, tail)


def _placed(
    columns: Sequence[Column], notes: list[str]
) -> tuple[Column, Column | None, Column] | None:
    """Head, relation and tail where no header names them: the relation varies least."""
    if len(columns) == 2:
        return columns[0], None, columns[1]
    first, second, third = columns[:3]
    if not all(one.is_numeric or one.variety < _FEW for one in columns[3:]):
        return None
    if len(columns) > 3 and first.variety == 1:
        notes.append(
            "UNSURE: column 1 never says the same twice, so each row is taken for an entity, and "
            "not for a triple."
        )
        return None
    found, codes = (first, second, third), second.is_numeric
    few = first.variety < second.variety / 2 and first.variety < _FEW
    if few or (codes and not first.is_numeric):
        found = second, first, third
    elif (
        third.variety < second.variety / 2
        and third.variety < _FEW
        and (codes or not third.is_numeric)
    ):
        found = first, third, second
    if found[1] is not second:
        notes.append(
            f"UNSURE: column {columns.index(found[1]) + 1} has the fewest different values, and is "
            "taken for the relation."
        )
    elif len(columns) > 3 or codes or second.variety >= _FEW or first.variety == 1:
        notes.append("UNSURE: columns 1, 2 and 3 are taken for head, relation and tail.")
    return found


def _find(columns: Sequence[Column], words: frozenset[str]) -> Column | None:
    return next((one for one in columns if _meaning(one.name) in words), None)


def _meaning(name: str) -> str:
    """The name of a column in lower case, or what it is for in a file that Neo4j imports."""
    return _neo4j_kind(name) or _plain(name).strip(" :~").casefold()


def _neo4j_kind(name: str) -> str | None:
    """What a column is for in a file that Neo4j imports, if it is for more than a value."""
    found = _NEO4J.fullmatch(name)
    kind = found[2].casefold() if found else None
    return kind if kind in _NEO4J_KINDS else None


def _plain(name: str) -> str:
    """The name of a column without the type that Neo4j's importer reads behind it."""
    found = _NEO4J.fullmatch(name)
    return found[1] if found and found[1] else name


def _one_triple_a_row(columns: Sequence[Column], triple: _Triple, made: Draft) -> None:
    head, tail = _quoted(triple.head.name), _quoted(triple.tail.name)
    relation = _quoted(triple.relation.name) if triple.relation else literal(RELATED)
    used = [triple.head, triple.relation, triple.tail]
    others = [column.name for column in columns if column not in used]
    if others:
        made.notes.append(f"Left out: {', '.join(others)}.")
    codes = triple.tail.is_numeric and _are_ids(triple)
    if codes:
        made.notes.append(
            f"UNSURE: {triple.tail.name} holds numbers, as the heads are: they are taken for ids "
            "of entities. Values would belong into `literals`."
        )
    elif triple.tail.is_numeric or triple.tail.is_date:
        made.notes.append(
            f"UNSURE: {triple.tail.name} holds numbers or dates: they are taken for literals, "
            "which no two entities share. Ids of entities would belong into `triples`."
        )
        made.tables["triples"] = _nothing("head", "relation", "tail")
        made.tables["literals"] = (
            f"SELECT {_as(head, 'head')}, {_as(relation, 'relation')}, {_as(tail, 'value')}, "
            f"NULL AS datatype, NULL AS language FROM source"
        )
        return
    made.notes.append("Entities are their names: the source is taken to give no other id.")
    made.tables["triples"] = (
        f"SELECT {_as(head, 'head')}, {_as(relation, 'relation')}, {_as(tail, 'tail')} FROM source"
    )


def _are_ids(triple: _Triple) -> bool:
    """Whether the tails are numbers by which entities go."""
    tails = set(triple.tail.values)
    shared = tails.intersection(triple.head.values)
    return triple.head.is_numeric or len(shared) >= _FEW * len(tails)


def _as(expression: str, name: str) -> str:
    return name if expression == name else f"{expression} AS {name}"


def _one_entity_a_row(columns: Sequence[Column], made: Draft, *, named: bool, cast: str) -> None:
    key = (_find(columns, IDS) if named else None) or columns[0]
    labels = next((one for one in columns if _neo4j_kind(one.name) == "label"), None)
    rest = [one for one in columns if one not in (key, labels)]
    name = _find(rest, NAMES) if named else None
    made.notes.append(
        f"Each row is an entity: {key.name} is its id"
        + (f", {name.name} its name." if name else ".")
    )
    if key.variety < 1:
        made.notes.append(f"UNSURE: {key.name} repeats; rows with the same are the same entity.")
    entity = _quoted(key.name)
    triples, literals = [], []
    for column in rest:
        if column is name:
            continue
        pairs = _pairs(column, entity, cast, made.notes)
        relation = literal(re.sub(r"\s+", "_", _plain(column.name).strip()) or column.name)
        there = "WHERE head <> '' AND value <> ''"
        if _is_value(column) and not _is_key_of_others(column, key, made.notes):
            literals.append(
                f"SELECT head, {relation} AS relation, value, {_datatype(column)} AS datatype, "
                f"NULL AS language\nFROM ({pairs})\n{there}"
            )
        else:
            triples.append(
                f"SELECT head, {relation} AS relation, value AS tail\nFROM ({pairs})\n{there}"
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
        known.append(f"[kind FOR kind IN {kinds} IF kind <> ''] AS labels")
    made.tables["entities"] = f"SELECT {', '.join(known)} FROM source WHERE {entity}{cast} <> ''"
    made.tables["other"] = (
        "SELECT 'rows without an id' AS why, count(*) AS records FROM source "
        f"WHERE coalesce({entity}{cast}, '') = ''"
    )


def _pairs(column: Column, entity: str, cast: str, notes: list[str]) -> str:
    """A SELECT of each entity with each of its values."""
    cell = _quoted(column.name)
    value = cell + cast
    if column.kind == "list":
        value = f"unnest(json_extract_string({cell}::JSON, '$[*]'))"
    elif column.split > _FEW / 2:
        notes.append(f"UNSURE: {column.name} seems to hold several values, with ; or |.")
        value = f"unnest(regexp_split_to_array({cell}, '\\s*[;|]\\s*'))"
    return f"SELECT {entity}{cast} AS head, {value} AS value FROM source"


def _is_value(column: Column) -> bool:
    """Whether its cells are literals, and no entities."""
    longest = max(map(len, column.values), default=0)
    return column.datatype is not None or column.is_numeric or column.is_date or longest > _LONG


def _is_key_of_others(column: Column, key: Column, notes: list[str]) -> bool:
    """Whether its numbers are ids of other rows."""
    if not re.search(r"(?i:_id)$|Id$|ID$", column.name) or not column.values:
        return False
    if not set(column.values) <= set(key.values):
        return False
    notes.append(f"UNSURE: what {column.name} holds is taken for ids in {key.name}.")
    return True


def _datatype(column: Column) -> str:
    """An expression for that of ``value``, of which some may be of another form."""
    datatype = column.datatype
    if datatype is None:
        return "NULL"
    return f"if(regexp_full_match(value, {literal(datatype.form)}), {literal(datatype.iri)}, NULL)"


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
