"""A source after reading and checking: its rows in batches, its counts and its notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from kgdb.graph.retrieval.results import RelationInfo
from kgdb.loading.loaders.loader_spec import RELATION_TEXTS, LoaderSpec
from kgdb.loading.preparing.relationship_properties import Qualifier, columns_of
from kgdb.loading.preparing.tables import MAX_ID_BYTES, Counts, OtherRecords
from kgdb.loading.reading import PROBLEM

EXAMPLES = 10
"""Facts in a preview."""

SAMPLE = 3
"""Example lines per problem in a preview."""


@dataclass(frozen=True, slots=True)
class SkippedRecord:
    """A skipped record and the reason; ``file`` is the name of its file.

    A row of the loader's SQL has no known place: its ``file`` and ``line`` are ``None``.
    """

    file: str | None
    line: int | None
    problem: str
    text: str

    def __str__(self) -> str:
        location = f"{self.file}, line {self.line}: " if self.file else ""
        return f"{location}{self.problem}: {self.text!r}"


@dataclass(frozen=True, slots=True)
class PreparedSource:
    """A source after reading and checking; its rows come in batches, in a fixed order.

    ``tables`` is the connection with the tables of :mod:`kgdb.loading.preparing.tables`;
    ``folder`` is a temporary folder, deleted when the source is closed. ``malformed`` is a sample
    of the unreadable lines, ``incomplete`` a sample of the loader's rows that are not facts;
    ``notes`` are the loader's remarks on the source, and ``qualifiers`` the properties of
    relationships.
    """

    tables: duckdb.DuckDBPyConnection
    folder: Path
    spec: LoaderSpec
    source: Path
    sha256: str
    counts: Counts
    malformed: tuple[SkippedRecord, ...]
    incomplete: tuple[SkippedRecord, ...]
    other_records: tuple[OtherRecords, ...]
    notes: tuple[str, ...]
    qualifiers: tuple[Qualifier, ...] = ()

    def entities(self, batch: int, skip: int = 0) -> Iterator[list[dict[str, Any]]]:
        """Batches of ``{id, name, aliases, labels}`` by id, without the first ``skip``.

        ``labels`` excludes the graph's own label; ``aliases`` is ``None`` if there are none.
        """
        query = f"""
            SELECT id, name, aliases,
                   list_concat(CASE WHEN mediator THEN ['Mediator'] ELSE [] END,
                               coalesce(labels, [])) AS labels
            FROM entities WHERE number >= {skip} ORDER BY number
        """
        return self._batches(query, ("id", "name", "aliases", "labels"), batch)

    def literals(self, batch: int, skip: int = 0) -> Iterator[list[dict[str, Any]]]:
        """Batches of ``{id, name, value, datatype, language}``, without the first ``skip``."""
        query = f"""
            SELECT id, name, value, datatype, language
            FROM literals ORDER BY number OFFSET {skip}
        """
        return self._batches(query, ("id", "name", "value", "datatype", "language"), batch)

    def triples(self, batch: int, skip: int = 0) -> Iterator[list[dict[str, Any]]]:
        """Batches of ``{head, relation, tail}``, sorted by relation, without the first ``skip``.

        If relationships have properties, each row has them, too, as ``properties``. Neo4j writes
        relationships of one type together about twice as fast as mixed ones.
        """
        order = f"relation, tail, head{columns_of(self.qualifiers)}"
        of_triples = ", ".join(f"triples.{column}" for column in order.split(", "))
        query = f"""
            WITH nodes AS (
                SELECT number, id FROM entities UNION ALL SELECT number, id FROM literals)
            SELECT head.id, types.id, tail.id{columns_of(self.qualifiers, "triples.")} FROM
                (SELECT * FROM triples ORDER BY {order} OFFSET {skip}) AS triples
            JOIN relation_types AS types ON types.number = triples.relation
            JOIN nodes AS head ON head.number = triples.head
            JOIN nodes AS tail ON tail.number = triples.tail
            ORDER BY {of_triples}
            """
        names = [each.name for each in self.qualifiers]
        for rows in self._rows(query, batch):
            yield [
                {"head": head, "relation": relation, "tail": tail}
                | ({"properties": _held(names, values)} if names else {})
                for head, relation, tail, *values in rows
            ]

    def relations(self) -> list[RelationInfo]:
        """Every relation with its count and its texts: the loader file's before the source's."""
        tables = self.tables.cursor()  # lets another thread use the connection meanwhile
        source_texts = {
            row[0]: row[1:]
            for row in tables.execute(
                f"SELECT id, {', '.join(RELATION_TEXTS)} FROM relation_texts"
            ).fetchall()
        }
        rows = tables.execute(
            """
            WITH heads AS (
                SELECT relation, count(*) AS count
                FROM (SELECT DISTINCT relation, head FROM triples) GROUP BY relation),
            tails AS (
                SELECT relation, count(*) AS count
                FROM (SELECT DISTINCT relation, tail FROM triples) GROUP BY relation)
            SELECT types.number, types.id, types.count, round(types.count / heads.count, 3),
                   round(types.count / tails.count, 3)
            FROM relation_types AS types
            JOIN heads ON heads.relation = types.number
            JOIN tails ON tails.relation = types.number
            ORDER BY types.id
            """
        ).fetchall()
        heads, tails = self._at_mediators("head"), self._at_mediators("tail")
        return [
            replace(
                self._described(relation, count, source_texts.get(relation), fan_out, fan_in),
                mediator_heads=2 * heads.get(number, 0) >= count,
                mediator_tails=2 * tails.get(number, 0) >= count,
            )
            for number, relation, count, fan_out, fan_in in rows
        ]

    def _at_mediators(self, end: str) -> dict[int, int]:
        """Relations by number: how many of their triples have a mediator at that end."""
        if not self.counts.mediators:
            return {}
        rows = self.tables.cursor().execute(
            f"""
            SELECT relation, count(*) FROM triples
            WHERE {end} IN (SELECT number FROM entities WHERE mediator) GROUP BY relation
            """
        )
        return dict(rows.fetchall())

    def _described(
        self,
        relation: str,
        count: int,
        source_texts: Sequence[str | None] | None,
        fan_out: float,
        fan_in: float,
    ) -> RelationInfo:
        described = self.spec.relations.get(relation)
        own = [getattr(described, text) if described else None for text in RELATION_TEXTS]
        text, inverse, question, inverse_question = (
            one or other for one, other in zip(own, source_texts or (None,) * len(own), strict=True)
        )
        return RelationInfo(
            relation, count, text, inverse, question, inverse_question, fan_out, fan_in
        )

    def unused_texts(self) -> list[str]:
        """Relations that the loader describes and the source lacks: often a spelling mistake."""
        rows = self.tables.execute("SELECT id FROM relation_types").fetchall()
        return sorted(set(self.spec.relations) - {relation for (relation,) in rows})

    def has_long_names(self) -> bool:
        """Whether a name is too long for an index over names."""
        query = "SELECT count(*) FROM entities WHERE strlen(name) > ?"
        return bool(self.tables.execute(query, [MAX_ID_BYTES]).fetchall()[0][0])

    def tables_with_line_breaks(self) -> frozenset[str]:
        """Which of the tables have a line break in a text."""
        breaks = " UNION ALL ".join(
            f"SELECT '{table}' WHERE EXISTS "
            f"(FROM {table} WHERE regexp_matches(concat({', '.join(texts)}), '[\n\r]'))"
            for table, texts in {**self._texts(), "relation_types": ("id",)}.items()
        )
        return frozenset(table for (table,) in self.tables.execute(breaks).fetchall())

    def max_text_bytes(self) -> int:
        """An upper bound for the bytes of all texts of one entity, literal or relationship."""
        longest = ", ".join(
            f"(SELECT {' + '.join(f'coalesce(max(strlen({text})), 0)' for text in texts)} "
            f"FROM {table})"
            for table, texts in self._texts().items()
        )
        return int(self.tables.execute(f"SELECT greatest({longest})").fetchall()[0][0])

    def _texts(self) -> dict[str, tuple[str, ...]]:
        """The texts of the rows of each table, each as one text in SQL."""
        of_relationships = tuple(
            each.column if each.type == "VARCHAR" else f"array_to_string({each.column}, ' ')"
            for each in self.qualifiers
            if each.is_text
        )
        lists = ("array_to_string(aliases, ' ')", "array_to_string(labels, ' ')")
        return {
            "entities": ("id", "name", *lists),
            "literals": ("id", "name", "value", "datatype", "language"),
            **({"triples": of_relationships} if of_relationships else {}),
        }

    def labels(self) -> list[str]:
        """The labels of entities, without the graph's own label."""
        rows = self.tables.execute(
            "SELECT DISTINCT unnest(labels) AS label FROM entities ORDER BY 1"
        )
        return [label for (label,) in rows.fetchall()]

    def examples(self, limit: int) -> list[tuple[str, str, str, dict[str, str]]]:
        """Some facts by name, from as many relations as possible, frequent relations first.

        Last come the properties of the relationship, as texts.
        """
        rows = self.tables.execute(
            f"""
            WITH chosen AS (
                SELECT triples.*, types.id AS type, types.count, row_number() OVER (
                    PARTITION BY triples.relation ORDER BY triples.head, triples.tail
                    {columns_of(self.qualifiers, "triples.")}) AS position
                FROM triples JOIN relation_types AS types ON types.number = triples.relation
                QUALIFY position <= {limit}
                ORDER BY position, types.count DESC, types.id LIMIT {limit})
            SELECT head.name, chosen.type, coalesce(tail.name, literal.name)
                   {columns_of(self.qualifiers, "chosen.")}
            FROM chosen
            JOIN entities AS head ON head.number = chosen.head
            LEFT JOIN entities AS tail ON tail.number = chosen.tail
            LEFT JOIN literals AS literal ON literal.number = chosen.tail
            ORDER BY chosen.position, chosen.count DESC, chosen.type
            """
        ).fetchall()
        names = [each.name for each in self.qualifiers]
        return [
            (
                head,
                relation,
                tail,
                {key: _shown(value) for key, value in _held(names, held).items()},
            )
            for head, relation, tail, *held in rows
        ]

    def spilled(self) -> int:
        """Bytes of the tables that DuckDB has spilled to the disk, beyond its memory limit."""
        rows = self.tables.execute("SELECT sum(size) FROM duckdb_temporary_files()").fetchall()
        return int(rows[0][0] or 0)

    def _batches(
        self, query: str, columns: Sequence[str], size: int
    ) -> Iterator[list[dict[str, Any]]]:
        for rows in self._rows(query, size):
            yield [dict(zip(columns, row, strict=True)) for row in rows]

    def _rows(self, query: str, size: int) -> Iterator[list[tuple[Any, ...]]]:
        cursor = self.tables.cursor().execute(query)
        while rows := cursor.fetchmany(size):
            yield rows


def _held(names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    """The properties that a relationship has."""
    return {name: value for name, value in zip(names, values, strict=True) if value is not None}


def _shown(value: Any) -> str:
    """The value of a property as a text."""
    if isinstance(value, list):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Problem:
    """A reason for skipping records, their number, and examples.

    Only the examples name the value that caused it: ``problem: value``.
    """

    problem: str
    records: int
    examples: tuple[SkippedRecord, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """The result that a load would have.

    ``relations`` lists all relations with their counts, the most frequent first; ``examples`` are
    facts by name, with the properties of their relationship; ``unused`` are relations that the
    loader describes and the source lacks; ``notes`` are the loader's remarks on the source.
    ``refused``: the load would skip more records than it may.
    """

    name: str
    label: str
    title: str
    licence: str
    source: str
    sha256: str
    counts: Counts
    other_records: tuple[OtherRecords, ...]
    problems: tuple[Problem, ...]
    labels: tuple[tuple[str, int], ...]
    relations: tuple[tuple[str, int], ...]
    examples: tuple[tuple[str, str, str, dict[str, str]], ...]
    unused: tuple[str, ...]
    notes: tuple[str, ...]
    refused: bool


def preview(prepared: PreparedSource, *, max_errors: int) -> Preview:
    """Preview a load of this source that may skip ``max_errors`` records."""
    spec, tables = prepared.spec, prepared.tables
    relations = tables.execute(
        "SELECT id, count FROM relation_types ORDER BY count DESC, id"
    ).fetchall()
    labels = tables.execute(
        "SELECT label, count(*) FROM (SELECT unnest(labels) AS label FROM entities) "
        "GROUP BY label ORDER BY 2 DESC, 1"
    ).fetchall()
    return Preview(
        name=spec.name,
        label=spec.label,
        title=spec.title,
        licence=spec.licence,
        source=str(prepared.source),
        sha256=prepared.sha256,
        counts=prepared.counts,
        other_records=prepared.other_records,
        problems=_problems(prepared),
        labels=tuple(labels),
        relations=tuple(relations),
        examples=tuple(prepared.examples(EXAMPLES)),
        unused=tuple(prepared.unused_texts()),
        notes=prepared.notes,
        refused=prepared.counts.skipped > max_errors,
    )


def _problems(prepared: PreparedSource) -> tuple[Problem, ...]:
    """The skipped records by their problem, the most frequent first."""
    rows = prepared.tables.execute(
        f"""
        SELECT {PROBLEM} AS kind, count(*) AS records,
               list(struct_pack(file := file, line := line, problem := problem, text := text)
                    ORDER BY file, line, text)[1:{SAMPLE}]
        FROM rejected GROUP BY kind
        """
    ).fetchall()
    problems = [
        Problem(
            problem,
            records,
            tuple(SkippedRecord(**each) for each in examples),
        )
        for problem, records, examples in rows
    ]
    return tuple(sorted(problems, key=lambda problem: (-problem.records, problem.problem)))
