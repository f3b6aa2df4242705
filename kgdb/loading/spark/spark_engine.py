"""Apache Spark as the engine of :func:`kgdb.loading.prepare`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from kgdb.errors import LoadError, UsageError
from kgdb.loading.preparing.prepare import DUCKDB, Engine, Reading
from kgdb.loading.spark.spark_session import WITHOUT_SPARK, session
from kgdb.progress import Message
from kgdb.text_arguments import optional_text, text
from kgdb.wording import listed, short

if TYPE_CHECKING:
    import duckdb


FORMATS = ("csv", "delimited", "ntriples", "parquet")
"""What Spark reads in parts; a reader of kgdb's own reads the others, on one processor."""


def engine(name: str, master: str | None = None) -> Engine:
    """The engine of that name, ``duckdb`` or ``spark``; only Spark has a ``master``.

    Raises :class:`UsageError` for another name.
    """
    text("name", name)
    optional_text("master", master)
    if name not in ("duckdb", "spark"):
        raise UsageError(f"There is no engine {short(name)}.", hint="Choose duckdb or spark.")
    if name == "spark":
        return spark_engine(master)
    if master is not None:
        raise UsageError(
            "A master belongs to Apache Spark.", hint="Add --engine spark, or omit --master."
        )
    return DUCKDB


def spark_engine(master: str | None = None, settings: Mapping[str, str] | None = None) -> Engine:
    """Spark as an engine: ``master`` is the address of a cluster, by default this machine.

    The folder for temporary files, and the source, must be seen by all machines of the cluster.
    """

    @contextmanager
    def read(what: Reading) -> Iterator[duckdb.DuckDBPyConnection]:
        _require_readable(what)
        with session(master, settings) as opened:
            # PySpark is an extra: what needs it is imported once it is there.
            from kgdb.loading.spark.spark_sources import read_sources

            what.report(Message("Reading by Apache Spark …"))
            yield cast("duckdb.DuckDBPyConnection", read_sources(opened, what))

    return Engine(read, compares_names=False)


def _require_readable(what: Reading) -> None:
    """Raise :class:`LoadError` for a loader that reads what Spark cannot read in parts."""
    for each in what.files:
        source = each.source.input
        if source.format not in FORMATS:
            raise LoadError(
                f"The loader {short(what.spec.name)} reads {source.format}, which Apache Spark "
                f"cannot read in parts; it reads {listed(FORMATS)}.",
                hint=f"{WITHOUT_SPARK} Or convert the source to N-Triples or Parquet first.",
            )
        if source.skip:
            raise LoadError(
                f"The loader {short(what.spec.name)} skips the first lines of its files; Apache "
                "Spark reads the lines of a file in no order.",
                hint=f"Remove these lines from the files, and `skip` from the loader. "
                f"{WITHOUT_SPARK}",
            )
