"""Writes a first loader file for an unknown source, by looking at its beginning.

The file loads at once, if not always as its reader would have it: where something was guessed, a
comment says so.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import duckdb

from kgdb.errors import UsageError
from kgdb.loading.quoting import identifier, literal
from kgdb.loading.rdf_draft import rdf_tables
from kgdb.loading.sampling import Column, Sample, look
from kgdb.loading.spec import NAME, label_of

HEADS = frozenset("head subject source from start src h s head_id subject_id source_id".split())
RELATIONS = frozenset(
    "relation predicate property relationship rel edge r p type label relation_type".split()
)
TAILS = frozenset("tail object target to end dst t o value tail_id object_id target_id".split())
IDS = frozenset("id key code uri iri identifier _id".split())
NAMES = frozenset("name title label".split())
"""Names of columns, in lower case, that tell what is in them."""

RELATED = "related_to"
"""The relation of a source that names none."""

_FEW = 0.5
_LONG = 60
_WIDTH = 98


@dataclass
class Draft:
    """The parts of a loader file, each with comments."""

    notes: list[str] = field(default_factory=list)
    source: list[str] = field(default_factory=list)
    views: dict[str, str] = field(default_factory=dict)
    cast: str = ""
    """Makes a text of a value, where it is none yet."""

    tables: dict[str, str] = field(default_factory=dict)


def write_draft(name: str, source: Path) -> Path:
    """Write ``name.toml`` for the source, and return its path; it is never overwritten.

    Raises :class:`UsageError` when it is there, or the source is of no format that can be read.
    """
    path = Path(name if name.endswith(".toml") else f"{name}.toml")
    text = draft(path.stem, source)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(
            f"{path} is there already.", hint="Choose another name, or remove it first."
        ) from None
    return path


def draft(name: str, source: Path) -> str:
    """The text of a first loader file for the source."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot be the name of a graph.",
            hint="Expected lower-case letters, digits, - and _: kgdb load mine --init FILE",
        )
    sample = look(source)
    if sample.format in {"ntriples", "turtle"}:
        made = Draft(source=[f'format = "{sample.format}"'])
        made.notes, made.views, made.tables = rdf_tables(sample, label_of(name))
    else:
        made = _table(sample)
    return _text(name, source, sample, made)


def _text(name: str, source: Path, sample: Sample, made: Draft) -> str:
    lines = [
        *_comment(
            f"A first loader for {source.name}, made by looking at its first {sample.rows:,} rows."
        ),
        f"# See what it makes:  kgdb load ./{name}.toml FILE --dry-run",
        "# What each key means, and how to say how relations read: docs/loaders.md",
        *(line for note in made.notes for line in _comment(note)),
        f"name = {_toml(name)}",
        f"label = {_toml(label_of(name))}",
        f"title = {_toml(name)}",
        'licence = "unknown"',
        "",
        "[source]",
        *made.source,
        "",
    ]
    if made.views:
        lines += ["[views]", *(f"{key} = {_toml(sql)}" for key, sql in made.views.items()), ""]
    lines += ["[tables]", *(f"{key} = {_toml(sql)}" for key, sql in made.tables.items())]
    return "\n".join(lines) + "\n"


def _table(sample: Sample) -> Draft:
    """A table with one triple a row, or one entity a row."""
    made = Draft()
    columns = sample.columns
    rows = "source"
    if sample.format != "table":
        made.source = [f'format = "{sample.format}"']
        made.cast = "::VARCHAR" if sample.format == "parquet" else ""
        nested = [column.name for column in columns if column.kind == "nested"]
        columns = tuple(column for column in columns if column.kind != "nested")
        if nested:
            made.notes.append(f"Left out, for they hold more than texts: {', '.join(nested)}.")
    elif sample.header and sample.is_csv:
        made.source = ['format = "csv"', f"delimiter = {_toml(sample.delimiter)}"]
    else:
        columns, rows = _delimited(sample, made)
        if sample.numbering:
            made.notes.append(f"Left out: {sample.numbering}, which only numbers the rows.")
            columns = tuple(column for column in columns if column.name != sample.numbering)
    if not sample.sure:
        made.notes.append(
            "UNSURE: the first line is taken "
            + ("for the names of the columns." if sample.header else "for data, not for names.")
        )
    if len(columns) < 2:
        raise UsageError(
            "The source has fewer than two columns that a graph can be made of.",
            hint="Expected two at least: an entity, and what it is related to.",
        )
    named = sample.format != "table" or bool(sample.header)
    triple = _triple(columns, made.notes, named=named)
    if triple:
        _one_triple_a_row(columns, triple, rows, made)
    else:
        _one_entity_a_row(columns, rows, made, named=named)
    return made


def _delimited(sample: Sample, made: Draft) -> tuple[tuple[Column, ...], str]:
    """Lines without quoting; a header line among them is passed over and counted."""
    fields, rows = _fields(sample), "source"
    listed = ", ".join(_toml(one) for one in fields)
    made.source = [
        'format = "delimited"',
        f"delimiter = {_toml(sample.delimiter)}",
        f"columns = [{listed}]",
    ]
    if sample.quoted:
        made.notes.append(
            "UNSURE: fields stand in quotation marks, and no header line names every column. The "
            "marks are taken off; lines with a delimiter inside of them are skipped as malformed."
        )
        unquoted = ", ".join(
            f"CASE WHEN {one} LIKE '\"%\"' THEN replace({one}[2:-2], '\"\"', '\"') "
            f"ELSE {one} END AS {one}"
            for one in fields
        )
        rows = "unquoted"
        made.views[rows] = f"SELECT {unquoted} FROM source"
    if not sample.header:
        return _renamed(sample.columns, fields), rows
    made.notes.append("The header line is left out by what it says.")
    names = [column.name for column in sample.columns]
    given = [name for name, cell in zip(names, sample.header, strict=True) if name != cell]
    if given:
        made.notes.append(f"Columns without a name of their own there: {', '.join(given)}.")
    header = literal("\t".join(sample.header)).replace("\t", "' || chr(9) || '")
    # Empty fields are NULL, which concat_ws passes over.
    cells = fields if all(sample.header) else [f"ifnull({one}, '')" for one in fields]
    line = f"concat_ws(chr(9), {', '.join(cells)})"
    listed = ", ".join(_as(one, _quoted(name)) for one, name in zip(fields, names, strict=True))
    made.views["lines"] = f"SELECT {listed} FROM {rows} WHERE {line} <> {header}"
    made.tables["other"] = (
        f"SELECT 'the header line' AS why, count(*) AS records FROM {rows} WHERE {line} = {header}"
    )
    return sample.columns, "lines"


def _fields(sample: Sample) -> list[str]:
    """Names for columns without any: those of a triple by what they are in it."""
    placed = None if sample.header else _placed(sample.columns, [])
    roles = dict(zip(map(id, placed or ()), ("head", "relation", "tail"), strict=False))
    return [roles.get(id(column), f"column{i}") for i, column in enumerate(sample.columns, start=1)]


def _renamed(columns: Sequence[Column], names: Iterable[str]) -> tuple[Column, ...]:
    return tuple(
        Column(name, column.values, column.kind)
        for column, name in zip(columns, names, strict=True)
    )


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
    return next((one for one in columns if one.name.strip(" :~").casefold() in words), None)


def _one_triple_a_row(columns: Sequence[Column], triple: _Triple, rows: str, made: Draft) -> None:
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
            f"NULL AS datatype, NULL AS language FROM {rows}"
        )
        return
    made.notes.append("Entities are their names: the source is taken to give no other id.")
    made.tables["triples"] = (
        f"SELECT {_as(head, 'head')}, {_as(relation, 'relation')}, {_as(tail, 'tail')} FROM {rows}"
    )


def _are_ids(triple: _Triple) -> bool:
    """Whether the tails are numbers by which entities go."""
    tails = set(triple.tail.values)
    shared = tails.intersection(triple.head.values)
    return triple.head.is_numeric or len(shared) >= _FEW * len(tails)


def _as(expression: str, name: str) -> str:
    return name if expression == name else f"{expression} AS {name}"


def _one_entity_a_row(columns: Sequence[Column], rows: str, made: Draft, *, named: bool) -> None:
    key = _find(columns, IDS) if named else None
    key = key or columns[0]
    name = _find([one for one in columns if one is not key], NAMES) if named else None
    made.notes.append(
        f"Each row is an entity: {key.name} is its id"
        + (f", {name.name} its name." if name else ".")
    )
    if key.variety < 1:
        made.notes.append(f"UNSURE: {key.name} repeats; rows with the same are the same entity.")
    entity = _quoted(key.name)
    triples, literals = [], []
    for column in columns:
        if column in (key, name):
            continue
        cell = _quoted(column.name)
        value, there = cell + made.cast, f"{cell}{made.cast} <> ''"
        relation = re.sub(r"\s+", "_", column.name.strip()) or column.name
        if column.kind == "list":
            value = f"unnest(json_extract_string({cell}::JSON, '$[*]'))"
            there = f"{cell} IS NOT NULL"
        elif column.split > _FEW / 2:
            made.notes.append(f"UNSURE: {column.name} seems to hold several values, with ; or |.")
            value = f"unnest(regexp_split_to_array({cell}, '\\s*[;|]\\s*'))"
        datatype = column.datatype
        long = max(map(len, column.values), default=0) > _LONG
        if datatype is not None or column.is_numeric or long:
            literals.append(
                f"SELECT {entity} AS head, {literal(relation)} AS relation, {value} AS value, "
                f"{literal(datatype) if datatype else 'NULL'} AS datatype, NULL AS language "
                f"FROM {rows} WHERE {there}"
            )
        else:
            triples.append(
                f"SELECT {entity} AS head, {literal(relation)} AS relation, {value} AS tail "
                f"FROM {rows} WHERE {there}"
            )
    made.notes.append(
        "Numbers, dates and long texts are literals of their entity; other cells are entities, "
        "the same text the same entity. Empty cells say nothing."
    )
    made.tables["triples"] = _union(triples) or _nothing("head", "relation", "tail")
    if literals:
        made.tables["literals"] = _union(literals)
    shown = _quoted(name.name) if name else entity
    made.tables["entities"] = f"SELECT {_as(entity, 'id')}, {_as(shown, 'name')} FROM {rows}"


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


def _toml(text: str) -> str:
    """A text in TOML, as it is where that can be."""
    lines = "\n" in text
    plain = all(ord(character) >= 32 or character == "\n" for character in text)
    if plain and (lines or '"' in text) and "'''" not in text:
        return f"'''\n{text}" + ("\n'''" if text.endswith("'") else "'''")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    escaped = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", lambda at: f"\\u{ord(at[0]):04X}", escaped)
    return f'"""\n{escaped}"""' if lines else f'"{escaped}"'


def _comment(text: str) -> list[str]:
    """A text as lines of a comment, without what a comment cannot hold."""
    clean = re.sub(r"[\x00-\x1f\x7f]", "�", text)
    return [f"# {line}" for line in textwrap.wrap(clean, _WIDTH, break_on_hyphens=False)]
