"""Filling the database of a stopped instance offline, by ``neo4j-admin database import full``.

What it writes is of no use until it has succeeded, so it is marked as such: see unfinished.py.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgdb.errors import ServerError, UsageError
from kgdb.file_permissions import private_folder
from kgdb.progress import Report
from kgdb.runtime.importing import admin
from kgdb.runtime.importing.import_progress import OutputReader
from kgdb.runtime.instance import layout
from kgdb.runtime.instance.layout import Instance
from kgdb.runtime.machine import memory
from kgdb.runtime.machine.memory import GIB, MIB
from kgdb.runtime.starting import unfinished_import
from kgdb.runtime.starting.launching import JavaSetup
from kgdb.wording import short

ARRAY_DELIMITER = "\ufdd0"
"""Stands between the elements of a list, and between labels: Unicode promises it to no text."""

FileGroups = Sequence[Sequence[Path]]
"""Of each kind of row: the file with the header, then those with the data."""

_SAMPLE_BYTES = 1 << 20
_SPARE_BYTES = 320 << 20  # the log of the new database takes 256 MiB of it, whatever is set
# Measured: bytes of store that a row becomes, besides the text in it.
_NODE_BYTES = 120
_RELATIONSHIP_BYTES = 80
# Below it the optimising compiler costs an import more than its code saves (2 of 6 s for 180,000
# rows, nothing for a million), and so do the threads of a parallel collector (0.5 of 6 s of
# processor time for 620,000 rows).
_BRIEF_ROWS = 800_000
_BRIEF = (
    "-XX:TieredStopAtLevel=1",
    "-XX:-UseParallelGC",
    "-XX:-UseG1GC",
    "-XX:+UseSerialGC",
)
# Inlining half as deep as Java does by itself costs the compiler less and the import nothing (28
# instead of 31 s of processor time for ten million rows).
_LONG = ("-XX:MaxInlineLevel=9", "-XX:FreqInlineSize=150")
# What the importer reads at a time, if it is not told otherwise.
_BUFFER_MIB = 4
# Neo4j keeps short texts packed, and long ones in blocks that the last of is never full.
_TEXT_FACTOR = 2
_DISK_IS_FULL = "No space left on device"  # as the system says it


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How an import goes about its work.

    ``heap`` and ``off_heap`` are sizes such as ``1g``. Unset, they are what the machine gives, at
    most 1.2 and 2 GiB, so that the whole process stays below 4 GB; with less than about 1.1 GiB
    of the second, linking many types takes very long. ``multiline`` are the data files with a
    line break inside a field; ``None`` means that any may have one, which is read more slowly.
    ``threads`` is 0 for one per processor. ``rows`` are how many nodes and relationships the files
    hold, for those who watch; unset, it is estimated by the size of the files. ``longest`` are
    the bytes of the longest row, where one may have more than 2 MiB.
    """

    heap: str | None = None
    off_heap: str | None = None
    multiline: Collection[Path] | None = None
    threads: int = 0
    rows: tuple[int, int] | None = None
    longest: int = 0


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files that an import reads."""

    nodes: FileGroups
    relationships: FileGroups

    def data(self) -> list[Path]:
        """All files that hold rows."""
        return [path for group in (*self.nodes, *self.relationships) for path in group[1:]]

    def check(self, options: ImportOptions) -> None:
        """Raise :class:`UsageError` unless there are nodes, and all files, those of the options."""
        if not self.nodes:
            raise UsageError("An import needs nodes; no file of nodes was given.")
        for group in (*self.nodes, *self.relationships):
            if len(group) < 2:
                raise UsageError(
                    f"{', '.join(map(str, group)) or 'An empty group'} is not what an import "
                    "reads; expected a file with the header, then at least one with the data."
                )
            for path in group:
                if not path.is_file():
                    kind = "is not a file" if path.exists() else "does not exist"
                    raise UsageError(f"{path}, which is to be imported, {kind}.")
        if others := set(options.multiline or ()) - set(self.data()):
            raise UsageError(
                f"{', '.join(map(str, sorted(others)))} of `multiline` is none of the data files.",
                hint="Name it as among the nodes or relationships.",
            )

    def rows(self) -> tuple[int, int]:
        """About how many nodes and relationships the files hold."""
        nodes, relationships = (
            sum(_rows(path) for group in groups for path in group[1:])
            for groups in (self.nodes, self.relationships)
        )
        return nodes, relationships

    def store_size(self) -> int:
        """About how many bytes of disk the store will take, more likely too many than too few."""
        nodes, relationships = self.rows()
        texts = sum(path.stat().st_size for group in self.nodes for path in group[1:])
        return nodes * _NODE_BYTES + texts * _TEXT_FACTOR + relationships * _RELATIONSHIP_BYTES


def require_space(instance: Instance, inputs: Inputs) -> None:
    """Raise :class:`ServerError` if the disk is too small for the store.

    What the database holds now counts as free: it is deleted first.
    """
    needed = inputs.store_size() + _SPARE_BYTES
    free = shutil.disk_usage(instance.root).free
    freed = sum(layout.folder_size(folder) for folder in unfinished_import.store(instance))
    if free + freed < needed:
        read = sum(path.stat().st_size for path in inputs.data())
        raise ServerError(
            f"The disk of {instance.data} is too full for the import: about {needed:,} bytes are "
            f"needed (for {read:,} bytes of CSV), {free:,} are free and the present database "
            f"gives back {freed:,}.",
            hint="Free space there, or set KGDB_HOME to a folder on another disk.",
        )


def run_import(
    prepared: JavaSetup, instance: Instance, inputs: Inputs, options: ImportOptions, report: Report
) -> None:
    """Replace the database by what the files say.

    The caller holds the instance's lock, and no server runs. Raises :class:`ServerError` with the
    import's own reason when it fails; then the mark stays.
    """
    names = _link(instance, inputs)
    arguments = [
        *("database", "import", "full", unfinished_import.DATABASE),
        "--verbose",  # otherwise an error does not say what is wrong
        "--overwrite-destination=true",
        f"--report-file={instance.logs / 'import.report'}",
        *_format(inputs, options, names),
        f"--max-off-heap-memory={_off_heap(options)}",
        *_buffers(options),
        *([f"--threads={options.threads}"] if options.threads else []),
        *(_group("--nodes", group, names) for group in inputs.nodes),
        *(_group("--relationships", group, names) for group in inputs.relationships),
    ]
    rows = inputs.rows()
    output = OutputReader(*(options.rows or rows), report)
    flags = _BRIEF if sum(rows) < _BRIEF_ROWS else _LONG
    unfinished_import.set_marker(instance)
    try:
        admin.run(prepared, instance, arguments, output.read, heap=_heap(options), flags=flags)
    except ServerError as error:
        if _DISK_IS_FULL in error.message:
            raise ServerError(
                f"The disk of {instance.data} filled up in the middle of the import.",
                hint="Free space there, or set KGDB_HOME to a folder on another disk, and give the "
                f"same command again. Until then the database of instance {short(instance.name)} "
                "is empty: what was imported is removed at its next start.",
            ) from error
        raise ServerError(
            _with_real_paths(error.message, instance, names),
            hint=f"What the database of instance {short(instance.name)} held is gone; its next "
            "start begins with an empty one. The same import can be repeated when the files are "
            "mended. With node ids 0, 1, 2, …, each relationship must be between two of them.",
        ) from error
    unfinished_import.clear_marker(instance)


def _link(instance: Instance, inputs: Inputs) -> dict[Path, str]:
    """Links to the files, and their names for the command, which runs in the instance's folder.

    The command takes commas and the signs of regular expressions in a path for what they are not.
    """
    folder = instance.import_folder
    names: dict[Path, str] = {}
    try:
        if folder.exists():
            shutil.rmtree(folder)
        private_folder(folder)
        for group in (*inputs.nodes, *inputs.relationships):
            for path in group:
                if path not in names:
                    link = folder / f"file-{len(names)}"
                    link.symlink_to(path.absolute())
                    names[path] = f"{folder.name}/{link.name}"
    except OSError as error:
        raise layout.unwritable(folder, error) from error
    return names


def _format(inputs: Inputs, options: ImportOptions, names: dict[Path, str]) -> list[str]:
    """How the files are to be read: every text exactly as it is written, and nothing skipped."""
    multiline = inputs.data() if options.multiline is None else options.multiline
    return [
        "--id-type=actual",
        "--input-encoding=UTF-8",
        "--delimiter=,",
        '--quote="',
        f"--array-delimiter=U+{ord(ARRAY_DELIMITER):04X}",
        "--legacy-style-quoting=false",
        "--trim-strings=false",
        "--ignore-empty-strings=false",
        "--normalize-types=true",  # whole numbers are as long as those that Cypher writes
        "--ignore-extra-columns=false",
        "--skip-bad-relationships=false",
        "--skip-duplicate-nodes=false",
        "--bad-tolerance=0",
        *(
            [
                "--multiline-fields-format=v2",
                f"--multiline-fields={','.join(names[path] for path in multiline)}",
            ]
            if multiline
            else []
        ),
    ]


def _buffers(options: ImportOptions) -> list[str]:
    """Room for the longest row: a longer one ends the import, or keeps it busy for ever."""
    needed = -(-2 * options.longest // MIB)
    return [f"--read-buffer-size={needed}m"] if needed > _BUFFER_MIB else []


def _group(option: str, group: Sequence[Path], names: dict[Path, str]) -> str:
    return f"{option}={','.join(names[path] for path in group)}"


def _with_real_paths(message: str, instance: Instance, names: dict[Path, str]) -> str:
    for path, name in reversed(names.items()):  # file-12 before file-1
        message = message.replace(str(instance.root / name), str(path))
    return message


def _heap(options: ImportOptions) -> int:
    if options.heap:
        return memory.parse_size(options.heap, "heap", 256 * MIB)
    return min(1200 * MIB, memory.machine_memory() // 4)


def _off_heap(options: ImportOptions) -> int:
    if options.off_heap:
        return memory.parse_size(options.off_heap, "off_heap", 64 * MIB)
    # Below about 1 GiB Neo4j links one type at a time, and reads all relationships for each.
    return max(min(2 * GIB, memory.machine_memory() // 2), 1280 * MIB)


def _rows(path: Path) -> int:
    """About how many lines a file has, by the length of its first ones."""
    with path.open("rb") as file:
        sample = file.read(_SAMPLE_BYTES)
    size = path.stat().st_size
    return sample.count(b"\n") * size // len(sample) + 1 if sample else 0
