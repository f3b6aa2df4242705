"""Folders for work: gone at the end, and after a kill with the next command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kgdb.loading.scratch.temp_folder import new_temp_folder

pytestmark = pytest.mark.unit

KILLED = """
import os, signal, sys
from pathlib import Path
from kgdb.loading.scratch.temp_folder import new_temp_folder
with new_temp_folder(Path(sys.argv[1])) as folder:
    (folder / "tables.db").write_text("much")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def age(folder: Path) -> None:
    """Make it as old as one that somebody looks at who did not begin at the same moment."""
    os.utime(folder / "in-use", (1, 1))


def test_a_folder_is_there_for_as_long_as_it_is_needed(tmp_path: Path) -> None:
    with new_temp_folder(tmp_path) as folder:
        (folder / "tables.db").touch()
        assert folder.parent == tmp_path
    with pytest.raises(ZeroDivisionError), new_temp_folder(tmp_path):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "kgdb-work-without-a-lock").mkdir()
    with new_temp_folder(tmp_path) as used:
        age(used)
        done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
        assert done.returncode == -9
        (left,) = set(tmp_path.glob("kgdb-work-*/in-use")) - {used / "in-use"}
        with new_temp_folder(tmp_path):
            assert left.exists()
        age(left.parent)
        with new_temp_folder(tmp_path):
            assert not left.parent.exists()
        assert used.exists()
    assert {path.name for path in tmp_path.iterdir()} == {"mine", "kgdb-work-without-a-lock"}
