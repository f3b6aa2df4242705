"""Tables of Spark that take the statements which kgdb writes for DuckDB.

So both engines run the same statements, and one text says what becomes of a source. Each table is
a folder of Parquet files, which a lost executor does not take along. A DuckDB with the same tables,
but without rows, knows the names and types of their columns.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import sqlglot
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from sqlglot import exp

from kgdb.errors import LoadError
from kgdb.loading.preparing.relationship_properties import OBJECTS, column_types
from kgdb.loading.scratch.sql_quoting import identifier
from kgdb.loading.spark.spark_dialect import FUNCTIONS, NotInSpark, to_spark
from kgdb.loading.spark.spark_session import WITHOUT_SPARK
from kgdb.wording import brief

_TYPES = {
    "BIGINT": "BIGINT",
    "INTEGER": "INT",
    "DOUBLE": "DOUBLE",
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "TIMESTAMP": "TIMESTAMP_NTZ",
    "VARCHAR": "STRING",
    "JSON": "STRING",
    "VARCHAR[]": "ARRAY<STRING>",
}
_ID = "monotonically_increasing_id()"
_PARTITION = 33  # its bits for the row; those before them are for the partition
_PLACE, _NUMBER = "kgdb_place", "kgdb_number"
_T = TypeVar("_T")


class Rows:
    """The rows of a statement, computed when they are read."""

    def __init__(self, frame: DataFrame | None, count: int | None = None) -> None:
        self._frame = frame
        self._count = count
        self._iterator: Iterator[Any] | None = None

    def fetchall(self) -> list[tuple[Any, ...]]:
        """All rows, for results that are small whatever the source."""
        if self._frame is None:
            return [] if self._count is None else [(self._count,)]
        return [tuple(row) for row in running(self._frame.collect)]

    def fetchmany(self, size: int) -> list[tuple[Any, ...]]:
        """The next rows; the driver holds one partition at a time."""
        if self._iterator is None:
            self._iterator = iter(()) if self._frame is None else self._frame.toLocalIterator()
        return [tuple(row) for row in islice(self._iterator, size)]


class SparkTables:
    """What kgdb uses of a connection of DuckDB, with the rows in Spark.

    ``folder`` is an empty folder that all machines of the cluster see; :attr:`shapes` is the DuckDB
    with the empty tables.
    """

    def __init__(self, session: SparkSession, folder: Path) -> None:
        self.session = session
        self.shapes = duckdb.connect()
        self._folder = folder
        self._folders: dict[str, list[Path]] = {}
        self._variables: dict[str, str] = {}
        self._made = 0
        for name, body in FUNCTIONS.items():
            session.sql(f"CREATE OR REPLACE TEMPORARY FUNCTION {name} RETURN {body}")

    def create(self, name: str, frame: DataFrame, types: Mapping[str, str]) -> None:
        """Make a table of the rows, with DuckDB's types of its columns."""
        columns = ", ".join(f"{identifier(column)} {kind}" for column, kind in types.items())
        self.shapes.execute(f"CREATE OR REPLACE TABLE {identifier(name)} ({columns})")
        self._store(name, frame)

    def stored(self, frame: DataFrame) -> DataFrame:
        """The same rows, computed once."""
        return self.session.read.parquet(str(self._write(frame)))

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> Rows:
        """Run a statement; raises :class:`LoadError` if Spark cannot."""
        if sql.startswith(("SET ", "DESCRIBE ", "PRAGMA ")):
            found = self.shapes.execute(sql, list(parameters))
            if sql.startswith("SET VARIABLE"):
                name = sql.removeprefix("SET VARIABLE").split("=")[0].strip().strip('"')
                self._variables[name] = parameters[0]
            return _Shape(found)
        # In both dialects length is that of a text; len, that of a list, becomes it in sqlglot.
        tree = sqlglot.parse_one(re.sub(r"\blen\(", "array_length(", sql), read="duckdb")
        values = iter(parameters)
        tree = tree.transform(
            lambda node: exp.convert(next(values)) if isinstance(node, exp.Placeholder) else node
        )
        return running(lambda: self._execute(tree, sql))

    def extract_statements(self, sql: str) -> list[duckdb.Statement]:
        """The statements of a text, for checking it."""
        return self.shapes.extract_statements(sql)

    def cursor(self) -> SparkTables:
        """The same: Spark runs jobs of several threads at once."""
        return self

    def __enter__(self) -> SparkTables:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def query_progress(self) -> float:
        """How much of the running jobs is done, in percent."""
        tracker = self.session.sparkContext.statusTracker()
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        tasks = sum(stage.numTasks for stage in stages if stage)
        done = sum(stage.numCompletedTasks for stage in stages if stage)
        return float(100 * done / max(tasks, 1))

    def interrupt(self) -> None:
        """Cancel all jobs."""
        self.session.sparkContext.cancelAllJobs()

    def _execute(self, tree: exp.Expression, sql: str) -> Rows:
        match tree:
            case exp.Create():
                self._create(tree, sql)
            case exp.Insert():
                return self._insert(tree)
            case exp.Delete():
                return self._delete(tree)
            case exp.Alter():
                self._alter(tree, sql)
            case exp.Drop():
                self.shapes.execute(sql)
                self._drop(tree.args["tables"][0].name)
            case exp.Copy():
                self._copy(tree)
            case _ if "json_keys(" in sql:
                self._refuse_objects(tree)
            case _:
                return Rows(self._frame(tree))
        return Rows(None)

    def _refuse_objects(self, tree: exp.Expression) -> None:
        """Refuse facts with properties as JSON, whose keys would become columns."""
        for table in {each.name for each in tree.find_all(exp.Table) if each.name}:
            if self.session.table(_quoted(table)).where(f"{OBJECTS} IS NOT NULL").limit(1).count():
                raise NotInSpark("its facts have properties as JSON (qualifiers).")

    def _columns(self, query: str) -> dict[str, str]:
        return column_types(self.shapes, query)

    def _frame(self, tree: exp.Expression) -> DataFrame:
        translated = to_spark(tree, self._variables, self._columns)
        return self.session.sql(translated.sql("spark"))

    def _create(self, tree: exp.Create, sql: str) -> None:
        self.shapes.execute(sql)
        name, query = tree.this.name, tree.expression
        if isinstance(query, exp.Subquery):
            query = query.unnest()
        if isinstance(query, exp.Select) and (windows := _row_numbers(query)):
            query = self._numbered(name, query, windows)
        self._store(name, self._frame(query))
        self._drop(f"{name}_sorted")

    def _numbered(
        self, name: str, query: exp.Select, windows: Sequence[exp.Window]
    ) -> exp.Expression:
        """The SELECT with numbers that are counted in each partition of its sorted rows.

        Spark would sort all rows in one place. Here the sizes of the partitions come to the driver,
        and each partition begins where those before it end.
        """
        rows = exp.select("*").from_(query.args["from_"].this.copy())
        ordered = self._frame(rows.order_by(*windows[0].args["order"].expressions))
        self._store(f"{name}_sorted", ordered.selectExpr("*", f"{_ID} AS {_PLACE}"))
        part = f"shiftright({_PLACE}, {_PARTITION})"
        sizes = self.session.sql(
            f"SELECT {part} AS part, count(*) AS size FROM {name}_sorted GROUP BY 1 ORDER BY 1"
        ).collect()
        start, starts = 0, ["(-1, 0)"]
        for number, size in sizes:
            starts.append(f"({number}, {start})")
            start += size
        counted = exp.maybe_parse(
            f"SELECT {name}_sorted.*, "
            f"start + 1 + {_PLACE} - shiftleft(CAST(part AS BIGINT), {_PARTITION}) AS {_NUMBER} "
            f"FROM {name}_sorted JOIN (VALUES {', '.join(starts)}) AS starts (part, start) "
            f"ON {part} = part",
            dialect="spark",
        )
        for window in windows:
            window.replace(exp.column(_NUMBER))
        alias = exp.TableAlias(this=exp.to_identifier("counted"))
        query.args["from_"].set("this", exp.Subquery(this=counted, alias=alias))
        return query

    def _insert(self, tree: exp.Insert) -> Rows:
        name = tree.this.name
        added = self._frame(tree.expression)
        before = self.session.table(_quoted(name))
        if not tree.args.get("by_name"):
            added = added.toDF(*before.columns)
        kinds = {field.name: field.dataType for field in before.schema}
        path = self._write(added.select(*(added[one].cast(kinds[one]) for one in added.columns)))
        self._folders[name].append(path)
        stored = self.session.read.parquet(str(path))
        self._view(name, before.unionByName(stored))
        return Rows(None, stored.count())

    def _delete(self, tree: exp.Delete) -> Rows:
        name = tree.this.name
        condition = to_spark(tree.args["where"].this, self._variables, self._columns).sql("spark")
        before = self.session.table(_quoted(name))
        deleted = before.where(condition).count()
        self._view(name, before.where(f"NOT coalesce({condition}, false)"))
        return Rows(None, deleted)

    def _alter(self, tree: exp.Alter, sql: str) -> None:
        self.shapes.execute(sql)
        name, (action,) = tree.this.name, tree.args["actions"]
        before = self.session.table(_quoted(name))
        if isinstance(action, exp.AlterColumn):
            column, kind = (
                action.this.name,
                _TYPES[action.args["dtype"].sql("duckdb").replace("TEXT", "VARCHAR")],
            )
            self._view(name, before.withColumn(column, before[column].cast(kind)))
        else:
            self._view(name, before.drop(action.args["tables"][0].name))

    def _drop(self, name: str) -> None:
        self.session.catalog.dropTempView(name)
        for folder in self._folders.pop(name, []):
            shutil.rmtree(folder, ignore_errors=True)

    def _store(self, name: str, frame: DataFrame) -> None:
        """Write the rows, with the types that DuckDB gives the columns."""
        types = (
            {column.casefold(): kind for column, kind in self._columns(identifier(name)).items()}
            if self._has(name)
            else {}
        )
        kinds = [types.get(column.casefold(), "") for column in frame.columns]
        cast = [
            f"CAST({_quoted(column)} AS {_TYPES[kind]}) AS {_quoted(column)}"
            if kind in _TYPES
            else _quoted(column)
            for column, kind in zip(frame.columns, kinds, strict=True)
        ]
        path = self._write(frame.selectExpr(*cast))
        earlier = self._folders.pop(name, [])
        self._folders[name] = [path]
        self._view(name, self.session.read.parquet(str(path)))
        for folder in earlier:
            shutil.rmtree(folder, ignore_errors=True)

    def _has(self, name: str) -> bool:
        query = "SELECT 1 FROM duckdb_tables() WHERE table_name = ?"
        return bool(self.shapes.execute(query, [name]).fetchall())

    def _write(self, frame: DataFrame) -> Path:
        self._made += 1
        path = self._folder / f"table-{self._made}"
        running(lambda: frame.write.parquet(str(path)))
        return path

    def _view(self, name: str, frame: DataFrame) -> None:
        frame.createOrReplaceTempView(_quoted(name))

    def _copy(self, tree: exp.Copy) -> None:
        """Write the rows of a SELECT as CSV: a folder with a file for each partition."""
        query = tree.this.this.copy()
        triples = self.session.table("triples")
        if "rowid" not in triples.columns:  # what DuckDB has in every table
            self._view("triples", triples.selectExpr("*", f"{_ID} AS rowid"))
        if query.args.get("order"):
            # One type of relationship may have most rows: rows of equal keys are spread too.
            names = self._frame(query).columns
            query = query.order_by(*(exp.column(name, quoted=True) for name in names))
        rows = self._frame(query)
        quoted = {
            column.name.casefold()
            for parameter in tree.args["params"]
            if parameter.this.name.upper() == "FORCE_QUOTE"
            for column in parameter.find_all(exp.Column)
        }
        fields = [
            f"coalesce('\"' || replace({_quoted(name)}, '\"', '\"\"') || '\"', '')"
            if name.casefold() in quoted
            else f"coalesce(CAST({_quoted(name)} AS STRING), '')"
            for name in rows.columns
        ]
        lines = rows.selectExpr(f"concat_ws(',', {', '.join(fields)}) AS line")
        running(lambda: lines.write.text(tree.args["files"][0].name))


class _Shape(Rows):
    """The rows of a statement about columns, from the DuckDB that has no rows."""

    def __init__(self, found: duckdb.DuckDBPyConnection) -> None:
        super().__init__(None)
        self._rows = found.fetchall()

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self._rows


def _row_numbers(query: exp.Select) -> list[exp.Window]:
    """Every ``row_number() OVER (ORDER BY …)`` over all rows, in the columns of the SELECT."""
    return [
        window
        for item in query.expressions
        for window in item.find_all(exp.Window)
        if isinstance(window.this, exp.RowNumber) and not window.args.get("partition_by")
    ]


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def running(job: Callable[[], _T]) -> _T:
    """Run a job of Spark; its failure is a :class:`LoadError`."""
    try:
        return job()
    except (PySparkException, Py4JError, NotInSpark) as error:
        first = brief(str(error).strip().splitlines()[0], 300)
        raise LoadError(
            f"Apache Spark cannot run this loader: {first}", hint=WITHOUT_SPARK
        ) from error
