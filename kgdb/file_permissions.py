"""Folders and files that only their owner may read, whatever the umask says."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

UMASK = 0o077
"""Of the processes that kgdb starts: what they write is their owner's alone."""

FOLDER, FILE = 0o700, 0o600


def private_folder(path: Path) -> Path:
    """The folder, made with all that it lies in where they are missing; raises :class:`OSError`.

    A folder that is there already becomes private too. What it lies in stays as it is, and what a
    link leads to: both may be shared on purpose.
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
    """The file, made empty where there is none; raises :class:`OSError`."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, FILE))
    _restrict(path, FILE)
    return path


def _restrict(path: Path, mode: int) -> None:
    # A folder of somebody else's can be used, and not be changed.
    with suppress(PermissionError):
        if path.stat().st_mode & 0o777 != mode:
            path.chmod(mode)
