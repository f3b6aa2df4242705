"""The command kgdb, run as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys


def run(
    *arguments: str, input: str | None = None, **environ: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kgdb", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        input=input,
        env={**os.environ, **environ},
    )
