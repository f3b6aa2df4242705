"""A home of another user, or on a file system that cannot be written: told, by every command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kgdb.settings import load_settings

pytestmark = [pytest.mark.integration, pytest.mark.local_server]

SOMEBODY = 65_534


def rarer(*command: str) -> object:
    """A command that gets at the home as another one does."""
    return pytest.param(list(command), marks=pytest.mark.endurance, id=" ".join(command))


READING = [["status"], rarer("status", "--log")]
WRITING = [
    ["up"], ["remove", "--all", "--yes"], ["load", "demo"],
    rarer("down"), rarer("graphs"), rarer("remove", "demo"),
]  # fmt: skip


def run(
    home: Path, *command: str, before: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    return subprocess.run(
        [*before, sys.executable, "-m", "kgdb", *command],
        env={**kept, "KGDB_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def lay_out(home: Path) -> None:
    """A home with an instance that was never started, and the jars that are there already."""
    jars = load_settings().home / "jars"
    jars.mkdir(parents=True, exist_ok=True)
    (home / "jars").symlink_to(jars)
    (home / "instances" / "default" / "data").mkdir(parents=True)
    (home / "instances" / "default").chmod(0o700)
    (home / "instances" / ".default.lock").touch()


@pytest.fixture
def of_somebody(tmp_path: Path) -> Path:
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("only root can give a folder away, and setpriv its rights up")
    lay_out(tmp_path)
    for place in [tmp_path, *tmp_path.rglob("*")]:
        os.chown(place, SOMEBODY, SOMEBODY, follow_symlinks=False)
    return tmp_path


@pytest.mark.parametrize("command", [*READING, *WRITING], ids=" ".join)
def test_the_home_of_another_user_is_told_as_that(of_somebody: Path, command: list[str]) -> None:
    # Root without its rights is a user like another.
    plain = ("setpriv", "--inh-caps=-all", "--bounding-set=-all")
    ended = run(of_somebody, *command, before=plain)
    assert ended.returncode == 1
    assert "it belongs to the user" in ended.stderr
    assert "Set KGDB_HOME to a folder of your own" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.fixture
def unwritable(tmp_path: Path) -> Iterator[Path]:
    home = tmp_path / "home"
    home.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(home)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no small file system can be mounted")
    try:
        lay_out(home)
        subprocess.run(["mount", "-o", "remount,ro", str(home)], check=True)
        yield home
    finally:
        subprocess.run(["umount", "--lazy", str(home)], check=True)


@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_a_home_that_cannot_be_written_is_told_as_that(
    unwritable: Path, command: list[str]
) -> None:
    ended = run(unwritable, *command)
    assert ended.returncode == 1
    assert "cannot be written: Read-only file system" in ended.stderr
    assert "KGDB_HOME" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_what_writes_nothing_works_there(unwritable: Path) -> None:
    for command in (["status"], ["status", "--log"]):
        assert run(unwritable, *command).returncode == 0


def test_replies_are_asked_for_anew_where_they_cannot_be_kept(unwritable: Path) -> None:
    ended = run(unwritable, "remove", "--replies")
    assert ended.returncode == 0
    assert "Traceback" not in ended.stderr
