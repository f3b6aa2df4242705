"""The options of ``kgdb lab train`` are the settings of a training: defaults, types and ranges."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import click
import pytest

from kgdb.cli.main import cli
from kgdb.lab.cli.train_graph import graph_command
from kgdb.lab.cli.train_llm import llm_command
from kgdb.lab.cli.train_relations import relations_command
from kgdb.lab.cli.training_options import HELP
from kgdb.lab.training.llm import RANGES as TUNING_RANGES
from kgdb.lab.training.llm import TuningSettings
from kgdb.lab.training.relations.relation_settings import RANGES, RelationTraining

pytestmark = pytest.mark.unit


def options(command: click.Command) -> dict[str, click.Option]:
    return {each.name or "": each for each in command.params if isinstance(each, click.Option)}


@pytest.mark.parametrize(
    ("command", "settings", "ranges", "shown"),
    [
        (relations_command, RelationTraining(), RANGES, True),
        (graph_command, RelationTraining(), RANGES, True),
        (llm_command, TuningSettings(), TUNING_RANGES, False),
    ],
)
def test_options_have_the_defaults_and_ranges_of_the_settings(
    command: click.Command, settings: Any, ranges: Any, shown: bool
) -> None:
    found = {name: each for name, each in options(command).items() if name in HELP}
    assert found
    for name, option in found.items():
        assert option.default == (getattr(settings, name) if shown else None), name
        if name in ranges:
            assert isinstance(option.type, click.IntRange | click.FloatRange)
            assert (option.type.min, option.type.max) == ranges[name]
            assert isinstance(option.type, click.IntRange) == isinstance(
                getattr(settings, name), int
            )


def test_every_setting_with_a_help_is_one_and_ranges_are_of_settings() -> None:
    known = {field.name for kind in (TuningSettings, RelationTraining) for field in fields(kind)}
    assert set(HELP) <= known
    for kind, ranges in ((TuningSettings, TUNING_RANGES), (RelationTraining, RANGES)):
        assert set(ranges) <= {field.name for field in fields(kind)}


def test_a_value_out_of_range_is_refused_before_any_work(tmp_path: Any) -> None:
    from click.testing import CliRunner

    corpus = tmp_path / "rows.jsonl"
    corpus.write_text("{}")
    given = [
        "lab",
        "train",
        "relations",
        str(corpus),
        "--output",
        str(tmp_path / "x"),
        "--epochs",
        "0",
    ]
    done = CliRunner().invoke(cli, given)
    assert done.exit_code == 2
    assert "0 is not in the range" in done.output
