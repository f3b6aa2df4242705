"""What an offline import leaves that was killed or failed: noted beforehand, and thrown away.

An import writes the store without a transaction log. What one leaves that did not end is of no
use, though a server might well start on it. So a mark lies in the instance's folder from before
the store is touched until the import has succeeded, and whoever starts the server next and finds
the mark removes the store first. The database ``system``, and with it the password, stays.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path

from kgdb.disk import Disk
from kgdb.progress import Message, Report
from kgdb.runtime.instance import layout
from kgdb.runtime.instance.layout import Instance
from kgdb.runtime.processes import process
from kgdb.wording import short

DATABASE = "neo4j"
COMMAND_GRACE_S = 5.0


def set_marker(instance: Instance) -> None:
    """Note, on disk, that the store is not whole from now on."""
    content = {"pid": os.getpid(), "began": time.strftime("%Y-%m-%dT%H:%M:%S%z")}
    layout.write_atomically(instance.import_marker, json.dumps(content) + "\n")
    layout.sync_folder(instance.root)


def clear_marker(instance: Instance) -> None:
    """Note, on disk, that the store is whole, or gone."""
    instance.import_marker.unlink(missing_ok=True)
    layout.sync_folder(instance.root)
    shutil.rmtree(instance.import_folder, ignore_errors=True)


def has_store(instance: Instance) -> bool:
    """Whether there is a database that a server can serve."""
    return store(instance)[0].exists() and not instance.import_marker.exists()


def store(instance: Instance) -> tuple[Path, Path]:
    """The folders of the database and of its log."""
    databases, transactions = (instance.data / kind for kind in ("databases", "transactions"))
    return databases / DATABASE, transactions / DATABASE


def disk_of(instance: Instance) -> Disk:
    """The disk that the database lies on."""
    return Disk(instance.data, store(instance)[1])


def discard(instance: Instance, report: Report) -> None:
    """Remove what an unfinished import left, so that the database starts empty; say so.

    The caller holds the instance's lock, and no server runs.
    """
    # A process that was killed may have left its import, which goes on writing.
    process.end_commands(instance.root, COMMAND_GRACE_S)
    if not instance.import_marker.exists():
        return
    try:
        for folder in store(instance):
            if folder.exists():
                shutil.rmtree(folder)
        clear_marker(instance)
    except OSError as error:
        raise layout.unwritable(instance.data, error) from error
    report(
        Message(
            f"An import into instance {short(instance.name)} did not end: what it left is "
            "removed, and the database begins empty"
        )
    )
