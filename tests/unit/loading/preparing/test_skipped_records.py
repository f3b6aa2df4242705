"""Rows of a loader's tables that are no facts: counted, and shown with what is wrong with them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from three_fields import SPEC, counts, entities, reading, refusal, triples

from kgdb.cli.main import cli
from kgdb.errors import LoadError
from kgdb.loading import SkippedRecord, prepare, preview
from kgdb.loading.preparing.tables import MAX_ID_BYTES
from kgdb.progress import Event, Message

pytestmark = pytest.mark.unit

LONG = "é" * (MAX_ID_BYTES // 2)
TOO_LONG = LONG + "x"


def problems(source: Path) -> dict[str, int]:
    with prepare(SPEC, source) as prepared:
        found = preview(prepared, max_errors=100)
    assert sum(each.records for each in found.problems) == found.counts.skipped
    return {each.problem: each.records for each in found.problems}


def test_what_is_missing_is_told_with_the_row(source: Path) -> None:
    source.write_bytes(b"a|r|b\n|r|b\na||b\na|r|\n||b\n||\na|r|b\0\na|r\n")
    assert problems(source) == {
        "no head": 1,
        "no relation": 1,
        "no tail": 1,
        "no head, no relation": 1,
        "no head, no relation, no tail": 1,
        "holds a NUL character": 1,
        "missing columns": 1,
    }
    with prepare(SPEC, source) as prepared:
        assert [line.line for line in prepared.malformed] == [8]
        assert prepared.incomplete == (
            SkippedRecord(None, None, "holds a NUL character", "a | r | b\0"),
            SkippedRecord(None, None, "no head", " | r | b"),
            SkippedRecord(None, None, "no head, no relation", " |  | b"),
        )


def test_a_few_rows_are_shown_of_as_many_problems_as_there_are(source: Path) -> None:
    source.write_text("a|r|b\n" + "".join(f"a|r{i}|\n" for i in range(9)) + "|r|b\n")
    with prepare(SPEC, source) as prepared:
        assert [(each.problem, each.text) for each in prepared.incomplete] == [
            ("no head", " | r | b"),
            ("no tail", "a | r0 | "),
            ("no tail", "a | r1 | "),
        ]


def test_a_refusal_shows_the_rows(source: Path) -> None:
    error = refusal(source, "a|r|b\n" + "a|r|\n" * 101)
    assert "101 of 102 records are malformed" in error.message
    assert "\n  no tail: 'a | r | '" in error.message
    assert "no head: ' | r | '" not in error.message


def test_a_dry_run_shows_the_rows(source: Path, tmp_path: Path) -> None:
    source.write_text("head,relation,tail\na,r,b\na,r,\n")
    shown = CliRunner().invoke(cli, ["load", "csv", str(source), "--dry-run"]).stdout
    assert "1 × no tail\n      'a | r | '\n" in shown


def test_a_load_tells_the_rows(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def load_graph(*_: object, **__: object) -> None:
        raise LoadError("here it would be loaded")

    monkeypatch.setattr("kgdb.cli.load_command.load_graph", load_graph)
    source.write_text("head,relation,tail\na,r,b\na,r,\n")
    said = CliRunner().invoke(cli, ["load", "csv", str(source)])
    assert said.exit_code == 1
    assert "skipped no tail: 'a | r | '" in said.stderr


def test_literals_are_looked_at_as_triples_are(source: Path) -> None:
    spec = reading(
        ("head", "relation", "value", "datatype"),
        triples="SELECT head, 'is' AS relation, head AS tail FROM source WHERE head <> ''",
        literals="SELECT head, relation, value, datatype, NULL AS language FROM source",
    )
    long = "v" * 8_000
    source.write_bytes(f"a|r|{long}|t\n|r|1|t\na|r||t\na|r|1|t\0\n".encode())
    with prepare(spec, source) as prepared:
        found = prepared.counts
        assert (found.records, found.literals, found.skipped) == (7, 1, 3)
        assert [(each.problem, each.text) for each in prepared.incomplete] == [
            ("holds a NUL character", "a | r | 1"),
            ("no head", " | r | 1"),
            ("no value", "a | r | "),
        ]


@pytest.mark.parametrize("line", [f"{TOO_LONG}|r|b", f"a|{TOO_LONG}|b", f"a|r|{TOO_LONG}"])
def test_an_id_that_is_too_long_costs_its_row_alone(source: Path, line: str) -> None:
    found = counts(source, f"a|r|b\n{LONG}|{LONG}|{LONG}\n{line}\n")
    assert (found.records, found.triples, found.skipped) == (3, 2, 1)
    assert problems(source) == {"an id longer than 7,000 bytes": 1}
    with prepare(SPEC, source) as prepared:
        (shown,) = prepared.incomplete
    assert shown.text == " | ".join(
        part if len(part) < 60 else part[:60] + "…" for part in line.split("|")
    )
    with pytest.raises(LoadError, match="the limit is 0, so nothing"):
        counts(source, source.read_bytes(), max_errors=0)


def test_a_listed_entity_whose_id_is_too_long_is_left_out_and_told(source: Path) -> None:
    spec = replace(SPEC, tables=replace(SPEC.tables, entities="SELECT head AS id FROM source"))
    source.write_text(f"a|r|b\n{TOO_LONG}|r|b\n")
    told: list[Event] = []
    with prepare(spec, source, report=told.append) as prepared:
        assert entities(prepared) == [("a", "a"), ("b", "b")]
        assert triples(prepared) == [("a", "r", "b")]
    (message,) = (
        each.text for each in told if isinstance(each, Message) and "Left out" in each.text
    )
    assert message.startswith("Left out 1 listed entity: its id is")
