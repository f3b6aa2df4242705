"""What surrounds an offline import: its inputs, its mark, its progress; nothing is imported."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from kgdb.errors import ServerError, UsageError
from kgdb.progress import Event, Message, Progress, silent
from kgdb.runtime import ImportOptions
from kgdb.runtime.importing import store_import
from kgdb.runtime.importing.store_import import Inputs
from kgdb.runtime.instance import instance_layout
from kgdb.runtime.instance.instance_layout import Instance
from kgdb.runtime.machine import process
from kgdb.runtime.machine.die_with_parent import die_with_parent
from kgdb.runtime.starting import unfinished_import

pytestmark = pytest.mark.unit

PRINTED = """\
neo4j 5.26.23
WARNING: heap size 910.5MiB may be too small. Suggested heap size is 1.000GiBNodes, started 2026-01-01
[*Nodes:0B/s 1020MiB------------------------------------------------------]    1 ∆    1
Done in 1s 474ms
Relationships, started 2026-01-01 00:00:44.795+0000
Done in 1s 385ms
Node Degrees, started 2026-01-01 00:00:46.222+0000
[>-------------------------------------------|*CALCULATE:1.002GiB---------]3.12M ∆3.12M
Done in 249ms
Relationship --> Relationship 1-8/10, started 2026-01-01 00:00:46.498+0000
[>--|*LINK---------------------------------------------------------------------------------|v:] 480K ∆ 480K
Done in 58s 616ms
Relationship <-- Relationship 1-8/10, started 2026-01-01 00:00:46.498+0000
Done in 58s 616ms
Relationship --> Relationship 9-10/10, started 2026-01-01 00:00:46.498+0000
"""  # noqa: E501


@pytest.fixture
def instance(tmp_path: Path) -> Instance:
    """An instance with a store, a log, and the database that holds the password."""
    made = instance_layout.instance(tmp_path, "default")
    made.create()
    for folder in ("databases/neo4j", "databases/system", "transactions/neo4j"):
        (made.data / folder).mkdir(parents=True)
        (made.data / folder / "content").write_text("x" * 1000)
    return made


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    folder = tmp_path / "with, comma [and] signs"
    folder.mkdir()
    texts = {
        "nodes-header": ":ID,name:STRING,:LABEL\n",
        "nodes": '0,"a",Entity\n1,"b",Entity\n',
        "relationships-header": ":START_ID,:END_ID,:TYPE\n",
        "relationships": "0,1,knows\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    nodes, relationships = (
        [folder / f"{k}-header", folder / k] for k in ("nodes", "relationships")
    )
    return Inputs([nodes], [relationships])


class Run(NamedTuple):
    """What a stand-in for the command saw."""

    arguments: list[str]
    marked: bool
    read: list[str]
    flags: tuple[str, ...]


class Command:
    """Stands in for ``neo4j-admin``; ``fails`` with that message."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.fails: Callable[[Instance], str] | None = None

    def __call__(
        self,
        prepared: Any,
        instance: Instance,
        arguments: Sequence[str],
        on_line: Callable[[str], None],
        heap: int,
        *,
        flags: tuple[str, ...],
    ) -> None:
        links = sorted(instance.import_folder.iterdir())
        texts = [link.read_text() for link in links]
        self.runs.append(Run(list(arguments), instance.import_marker.exists(), texts, flags))
        for line in PRINTED.splitlines():
            on_line(line)
        if self.fails:
            raise ServerError(self.fails(instance))


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Command:
    stand_in = Command()
    monkeypatch.setattr(store_import.admin, "run", stand_in)
    return stand_in


def fill(instance: Instance, inputs: Inputs, **options: Any) -> list[Event]:
    events: list[Event] = []
    store_import.run_import(None, instance, inputs, ImportOptions(**options), events.append)  # type: ignore[arg-type]
    return events


def test_a_few_rows_are_not_worth_an_optimising_compiler_and_a_parallel_collector(
    instance: Instance, inputs: Inputs, command: Command
) -> None:
    fill(instance, inputs)
    many = inputs.relationships[0][1]
    many.write_text("0,1,knows\n" * 900_000)
    fill(instance, inputs)
    few, all_of_them = (run.flags for run in command.runs)
    assert {"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"} <= set(few)
    assert all_of_them == ("-XX:MaxInlineLevel=9", "-XX:FreqInlineSize=150")


def test_there_is_room_for_the_longest_row(
    instance: Instance, inputs: Inputs, command: Command
) -> None:
    for longest in (0, 2 << 20, (2 << 20) + 1, 40_000_000):
        fill(instance, inputs, max_row_bytes=longest)
    sizes = [
        [one for one in run.arguments if one.startswith("--read-buffer-size")]
        for run in command.runs
    ]
    assert sizes == [[], [], ["--read-buffer-size=5m"], ["--read-buffer-size=77m"]]


def test_the_mark_is_there_while_the_command_works_and_only_then(
    instance: Instance, inputs: Inputs, command: Command
) -> None:
    fill(instance, inputs)
    assert command.runs[0].marked
    assert not instance.import_marker.exists()
    assert not instance.import_folder.exists()
    events: list[Event] = []
    unfinished_import.discard(instance, events.append)
    assert events == []
    assert unfinished_import.has_store(instance)


def test_files_are_read_by_plain_names(
    instance: Instance, inputs: Inputs, command: Command
) -> None:
    fill(instance, inputs)
    (run,) = command.runs
    assert "--nodes=importing/file-0,importing/file-1" in run.arguments
    assert "--relationships=importing/file-2,importing/file-3" in run.arguments
    assert run.read == [path.read_text() for path in (*inputs.nodes[0], *inputs.relationships[0])]


@pytest.mark.parametrize(
    ("chosen", "files"),
    [(None, "importing/file-1,importing/file-3"), ("nodes", "importing/file-1"), ("", None)],
)
def test_line_breaks_are_looked_for_where_they_may_be(
    instance: Instance, inputs: Inputs, command: Command, chosen: str | None, files: str | None
) -> None:
    data = None if chosen is None else [p for p in inputs.data() if p.name == chosen]
    fill(instance, inputs, multiline=data)
    given = [a for a in command.runs[0].arguments if a.startswith("--multiline-fields=")]
    assert given == ([f"--multiline-fields={files}"] if files else [])


def test_progress_is_read_from_what_the_command_prints(
    instance: Instance, inputs: Inputs, command: Command
) -> None:
    events = fill(instance, inputs, rows=(3, 1_000_000))
    seen = [(e.stage, e.done, e.total, e.unit) for e in events if isinstance(e, Progress)]
    assert seen == [
        ("importing nodes", 0, 3, "nodes"),
        ("importing nodes", 1, 3, "nodes"),
        ("importing nodes", 3, 3, "nodes"),
        ("importing relationships", 0, 1_000_000, "relationships"),
        ("importing relationships", 1_000_000, 1_000_000, "relationships"),
        # Eight of ten types first, and of these one direction first.
        ("linking relationships", 0, 1_000_000, "relationships"),
        ("linking relationships", 192_000, 1_000_000, "relationships"),
        ("linking relationships", 400_000, 1_000_000, "relationships"),
        ("linking relationships", 400_000, 1_000_000, "relationships"),
        ("linking relationships", 800_000, 1_000_000, "relationships"),
        ("linking relationships", 800_000, 1_000_000, "relationships"),
    ]


def test_rows_that_nobody_counted_are_estimated(
    instance: Instance, inputs: Inputs, command: Command
) -> None:
    last = {e.stage: e for e in fill(instance, inputs) if isinstance(e, Progress)}
    about = last["importing nodes"]
    assert about.done == about.total == 3  # by the length of its lines; there are two
    assert last["linking relationships"].total == 2


def test_a_failure_names_the_callers_file_and_leaves_the_marker(
    instance: Instance, inputs: Inputs, command: Command
) -> None:
    command.fails = lambda there: f"In {there.root}/importing/file-1 @ position 10: bad"
    with pytest.raises(ServerError) as failure:
        fill(instance, inputs)
    assert failure.value.message == f"In {inputs.nodes[0][1]} @ position 10: bad"
    assert "deletes the partial data" in (failure.value.hint or "")
    assert instance.import_marker.exists()
    assert not unfinished_import.has_store(instance)


def test_a_disk_that_fills_up_is_told_with_what_to_do(
    instance: Instance, inputs: Inputs, command: Command
) -> None:
    command.fails = lambda there: "failed: java.io.IOException: No space left on device"
    with pytest.raises(ServerError, match=f"disk of {instance.data} became full") as failure:
        fill(instance, inputs)
    assert "KGDB_HOME" in (failure.value.hint or "")
    assert instance.import_marker.exists()
    assert not unfinished_import.has_store(instance)


def test_what_an_import_left_is_removed_and_the_password_stays(instance: Instance) -> None:
    unfinished_import.set_marker(instance)
    events: list[Event] = []
    unfinished_import.discard(instance, events.append)
    (event,) = events
    assert isinstance(event, Message)
    assert "was not finished" in event.text
    assert not instance.import_marker.exists()
    left = {str(path.relative_to(instance.data)) for path in instance.data.rglob("content")}
    assert left == {"databases/system/content"}
    unfinished_import.discard(instance, events.append)
    assert len(events) == 1


def test_an_import_left_running_is_ended_first(instance: Instance) -> None:
    code = "import time; time.sleep(60)"
    ours, other = (
        subprocess.Popen([sys.executable, "-c", code, process.command_argument(home)])
        for home in (instance.root, instance.root.with_name("other"))
    )
    try:
        unfinished_import.set_marker(instance)
        unfinished_import.discard(instance, silent)
        assert ours.wait(5) == -signal.SIGTERM
        assert other.poll() is None
    finally:
        for child in (ours, other):
            child.kill()
            child.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_a_command_dies_with_its_killed_parent() -> None:
    code = (
        "import subprocess, sys;"
        "from kgdb.runtime.machine.die_with_parent import die_with_parent;"
        "command = [sys.executable, '-c', 'import time; print(1, flush=True); time.sleep(60)'];"
        "child = subprocess.Popen(die_with_parent(command), stdout=subprocess.PIPE);"
        "child.stdout.readline(); print(child.pid, flush=True); child.wait()"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = psutil.Process(int(parent.stdout.readline()))
    assert "die_with_parent.py" not in " ".join(child.cmdline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 5
    while child.is_running() and child.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_command_does_not_start_after_the_death_of_its_parent(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux tells a child of its parent's end")
    began = tmp_path / "began"
    command = die_with_parent([sys.executable, "-c", f"open({str(began)!r}, 'w')"])
    command[4] = "1"  # a parent that it does not have
    subprocess.run(command, check=True)
    assert not began.exists()


def test_too_small_a_disk_is_told_in_numbers(
    instance: Instance, inputs: Inputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = type(store_import.shutil.disk_usage(instance.root))
    needed = inputs.store_size() + (320 << 20)
    read = sum(path.stat().st_size for path in inputs.data())

    def free(size: int) -> None:
        monkeypatch.setattr(store_import.shutil, "disk_usage", lambda path: usage(1 << 40, 0, size))

    free(needed - 2000)  # what the present database takes counts as free
    store_import.require_space(instance, inputs)
    free(needed - 2001)
    with pytest.raises(ServerError, match="too full for the import") as failure:
        store_import.require_space(instance, inputs)
    for numbers in (
        f"about {needed:,}",
        f"{needed - 2001:,} are free",
        "database has 2,000",
        f"for {read}",
    ):
        assert numbers in failure.value.message


def test_the_store_size_follows_the_number_of_rows(tmp_path: Path) -> None:
    header, short, long = (tmp_path / name for name in ("header", "short", "long"))
    header.write_text(":START_ID,:END_ID,:TYPE\n")
    short.write_text("0,1,a\n" * 500_000)
    long.write_text("0,1,a\n" * 1_000_000)
    sizes = [Inputs([], [[header, path]]).store_size() for path in (short, long)]
    assert sizes[1] == pytest.approx(2 * sizes[0], rel=0.01)
    assert sizes[0] >= 500_000 * 34  # one record


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ([], "needs at least one file of nodes"),
        ([["nodes"]], "a file with the header line, then"),
        ([[]], "An empty group"),
        ([["nodes-header", "nowhere"]], "nowhere, a file to import, does not exist"),
        ([["nodes-header", "."]], "is not a file"),
    ],
)
def test_files_that_cannot_be_imported_are_named(
    inputs: Inputs, groups: list[list[str]], reason: str
) -> None:
    folder = inputs.nodes[0][0].parent
    with pytest.raises(UsageError, match=reason):
        Inputs([[folder / name for name in group] for group in groups], []).check(ImportOptions())
    inputs.check(ImportOptions(multiline=inputs.data()))
    with pytest.raises(UsageError, match=r"nodes in `multiline` is not a data file"):
        inputs.check(ImportOptions(multiline=[Path("nodes")]))
