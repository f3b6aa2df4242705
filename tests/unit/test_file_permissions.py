"""What kgdb writes is its owner's alone, whatever the umask says."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from counting import Counting

from kgdb.file_permissions import private_file, private_folder
from kgdb.language import Cached, CompletionRequest
from kgdb.language.recording.reply_cache import FILE
from kgdb.runtime.instance import credentials, instance_layout
from kgdb.settings import load_settings

pytestmark = pytest.mark.unit


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o277], ids=oct, autouse=True)
def umask(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folders_are_made_private_and_those_around_them_stay(tmp_path: Path) -> None:
    around = tmp_path / "around"
    around.mkdir()
    around.chmod(0o755)
    private_folder(around / "home" / "cache")
    assert [mode(path) for path in (around, around / "home", around / "home" / "cache")] == [
        0o755, 0o700, 0o700
    ]  # fmt: skip
    (around / "home" / "cache").chmod(0o777)
    private_folder(around / "home" / "cache")
    assert mode(around / "home" / "cache") == 0o700


def test_what_a_link_leads_to_stays_as_it_is(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o775)
    (tmp_path / "jars").symlink_to(shared)
    private_folder(tmp_path / "jars")
    assert mode(shared) == 0o775


def test_a_file_is_made_private_and_keeps_what_it_holds(tmp_path: Path) -> None:
    file = private_file(tmp_path / "file")
    file.write_text("kept")
    file.chmod(0o666)
    assert mode(private_file(file)) == 0o600
    assert file.read_text() == "kept"


def test_an_instance_and_its_password_are_private(tmp_path: Path) -> None:
    made = instance_layout.instance(load_settings({}, home=tmp_path / "home").home, "default")
    credentials.ensure(made)
    folders = (made.root.parents[1], made.root.parent, made.root, made.conf, made.data, made.logs)
    assert {mode(folder) for folder in (*folders, made.plugins)} == {0o700}
    assert mode(made.credentials) == 0o600


def test_the_replies_that_are_kept_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "llm-cache"
    cached = Cached(Counting(), folder)
    cached.complete([CompletionRequest("a prompt")])
    with closing(sqlite3.connect(folder / FILE)) as database:
        database.execute("UPDATE replies SET used = 0")  # SQLite's journal lies beside it
        beside = sorted(folder.glob(f"{FILE}*"))
        assert len(beside) > 1
        assert {mode(path) for path in beside} == {0o600}
    assert mode(folder) == 0o700
