"""Headers in files of their own, as Neo4j's importer takes them: ``persons-header.csv``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from kgdb.errors import UsageError
from kgdb.loading.drafting.column_roles import NAMES, is_direction, with_kgx_roles
from kgdb.loading.drafting.draft import (
    MISSING,
    Draft,
    empty,
    other_records,
    union,
    value_columns,
    without_missing,
)
from kgdb.loading.drafting.file_sampling import beginning_lines, take_sample
from kgdb.loading.drafting.folder_tables import (
    Reference,
    Table,
    references,
    relation_column,
    with_key,
    with_parts,
    with_titles_as_keys,
    without_borrowed_key,
)
from kgdb.loading.drafting.neo4j_folder import draft_for_neo4j, is_for_neo4j
from kgdb.loading.drafting.sample import Column
from kgdb.loading.drafting.table_draft import source_columns
from kgdb.loading.loaders.loader_files import TABLES_OF_KGDB
from kgdb.loading.loaders.loader_spec import RESERVED_LABELS
from kgdb.loading.scratch.sql_quoting import bare_identifier, literal
from kgdb.wording import counted, listed

_NAMED = re.compile(r"(?P<base>.+?)[-_. ]?headers?", re.IGNORECASE)
_ROLES = re.compile(r":(?:ID|START_ID|END_ID)\b", re.IGNORECASE)

_TABLES = re.compile(r".+\.(csv|tsv|txt|jsonl|parquet)(\.(gz|bz2|xz|zst))?$", re.IGNORECASE)
_MOST = 100


def header_files(files: Sequence[Path]) -> dict[Path, Path]:
    """The file with the header of each data file that has it there.

    ``persons-header.csv`` is that of ``persons.csv``, ``persons-1.csv`` and ``persons_part2.csv``.
    """
    headers: dict[Path, Path] = {}
    for path in files:
        named = _NAMED.fullmatch(stem_of(path))
        if named and _is_header(path):
            headers |= dict.fromkeys(_data_of(named["base"], files), path)
    return headers


def stem_of(path: Path, header: Path | None = None) -> str:
    """What a file is called without its ending: ``persons``, also of a part of these."""
    named = _NAMED.fullmatch(stem_of(header)) if header else None
    return named["base"] if named else path.name.partition(".")[0]


def _is_header(path: Path) -> bool:
    lines = beginning_lines(path)
    return len(lines) == 1 and bool(_ROLES.search(lines[0]))


def _data_of(base: str, files: Sequence[Path]) -> Iterator[Path]:
    data = re.compile(rf"{re.escape(base)}(?:[-_ ]?(?:part|chunk)?[-_ ]?\d+)?", re.IGNORECASE)
    return (path for path in files if data.fullmatch(stem_of(path)))


def folder_draft(folder: Path) -> Draft:
    """The draft for the tables in a folder; raises :class:`UsageError` where none relates rows."""
    found = sorted(path for path in folder.iterdir() if _is_table(path))
    files = [path for path in found if path.stat().st_size]
    if not files:
        raise UsageError(
            f"{folder.absolute()} has no table.",
            hint="Expected files such as nodes.csv, orders.tsv or facts.parquet.",
        )
    if len(files) > _MOST:
        raise UsageError(
            f"{folder} has {counted(len(files), 'table')}.",
            hint=f"Expected at most {_MOST}: put those that belong together into one folder.",
        )
    made = Draft()
    if blank := [path.name for path in found if path not in files]:
        made.notes.append(f"Left out, because they are empty: {listed(blank)}.")
    tables = list(_tables(files, made))
    tables = [without_borrowed_key(table, tables) for table in tables]
    tables = with_titles_as_keys(tables)
    tables = [with_parts(table, tables) for table in tables]
    made.notes.append(
        f"{counted(len(tables), 'table')}: {listed([table.file for table in tables])}."
    )
    if not any(map(is_for_neo4j, tables)):
        tables = _with_kgx_roles(tables)
    if any(map(is_for_neo4j, tables)):
        draft_for_neo4j(tables, made)
    else:
        _Tables(tables, made).draft()
    return made


def _with_kgx_roles(tables: Sequence[Table]) -> list[Table]:
    """The tables of a folder with nodes and edges of KGX; others as they are."""
    found = [replace(table, columns=with_kgx_roles(table.columns)) for table in tables]
    roles = {column.role for table in found for column in table.columns}
    return found if {"id", "start_id", "end_id"} <= roles else list(tables)


def has_tables(folder: Path) -> bool:
    """Whether the folder has at least two tables that a draft can look at."""
    return sum(map(_is_table, folder.iterdir())) > 1


def _is_table(path: Path) -> bool:
    return path.is_file() and not path.name.startswith(".") and bool(_TABLES.fullmatch(path.name))


def _tables(files: Sequence[Path], made: Draft) -> Iterator[Table]:
    """The tables in the files; a text beside others that is no table, such as README.txt, is none.

    Raises :class:`UsageError` for any other file that is not a table.
    """
    headers = header_files(files)
    for path in files:
        if path in headers.values():
            continue
        try:
            yield _table(path, headers.get(path), made)
        except UsageError:
            if path.suffix.casefold() != ".txt" or len(files) == 1:
                raise
            made.notes.append(f"Left out, because it is no table: {path.name}.")


def _table(path: Path, header: Path | None, made: Draft) -> Table:
    """A sampled file, whose section goes to the draft; its header may be in another one."""
    own = Draft()
    columns = source_columns(take_sample(path, header), own)
    name = re.sub(r"[^a-z0-9]+", "_", path.name.partition(".")[0].lower()).strip("_") or "rows"
    while name in made.sources or name in TABLES_OF_KGDB:
        name += "_"
    made.sources[name] = (path.name, own.source)
    made.notes += [f"{path.name}: {note}" for note in own.notes]
    return with_key(path.name, stem_of(path, header), name, columns)


class _Tables:
    """Writes the SQL for tables that refer to each other."""

    def __init__(self, tables: Sequence[Table], made: Draft) -> None:
        self._tables = tables
        self._made = made
        self._references = {table.name: references(table, tables) for table in tables}
        keys = [set(t.key.values) for t in tables if t.key]
        # Rows of two tables may have the same number: then a key says which table it is of.
        self._apart = sum(map(len, keys)) == len(set().union(*keys)) and not any(
            t.key.is_numeric for t in tables if t.key
        )

    def _joins(self, table: Table) -> bool:
        """Whether its rows are relationships: it refers to two tables, and none refers to it."""
        links = self._references[table.name]
        targets = [link.to.name for each in self._references.values() for link in each]
        return table.key is None and len(links) >= 2 and table.name not in targets

    def draft(self) -> None:
        """Write the SQL of all tables."""
        triples: list[str] = []
        literals: list[str] = []
        entities: list[str] = []
        other: list[str] = []
        for table in self._tables:
            links = self._references[table.name]
            if self._joins(table):
                triples.append(self._joining(table, links))
                continue
            if not table.keys:
                self._made.notes.append(
                    f"UNSURE: {table.file} has no column of unique keys and joins no two tables: "
                    "it is left out."
                )
                other.append(other_records(f"rows of {table.file}", table.name))
                continue
            entities.append(self._entities(table))
            other.append(other_records(f"rows of {table.file}", table.name))
            triples += [self._reference(table, link) for link in links]
            literals += list(self._values(table, links))
        if not triples:
            raise UsageError(
                "No table of the folder refers to another one.",
                hint="Draft a loader for one of the files: kgdb load mine --init FILE",
            )
        tables = self._made.tables
        tables["triples"] = "\nUNION ALL BY NAME\n".join(triples)
        if literals:
            tables["literals"] = union(literals)
        tables["entities"] = union(entities) if entities else empty("id")
        tables["other"] = union(other)

    def _id(self, table: Table, columns: Sequence[Column]) -> str:
        """The id of a row of a table, by the columns that have its key."""
        cells = " || '/' || ".join(map(_cell, columns))
        apart = self._apart and len(columns) == 1
        return cells if apart else f"{literal(table.label + ':')} || {cells}"

    def _entities(self, table: Table) -> str:
        label = table.label if table.label not in RESERVED_LABELS else f"{table.label}Row"
        labels = "NULL" if table.is_of_kinds else f"[{literal(label)}]"
        titles = tuple(key for key in table.keys if key.word in NAMES) or table.titles
        name = " || ' ' || ".join([literal(label), *map(_cell, table.keys)])
        if titles:
            name = f"concat_ws(' ', {', '.join(map(_cell, titles))})"
        unsure, key = "", ", ".join(column.name for column in table.keys)
        if table.parts:
            unsure, key = "UNSURE: ", f"the key is {key} together"
        else:
            key = f"{key} is its key"
        self._made.notes.append(
            f"{unsure}{table.file}: each row is of the kind {label}; {key}"
            + (f", {' and '.join(title.name for title in titles)} its name." if titles else ".")
        )
        return (
            f"SELECT {self._id(table, table.keys)} AS id, {name} AS name, NULL AS aliases, "
            f"{labels} AS labels\nFROM {table.name} WHERE {_filled(table.keys)}"
        )

    def _reference(self, table: Table, link: Reference) -> str:
        self._made.notes.append(f"{table.file}: {link.names} is the key of {link.to.file}.")
        return (
            f"SELECT {self._id(table, table.keys)} AS head, {literal(link.relation)} AS relation, "
            f"{self._id(link.to, link.columns)} AS tail\nFROM {table.name} "
            f"WHERE {_filled([*table.keys, *link.columns])}"
        )

    def _joining(self, table: Table, links: Sequence[Reference]) -> str:
        head, tail = links[:2]
        relation = relation_column(table, [*head.columns, *tail.columns])
        name = _cell(relation) if relation else literal(" ".join(table.words).lower())
        used = [*head.columns, *tail.columns, relation]
        rest = [column for column in table.columns if column not in used]
        undirected = next((column for column in rest if is_direction(column)), None)
        rest = [column for column in rest if column is not undirected]
        more = "".join(f", {_cell(c)} AS {bare_identifier(c.title or c.name)}" for c in rest)
        if undirected is not None:
            more += f", lower({_cell(undirected)}) = 'undirected' AS undirected"
        self._made.notes.append(
            f"{table.file}: each row joins a row of {head.to.file} ({head.names}) with one "
            f"of {tail.to.file} ({tail.names})"
            + (f"; its properties: {', '.join(c.name for c in rest)}." if rest else ".")
        )
        return (
            f"SELECT {self._id(head.to, head.columns)} AS head, {name} AS relation, "
            f"{self._id(tail.to, tail.columns)} AS tail{more}\nFROM {table.name} "
            f"WHERE {_filled([*head.columns, *tail.columns])}"
        )

    def _values(self, table: Table, links: Sequence[Reference]) -> Iterator[str]:
        """The other columns as values of the rows."""
        used = [*table.titles, *(column for link in links for column in link.columns)]
        used += [table.key] if table.key else []
        for column in table.columns:
            if column in used or not column.values:
                continue
            name = re.sub(r"\s+", "_", (column.title or column.name).strip())
            cell, known = _cell(column), without_missing(column)
            yield (
                f"SELECT {self._id(table, table.keys)} AS head, {literal(name)} AS relation, "
                f"{value_columns(known, cell)}\nFROM {table.name} "
                f"WHERE {_filled([*table.keys, column])}"
            )


def _filled(columns: Sequence[Column]) -> str:
    return " AND ".join(f"{_cell(column)} <> ''" for column in dict.fromkeys(columns))


def _cell(column: Column) -> str:
    """A cell as a text; what stands for a missing value is none."""
    cell = f"{bare_identifier(column.name)}::VARCHAR"
    if any(value.strip() in MISSING for value in column.values):
        return f"CASE WHEN trim({cell}) NOT IN ({', '.join(map(literal, MISSING))}) THEN {cell} END"
    return cell
