"""``python -m benchmarks.disk_trials``: loads into a server whose disk fills up (root only).

The server's home lies on a small file system of its own, in memory. Each trial loads a graph beside
two others while the disk has too little room, by one of two ways: it was nearly full from the
start, or another program fills it at once in the middle of the load. Then one of the other graphs
is to be removed, room is made, the server is brought back as the trial says, and the same commands
are given again. At the end everything is compared with what an undisturbed load gives.
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

from benchmarks.telling import say
from kgdb.runtime import LocalServer
from kgdb.settings import Settings, load_settings

MIB = 1 << 20
_SIZE_MIB = 640
_WAIT_S = 120.0
_LOADER = """
name = "small"
label = "Small"
[source]
delimiter = "\\t"
columns = ["head", "relation", "tail", "mentions"]
[tables]
triples = "SELECT head, relation, tail FROM source"
literals = '''
  SELECT head, 'mentions' AS relation, mentions AS value, NULL AS datatype, 'en' AS language
  FROM source'''
entities = '''
  SELECT head AS id, 'the ' || head AS name, [head || '!'] AS aliases, ['Head'] AS labels,
         head LIKE '%7' AS mediator FROM source'''
"""
_NODES: Any = """
MATCH (n:`%label%`) RETURN n.id, n.name, n.aliases, n.value, n.language, n.pagerank IS NOT NULL,
COLLECT { UNWIND labels(n) AS label RETURN label ORDER BY label } AS labels
"""
_TRIPLES: Any = "MATCH (h:`%label%`)-[r]->(t:`%label%`) RETURN h.id, type(r), t.id"
_KNOWN: Any = """
MATCH (g:KnowledgeGraph {name: $name})
RETURN g.state, g.triples, g.entities, g.relations, g.sha256, g.pagerank, g.stage,
COLLECT { MATCH (r:Relation {kg: $name}) RETURN properties(r) ORDER BY r.id } AS relations
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """``free``: MiB before the load, or, ``after`` so many thousand rows, what is left at once.

    ``back``: how the server comes back once there is room: ``again`` (by the same command alone),
    ``down up`` or ``terminated up`` (the system ends it, then ``kgdb up``).
    """

    free: int
    after: int | None = None
    back: str = "again"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a trial. ``torn``: the log had to be cut off."""

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
class Place:
    """A file system of its own, with a server's home on it, and the sources beside it."""

    folder: Path
    sources: Path
    lines: int

    @property
    def settings(self) -> Settings:
        """Those of the server."""
        return load_settings(
            {"KGDB_HOME": str(self.folder / "home")}, heap="512m", page_cache="64m"
        )

    @property
    def instance(self) -> Path:
        """The instance's folder."""
        return self.folder / "home" / "instances" / "default"

    def free(self) -> int:
        """Bytes that are free."""
        return shutil.disk_usage(self.folder).free

    def fill(self, left: int) -> None:
        """Take all of the disk but ``left`` bytes."""
        with (self.folder / "filler").open("ab") as file:
            while (more := self.free() - left) > 0:
                try:
                    os.posix_fallocate(file.fileno(), file.tell(), more)
                except OSError:  # the server was faster
                    continue
                file.seek(0, os.SEEK_END)

    def empty(self) -> None:
        """Give it back."""
        (self.folder / "filler").unlink(missing_ok=True)

    def command(self, *arguments: str) -> list[str]:
        """One of kgdb, as a user gives it."""
        return [sys.executable, "-m", "kgdb", *arguments]

    def load(self) -> list[str]:
        """The load that is disturbed."""
        source = (str(self.sources / "small.toml"), str(self.sources / "small.tsv"))
        return self.command("load", *source, "--mode", "online")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run one to its end."""
        return subprocess.run(
            command,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    def must(self, *command: str) -> str:
        """Run one that has to succeed; what it said on the way."""
        ended = self.run(*command)
        if ended.returncode:
            raise RuntimeError(f"{' '.join(command[2:])}: {ended.stderr}")
        return ended.stderr

    def environment(self) -> dict[str, str]:
        """What kgdb's commands find."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith("NEO4J_")}
        home = str(self.folder / "home")
        # Servers that run for a minute start sooner if Java compiles simply.
        brief = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1"}
        return kept | brief | {"KGDB_HOME": home, "KGDB_HEAP": "512m", "KGDB_PAGE_CACHE": "64m"}

    def connected(self) -> neo4j.Driver:
        """A driver for the server, to be closed."""
        endpoint = LocalServer(self.settings).start()
        login = (endpoint.username, endpoint.password)
        return neo4j.GraphDatabase.driver(endpoint.uri, auth=login)

    def fingerprint(self, graph: str, label: str) -> str:
        """A hash over all that is stored of a graph, but for when it was loaded."""
        digest = hashlib.sha256()
        with self.connected() as driver:
            for query in (_NODES, _TRIPLES, _KNOWN):
                text: Any = query.replace("%label%", label)
                records = driver.execute_query(text, name=graph).records
                rows = sorted(repr(record.values()) for record in records)
                digest.update("\n".join(rows).encode())
        return digest.hexdigest()


@contextmanager
def small_disk(size: int = _SIZE_MIB, lines: int = 40_000) -> Iterator[Place]:
    """A file system of ``size`` MiB in memory, with a server's home; gone at the end.

    Raises :class:`OSError` where none can be mounted.
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
        place = Place(disk, sources, lines)
        try:
            (disk / "home").mkdir()
            for shared in ("jars", "models"):
                (downloads / shared).mkdir(parents=True, exist_ok=True)
                (disk / "home" / shared).symlink_to(downloads / shared)
            (sources / "small.toml").write_text(_LOADER, encoding="utf-8")
            _write_source(sources / "small.tsv", lines)
            _write_source(sources / "spare.tsv", min(lines, 5_000))
            yield place
        finally:
            place.empty()
            LocalServer(place.settings).stop()
            subprocess.run(["umount", "--lazy", str(disk)], check=True)


def _write_source(path: Path, lines: int) -> None:
    texts = (f"e{i % 997}\tr{i % 7}\te{(i * i + 1) % 1009}x{i}\t{i % 50}\n" for i in range(lines))
    path.write_text("".join(texts), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """The fingerprints of an undisturbed load, and of the other graph beside it."""

    other: str
    loaded: str


def prepare(place: Place) -> Undisturbed:
    """Keep an instance with two graphs aside, to begin each trial with; load once undisturbed."""
    place.must(*place.command("load", "demo"))
    loader = str(place.sources / "small.toml")
    place.must(*place.command("load", loader, str(place.sources / "spare.tsv"), "--as", "spare"))
    place.must(*place.command("down"))
    shutil.copytree(place.instance, place.sources / "begin", symlinks=True)
    place.must(*place.load())
    return Undisturbed(place.fingerprint("demo", "Demo"), place.fingerprint("small", "Small"))


def run(place: Place, trial: Trial, undisturbed: Undisturbed) -> Outcome:
    """One trial, from the instance that was kept aside."""
    place.must(*place.command("down"))
    shutil.rmtree(place.instance)
    shutil.copytree(place.sources / "begin", place.instance, symlinks=True)
    place.must(*place.command("up"))
    load = _load_on_full_disk(place, trial)
    unload = place.run(*place.command("unload", "spare"))
    place.empty()
    said = _bring_back(place, trial)
    if unload.returncode:
        said += place.must(*place.command("unload", "spare"))
    said += place.must(*place.load())
    left = {graph["name"] for graph in _graphs(place)}
    return Outcome(
        level=_level(trial),
        load=_told(load),
        unload=_told(unload),
        back=trial.back,
        torn="was cut off" in said,
        other_whole=place.fingerprint("demo", "Demo") == undisturbed.other
        and left == {"demo", "small"},
        load_equal=place.fingerprint("small", "Small") == undisturbed.loaded,
    )


def _load_on_full_disk(place: Place, trial: Trial) -> subprocess.CompletedProcess[str]:
    if trial.after is None:
        place.fill(trial.free * MIB)
        return place.run(*place.load())
    with subprocess.Popen(
        place.load(),
        env=place.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        with place.connected() as driver:
            while _written(driver) < trial.after * 1_000 and running.poll() is None:
                time.sleep(0.02)
        place.fill(trial.free * MIB)
        output, errors = running.communicate(timeout=600)
    return subprocess.CompletedProcess(running.args, running.returncode, output, errors)


def _written(driver: neo4j.Driver) -> int:
    """The rows that the load has committed."""
    records = driver.execute_query(
        "MATCH (g:KnowledgeGraph {name: 'small'}) RETURN g.written AS written"
    ).records
    return int(records[0]["written"] or 0) if records else 0


def _bring_back(place: Place, trial: Trial) -> str:
    server = LocalServer(place.settings)
    match trial.back:
        case "down up":
            said = place.must(*place.command("down"))
        case "terminated up":
            pid = server.status().pid
            if pid:
                os.kill(pid, signal.SIGTERM)
            until = time.monotonic() + _WAIT_S
            while server.status().pid and time.monotonic() < until:
                time.sleep(0.05)
            said = ""
        case _:
            return ""
    return said + place.must(*place.command("up"))


def _graphs(place: Place) -> list[dict[str, Any]]:
    shown = place.run(*place.command("graphs", "--json"))
    graphs: list[dict[str, Any]] = json.loads(shown.stdout)
    return graphs


def _level(trial: Trial) -> str:
    if trial.after is None:
        return f"{trial.free} MiB from the start"
    return f"{trial.free} MiB at once, after {trial.after},000 rows"


def _told(ended: subprocess.CompletedProcess[str]) -> str:
    """The error as kgdb tells it, or that there was none."""
    if not ended.returncode:
        return "done"
    _, _, error = ended.stderr.partition("Error: ")
    return " ".join((error or ended.stderr[-400:]).split())


def table(outcomes: Sequence[Outcome]) -> str:
    """As a table in Markdown."""
    lines = [
        "| room | the load says | the unload says | brought back | log cut | other graph whole "
        "| load equal |",
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
    """Run the trials and print what became of them; 1 where a graph is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.disk_trials", description=__doc__)
    parser.add_argument("--only", type=int, action="append", help="the number of a trial, from 1")
    parser.add_argument(
        "--trial", type=_trial, action="append", help="another one, as FREE or FREE,AFTER,BACK"
    )
    parser.add_argument("--lines", type=int, default=40_000, help="of the source")
    parser.add_argument("--json", action="store_true", help="print the outcomes as JSON")
    given = parser.parse_args()
    chosen = [TRIALS[number - 1] for number in given.only or ()] + (given.trial or [])
    chosen = chosen or list(TRIALS)
    outcomes: list[Outcome] = []
    with small_disk(lines=given.lines) as place:
        undisturbed = prepare(place)
        for number, trial in enumerate(chosen, start=1):
            say(f"trial {number} of {len(chosen)}: {_level(trial)}, {trial.back}")
            outcomes.append(run(place, trial, undisturbed))
            say(str(outcomes[-1]))
    print(json.dumps([asdict(each) for each in outcomes]) if given.json else table(outcomes))
    return 0 if all(each.other_whole and each.load_equal for each in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
