"""``kgdb lab train reading``: input that it refuses before it connects to a database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kgdb.cli.main import cli
from kgdb.errors import UsageError

pytestmark = pytest.mark.unit


def refusal(folder: Path, source: str, output: str = "weights.json") -> str:
    given = ["lab", "train", "reading", source, "--output", str(folder / output)]
    error = CliRunner().invoke(cli, given).exception
    assert isinstance(error, UsageError), error
    return f"{error.message} {error.hint}"


@pytest.mark.parametrize("source", ["movies", "movies=", "=a.jsonl"])
def test_a_source_is_a_graph_with_a_file(tmp_path: Path, source: str) -> None:
    said = refusal(tmp_path, source)
    assert source in said
    assert "is not GRAPH=FILE" in said


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"cypher": "RETURN 1"}, "it lacks 'question'"),
        ({"question": "Who?", "answers": "Ada"}, "where a list of texts is expected"),
        ({"question": "Who?", "cypher": 3}, "cypher is 3"),
        ({"question": "Who?", "cypher": "RETURN 1", "answers": []}, "one of them is expected"),
    ],
)
def test_a_line_that_is_no_question_is_named(
    tmp_path: Path, row: dict[str, object], says: str
) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"question": "When?", "answers": null}\n' + json.dumps(row) + "\n")
    said = refusal(tmp_path, f"movies={file}")
    assert "Line 2" in said
    assert says in said


def test_files_that_are_missing_or_empty_and_folders_that_are_missing(tmp_path: Path) -> None:
    assert "cannot be read" in refusal(tmp_path, f"movies={tmp_path / 'none.jsonl'}")
    (tmp_path / "a.jsonl").write_text("")
    assert "is empty" in refusal(tmp_path, f"movies={tmp_path / 'a.jsonl'}")
    assert "no folder" in refusal(tmp_path, "movies=a.jsonl", "none/weights.json")
