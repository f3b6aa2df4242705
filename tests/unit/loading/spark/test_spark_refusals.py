"""What Apache Spark cannot load is refused before it starts; no PySpark is needed for that."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgdb.errors import LoadError, UsageError
from kgdb.loading import engine, prepare, read_spec

pytestmark = pytest.mark.unit


def test_a_loader_with_a_reader_of_python(tmp_path: Path) -> None:
    source = tmp_path / "graph.ttl"
    source.write_text("<e:a> <e:in> <e:b> .\n")
    with (
        pytest.raises(LoadError, match=r"The loader 'turtle' reads turtle, which Apache") as caught,
        prepare(read_spec("turtle"), source, engine=engine("spark")),
    ):
        pass
    assert "N-Triples or Parquet" in (caught.value.hint or "")


def test_lines_that_a_loader_skips(tmp_path: Path) -> None:
    loader = tmp_path / "mine.toml"
    loader.write_text(
        'name = "mine"\nlabel = "Mine"\ntitle = "Mine"\n[source]\nformat = "csv"\nskip = 1\n'
        'columns = ["head"]\n[tables]\ntriples = """\n'
        'SELECT head, head AS relation, head AS tail FROM source"""\n'
    )
    source = tmp_path / "f.csv"
    source.write_text("note\nhead\na\n")
    with (
        pytest.raises(LoadError, match="skips the first lines"),
        prepare(read_spec(str(loader)), source, engine=engine("spark")),
    ):
        pass


def test_names_that_are_to_be_compared(tmp_path: Path) -> None:
    source = tmp_path / "facts.csv"
    source.write_text("head,in\nOslo,Norway\n")
    with (
        pytest.raises(LoadError, match="does not compare names, as merge_names=yes asks"),
        prepare(read_spec("csv"), source, options={"merge_names": "yes"}, engine=engine("spark")),
    ):
        pass


def test_an_unknown_engine_and_a_master_without_spark() -> None:
    with pytest.raises(UsageError, match="no engine 'sqlite'"):
        engine("sqlite")
    with pytest.raises(UsageError, match="belongs to Apache Spark"):
        engine("duckdb", "spark://127.0.0.1:7077")
