"""A server of a language model, as a program of its own, and a form that replies are held to."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "answers": {"type": "array", "items": {"enum": ["Mann", "Pacino"]}, "maxItems": 3},
        "sure": {"type": "boolean"},
    },
    "required": ["answers", "sure"],
    "additionalProperties": False,
}
"""Any of two names, and whether it is sure."""


@contextmanager
def serving(command: Sequence[str], log: Path, seconds: float, **environ: str) -> Iterator[str]:
    """The address of the server that ``command`` starts, once it is well; then it ends.

    It is told its ``--host`` and ``--port``, and nothing may be fetched from a hub.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    address = f"http://127.0.0.1:{port}"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", port],
            stdout=output,
            stderr=output,
            env={**os.environ, "HF_HUB_OFFLINE": "1", **environ},
        )
    try:
        _await_health(f"{address}/health", process, seconds, log)
        yield f"{address}/v1"
    finally:
        process.terminate()
        process.wait(30)


def _await_health(
    address: str, process: subprocess.Popen[bytes], seconds: float, log: Path
) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5) as reply:
                if reply.status == 200:
                    return
        except OSError:
            time.sleep(0.3)
    pytest.fail(f"{process.args!r} did not start:\n{log.read_text()[-2000:]}")
