"""The files of the local servers below ``settings.home``.

jars/                    the downloaded jars in the layout of a Maven repository, for all
                         instances; beside them an archive of their classes (class_archive.py)
instances/NAME/          one server: Neo4j's home folder
    conf/  data/  import/  logs/  plugins/  run/
    credentials.json     user name and password (mode 0600)
    state.json           the running server; absent without one
    port                 the Bolt port of the last start
    plugins.json         the files in plugins/ that are kgdb's; all others are the user's
    importing.json       the marker of a running or interrupted offline import
    importing/           links to the files of an import
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kgdb.errors import ServerError, UsageError
from kgdb.file_permissions import FILE, private_folder
from kgdb.wording import short

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")


@dataclass(frozen=True, slots=True)
class Instance:
    """The paths of one instance.

    ``lock`` is held while the instance is started, stopped or changed; it lies beside the folder,
    because a reset deletes the folder.
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
    import_marker: Path
    import_folder: Path
    lock: Path

    def create(self) -> None:
        """Create the folders, readable by their owner only."""
        try:
            inside = (self.conf, self.data, self.logs, self.plugins)
            for folder in (self.root.parent, self.root, *inside):
                private_folder(folder)
        except OSError as error:
            raise unwritable(self.root, error) from error


def instance(home: Path, name: str) -> Instance:
    """The paths of the named instance, which need not exist.

    Raises :class:`UsageError` for an invalid name: it becomes the name of a folder.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{short(name)} is not a name for an instance; expected 1 to 63 letters (a-z), digits, "
            "'-' or '_', beginning with a letter or digit.",
            hint="Choose another with KGDB_INSTANCE or --instance.",
        )
    # Resolved: a server process is recognised by this path.
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
        import_marker=root / "importing.json",
        import_folder=root / "importing",
        lock=folder / f".{name}.lock",
    )


def instance_names(home: Path) -> tuple[str, ...]:
    """The existing instances, sorted.

    Raises :class:`ServerError` if they belong to another user.
    """
    folder = home / "instances"
    try:
        if not folder.is_dir():
            return ()
        names = (p.name for p in folder.iterdir() if p.is_dir() and _NAME.fullmatch(p.name))
        return tuple(sorted(names))
    except PermissionError as error:
        raise unwritable(folder, error, how="used") from error


def unwritable(path: Path, error: OSError, *, how: str = "written") -> ServerError:
    """The error for a file or folder that kgdb cannot write."""
    reason = error.strerror or str(error)
    hint = "Solve that problem, or set KGDB_HOME to another folder."
    if error.errno in (errno.EACCES, errno.EPERM):
        owner = _owner(path)
        if owner is not None:
            reason = f"it belongs to {owner} ({reason})"
            hint = (
                "The folder of a local server belongs to one user. Set KGDB_HOME to a folder of "
                "your own. Or use that user's running server: `kgdb status --env` prints its "
                "address and password for its owner."
            )
        else:
            hint = "Change its permissions, or set KGDB_HOME to another folder."
    elif error.errno == errno.EROFS:
        hint = "Make its file system writable, or set KGDB_HOME to another folder."
    elif error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = f"Free space there{_free_near(path)}, or set KGDB_HOME to another folder."
    return ServerError(f"{path} cannot be {how}: {reason}.", hint=hint)


def require_access(instance: Instance) -> None:
    """Raise :class:`ServerError` for an existing instance of another user."""
    try:
        if not instance.root.exists() or os.access(instance.root, os.R_OK | os.X_OK):
            return
    except PermissionError:
        pass
    refused = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    raise unwritable(instance.root, refused, how="used")


def _owner(path: Path) -> str | None:
    """The owner of the nearest existing parent; ``None`` if that is this user."""
    for existing in (path, *path.parents):
        try:
            owner = existing.stat().st_uid
        except OSError:
            continue
        if owner == os.geteuid():
            return None
        try:
            return f"the user {existing.owner()}"
        except (KeyError, NotImplementedError):
            return f"the user with the number {owner}"
    return None


def _free_near(path: Path) -> str:
    for existing in (path, *path.parents):
        with suppress(OSError):
            return f" ({shutil.disk_usage(existing).free:,} bytes are free)"
    return ""


def folder_size(folder: Path) -> int:
    """The bytes of all files in a folder."""
    size = 0
    for path in folder.rglob("*"):
        with suppress(OSError):  # a running server creates and deletes files
            size += path.stat().st_size if path.is_file() else 0
    return size


def write_atomically(path: Path, content: str, *, mode: int = FILE) -> None:
    """Replace a file atomically: a reader, or a crash, finds the old or the new content."""
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
    """Flush the entries of the folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_json(path: Path) -> dict[str, object] | None:
    """The JSON object in a file; ``None`` if the file is missing or has no JSON object."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None
