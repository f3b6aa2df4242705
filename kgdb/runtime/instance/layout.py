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
    import_marker: Path
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
        import_marker=root / "importing.json",
        import_folder=root / "importing",
        lock=folder / f".{name}.lock",
    )


def instance_names(home: Path) -> tuple[str, ...]:
    """The instances that exist, sorted.

    Raises :class:`ServerError` where they are another user's.
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
    """The error for a file or folder that the operating system would not let us write."""
    reason = error.strerror or str(error)
    hint = "Fix that, or set KGDB_HOME to another folder."
    if error.errno in (errno.EACCES, errno.EPERM):
        owner = _owner(path)
        if owner is not None:
            reason = f"it belongs to {owner} ({reason})"
            hint = (
                "The folder of a local server is one user's. Set KGDB_HOME to a folder of your "
                "own; or use that user's running server by its address and password, which "
                "`kgdb status --env` prints for its owner."
            )
        else:
            hint = "Give yourself the right to write it, or set KGDB_HOME to another folder."
    elif error.errno == errno.EROFS:
        hint = "Make its file system writable, or set KGDB_HOME to another folder."
    elif error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = f"Free space there{_free_near(path)}, or set KGDB_HOME to another folder."
    return ServerError(f"{path} cannot be {how}: {reason}.", hint=hint)


def require_access(instance: Instance) -> None:
    """Raise :class:`ServerError` for an instance that is there, but another user's."""
    try:
        if not instance.root.exists() or os.access(instance.root, os.R_OK | os.X_OK):
            return
    except PermissionError:
        pass
    refused = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    raise unwritable(instance.root, refused, how="used")


def _owner(path: Path) -> str | None:
    """Who owns the nearest folder or file that is there; ``None`` where that is this user."""
    for place in (path, *path.parents):
        try:
            owner = place.stat().st_uid
        except OSError:
            continue
        if owner == os.geteuid():
            return None
        try:
            return f"the user {place.owner()}"
        except (KeyError, NotImplementedError):
            return f"the user with the number {owner}"
    return None


def _free_near(path: Path) -> str:
    for place in (path, *path.parents):
        with suppress(OSError):
            return f" ({shutil.disk_usage(place).free:,} bytes are free)"
    return ""


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
