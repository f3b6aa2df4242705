"""The jar cache: it ensures that every locked jar is present and unaltered at each start."""

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
from kgdb.runtime.instance.instance_layout import read_json, unwritable, write_atomically
from kgdb.runtime.jars.download import base_url, download
from kgdb.runtime.jars.lock_file import JarLock, LockedJar

_STAMPS = "verified.json"

# The size, modification time and SHA-256 of each verified jar, by its path.
Stamps = dict[str, object]


@dataclass(frozen=True, slots=True)
class JarCache:
    """The jars in one folder, and the repository (``mirror``) for missing jars.

    The folder has the layout of a Maven repository, so it can be the mirror of another machine.
    Some jars carry class paths with other jars of their folder; in this layout they match no file,
    and so do not invalidate a class archive.
    """

    folder: Path
    lock: JarLock
    mirror: str | None

    def ensure(self, report: Report) -> None:
        """Download missing jars and verify all locked jars.

        A verified jar is trusted while its size and modification time stay the same. Otherwise it
        is verified again, and replaced if it is not the locked jar. If several processes call this
        at once, one works and the others wait. Raises
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

    def paths(self, folder: str | None = None) -> list[Path]:
        """The jars, or those of one folder, in class-path order."""
        return [
            self.folder / jar.path
            for jar in self.lock.jars
            if folder is None or jar.folder == folder
        ]

    def identity(self) -> str:
        """A hash of these files, which changes when a jar is replaced."""
        digest = hashlib.sha256(str(self.folder).encode())
        for path in self.paths():
            status = path.stat()
            # Whole seconds: container images store no fractions.
            digest.update(f"\n{path} {status.st_size} {int(status.st_mtime)}".encode())
        return digest.hexdigest()[:16]

    def _repair(self, report: Report) -> None:
        stamps = self._stamps()
        wrong = self._verify(self._unverified(stamps), stamps)
        altered = {jar: digest for jar, digest in wrong.items() if digest}
        for jar in altered:
            report(Message(f"{jar.file_name} is not the locked jar: replacing it"))
        try:
            if wrong:
                download(list(wrong), self.folder, base_url(self.mirror), report)
        except ArtifactError as error:
            raise ArtifactError(
                " ".join([*map(self._describe, altered, altered.values()), error.message]),
                hint=error.hint,
            ) from error
        finally:
            # After a failure too: the complete jars need no second check.
            self._verify(wrong, stamps)
            write_atomically(self.folder / _STAMPS, json.dumps(stamps))

    def _verify(self, jars: Iterable[LockedJar], stamps: Stamps) -> dict[LockedJar, str]:
        """Verify the jars and store the stamps of the correct ones.

        Returns the other jars with their actual SHA-256, which is empty for a missing jar.
        """
        wrong: dict[LockedJar, str] = {}
        for jar in jars:
            digest = _sha256(self.folder / jar.path)
            if digest == jar.sha256:
                stamps[jar.path] = self._stamp(jar)
            else:
                wrong[jar] = digest
        return wrong

    def _describe(self, jar: LockedJar, digest: str) -> str:
        return (
            f"{self.folder / jar.path} has the SHA-256 {digest}; expected {jar.sha256}. kgdb does "
            "not use it."
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
