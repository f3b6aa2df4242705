"""Private folders and files: only their owner may read them, whatever the umask is."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

UMASK = 0o077
"""The umask of processes that kgdb starts: their files are private too."""

FOLDER, FILE = 0o700, 0o600


def private_folder(path: Path) -> Path:
    """Create the folder and its missing parents as private folders; raises :class:`OSError`.

    An existing folder becomes private too. Existing parents and the target of a link stay
    unchanged: they may be shared on purpose.
    """
    missing = [path, *path.parents]
    for folder in reversed([each for each in missing if not each.exists()]):
        with suppress(FileExistsError):
            folder.mkdir(FOLDER)
        _restrict(folder, FOLDER)
    if not path.is_symlink():
        _restrict(path, FOLDER)
    return path


def private_file(path: Path) -> Path:
    """Make the file private, and create it if it is missing; raises :class:`OSError`."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, FILE))
    _restrict(path, FILE)
    return path


def _restrict(path: Path, mode: int) -> None:
    # A folder of another user can be usable although its mode cannot be changed.
    with suppress(PermissionError):
        if path.stat().st_mode & 0o777 != mode:
            path.chmod(mode)
