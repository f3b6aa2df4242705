"""The marker of an unfinished offline import, and the deletion of its partial data.

An import writes the store without a transaction log, so the partial store of a killed or failed
import is useless, although a server might start on it. A marker lies in the instance's folder from
before the first write until the import has succeeded. The next start finds the marker and deletes
the partial store first. The database ``system``, and with it the password, stays.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path

from kgdb.disk import Disk
from kgdb.progress import Message, Report
from kgdb.runtime.instance import instance_layout
from kgdb.runtime.instance.instance_layout import Instance
from kgdb.runtime.machine import process
from kgdb.wording import short

DATABASE = "neo4j"
COMMAND_GRACE_S = 5.0


def set_marker(instance: Instance) -> None:
    """Write the marker to the disk: from now on the store is incomplete."""
    content = {"pid": os.getpid(), "began": time.strftime("%Y-%m-%dT%H:%M:%S%z")}
    instance_layout.write_atomically(instance.import_marker, json.dumps(content) + "\n")
    instance_layout.sync_folder(instance.root)


def clear_marker(instance: Instance) -> None:
    """Delete the marker from the disk: the store is complete, or deleted."""
    instance.import_marker.unlink(missing_ok=True)
    instance_layout.sync_folder(instance.root)
    shutil.rmtree(instance.import_folder, ignore_errors=True)


def has_store(instance: Instance) -> bool:
    """Whether the instance has a complete database."""
    return store(instance)[0].exists() and not instance.import_marker.exists()


def store(instance: Instance) -> tuple[Path, Path]:
    """The folders of the database and of its transaction log."""
    databases, transactions = (instance.data / kind for kind in ("databases", "transactions"))
    return databases / DATABASE, transactions / DATABASE


def disk_of(instance: Instance) -> Disk:
    """The disk of the database."""
    return Disk(instance.data, store(instance)[1])


def discard(instance: Instance, report: Report) -> None:
    """Delete the partial data of an unfinished import and report it; the database starts empty.

    The caller holds the instance's lock, and no server runs.
    """
    # A killed process may have left its import running.
    process.end_commands(instance.root, COMMAND_GRACE_S)
    if not instance.import_marker.exists():
        return
    try:
        for folder in store(instance):
            if folder.exists():
                shutil.rmtree(folder)
        clear_marker(instance)
    except OSError as error:
        raise instance_layout.unwritable(instance.data, error) from error
    report(
        Message(
            f"An import into instance {short(instance.name)} was not finished: its partial data "
            "are deleted, and the database starts empty"
        )
    )
