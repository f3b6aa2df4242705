"""Apache Spark makes of each source the rows that DuckDB makes, with the same numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from spark_cases import CASES, Case

from kgdb.loading import Engine, PreparedSource, engine, prepare, read_spec

pytestmark = [pytest.mark.unit, pytest.mark.spark, pytest.mark.slow]
TABLES = ("entities", "literals", "relation_types", "triples")


def rows(prepared: PreparedSource) -> dict[str, Any]:
    """Everything of a prepared source that a load writes."""
    found: dict[str, Any] = {
        "counts": prepared.counts,
        "other": sorted(map(str, prepared.other_records)),
        "relations": prepared.relations(),
        "labels": prepared.labels(),
        "qualifiers": prepared.qualifiers,
        "sha256": prepared.sha256,
    }
    for table in TABLES:
        described = prepared.tables.execute(f"DESCRIBE {table}").fetchall()
        columns = ", ".join(column for column, *_ in described)
        whole = prepared.tables.execute(f"SELECT {columns} FROM {table}").fetchall()
        found[table] = sorted(whole, key=repr)
    return found


def prepared_rows(case: Case, source: Path | None, chosen: Engine) -> dict[str, Any]:
    spec = read_spec(case.loader)
    with prepare(spec, source, options=case.options, max_errors=1_000, engine=chosen) as prepared:
        return rows(prepared)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_same_rows_as_duckdb(case: Case, tmp_path: Path, data: Path, session: Any) -> None:
    source = case.write(tmp_path, data)
    expected = prepared_rows(case, source, engine("duckdb"))
    found = prepared_rows(case, source, engine("spark"))
    for part, value in expected.items():
        assert found[part] == value, part


def test_the_same_files_to_import(tmp_path: Path, session: Any) -> None:
    from kgdb.loading.writing.import_files import write_import
    from kgdb.progress import silent

    lines = {}
    for name in ("duckdb", "spark"):
        with prepare(read_spec("demo"), engine=engine(name)) as prepared:
            command = write_import(prepared, tmp_path / name, silent)
        assert command.endswith(f"import full neo4j @{tmp_path / name / 'import.args'}")
        for header in (tmp_path / name).glob("*.header.csv"):
            data = header.with_name(header.name.replace(".header", ""))
            parts = sorted(data.glob("part-*")) if data.is_dir() else [data]
            text = "".join(part.read_text() for part in parts)
            lines[name, header.name] = (header.read_text(), sorted(text.splitlines()))
    assert len(lines) == 6
    for (name, header), content in lines.items():
        assert content == lines["duckdb", header], (name, header)


def test_a_session_that_runs_is_used_and_stays(session: Any) -> None:
    from kgdb.loading.spark.spark_session import session as opened

    with opened() as found:
        assert found is session
    assert session.sql("SELECT 1").collect()[0][0] == 1
