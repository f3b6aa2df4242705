"""Loads into a server whose small disk fills up: nothing of it is lost, and they are gone on with.

Ten such trials are those of benchmarks/disk_trials.py; these are the cheap ones.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.integration, pytest.mark.endurance, pytest.mark.local_server]

ROOT = Path(__file__).parents[2]


def small_disk_refused(folder: Path) -> str | None:
    """Why no file system can be mounted here; ``None`` if one can."""
    if os.geteuid() != 0:
        return "only root can mount a small file system"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        return f"no small file system can be mounted: {mounted.stderr.strip()}"
    subprocess.run(["umount", str(folder)], check=True)
    return None


@pytest.fixture
def trials(tmp_path: Path) -> list[str]:
    if reason := small_disk_refused(tmp_path):
        pytest.skip(reason)
    return [sys.executable, "-m", "benchmarks.disk_trials", "--lines", "12000", "--json"]


def outcomes(command: list[str]) -> list[dict[str, Any]]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    environ.pop("KGDB_HOME", None)
    ended = subprocess.run(
        command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=900
    )
    assert ended.stdout, ended.stderr
    found: list[dict[str, Any]] = json.loads(ended.stdout)
    return found


def test_a_load_on_a_disk_that_fills_up_loses_nothing_and_is_gone_on_with(
    trials: list[str],
) -> None:
    room, sudden = outcomes([*trials, "--trial", "130", "--trial", "0,3,down up"])
    for each in (room, sudden):
        assert each["other_whole"]
        assert each["load_equal"]
        assert "free" in each["load"]
        assert "same command" in each["load"]
    assert "a full disk would stop the database" in room["load"]
    assert room["unload"] == "done"
    assert "bytes" in sudden["unload"]
