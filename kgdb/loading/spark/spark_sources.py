"""Source files as tables of Spark: lines, CSV, Parquet and N-Triples, read in partitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from kgdb.errors import LoadError
from kgdb.loading.preparing.prepare import Reading
from kgdb.loading.reading import Source
from kgdb.loading.reading.files import File, find
from kgdb.loading.reading.ntriples import (
    ANNOTATIONS,
    COLUMNS,
    IRI,
    SIMPLE_LABEL,
    annotations_of,
)
from kgdb.loading.reading.ntriples_lines import XSD_STRING, MalformedLine, parse_line
from kgdb.loading.reading.scan import TEXT_LENGTH
from kgdb.loading.spark.spark_dialect import java_pattern
from kgdb.loading.spark.spark_session import WITHOUT_SPARK
from kgdb.loading.spark.spark_tables import SparkTables
from kgdb.wording import listed

REJECTED = {
    "source": "VARCHAR",
    "file": "VARCHAR",
    "line": "BIGINT",
    "problem": "VARCHAR",
    "text": "VARCHAR",
}
"""The columns of the table of malformed records; Spark does not number lines."""

_BOM = "\ufeff"
_COMPRESSIONS = {"none": "", "gzip": ".gz", "bzip2": ".bz2"}
"""What Spark unpacks, by the ending of the file's name."""


def read_sources(session: SparkSession, reading_of: Reading) -> SparkTables:
    """The tables of all sources of a loader, and ``rejected``, in Spark."""
    tables = SparkTables(session, reading_of.folder)
    malformed: list[DataFrame] = []
    for each in reading_of.files:
        source = each.source.input
        source.check()
        if each.paths:
            found = [
                find(path, source, reading_of.folder, reading_of.report) for path in each.paths
            ]
            _require_unpackable(found)
            malformed += _READERS[source.format](tables, source, found)
        else:
            empty = ", ".join(f"`{column}` STRING" for column in source.columns)
            rows = session.createDataFrame([], empty)
            tables.create(source.table, rows, dict.fromkeys(source.columns, "VARCHAR"))
    nothing = session.createDataFrame(
        [], "source STRING, file STRING, line BIGINT, problem STRING, text STRING"
    )
    tables.create("rejected", reduce(DataFrame.union, malformed, nothing), REJECTED)
    return tables


def _require_unpackable(files: Sequence[File]) -> None:
    for file in files:
        ending = _COMPRESSIONS.get(file.compression)
        if ending is None or not file.name.name.endswith(ending):
            raise LoadError(
                f"{file.name} is compressed by {file.compression}; Apache Spark unpacks gzip and "
                "bzip2, in files whose names end in .gz and .bz2.",
                hint="Compress it by bzip2, which Spark reads in parts, or unpack it.",
            )


def _paths(files: Sequence[File]) -> list[str]:
    return [str(file.path.absolute()) for file in files]


def _lines(session: SparkSession, files: Sequence[File]) -> DataFrame:
    """The lines that are not empty, as ``line``, with the path of their ``file``."""
    lines = session.read.text(_paths(files)).select(
        f.expr(f"if(startswith(value, '{_BOM}'), substring(value, 2), value)").alias("line"),
        f.col("_metadata.file_path").alias("file"),
    )
    return lines.where("line <> ''")


def _read_delimited(tables: SparkTables, source: Source, files: Sequence[File]) -> list[DataFrame]:
    fields = f"split(line, {_regex(source.delimiter)}, -1)"
    lines = _lines(tables.session, files).selectExpr("*", f"{fields} AS fields")
    fits = f"size(fields) = {len(source.columns)} AND is_valid_utf8(line)"
    columns = [
        f.expr(f"nullif(fields[{place}], '')").alias(name)
        for place, name in enumerate(source.columns)
    ]
    tables.create(
        source.table, lines.where(fits).select(*columns), dict.fromkeys(source.columns, "VARCHAR")
    )
    problem = f"""CASE WHEN NOT is_valid_utf8(line) THEN 'is not UTF-8'
        WHEN size(fields) < {len(source.columns)} THEN 'missing columns'
        ELSE 'too many columns' END"""
    return [_rejected(source, lines.where(f"NOT ({fits})"), problem)]


def _rejected(source: Source, lines: DataFrame, problem: str) -> DataFrame:
    return lines.select(
        f.lit(source.table).alias("source"),
        "file",
        f.expr("CAST(NULL AS BIGINT)").alias("line_number"),
        f.expr(problem).alias("problem"),
        f.expr(f"left(make_valid_utf8(line), {TEXT_LENGTH})").alias("text"),
    ).withColumnRenamed("line_number", "line")


def _read_csv(tables: SparkTables, source: Source, files: Sequence[File]) -> list[DataFrame]:
    frames, malformed = [], []
    for path in _paths(files):
        reader = tables.session.read.options(
            sep=source.delimiter,
            quote='"',
            escape='"',
            multiLine=True,  # a field may have line ends, so a file is one part
            header=source.header,
            emptyValue="",
            mode="PERMISSIVE",
            columnNameOfCorruptRecord=_RECORD,
            enforceSchema=True,
        )
        names = list(source.names) or reader.csv(path).columns
        schema = ", ".join(f"`{name.replace('`', '``')}` STRING" for name in (*names, _RECORD))
        frame = tables.stored(reader.schema(schema).csv(path)).withColumn("file", f.lit(path))
        frames.append(
            frame.where(f"`{_RECORD}` IS NULL").selectExpr(
                *(f"nullif(`{name}`, '') AS `{name}`" for name in names)
            )
        )
        bad = frame.where(f"`{_RECORD}` IS NOT NULL").withColumnRenamed(_RECORD, "line")
        malformed.append(_rejected(source, bad, "'missing or too many columns'"))
    whole = reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), frames)
    tables.create(source.table, whole, dict.fromkeys(whole.columns, "VARCHAR"))
    return malformed


_RECORD = "malformed record"


def _read_parquet(tables: SparkTables, source: Source, files: Sequence[File]) -> list[DataFrame]:
    paths = ", ".join(f"'{path}'" for path in (p.replace("'", "''") for p in _paths(files)))
    rows = tables.shapes.execute(
        f"DESCRIBE SELECT * FROM read_parquet([{paths}], union_by_name = true)"
    ).fetchall()
    frame = tables.session.read.option("mergeSchema", True).parquet(*_paths(files))
    tables.create(source.table, frame, {name: kind for name, kind, *_ in rows})
    return []


_LITERAL = (
    r'"([^"\\\x01]*(?:\\[tbnrf"\x27\\][^"\\\x01]*)*)"'
    rf"(?:@([A-Za-z]+(?:-[A-Za-z0-9]+)*)|\^\^({IRI}))?"
)
_RESOURCE = rf"({IRI}|{SIMPLE_LABEL})"
_STATEMENT = rf"^{_RESOURCE}[ \t]+({IRI})[ \t]+(?:{_RESOURCE}|{_LITERAL})[ \t]*\.[ \t]*$"
_PARTS = "\x01".join(f"${group}" for group in range(1, 7))
_UNESCAPED = r"""CASE WHEN NOT contains({0}, '\\') THEN {0} ELSE
    replace(replace(replace(replace(replace(replace(replace(replace(replace({0},
    '\\\\', char(1)), '\\t', char(9)), '\\b', char(8)), '\\n', char(10)), '\\r', char(13)),
    '\\f', char(12)), '\\"', '"'), '\\\'', '\''), char(1), '\\') END"""


def _read_ntriples(tables: SparkTables, source: Source, files: Sequence[File]) -> list[DataFrame]:
    """Lines of the common form by one pattern; the others by the parser, in Python."""
    session = tables.session
    several = len(files) > 1
    lines = _lines(session, files)
    if several:
        numbers = {f"file:{path}": str(number) for number, path in enumerate(_paths(files), 1)}
        number = f.create_map(*(f.lit(each) for pair in numbers.items() for each in pair))
        lines = lines.withColumn("number", number[f.regexp_replace("file", "^file:/+", "file:/")])
    else:
        lines = lines.withColumn("number", f.lit(""))
    parts = f.split(f.regexp_replace("line", java_pattern(_STATEMENT), _PARTS), "\x01")
    split = lines.withColumn("parts", parts).withColumn(
        "simple", f.expr("size(parts) = 6 AND NOT contains(line, char(1))")
    )
    prefix = "concat('_:', if(number = '', '', concat(number, '-')))"

    def resource(part: str) -> str:
        return (
            f"if(startswith({part}, '<'), substring({part}, 2, length({part}) - 2), "
            f"concat({prefix}, substring({part}, 3)))"
        )

    # A literal without text has an empty part, as has no literal.
    simple = split.where("simple").selectExpr(
        f"{resource('parts[0]')} AS subject",
        "substring(parts[1], 2, length(parts[1]) - 2) AS predicate",
        f"if(parts[2] <> '', {resource('parts[2]')}, {_UNESCAPED.format('parts[3]')}) AS object",
        "CASE WHEN parts[2] = '' THEN 'literal' "
        "WHEN startswith(parts[2], '<') THEN 'iri' ELSE 'blank' END AS kind",
        f"nullif(nullif(trim(BOTH '<>' FROM parts[5]), ''), '{XSD_STRING}') AS datatype",
        "nullif(parts[4], '') AS language",
    )
    rest = split.where("NOT simple").select(
        "line", "file", "number", _parser(source, several=several)("line", "number").alias("row")
    )
    tables.create(f"{source.table} rest", rest.select("line", "file", "row.*"), _REST)
    others = session.table(f"`{source.table} rest`")
    if others.where("kind = 'about'").limit(1).count():
        raise LoadError(
            f"{listed(file.name.name for file in files)} has statements about triples (RDF-star).",
            hint=f"Apache Spark does not read them. {WITHOUT_SPARK}",
        )
    whole = simple.unionByName(others.where("kind NOT IN ('!', '-')").select(*COLUMNS))
    tables.create(source.table, whole, dict.fromkeys(COLUMNS, "VARCHAR"))
    nothing = ", ".join(f"{name} STRING" for name in ANNOTATIONS)
    tables.create(
        annotations_of(source.table),
        session.createDataFrame([], nothing),
        dict.fromkeys(ANNOTATIONS, "VARCHAR"),
    )
    return [_rejected(source, others.where("kind = '!'"), "subject")]


_REST = dict.fromkeys(("line", "file", *COLUMNS), "VARCHAR")


def _parser(source: Source, *, several: bool) -> Callable[..., Any]:
    """The parser of one line for Spark: a row of :data:`COLUMNS`."""
    relative = source.relative_iris

    def parsed(line: str, number: str) -> Mapping[str, Any]:
        nothing: dict[str, Any] = dict.fromkeys(COLUMNS)
        try:
            row = parse_line(line, relative_iris=relative)
        except MalformedLine as problem:
            return {**nothing, "kind": "!", "subject": str(problem)}
        if row is None:
            return {**nothing, "kind": "-"}
        if row.pop("about"):
            return {**nothing, "kind": "about"}
        for part in ("subject", "object"):
            is_blank = part != "object" or row["kind"] == "blank"
            if several and is_blank and (row[part] or "").startswith("_:"):
                row[part] = f"_:{number}-{row[part][2:]}"
        return {name: row[name] for name in COLUMNS}

    kinds = ", ".join(f"{name} STRING" for name in COLUMNS)
    made: Callable[..., Any] = f.udf(parsed, kinds)
    return made


_READERS: Mapping[str, Callable[[SparkTables, Source, Sequence[File]], list[DataFrame]]] = {
    "delimited": _read_delimited,
    "csv": _read_csv,
    "parquet": _read_parquet,
    "ntriples": _read_ntriples,
}


def _regex(text: str) -> str:
    escaped = "".join(f"\\\\x{ord(sign):02x}" if ord(sign) < 128 else sign for sign in text)
    return f"'{escaped}'"
