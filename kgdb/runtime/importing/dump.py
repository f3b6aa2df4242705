"""Fills the database of a stopped instance from a dump, by ``neo4j-admin database load``."""

from __future__ import annotations

import shutil
from pathlib import Path

from kgdb.errors import ServerError, UsageError
from kgdb.file_permissions import private_folder
from kgdb.progress import Message, Report
from kgdb.runtime.importing import admin
from kgdb.runtime.instance import layout
from kgdb.runtime.instance.layout import Instance
from kgdb.runtime.starting import unfinished_import
from kgdb.runtime.starting.launching import JavaSetup
from kgdb.wording import short


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
    folder = _linked(instance, path, f"{database}.dump")
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


def _linked(instance: Instance, path: Path, name: str) -> str:
    """The folder with a link to the dump, whose name must be that of the database."""
    folder = instance.import_folder
    try:
        if folder.exists():
            shutil.rmtree(folder)
        private_folder(folder)
        (folder / name).symlink_to(path.absolute())
    except OSError as error:
        raise layout.unwritable(folder, error) from error
    return folder.name
