"""A dry run: what a load would make, told without a database."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from kgdb.cli.load_preview import show_preview
from kgdb.cli.main import cli
from kgdb.errors import LoadError
from kgdb.loading import OtherRecords, Preview, prepare, preview, read_spec

pytestmark = pytest.mark.unit

LOADER = """
name = "small"
label = "Small"
[source]
delimiter = "|"
columns = ["head", "relation", "tail"]
[tables]
triples = "SELECT * FROM source WHERE coalesce(relation, '') NOT IN ('type', 'name')"
literals = '''
  SELECT head, 'named' AS relation, tail AS value, NULL AS datatype, NULL AS language
  FROM source WHERE relation = 'name''''
entities = '''
  SELECT head AS id, list(tail) AS labels, bool_or(tail = 'Event') AS mediator
  FROM source WHERE relation = 'type' GROUP BY head'''
other = "SELECT 'types' AS reason, count(*) AS records FROM source WHERE relation = 'type'"
[relations.likes]
text = "what {} likes"
[relations.hates]
text = "what {} hates"
"""
SOURCE = (
    "a|likes|b\na|likes|b\nb|likes|c\nb|knows|d\na|type|Person\nb|type|Person\nd|type|Event\n"
    "a|name|Ada\nbroken\nbroken too\nmuch|too|long|line\na||b\na|likes|\n"
)


@pytest.fixture
def loader(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(LOADER, encoding="utf-8")
    return path


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.txt"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def look(loader: Path, source: Path, max_errors: int = 100) -> Preview:
    with prepare(read_spec(str(loader)), source) as prepared:
        return preview(prepared, max_errors=max_errors)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["load", *map(str, arguments)])


def test_a_preview_accounts_for_every_record(loader: Path, source: Path) -> None:
    found = look(loader, source)
    counts = found.counts
    assert counts.records == 13
    assert counts.records == counts.triples + counts.duplicates + counts.skipped + counts.other
    assert (counts.triples, counts.duplicates, counts.skipped, counts.other) == (4, 1, 5, 3)
    assert found.other_records == (OtherRecords("types", 3),)
    assert found.relations == (("likes", 2), ("knows", 1), ("named", 1))
    assert found.labels == (("Person", 2), ("Event", 1))
    assert ("a", "named", "Ada", {}) in found.examples
    assert found.unused == ("hates",)
    assert not found.refused
    assert look(loader, source, max_errors=4).refused


def test_what_is_skipped_is_told_by_its_problem(loader: Path, source: Path) -> None:
    problems = {each.problem: each for each in look(loader, source).problems}
    assert {name: each.records for name, each in problems.items()} == {
        "missing columns": 2,
        "too many columns": 1,
        "no relation": 1,
        "no tail": 1,
    }
    assert [(line.line, line.text) for line in problems["missing columns"].examples] == [
        (9, "broken"),
        (10, "broken too"),
    ]


def test_many_lines_of_one_problem_are_only_sampled(loader: Path, source: Path) -> None:
    source.write_text("a|likes|b\n" + "broken\n" * 50, encoding="utf-8")
    (problem,) = look(loader, source).problems
    assert (problem.records, [line.line for line in problem.examples]) == (50, [2, 3, 4])


def test_what_was_found_is_told_with_the_line(tmp_path: Path) -> None:
    source = tmp_path / "facts.nt"
    objects = ["<http://x/b>", "<1926>", "<Rita>", "<1926>", "<a b>"]
    source.write_text("".join(f"<http://x/a> <http://x/r> {each} .\n" for each in objects))
    with prepare(read_spec("ntriples"), source, max_errors=100) as prepared:
        problems = preview(prepared, max_errors=100).problems
    assert [(each.problem, each.records) for each in problems] == [
        ("the IRI of the object is not absolute", 3),
        ("the IRI of the object contains a space", 1),
    ]
    assert [each.problem for each in problems[0].examples] == [
        f"the IRI of the object is not absolute: {found}" for found in ("1926", "Rita", "1926")
    ]
    shown = CliRunner().invoke(cli, ["load", "ntriples", str(source), "--dry-run"]).stdout
    assert "3 × the IRI of the object is not absolute\n" in shown
    assert "facts.nt, line 3: Rita: '<http://x/a>" in shown


def test_the_command_needs_no_database(
    loader: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    result = run(loader, source, "--dry-run")
    assert result.exit_code == 0, result.output
    assert "13 records read = 4 triples + 1 duplicate + 5 skipped + 3 types" in result.stdout
    assert "a –likes→ b" in result.stdout
    assert "2 × missing columns" in result.stdout
    assert "source.txt, line 9: 'broken'" in result.stdout
    assert "hates" in result.stdout
    assert "labels: Small, Person (2), Event (1)" in result.stdout
    as_json = json.loads(run(loader, source, "--dry-run", "--json").stdout)
    assert as_json["counts"]["records"] == 13
    assert as_json["relations"][0] == ["likes", 2]
    assert as_json["notes"] == []


def test_notes_are_in_the_json(tmp_path: Path) -> None:
    edges = tmp_path / "edges.csv"
    edges.write_text("head,relation,tail,since\na,likes,b,1999\n", encoding="utf-8")
    as_json = json.loads(run("csv", edges, "--dry-run", "--json").stdout)
    assert as_json["notes"] == ["Properties of the relationships: since (whole number)"]


def test_a_source_that_a_load_would_refuse_is_shown_and_fails(loader: Path, source: Path) -> None:
    result = run(loader, source, "--dry-run", "--max-errors", 4)
    assert isinstance(result.exception, LoadError)
    assert "5 records are skipped; the limit is 4" in str(result.exception)
    assert "2 × missing columns" in result.stdout


def test_more_relations_than_fit_are_summed_up(loader: Path, source: Path) -> None:
    lines = [f"a|r{i:02}|b{j}\n" for i in range(30) for j in range(30 - i)]
    source.write_text("".join(lines), encoding="utf-8")
    shown = run(loader, source, "--dry-run").stdout
    assert "r19" in shown
    assert "r20" not in shown
    assert re.search(r"and 10 more +55\b", shown)


def test_a_file_and_its_loader_cannot_steer_the_terminal(loader: Path, source: Path) -> None:
    bad = "\x9b2J\u202e"
    escaped = "\\u009b2J\\u202E"
    texts = LOADER.replace('label = "Small"', f'label = "Small"\ntitle = "T{escaped}"')
    texts = texts.replace("[relations.hates]", f'[relations."hates{escaped}"]')
    loader.write_text(
        texts.replace("'types' AS reason", f"'types{bad}' AS reason"), encoding="utf-8"
    )
    lines = (f"a{bad}|likes{bad}|b{bad}", f"a|type|Person{bad}", f"broken{bad}")
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    shown = run(loader, source, "--dry-run")
    assert shown.exit_code == 0, shown.output
    assert not set(shown.output) & set(bad[0] + bad[-1])
    for told in ("T", "types", "likes", "Person", "a", "b"):
        assert f"{told}\ufffd2J\ufffd" in shown.output


@pytest.mark.parametrize("width", [80, 50])
def test_a_long_relation_leaves_its_count_room(
    loader: Path, source: Path, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "http://example.org/" + "very/" * 20 + "P31"
    source.write_text("".join(f"a|{long}|b{i}\n" for i in range(1234)) + "a|likes|b\n")
    terminal = Console(file=io.StringIO(), width=width, soft_wrap=True)
    monkeypatch.setattr("kgdb.cli.load_preview.out", terminal)
    show_preview(look(loader, source), as_json=False)
    shown = terminal.file.getvalue()  # type: ignore[attr-defined]
    (row,) = (line for line in shown.splitlines() if "1,234 " in line and "█" in line)
    assert re.match(r" ?http\S*…\S*P31 +1,234 +█+ *$", row)
    assert len(row) <= width


def test_examples_show_the_properties_of_facts(tmp_path: Path) -> None:
    source = tmp_path / "visits.csv"
    source.write_text("head,relation,tail,on,sure\na,visits,b,2014-05-13,true\na,visits,b,,\n")
    shown = run("csv", source, "--as", "visits", "--dry-run").output
    assert "\n  a –visits→ b (on: 2014-05-13, sure: true)\n  a –visits→ b\n" in shown
