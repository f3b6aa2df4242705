"""Where the files of the local server lie below ``settings.home``.

jars/                    the downloaded jars, laid out as a Maven repository, shared by all
                         instances; beside them an archive of their classes (archive.py)
instances/NAME/          one server: Neo4j's home folder
    conf/  data/  import/  logs/  plugins/  run/
    credentials.json     user name and password (mode 0600)
    state.json           the running server, absent when there is none
    port                 the Bolt port it used last
    plugins.json         which files in plugins/ are kgdb's; all others are the user's
    importing.json       there while an offline import fills the database, and after one that
                         was stopped half-way
    importing/           links to the files that an import reads
"""

from __future__ import annotations

import json
import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kgdb.errors import ServerError, UsageError
from kgdb.private import FILE, private_folder
from kgdb.wording import short

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")


@dataclass(frozen=True, slots=True)
class Instance:
    """The paths of one instance, as drawn above.

    ``lock`` is held while the instance is started, stopped or changed; it lies beside the folder,
    because a reset deletes that.
    """

    name: str
    root: Path
    conf: Path
    data: Path
    logs: Path
    plugins: Path
    own_plugins: Path
    console_log: Path
    debug_log: Path
    credentials: Path
    state: Path
    port: Path
    import_mark: Path
    import_folder: Path
    lock: Path

    def create(self) -> None:
        """Make the folders, readable by their owner only."""
        try:
            inside = (self.conf, self.data, self.logs, self.plugins)
            for folder in (self.root.parent, self.root, *inside):
                private_folder(folder)
        except OSError as error:
            raise unwritable(self.root, error) from error


def instance(home: Path, name: str) -> Instance:
    """The paths of the named instance, which need not exist.

    Raises :class:`UsageError` for a name that is not a plain one: it becomes a folder's name.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{short(name)} is not a name for an instance; expected 1 to 63 letters (a-z), digits, "
            "'-' or '_', beginning with a letter or digit.",
            hint="Choose another with KGDB_INSTANCE or --instance.",
        )
    # Resolved, because a server process is recognised by this path.
    folder = Path(os.path.realpath(home / "instances"))
    root = folder / name
    return Instance(
        name=name,
        root=root,
        conf=root / "conf",
        data=root / "data",
        logs=root / "logs",
        plugins=root / "plugins",
        own_plugins=root / "plugins.json",
        console_log=root / "logs" / "console.log",
        debug_log=root / "logs" / "debug.log",
        credentials=root / "credentials.json",
        state=root / "state.json",
        port=root / "port",
        import_mark=root / "importing.json",
        import_folder=root / "importing",
        lock=folder / f".{name}.lock",
    )


def instance_names(home: Path) -> tuple[str, ...]:
    """The instances that exist, sorted."""
    folder = home / "instances"
    if not folder.is_dir():
        return ()
    return tuple(sorted(p.name for p in folder.iterdir() if p.is_dir() and _NAME.fullmatch(p.name)))


def unwritable(path: Path, error: OSError) -> ServerError:
    """The error for a file or folder that the operating system would not let us write."""
    return ServerError(
        f"{path} cannot be written: {error.strerror or error}.",
        hint="Free space or fix its permissions, or set KGDB_HOME to another folder.",
    )


def folder_size(folder: Path) -> int:
    """The bytes of all files below a folder."""
    size = 0
    for path in folder.rglob("*"):
        with suppress(OSError):  # files come and go while a server runs
            size += path.stat().st_size if path.is_file() else 0
    return size


def write_atomically(path: Path, content: str, *, mode: int = FILE) -> None:
    """Replace a file so that a reader, or a crash, sees the old content or the new, never half."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        try:
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                os.fchmod(descriptor, mode)
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error


def sync_folder(folder: Path) -> None:
    """Make the disk hold the names that the folder has now."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_json(path: Path) -> dict[str, object] | None:
    """The JSON object in a file; ``None`` when it is absent or not one."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None
