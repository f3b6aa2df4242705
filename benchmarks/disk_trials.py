"""``python -m benchmarks.disk_trials``: loads into a server with a full disk (root only).

The server's home lies on a small file system in memory. Each trial loads a graph beside two others
while the disk has too little space: either it is nearly full from the start, or another program
fills it in the middle of the load. Then the trial unloads one of the other graphs, frees the disk,
restarts the server in its own way, and runs the same commands again. At the end it compares all
graphs with those of an undisturbed load.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import neo4j

from benchmarks.interrupted_load import (
    LABEL,
    NAME,
    add_records,
    content_queries,
    write_loader,
    write_source,
)
from benchmarks.log import say
from kgdb.runtime import LocalServer
from kgdb.settings import Settings, load_settings

MIB = 1 << 20
_SIZE_MIB = 640
_WAIT_S = 120.0
_BOOKKEEPING: Any = """
MATCH (g:KnowledgeGraph {name: $name})
RETURN g.state, g.triples, g.entities, g.relations, g.sha256, g.pagerank, g.stage,
COLLECT { MATCH (r:Relation {kg: $name}) RETURN properties(r) ORDER BY r.id } AS relations
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """``free``: free MiB before the load, or suddenly ``after`` so many thousand rows.

    ``back``: how the server restarts after the disk is freed: ``again`` (by the same command),
    ``down up`` or ``terminated up`` (the system ends it, then ``kgdb up``).
    """

    free: int
    after: int | None = None
    back: str = "again"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a trial. ``torn``: Neo4j had to truncate the transaction log."""

    level: str
    load: str
    unload: str
    back: str
    torn: bool
    other_whole: bool
    load_equal: bool


TRIALS = (
    Trial(120),
    Trial(150),
    Trial(160),
    Trial(170, back="down up"),
    Trial(185),
    Trial(0, after=5),
    Trial(0, after=30, back="down up"),
    Trial(1, after=50, back="terminated up"),
    Trial(4, after=70, back="terminated up"),
    Trial(9, after=90, back="down up"),
)


@dataclass(slots=True)
class SmallDisk:
    """A small file system with a server's home; the sources lie outside it."""

    folder: Path
    sources: Path
    lines: int

    @property
    def settings(self) -> Settings:
        """The settings of the server."""
        return load_settings(
            {"KGDB_HOME": str(self.folder / "home")}, heap="512m", page_cache="64m"
        )

    @property
    def instance(self) -> Path:
        """The instance's folder."""
        return self.folder / "home" / "instances" / "default"

    def free(self) -> int:
        """The free bytes."""
        return shutil.disk_usage(self.folder).free

    def fill(self, left: int) -> None:
        """Fill the disk up to ``left`` free bytes."""
        with (self.folder / "filler").open("ab") as file:
            while (more := self.free() - left) > 0:
                try:
                    os.posix_fallocate(file.fileno(), file.tell(), more)
                except OSError:  # the server was faster
                    continue
                file.seek(0, os.SEEK_END)

    def empty(self) -> None:
        """Free the disk again."""
        (self.folder / "filler").unlink(missing_ok=True)

    def command(self, *arguments: str) -> list[str]:
        """A command line of kgdb."""
        return [sys.executable, "-m", "kgdb", *arguments]

    def load(self) -> list[str]:
        """The command line of the load under test."""
        source = (str(self.sources / "small.toml"), str(self.sources / "small.tsv"))
        return self.command("load", *source, "--mode", "online")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            command,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    def must(self, *command: str) -> str:
        """Run a command that has to succeed; returns its messages."""
        ended = self.run(*command)
        if ended.returncode:
            raise RuntimeError(f"{' '.join(command[2:])}: {ended.stderr}")
        return ended.stderr

    def environment(self) -> dict[str, str]:
        """The environment of the commands."""
        environ = {key: value for key, value in os.environ.items() if not key.startswith("NEO4J_")}
        home = str(self.folder / "home")
        # The simple compiler of Java saves time in servers that run for a minute.
        fast_start = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1"}
        return (
            environ
            | fast_start
            | {"KGDB_HOME": home, "KGDB_HEAP": "512m", "KGDB_PAGE_CACHE": "64m"}
        )

    def connected(self) -> neo4j.Driver:
        """A driver for the server, to be closed."""
        endpoint = LocalServer(self.settings).start()
        login = (endpoint.username, endpoint.password)
        return neo4j.GraphDatabase.driver(endpoint.uri, auth=login)

    def fingerprint(self, graph: str, label: str) -> str:
        """A hash of all stored data of a graph, without the time of its load."""
        digest = hashlib.sha256()
        with self.connected() as driver:
            for query in (*content_queries(label), _BOOKKEEPING):
                add_records(digest, driver.execute_query(query, name=graph).records)
        return digest.hexdigest()


@contextmanager
def small_disk(size: int = _SIZE_MIB, lines: int = 40_000) -> Iterator[SmallDisk]:
    """A file system of ``size`` MiB in memory with a server's home, unmounted at the end.

    Raises :class:`OSError` if it cannot be mounted.
    """
    downloads = load_settings().home
    with tempfile.TemporaryDirectory(prefix="disk-trials-") as folder:
        disk, sources = Path(folder) / "disk", Path(folder) / "sources"
        disk.mkdir()
        sources.mkdir()
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}m", "tmpfs", str(disk)],
            capture_output=True,
            text=True,
            check=False,
        )
        if mounted.returncode:
            raise OSError(f"no file system can be mounted: {mounted.stderr.strip()}")
        small = SmallDisk(disk, sources, lines)
        try:
            (disk / "home").mkdir()
            for shared in ("jars", "models"):
                (downloads / shared).mkdir(parents=True, exist_ok=True)
                (disk / "home" / shared).symlink_to(downloads / shared)
            write_loader(sources)
            write_source(sources / "small.tsv", lines)
            write_source(sources / "spare.tsv", min(lines, 5_000))
            yield small
        finally:
            small.empty()
            LocalServer(small.settings).stop()
            subprocess.run(["umount", "--lazy", str(disk)], check=True)


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """The fingerprints of an undisturbed load, and of the other graph beside it."""

    other: str
    loaded: str


def prepare(disk: SmallDisk) -> Undisturbed:
    """Save an instance with two graphs for the start of each trial; load once undisturbed."""
    disk.must(*disk.command("load", "demo"))
    loader = str(disk.sources / "small.toml")
    disk.must(*disk.command("load", loader, str(disk.sources / "spare.tsv"), "--as", "spare"))
    disk.must(*disk.command("down"))
    shutil.copytree(disk.instance, disk.sources / "begin", symlinks=True)
    disk.must(*disk.load())
    return Undisturbed(disk.fingerprint("demo", "Demo"), disk.fingerprint(NAME, LABEL))


def run(disk: SmallDisk, trial: Trial, undisturbed: Undisturbed) -> Outcome:
    """Run one trial, starting from the saved instance."""
    disk.must(*disk.command("down"))
    shutil.rmtree(disk.instance)
    shutil.copytree(disk.sources / "begin", disk.instance, symlinks=True)
    disk.must(*disk.command("up"))
    load = _load_on_full_disk(disk, trial)
    unload = disk.run(*disk.command("unload", "spare"))
    disk.empty()
    output = _restart(disk, trial)
    if unload.returncode:
        output += disk.must(*disk.command("unload", "spare"))
    output += disk.must(*disk.load())
    left = {graph["name"] for graph in _graphs(disk)}
    return Outcome(
        level=_level(trial),
        load=_result(load),
        unload=_result(unload),
        back=trial.back,
        torn="truncated the torn transaction log" in output,
        other_whole=disk.fingerprint("demo", "Demo") == undisturbed.other
        and left == {"demo", "small"},
        load_equal=disk.fingerprint(NAME, LABEL) == undisturbed.loaded,
    )


def _load_on_full_disk(disk: SmallDisk, trial: Trial) -> subprocess.CompletedProcess[str]:
    if trial.after is None:
        disk.fill(trial.free * MIB)
        return disk.run(*disk.load())
    with subprocess.Popen(
        disk.load(),
        env=disk.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        with disk.connected() as driver:
            while _written(driver) < trial.after * 1_000 and running.poll() is None:
                time.sleep(0.02)
        disk.fill(trial.free * MIB)
        output, errors = running.communicate(timeout=600)
    return subprocess.CompletedProcess(running.args, running.returncode, output, errors)


def _written(driver: neo4j.Driver) -> int:
    """The rows that the load has committed."""
    records = driver.execute_query(
        "MATCH (g:KnowledgeGraph {name: 'small'}) RETURN g.written AS written"
    ).records
    return int(records[0]["written"] or 0) if records else 0


def _restart(disk: SmallDisk, trial: Trial) -> str:
    server = LocalServer(disk.settings)
    match trial.back:
        case "down up":
            output = disk.must(*disk.command("down"))
        case "terminated up":
            pid = server.status().pid
            if pid:
                os.kill(pid, signal.SIGTERM)
            until = time.monotonic() + _WAIT_S
            while server.status().pid and time.monotonic() < until:
                time.sleep(0.05)
            output = ""
        case _:
            return ""
    return output + disk.must(*disk.command("up"))


def _graphs(disk: SmallDisk) -> list[dict[str, Any]]:
    shown = disk.run(*disk.command("graphs", "--json"))
    graphs: list[dict[str, Any]] = json.loads(shown.stdout)
    return graphs


def _level(trial: Trial) -> str:
    if trial.after is None:
        return f"{trial.free} MiB from the start"
    return f"{trial.free} MiB at once, after {trial.after},000 rows"


def _result(ended: subprocess.CompletedProcess[str]) -> str:
    """The error message of the command, or ``done``."""
    if not ended.returncode:
        return "done"
    _, _, error = ended.stderr.partition("Error: ")
    return " ".join((error or ended.stderr[-400:]).split())


def table(outcomes: Sequence[Outcome]) -> str:
    """A Markdown table of the outcomes."""
    lines = [
        "| space | load | unload | restart | log truncated | other graph complete | load equal |",
        "|---|---|---|---|---|---|---|",
    ]
    for each in outcomes:
        cells = [
            each.level,
            each.load,
            each.unload,
            each.back,
            *("yes" if flag else "no" for flag in (each.torn, each.other_whole, each.load_equal)),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _trial(text: str) -> Trial:
    free, *rest = text.split(",")
    return Trial(int(free), int(rest[0]), rest[1]) if rest else Trial(int(free))


def main() -> int:
    """Run the trials and print their outcomes; returns 1 if a graph has lost data."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.disk_trials", description=__doc__)
    parser.add_argument("--only", type=int, action="append", help="the number of a trial, from 1")
    parser.add_argument(
        "--trial", type=_trial, action="append", help="another one, as FREE or FREE,AFTER,BACK"
    )
    parser.add_argument("--lines", type=int, default=40_000, help="of the source")
    parser.add_argument("--json", action="store_true", help="print the outcomes as JSON")
    arguments = parser.parse_args()
    chosen = [TRIALS[number - 1] for number in arguments.only or ()] + (arguments.trial or [])
    chosen = chosen or list(TRIALS)
    outcomes: list[Outcome] = []
    with small_disk(lines=arguments.lines) as disk:
        undisturbed = prepare(disk)
        for number, trial in enumerate(chosen, start=1):
            say(f"trial {number} of {len(chosen)}: {_level(trial)}, {trial.back}")
            outcomes.append(run(disk, trial, undisturbed))
            say(str(outcomes[-1]))
    print(json.dumps([asdict(each) for each in outcomes]) if arguments.json else table(outcomes))
    return 0 if all(each.other_whole and each.load_equal for each in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
