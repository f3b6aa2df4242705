"""``kgdb lab reproduce``, as far as it needs no server."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from kgdb.errors import UsageError
from kgdb.lab.cli.reproduce import reproduce_command
from kgdb.lab.reproduction.spec import reproductions

pytestmark = pytest.mark.unit


def test_the_list_says_what_runs_and_what_the_rest_needs() -> None:
    listed = CliRunner().invoke(reproduce_command, ["--list", "--json"])
    assert listed.exit_code == 0, listed.output
    told = {each["name"]: each for each in json.loads(listed.output)}
    assert set(told) == set(reproductions())
    assert told["refkg-table-4"]["needs"].startswith("11 of 12 rows; the others need")
    needs = told["gotr-figure-4c"]["needs"].partition("the others need ")[2].split("; ")
    assert len(needs) == len(set(needs))
    shown = CliRunner().invoke(reproduce_command, ["--list"])
    assert "refkg-table-4" in shown.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "There is no table or figure to run."),
        (["refkg-table-4", "--all"], "--all runs every table."),
        (["refkg-tabel-4"], "no table or figure 'refkg-tabel-4'. Did you mean refkg-table-4?"),
        (["rok-table-2", "--judge-llm", "none"], "'none', which ranks nothing"),
        (["rok-table-4", "--judge-llm", "x"], "ranks nothing: no column of rok-table-4 is a rank."),
    ],
)
def test_what_cannot_be_run_is_told_before_anything_starts(
    arguments: list[str], message: str
) -> None:
    with pytest.raises(UsageError) as refused:
        CliRunner().invoke(reproduce_command, arguments, catch_exceptions=False)
    assert message in refused.value.message
