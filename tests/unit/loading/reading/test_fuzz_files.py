"""A few trials of ``make fuzz-files``, the same ones each time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.unit, pytest.mark.slow]

FUZZER = Path(__file__).parents[4] / "scripts" / "fuzz_files.py"


@pytest.mark.parametrize("files", [10, pytest.param(40, marks=pytest.mark.endurance)])
def test_a_short_run_finds_nothing(files: int) -> None:
    done = subprocess.run(
        [sys.executable, str(FUZZER), "200", "1", str(files)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{files} files read" in done.stdout
