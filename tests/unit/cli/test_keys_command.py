"""``kgdb keys``: keys with their limits, made and listed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kgdb.cli.main import cli

pytestmark = pytest.mark.unit


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGDB_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")


def run(*arguments: str) -> str:
    found = CliRunner().invoke(cli, ["keys", *arguments])
    assert found.exit_code == 0, found.output
    return found.output


def test_a_key_is_listed_with_its_limits_and_without_its_secret() -> None:
    limits = ("--per-minute", "60", "--tokens-per-day", "200000", "--cost-per-day", "2.5")
    secret = run("add", "bot", "--graph", "demo", *limits).strip()
    run("add", "plain")
    table = run("list")
    (bot,) = (line for line in table.splitlines() if line.strip().startswith("bot"))
    assert bot.split()[:6] == ["bot", "demo", "ask", "60", "200,000", "2.5"]
    assert "any" in table
    listed = json.loads(run("list", "--json"))
    assert listed[0]["tokens_per_day"] == 200_000
    assert listed[1]["cost_per_day"] is None
    assert secret not in table + json.dumps(listed)


@pytest.mark.parametrize(
    ("option", "value"), [("--tokens-per-day", "0"), ("--cost-per-day", "0"), ("--per-minute", "0")]
)
def test_a_limit_of_nothing_is_none(option: str, value: str) -> None:
    found = CliRunner().invoke(cli, ["keys", "add", "bot", option, value])
    assert found.exit_code == 2
