"""A stand-alone cluster of two workers, on the loopback address, and one that loses an executor."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from conftest import LEAN, cluster_of_two
from spark_cases import CASES
from test_spark_rows import prepared_rows, rows

from kgdb.loading import engine, prepare, read_spec
from kgdb.loading.spark.spark_engine import spark_engine
from kgdb.progress import Event, Progress

pytestmark = [pytest.mark.unit, pytest.mark.spark, pytest.mark.slow]


def test_a_cluster_that_loses_an_executor(tmp_path: Path, data: Path) -> None:
    pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    if SparkSession.getActiveSession() is not None:
        pytest.skip("a session runs in this process; run this file alone")
    case = next(case for case in CASES if case.name == "metaqa")
    source = case.write(tmp_path, data)
    expected = prepared_rows(case, source, engine("duckdb"))
    killed: list[bool] = []
    settings = {**LEAN, "spark.executor.memory": "600m", "spark.executor.cores": "1"}
    with cluster_of_two(tmp_path) as cluster:
        killer = Thread(target=lambda: killed.append(cluster.kill_one()))

        def report(event: Event) -> None:
            making = isinstance(event, Progress) and event.stage == "making the tables"
            if making and killer.ident is None:
                killer.start()

        chosen = spark_engine(cluster.master, settings)
        with prepare(read_spec(case.loader), source, engine=chosen, report=report) as prepared:
            executors: Any = (
                prepared.tables.session.sparkContext._jsc.sc().getExecutorMemoryStatus()
            )  # type: ignore[attr-defined]
            assert executors.size() >= 2
            found = rows(prepared)
        killer.join()
    assert killed == [True]
    assert found == expected
