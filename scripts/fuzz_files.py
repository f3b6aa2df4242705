"""Reads mutated files of every format: fuzz_files.py [SECONDS [FIRST_SEED [TRIALS]]].

Each trial is one file in a folder of its own, read by a loader and by --init in a worker with
limits for memory and time. The program reports exceptions that are no KgdbError, errors that do
not name the file, workers that were killed or took too long, files left behind, and files opened
for writing outside of the folder. It keeps the files that did it, and ends with 1.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from file_samples import SAMPLES
from mutated_files import trial_of

from kgdb.errors import KgdbError
from kgdb.loading import prepare, read_spec
from kgdb.loading.drafting.draft_writer import draft

MEMORY = 4 << 30
TRIAL_S = 30.0
WORKERS = 2


def run(box: Path, seed: int) -> list[str]:
    """Run a trial in its folder; returns what went wrong."""
    loader, name, data = trial_of(seed)
    source = box / "in" / name
    if loader == "toml":
        loader_file = box / "in" / "mine.toml"
        loader_file.write_bytes(data)
        source = box / "in" / "source.csv"
        source.write_bytes(SAMPLES["csv"][0].encode())
    else:
        source.write_bytes(data)
    before = sorted((box / "in").iterdir())

    def read() -> None:
        spec = read_spec(str(loader_file) if loader == "toml" else loader)
        with prepare(spec, source, max_errors=10**9, memory="400MB", temp_folder=box / "tmp"):
            pass

    problems = []
    for what, step in (("load", read), ("init", lambda: draft("mine", source))):
        try:
            step()
        except KgdbError as error:
            # What is wrong with the SQL of a loader file is told by its key.
            if loader != "toml" and not any(each.name in str(error) for each in before):
                problems.append(f"{what} names no file: {loader}: {error.message[:200]}")
        except Exception as error:  # each of these is what is looked for
            frames = [
                each
                for each in traceback.extract_tb(error.__traceback__)
                if "/kgdb/" in each.filename
            ]
            place = (
                f"{frames[-1].filename.partition('/kgdb/')[2]}:{frames[-1].lineno}"
                if frames
                else "?"
            )
            problems.append(
                f"{what} of {loader}: {type(error).__name__} at {place}: {str(error)[:150]!r}"
            )
    left = [
        str(each.relative_to(box))
        for each in box.rglob("*")
        if each.is_file() and each not in before
    ]
    if left:
        problems.append(f"files left behind: {left[:5]}")
    return problems


def work(folder: Path, pipe: Connection) -> None:
    """Run the trials that the pipe asks for."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    outside: list[str] = []

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        writes = (
            event == "open"
            and isinstance(arguments[0], str)
            and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        )
        if writes or event in {"os.mkdir", "os.symlink", "os.link"}:
            target = arguments[1 if event in {"os.symlink", "os.link"} else 0]
            path = str(Path(os.fsdecode(target)).absolute())
            if not path.startswith((str(folder), "/dev/")):
                outside.append(path)

    sys.dont_write_bytecode = True  # the readers of formats are imported when a file needs one
    sys.addaudithook(watch)
    while True:
        seed = pipe.recv()
        box = folder / str(seed)
        for each in ("in", "tmp", "cwd"):
            (box / each).mkdir(parents=True)
        os.chdir(box / "cwd")
        tempfile.tempdir = str(box / "tmp")
        outside.clear()
        problems = run(box, seed)
        problems += [f"opened for writing: {each}" for each in outside[:5]]
        pipe.send(problems)


class Worker:
    """A process that runs trials one after the other, and what it is at."""

    def __init__(self, folder: Path) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("spawn").Process(
            target=work, args=(folder, theirs), daemon=True
        )
        self.process.start()
        theirs.close()
        self.seed = 0
        self.began = 0.0

    def give(self, seed: int) -> None:
        """Begin the trial of the seed."""
        self.seed, self.began = seed, time.monotonic()
        self.pipe.send(seed)

    def problems(self) -> list[str] | None:
        """What its trial found; ``None`` while it runs."""
        try:
            if self.pipe.poll(0.05):
                return list(self.pipe.recv())
        except (EOFError, ConnectionResetError):
            self.process.join()
            return [f"killed: {_signal_name(self.process.exitcode)} ({trial_of(self.seed)[0]})"]
        if time.monotonic() - self.began > TRIAL_S:
            self.process.kill()
            self.process.join()
            return [f"more than {TRIAL_S:.0f} s ({trial_of(self.seed)[0]})"]
        return None


def _signal_name(code: int | None) -> str:
    return signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"


class Fuzzer:
    """Gives seeds to workers until the time or the trials end, and collects what they find."""

    def __init__(self, seconds: float, first: int, trials: int) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="kgdb-fuzz-"))
        self.until = time.monotonic() + seconds
        self.seeds = iter(range(first, first + trials))
        self.found: dict[str, list[int]] = {}
        self.done = 0

    def run(self) -> int:
        """Run all trials; returns the exit code."""
        workers = [started for _ in range(WORKERS) if (started := self._next(None))]
        while workers:
            workers = [each for worker in workers if (each := self._after(worker))]
        print(f"{self.done:,} files read; {len(self.found)} kinds of findings")
        for problem, seeds in self.found.items():
            print(f"{len(seeds):5} x {problem} (seeds {', '.join(map(str, seeds[:5]))})")
        if self.found:
            print(f"Their files are in {self.folder}")
            return 1
        shutil.rmtree(self.folder, ignore_errors=True)
        return 0

    def _after(self, worker: Worker) -> Worker | None:
        """The worker, with its next trial if it has ended one; ``None`` after the last."""
        problems = worker.problems()
        if problems is None:
            return worker
        self.done += 1
        for problem in problems:
            seeds = self.found.setdefault(problem.partition(": '")[0], [])
            seeds.append(worker.seed)
            if len(seeds) == 1:
                print(f"seed {worker.seed}: {problem}", flush=True)
        if not problems:
            shutil.rmtree(self.folder / str(worker.seed), ignore_errors=True)
        return self._next(worker if worker.process.is_alive() else None)

    def _next(self, worker: Worker | None) -> Worker | None:
        seed = next(self.seeds, None) if time.monotonic() < self.until else None
        if seed is None:
            if worker:
                worker.process.kill()
                worker.process.join()
            return None
        worker = worker or Worker(self.folder)
        worker.give(seed)
        return worker


if __name__ == "__main__":
    given = [*map(int, sys.argv[1:])]
    sys.exit(Fuzzer(*(given + [600, 1, 10**9][len(given) :])).run())
