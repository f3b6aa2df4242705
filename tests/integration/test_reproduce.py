"""A table is run over a real graph: scores, what is asked again, and what a wrong score says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from reproduced import TABLE, read_table, write_films

import kgdb
from kgdb.errors import UsageError
from kgdb.reproduction.results import Result
from kgdb.reproduction.running import Runner, Sample

pytestmark = pytest.mark.integration


@pytest.fixture
def sample(clean: kgdb.Connection, tmp_path: Path) -> Sample:
    return write_films(clean, tmp_path)


def run(connection: kgdb.Connection, sample: Sample, tmp_path: Path) -> Result:
    return Runner(connection, sample, llm="none").run(read_table(tmp_path))


def test_a_table_is_run_once_and_a_swapped_label_is_an_error_of_one_question(
    clean: kgdb.Connection, sample: Sample, tmp_path: Path
) -> None:
    first = run(clean, sample, tmp_path)
    refkg, neighbors, alone = first.runs
    assert (refkg.means["1-hop"].value, refkg.means["1-hop"].questions) == (
        pytest.approx(2 / 3),
        3,
    )
    assert neighbors.means["1-hop"].questions == 3
    assert alone.skipped == "needs a language model"
    files = sorted((tmp_path / "out" / "rows").iterdir())
    assert len(files) == 2
    before = {path: path.read_bytes() for path in files}
    again = run(clean, sample, tmp_path)
    assert json.dumps(again.to_dict()) == json.dumps(first.to_dict())
    assert {path: path.read_bytes() for path in files} == before


def test_gold_entities_are_another_run_that_a_table_or_the_sample_sets(
    clean: kgdb.Connection, sample: Sample, tmp_path: Path
) -> None:
    assert run(clean, sample, tmp_path).gold_entities == ()
    gold = run(clean, replace(sample, gold_entities=True), tmp_path)
    assert gold.gold_entities == ("metaqa",)
    table = tmp_path / "tables" / "table.toml"
    table.write_text(f"gold_entities = true\n{TABLE}", encoding="utf-8")
    assert run(clean, sample, tmp_path).to_dict() == gold.to_dict()
    assert run(clean, replace(sample, gold_entities=False), tmp_path).gold_entities == ()
    rows = [
        json.loads(line)
        for path in (tmp_path / "out" / "rows").glob("refkg-*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert len(rows) == 6
    for row in rows:
        assert ("[" in row["question"]) == ("gold entities given" in row["run"])


def test_a_graph_that_is_missing_is_named_with_what_loads_it(
    clean: kgdb.Connection, sample: Sample, tmp_path: Path
) -> None:
    (tmp_path / "tables" / "table.toml").write_text(
        TABLE.replace('"metaqa"', '"cwq"').replace("hops = 1", ""), encoding="utf-8"
    )
    with pytest.raises(UsageError, match="graph 'webqsp-cwq' of cwq is not loaded") as refused:
        run(clean, sample, tmp_path)
    assert "kgdb load webqsp-cwq" in (refused.value.hint or "")
