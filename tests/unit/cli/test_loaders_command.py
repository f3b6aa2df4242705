"""``kgdb load --list``: what each loader reads, and its options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kgdb.cli.main import cli
from kgdb.loading import available

pytestmark = pytest.mark.unit

MINE = """
name = "mine"
label = "Mine"
title = "My graph"
licence = "CC0"

[options.since]
default = "1990"
help = "the first year"

[source]
delimiter = ";"
columns = ["head", "relation", "tail", "year"]

[tables]
triples = "SELECT head, relation, tail FROM source"
"""


def told(*names: str) -> dict[str, Any]:
    done = CliRunner().invoke(cli, ["load", "--list", *names, "--json"])
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.stdout))


def test_all_that_come_with_kgdb_are_listed() -> None:
    listed = told()
    assert tuple(listed) == available()
    assert all(loader["reads"] and loader["licence"] for loader in listed.values())
    # No place of an option is left open.
    texts = [text for loader in listed.values() for text in loader["reads"].values()]
    assert [text for text in texts if "{" in text] == []


def test_one_is_shown_with_its_options_and_what_it_reads() -> None:
    done = CliRunner().invoke(cli, ["load", "--list", "freebase"])
    assert done.exit_code == 0
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["subset", "commons|kbqa|all", "commons"] in [row[:3] for row in rows]
    assert "SOURCE: UTF-8 N-Triples" in done.stdout
    assert "reverse_properties.txt* (optional):" in done.stdout


def test_a_loader_file_of_ones_own_is_shown_as_well(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    (mine,) = told(str(path)).values()
    assert mine["title"] == "My graph"
    (reads,) = mine["reads"].items()
    assert reads[0] == "SOURCE"
    assert "separated by ';' (head, relation, tail, year)" in reads[1]
    assert mine["options"] == [
        {"name": "since", "default": "1990", "help": "the first year", "choices": []}
    ]


def test_a_loader_file_cannot_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    texts = MINE.replace("My graph", "My\\u001b[2J").replace("the first", "the\\u202E")
    path.write_text(texts, encoding="utf-8")
    done = CliRunner().invoke(cli, ["load", "--list", str(path)])
    assert "My\ufffd[2J (licence: CC0)" in done.stdout
    assert "the\ufffd year" in done.stdout
    assert not set(done.stdout) & set("\x1b\u202e")
