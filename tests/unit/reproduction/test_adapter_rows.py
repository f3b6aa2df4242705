"""Rows of tables that are about a language model with an adapter."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgdb.errors import UsageError
from kgdb.lab.reproduction.spec import Reproduction
from kgdb.lab.reproduction.table_runs import Runner, Sample

pytestmark = pytest.mark.unit

TABLE = """
title = "Paper, Table 1: claims"
paper = "Paper (Table 1)"
[[columns]]
title = "Accuracy"
dataset = "factkg"
measure = "accuracy"
[[runs]]
row = "w/o tuning"
method = "refkg"
options = { judge = "llm", tuned_inference = false }
adapter = true
needs = "a model with an adapter"
"""


class Naming:
    """A connection that is asked for names of models alone."""

    def models(self, llm: str | None, encoder: str | None) -> str:
        return f"llm {llm}, encoder {encoder}"


@pytest.mark.parametrize("llm", [None, "none", "smollm2", "openai:large"])
def test_a_row_about_an_adapter_is_not_run_without_one(tmp_path: Path, llm: str | None) -> None:
    (tmp_path / "paper-table-1.toml").write_text(TABLE, encoding="utf-8")
    spec = Reproduction.read(tmp_path / "paper-table-1.toml")
    runner = Runner(Naming(), Sample(tmp_path, tmp_path), llm=llm)  # type: ignore[arg-type]
    (row,) = runner.run(spec).runs
    assert row.skipped == "needs a model with an adapter"
    # With one it is run, as far as here is a graph.
    runner = Runner(Naming(), Sample(tmp_path, tmp_path), llm="smollm2+folder")  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match="graphs"):
        runner.run(spec)


def test_a_row_about_an_adapter_says_what_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "paper-table-1.toml"
    path.write_text(TABLE.replace('needs = "a model with an adapter"\n', ""), encoding="utf-8")
    with pytest.raises(UsageError, match="run 'w/o tuning' has adapter, but no needs"):
        Reproduction.read(path)


@pytest.mark.parametrize(
    "options", ['judge = "llm"', 'navigate = "llm", closed_world = true', 'inference = "read"']
)
def test_a_row_that_asks_the_language_model_is_not_run_without_one(
    tmp_path: Path, options: str
) -> None:
    table = TABLE.replace('judge = "llm", tuned_inference = false', options)
    table = table.replace('adapter = true\nneeds = "a model with an adapter"\n', "")
    (tmp_path / "paper-table-1.toml").write_text(table, encoding="utf-8")
    spec = Reproduction.read(tmp_path / "paper-table-1.toml")
    runner = Runner(Naming(), Sample(tmp_path, tmp_path), llm="none")  # type: ignore[arg-type]
    (row,) = runner.run(spec).runs
    assert row.skipped == "needs a language model"
    # Unless it says that its columns need none.
    table = table.replace('method = "refkg"', 'method = "refkg"\nwithout_model = true')
    (tmp_path / "paper-table-1.toml").write_text(table, encoding="utf-8")
    spec = Reproduction.read(tmp_path / "paper-table-1.toml")
    with pytest.raises(AttributeError, match="graphs"):
        runner.run(spec)
