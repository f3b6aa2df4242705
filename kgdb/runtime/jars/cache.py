"""The jar cache: every locked jar present and unaltered, checked cheaply at each start."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import filelock

from kgdb.errors import ArtifactError
from kgdb.file_permissions import private_folder
from kgdb.progress import Message, Report
from kgdb.runtime.instance.layout import read_json, unwritable, write_atomically
from kgdb.runtime.jars.download import download
from kgdb.runtime.jars.lock_file import JarLock, LockedJar
from kgdb.runtime.jars.repository import base_url

_STAMPS = "verified.json"

# Size, modification time and SHA-256 of each jar, by its path, when it was verified.
Stamps = dict[str, object]


@dataclass(frozen=True, slots=True)
class JarCache:
    """The jars below one folder, and the repository (``mirror``) to get missing ones from.

    The folder is laid out as a Maven repository: so it can be another machine's mirror, and the
    class paths that some jars carry, which name neighbours in their folder, match none. Such a
    match would make every class archive unfit.
    """

    folder: Path
    lock: JarLock
    mirror: str | None

    def ensure(self, report: Report) -> None:
        """Make every locked jar present and verified.

        A jar whose SHA-256 was verified once is trusted as long as its size and modification time
        stay the same; otherwise it is verified again, and replaced when it is not the locked one.
        Several processes may call this at once: one works, the others wait. Raises
        :class:`ArtifactError` or :class:`ServerError` as :func:`.download.download` does.
        """
        if not self._unverified(self._stamps()):
            return
        try:
            private_folder(self.folder)
            with filelock.FileLock(self.folder / ".lock"):
                self._repair(report)
        except OSError as error:
            raise unwritable(self.folder, error) from error

    def paths(self, place: str | None = None) -> list[Path]:
        """The jars (of one place), in class-path order."""
        return [
            self.folder / jar.path for jar in self.lock.jars if place is None or jar.place == place
        ]

    def identity(self) -> str:
        """A name of exactly these files, which changes when one is replaced."""
        digest = hashlib.sha256(str(self.folder).encode())
        for path in self.paths():
            status = path.stat()
            # Whole seconds: more does not survive in an image of a container.
            digest.update(f"\n{path} {status.st_size} {int(status.st_mtime)}".encode())
        return digest.hexdigest()[:16]

    def _repair(self, report: Report) -> None:
        stamps = self._stamps()
        wrong = self._verify(self._unverified(stamps), stamps)
        altered = {jar: found for jar, found in wrong.items() if found}
        for jar in altered:
            report(Message(f"{jar.file_name} is not the locked one any more: replacing it"))
        try:
            if wrong:
                download(list(wrong), self.folder, base_url(self.mirror), report)
        except ArtifactError as error:
            raise ArtifactError(
                " ".join([*map(self._describe, altered, altered.values()), error.message]),
                hint=error.hint,
            ) from error
        finally:
            # After a failure too: what did arrive needs no second look.
            self._verify(wrong, stamps)
            write_atomically(self.folder / _STAMPS, json.dumps(stamps))

    def _verify(self, jars: Iterable[LockedJar], stamps: Stamps) -> dict[LockedJar, str]:
        """Stamp the jars that are the locked ones.

        Gives the others with the SHA-256 they have, which is empty for those that are missing.
        """
        wrong: dict[LockedJar, str] = {}
        for jar in jars:
            found = _sha256(self.folder / jar.path)
            if found == jar.sha256:
                stamps[jar.path] = self._stamp(jar)
            else:
                wrong[jar] = found
        return wrong

    def _describe(self, jar: LockedJar, found: str) -> str:
        return (
            f"{self.folder / jar.path} has the SHA-256 {found} where {jar.sha256} is expected, so "
            "it is not used."
        )

    def _unverified(self, stamps: Stamps) -> list[LockedJar]:
        return [jar for jar in self.lock.jars if not self._is_verified(jar, stamps)]

    def _is_verified(self, jar: LockedJar, stamps: Stamps) -> bool:
        stamp = self._stamp(jar)
        return stamp is not None and stamps.get(jar.path) == stamp

    def _stamp(self, jar: LockedJar) -> list[object] | None:
        try:
            status = (self.folder / jar.path).stat()
        except OSError:
            return None
        return [status.st_size, status.st_mtime_ns, jar.sha256]

    def _stamps(self) -> Stamps:
        return read_json(self.folder / _STAMPS) or {}


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return ""
