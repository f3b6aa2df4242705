"""Fills the database of a stopped instance, by ``neo4j-admin database import full`` or from a dump.

The store is useless until that succeeds, so a marker says so: see ``unfinished_import.py``.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgdb.errors import ServerError, UsageError
from kgdb.file_permissions import private_folder
from kgdb.progress import Message, Report
from kgdb.runtime.importing import admin
from kgdb.runtime.importing.admin import OutputReader
from kgdb.runtime.instance import instance_layout
from kgdb.runtime.instance.instance_layout import Instance
from kgdb.runtime.machine import server_memory
from kgdb.runtime.machine.server_memory import GIB, MIB
from kgdb.runtime.starting import unfinished_import
from kgdb.runtime.starting.launching import JavaSetup
from kgdb.wording import short

ARRAY_DELIMITER = "\ufdd0"
"""The separator of list elements and of labels: a character that Unicode reserves for no text."""

FileGroups = Sequence[Sequence[Path]]
"""For each group: the file with the header line, then the files with the data."""

_SAMPLE_BYTES = 1 << 20
_SPARE_BYTES = 320 << 20  # the log of the new database takes 256 MiB of it in any configuration
# Measured: bytes of store per row, without its texts.
_NODE_BYTES = 120
_RELATIONSHIP_BYTES = 80
# With fewer rows the optimising compiler costs more than it saves (2 of 6 s for 180,000 rows,
# nothing for a million). So do the threads of a parallel collector (0.5 of 6 s of processor time
# for 620,000 rows).
_SMALL_ROWS = 800_000
_SMALL_FLAGS = (
    "-XX:TieredStopAtLevel=1",
    "-XX:-UseParallelGC",
    "-XX:-UseG1GC",
    "-XX:+UseSerialGC",
)
# Half of Java's default inlining depth saves compiler time and costs the import nothing (28 instead
# of 31 s of processor time for ten million rows).
_LARGE_FLAGS = ("-XX:MaxInlineLevel=9", "-XX:FreqInlineSize=150")
# The importer's default read buffer.
_BUFFER_MIB = 4
# Neo4j stores long texts in blocks, the last of which is never full.
_TEXT_FACTOR = 2
_DISK_IS_FULL = "No space left on device"  # the message of the operating system


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The options of an import.

    ``heap`` and ``off_heap`` are sizes such as ``1g``. By default they depend on the machine, up to
    1.2 and 2 GiB: the whole process stays below 4 GB. With less than about 1.1 GiB of ``off_heap``,
    linking many types takes very long. ``multiline`` are the data files with line breaks inside
    fields; ``None``: any file may have some, and reading is slower. ``threads`` 0 means one thread
    per processor. ``rows`` are the numbers of nodes and relationships, for the progress; by default
    they are estimated. ``max_row_bytes`` is the size of the longest row, if it may exceed 2 MiB.
    """

    heap: str | None = None
    off_heap: str | None = None
    multiline: Collection[Path] | None = None
    threads: int = 0
    rows: tuple[int, int] | None = None
    max_row_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files of an import."""

    nodes: FileGroups
    relationships: FileGroups

    def data(self) -> list[Path]:
        """All data files."""
        return [path for group in (*self.nodes, *self.relationships) for path in group[1:]]

    def check(self, options: ImportOptions) -> None:
        """Raise :class:`UsageError` if there are no nodes or a file is missing or unknown."""
        if not self.nodes:
            raise UsageError("An import needs at least one file of nodes.")
        for group in (*self.nodes, *self.relationships):
            if len(group) < 2:
                raise UsageError(
                    f"{', '.join(map(str, group)) or 'An empty group'} is not a valid group of "
                    "files; expected a file with the header line, then at least one data file."
                )
            for path in group:
                if not path.is_file():
                    kind = "is not a file" if path.exists() else "does not exist"
                    raise UsageError(f"{path}, a file to import, {kind}.")
        if others := set(options.multiline or ()) - set(self.data()):
            raise UsageError(
                f"{', '.join(map(str, sorted(others)))} in `multiline` is not a data file.",
                hint="Write it as among the nodes or relationships.",
            )

    def rows(self) -> tuple[int, int]:
        """The estimated numbers of nodes and relationships in the files."""
        nodes, relationships = (
            sum(_rows(path) for group in groups for path in group[1:])
            for groups in (self.nodes, self.relationships)
        )
        return nodes, relationships

    def store_size(self) -> int:
        """The estimated bytes of the store, more likely too many than too few."""
        nodes, relationships = self.rows()
        texts = sum(path.stat().st_size for group in self.nodes for path in group[1:])
        return nodes * _NODE_BYTES + texts * _TEXT_FACTOR + relationships * _RELATIONSHIP_BYTES


def require_space(instance: Instance, inputs: Inputs) -> None:
    """Raise :class:`ServerError` if the disk is too small for the store.

    The present database counts as free space: the import deletes it first.
    """
    needed = inputs.store_size() + _SPARE_BYTES
    free = shutil.disk_usage(instance.root).free
    present = sum(
        instance_layout.folder_size(folder) for folder in unfinished_import.store(instance)
    )
    if free + present < needed:
        read = sum(path.stat().st_size for path in inputs.data())
        raise ServerError(
            f"The disk of {instance.data} is too full for the import: about {needed:,} bytes are "
            f"needed (for {read:,} bytes of CSV), {free:,} are free and the present database "
            f"has {present:,}.",
            hint="Free space there, or set KGDB_HOME to a folder on another disk.",
        )


def run_import(
    prepared: JavaSetup, instance: Instance, inputs: Inputs, options: ImportOptions, report: Report
) -> None:
    """Replace the database by the content of the files.

    The caller holds the instance's lock, and no server runs. If the import fails, raises
    :class:`ServerError` with the import's own reason, and the marker stays.
    """
    names = _link(instance, inputs)
    arguments = [
        *("database", "import", "full", unfinished_import.DATABASE),
        "--verbose",  # otherwise errors come without a reason
        "--overwrite-destination=true",
        f"--report-file={instance.logs / 'import.report'}",
        f"--max-off-heap-memory={_off_heap(options)}",
        *([f"--threads={options.threads}"] if options.threads else []),
        *file_arguments(inputs, options, names),
    ]
    rows = inputs.rows()
    output = OutputReader(*(options.rows or rows), report)
    flags = _SMALL_FLAGS if sum(rows) < _SMALL_ROWS else _LARGE_FLAGS
    unfinished_import.set_marker(instance)
    try:
        admin.run(prepared, instance, arguments, output.read, heap=_heap(options), flags=flags)
    except ServerError as error:
        if _DISK_IS_FULL in error.message:
            raise ServerError(
                f"The disk of {instance.data} became full during the import.",
                hint="Free space there, or set KGDB_HOME to a folder on another disk, then run the "
                f"same command again. The next start of instance {short(instance.name)} deletes "
                "the partial data and starts with an empty database.",
            ) from error
        raise ServerError(
            _with_real_paths(error.message, instance, names),
            hint=f"The next start of instance {short(instance.name)} deletes the partial data and "
            "starts with an empty database. Correct the files, then import again. Node ids must be "
            "0, 1, 2, …, and each relationship must connect two of them.",
        ) from error
    unfinished_import.clear_marker(instance)


def _link(instance: Instance, inputs: Inputs) -> dict[Path, str]:
    """Links to the files, with their names relative to the instance's folder.

    The command misreads commas and regular expression characters in a path.
    """
    paths = dict.fromkeys(
        path for group in (*inputs.nodes, *inputs.relationships) for path in group
    )
    links = {path: f"file-{number}" for number, path in enumerate(paths)}
    folder = _linked(instance, links)
    return {path: f"{folder}/{link}" for path, link in links.items()}


def file_arguments(inputs: Inputs, options: ImportOptions, names: dict[Path, str]) -> list[str]:
    """The arguments that name the files, and say how they are written; ``names`` is for each."""
    return [
        *_format(inputs, options, names),
        *_buffers(options),
        *(_group("--nodes", group, names) for group in inputs.nodes),
        *(_group("--relationships", group, names) for group in inputs.relationships),
    ]


def _format(inputs: Inputs, options: ImportOptions, names: dict[Path, str]) -> list[str]:
    """Arguments that make the import keep every text unchanged and skip nothing."""
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
        "--normalize-types=true",  # integers get the size of Cypher's integers
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
    """A buffer for the longest row: a longer row fails the import, or hangs it."""
    needed = -(-2 * options.max_row_bytes // MIB)
    return [f"--read-buffer-size={needed}m"] if needed > _BUFFER_MIB else []


def _group(option: str, group: Sequence[Path], names: dict[Path, str]) -> str:
    return f"{option}={','.join(names[path] for path in group)}"


def _with_real_paths(message: str, instance: Instance, names: dict[Path, str]) -> str:
    for path, name in reversed(names.items()):  # file-12 before file-1
        message = message.replace(str(instance.root / name), str(path))
    return message


def _heap(options: ImportOptions) -> int:
    if options.heap:
        return server_memory.parse_size(options.heap, "heap", 256 * MIB)
    return min(1200 * MIB, server_memory.machine_memory() // 4)


def _off_heap(options: ImportOptions) -> int:
    if options.off_heap:
        return server_memory.parse_size(options.off_heap, "off_heap", 64 * MIB)
    # Below about 1 GiB Neo4j links one type at a time, each with a pass over all relationships.
    return max(min(2 * GIB, server_memory.machine_memory() // 2), 1280 * MIB)


def _rows(path: Path) -> int:
    """The estimated number of lines in a file, from the length of its first lines."""
    with path.open("rb") as file:
        sample = file.read(_SAMPLE_BYTES)
    size = path.stat().st_size
    return sample.count(b"\n") * size // len(sample) + 1 if sample else 0


def require_file(path: Path) -> None:
    """Raise :class:`UsageError` if there is no such file."""
    if not path.is_file():
        kind = "is not a file" if path.exists() else "does not exist"
        raise UsageError(
            f"{path}, a dump to load, {kind}.",
            hint="Expected what neo4j-admin database dump writes: neo4j.dump",
        )


def load_dump(prepared: JavaSetup, instance: Instance, path: Path, report: Report) -> None:
    """Replace the database by that of the dump.

    The caller holds the instance's lock, and no server runs. A dump of an older Neo4j is migrated.
    If the load fails, raises :class:`ServerError` with the reason of the command, and the marker
    stays: the next start deletes the partial data.
    """
    database = unfinished_import.DATABASE
    unfinished_import.set_marker(instance)
    folder = _linked(instance, {path: f"{database}.dump"})  # the name must be the database's
    commands = (
        ("Loading the dump", ["load", f"--from-path={folder}", "--overwrite-destination=true"]),
        ("Bringing it to this version of Neo4j", ["migrate", "--force-btree-indexes-to-range"]),
    )
    try:
        for text, (command, *options) in commands:
            report(Message(f"{text} …"))
            admin.run(
                prepared, instance, ["database", command, "--verbose", *options, database], None
            )
    except ServerError as error:
        raise ServerError(
            f"The dump {path} cannot be loaded. {error.message}",
            hint="Expected what neo4j-admin database dump writes, of Neo4j 4.4 or later, and not "
            "in the block format of the Enterprise Edition. The next start of instance "
            f"{short(instance.name)} deletes the partial data and starts with an empty database.",
        ) from error
    unfinished_import.clear_marker(instance)


def _linked(instance: Instance, links: Mapping[Path, str]) -> str:
    """The name of a new folder with links of these names to the files."""
    folder = instance.import_folder
    try:
        if folder.exists():
            shutil.rmtree(folder)
        private_folder(folder)
        for path, name in links.items():
            (folder / name).symlink_to(path.absolute())
    except OSError as error:
        raise instance_layout.unwritable(folder, error) from error
    return folder.name
