"""A table is run over a real graph: scores, what is asked again, and what a wrong score says."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from reproduced import TABLE, read_table, write_films

import kgdb
from kgdb.cli.main import cli
from kgdb.errors import UsageError
from kgdb.lab.reproduction.table_results import Result
from kgdb.lab.reproduction.table_runs import Runner, Sample

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


NOISE = """
[[columns]]
title = "noise"
dataset = "metaqa"
hops = 1
measure = "noise_refined"
[[columns]]
title = "right before"
dataset = "metaqa"
hops = 1
measure = "retrieval_correct"
[[columns]]
title = "right after"
dataset = "metaqa"
hops = 1
measure = "refinement_correct"
[[columns]]
title = "lost"
dataset = "metaqa"
hops = 1
measure = "refinement_introduced"
"""


def test_noise_is_counted_before_and_after_refinement(
    clean: kgdb.Connection, sample: Sample, tmp_path: Path
) -> None:
    table = tmp_path / "tables" / "table.toml"
    table.write_text(TABLE.replace("[[published]]", f"{NOISE}[[published]]", 1), encoding="utf-8")
    refkg, neighbors, _ = run(clean, sample, tmp_path).runs
    (path,) = (tmp_path / "out" / "rows").glob("refkg-*.jsonl")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row["gold_retrieved"] > 0 for row in rows] == [True, True, False]
    for row in rows:
        assert 0 <= row["gold_refined"] <= row["gold_retrieved"]
        assert 0 < row["facts_refined"] <= row["facts_retrieved"]
    # The third question has a label that no fact of the graph leads to.
    for column in ("right before", "right after"):
        assert refkg.means[column].value == pytest.approx(2 / 3)
    assert refkg.means["lost"].value == 0
    assert refkg.means["noise"].value >= 1 / 3
    # A method that refines nothing has no measure of refinement.
    assert "right before" in neighbors.means
    assert not {"noise", "right after", "lost"} & set(neighbors.means)


def test_a_graph_that_is_missing_is_named_with_what_loads_it(
    clean: kgdb.Connection, sample: Sample, tmp_path: Path
) -> None:
    (tmp_path / "tables" / "table.toml").write_text(
        TABLE.replace('"metaqa"', '"cwq"').replace("hops = 1", ""), encoding="utf-8"
    )
    with pytest.raises(UsageError, match="graph 'webqsp-cwq' of cwq is not loaded") as refused:
        run(clean, sample, tmp_path)
    hint = refused.value.hint or ""
    assert hint.startswith("Load it: kgdb load webqsp-cwq ")
    assert hint.endswith("webqsp_cwq_triples.tsv.gz --set paths=known")


def test_load_loads_a_graph_with_the_options_that_scores_are_of(
    clean: kgdb.Connection, tmp_path: Path
) -> None:
    files = {
        "freebase/webqsp_cwq_triples.tsv.gz": "Tide\tfilm.film.country\tPortugal\n",
        "freebase/webqsp_cwq_paths.tsv.gz": "Portugal\tfilm.film.country\tEbbe\n",
        "freebase/schema_roles.txt.gz": "film.film film.film.country location.country\n",
        "cwq/dev.jsonl.gz": json.dumps(
            {
                "ID": "1",
                "question": "Which country is Ebbe from?",
                "compositionality_type": "composition",
                "topic_entity": {"m.1": "Ebbe"},
                "answer": "Portugal",
            }
        ),
    }
    for name, text in files.items():
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode()))
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "table.toml").write_text(
        TABLE.replace('"metaqa"', '"cwq"').replace("hops = 1", ""), encoding="utf-8"
    )
    folders = {each: str(tmp_path / each) for each in ("data", "tables", "output")}
    arguments = [word for name, folder in folders.items() for word in (f"--{name}", folder)]
    result = CliRunner().invoke(
        cli, ["lab", "reproduce", "table", "--load", "--llm", "none", "--json", *arguments]
    )
    assert result.exit_code == 0, result.output
    # The path is turned, and answers the question.
    assert clean.graph("webqsp-cwq").info.triples == 2
    (told,) = json.loads(result.stdout)
    assert told["rows"][0]["scores"]["1-hop"]["value"] == 1.0
