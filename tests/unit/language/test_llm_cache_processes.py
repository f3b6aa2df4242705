"""The cache of replies, where several processes make it and write to it at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from counting import Counting

from kgdb.language import Cached, Completion, CompletionRequest

pytestmark = [pytest.mark.unit, pytest.mark.slow]

ECHO = """
import sys
from pathlib import Path
from kgdb.language.language_model import CompletionRequest, Completion
from kgdb.language.recording.reply_cache import Cached

class Echo:
    name = "counting"
    def complete(self, requests):
        return [Completion(ask.prompt, 1, 1) for ask in requests]
"""

MAKER = f"""{ECHO}
print("ready", flush=True)
for folder in sys.stdin:
    said = []
    Cached(Echo(), Path(folder.strip()), report=said.append).complete([CompletionRequest("a")])
    print(said, flush=True)
"""


@pytest.mark.parametrize("rounds", [15, pytest.param(120, marks=pytest.mark.endurance)])
def test_processes_may_make_the_file_at_once(tmp_path: Path, rounds: int) -> None:
    root = Path(__file__).parents[3]
    makers = [
        subprocess.Popen(
            [sys.executable, "-c", MAKER],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    said = [line_of(maker) for maker in makers]
    for number in range(rounds):
        for maker in makers:
            assert maker.stdin
            maker.stdin.write(f"{tmp_path / str(number)}\n")
        for maker in makers:
            assert maker.stdin
            maker.stdin.flush()
        said += [line_of(maker) for maker in makers]
    for maker in makers:
        maker.communicate(timeout=60)
    assert set(said) == {"ready", "[]"}


def line_of(process: subprocess.Popen[str]) -> str:
    """The next line that a process prints."""
    assert process.stdout
    return process.stdout.readline().strip()


WRITER = f"""{ECHO}
cached = Cached(Echo(), Path(sys.argv[1]), report=print)
for number in range(15):
    cached.complete([CompletionRequest(str(n)) for n in range(number, number + 3)])
"""


def test_processes_may_write_at_once(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(3)
    ]
    for writer in writers:
        said, _ = writer.communicate(timeout=120)
        assert (writer.returncode, said) == (0, "")
    model = Counting()
    found = Cached(model, tmp_path).complete([CompletionRequest(f"{n}") for n in range(17)])
    assert all(reply.cached for reply in found if isinstance(reply, Completion))
    assert model.asked == [[]]
