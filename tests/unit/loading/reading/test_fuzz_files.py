"""A few trials of ``make fuzz-files``, the same ones each time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.unit, pytest.mark.slow]

FUZZER = Path(__file__).parents[4] / "scripts" / "fuzz_files.py"


def test_a_short_run_finds_nothing() -> None:
    done = subprocess.run(
        [sys.executable, str(FUZZER), "200", "1", "40"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "40 files read" in done.stdout
