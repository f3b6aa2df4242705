"""Sources that are no files, or whose names are no text: told before anything is read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kgdb.cli.main import cli
from kgdb.errors import KgdbError
from kgdb.loading import reading

pytestmark = pytest.mark.unit


def refused(*arguments: str | Path) -> KgdbError:
    result = CliRunner().invoke(cli, ["load", *map(str, arguments)])
    assert isinstance(result.exception, KgdbError), result.output
    assert result.exception.hint
    return result.exception


def test_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    read = refused("csv", tmp_path / "pipe")
    assert "is a pipe or a device; kgdb reads a source more than once" in read.message
    drafted = refused(tmp_path / "mine", "--init", tmp_path / "pipe")
    assert (drafted.message.endswith("is a pipe or a device."), drafted.hint) == (
        True,
        "Write its content to a file first.",
    )


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.csv")
    Path(path).write_text("head,relation,tail\na,r,b\n")
    for arguments in (["csv", path], [tmp_path / "mine", "--init", path]):
        assert "is not UTF-8" in refused(*arguments).message
    assert not (tmp_path / "mine.toml").exists()


def test_nothing_there(tmp_path: Path) -> None:
    gone = refused("csv", tmp_path / "gone.csv")
    assert gone.hint == (
        "Expected a file, plain or compressed (.gz, .bz2, .xz, .zst), or in an archive (.zip, "
        ".tar), or a folder with edges.csv*, nodes.csv*."
    )
    (tmp_path / "kb.csv").write_text("head,relation,tail\na,r,b\n")
    elsewhere = refused(tmp_path / "no" / "mine", "--init", tmp_path / "kb.csv")
    assert "There is no folder" in elsewhere.message


def test_a_file_that_is_still_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kb.csv"
    path.write_text("head,relation,tail\na,r,b\n")
    read = reading.read

    def written_meanwhile(*arguments: Any, **options: Any) -> None:
        read(*arguments, **options)
        with path.open("a") as file:
            file.write("c,r,d\n")

    monkeypatch.setattr(reading, "read", written_meanwhile)
    assert "changed while kgdb read it" in refused("csv", path, "--dry-run").message


def test_a_graph_without_a_name(tmp_path: Path) -> None:
    (tmp_path / "kb.csv").write_text("head,relation,tail\na,r,b\n")
    error = refused("csv", tmp_path / "kb.csv", "--as", "", "--dry-run")
    assert "'' cannot be the name of a graph" in error.message
