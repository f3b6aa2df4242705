"""The exact set of jars of the local server, from ``jars.lock``.

The lock file is text: comment lines (``#``) and one line per jar,

    <folder> <group>:<artifact>:<version>[:<classifier>] <sha256> <bytes>

where the folder is ``plugins`` (the Graph Data Science jars: on the class path *and* in the
server's plugin folder) or ``lib`` (class path only). The order of the lines is the order of the
class path. ``python -m kgdb.runtime.jars.lock`` writes the file.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kgdb.errors import ArtifactError
from kgdb.wording import short

LOCK_FILE = Path(__file__).with_name("jars.lock")
FOLDERS = ("plugins", "lib")

_COORDINATE_PART = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class LockedJar:
    """One jar. ``size`` is in bytes, ``sha256`` in lower-case hexadecimal."""

    folder: str
    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str
    size: int

    @property
    def coordinates(self) -> str:
        """``group:artifact:version``, and ``:classifier`` if it has one."""
        parts = [self.group, self.artifact, self.version]
        return ":".join([*parts, self.classifier] if self.classifier else parts)

    @property
    def file_name(self) -> str:
        """The jar's name, unique in the lock."""
        suffix = f"-{self.classifier}" if self.classifier else ""
        return f"{self.artifact}-{self.version}{suffix}.jar"

    @property
    def path(self) -> str:
        """The path of the jar below the base URL of a Maven repository."""
        group = self.group.replace(".", "/")
        return f"{group}/{self.artifact}/{self.version}/{self.file_name}"


@dataclass(frozen=True, slots=True)
class JarLock:
    """The whole lock; ``jars`` are in class-path order."""

    jars: tuple[LockedJar, ...]

    @property
    def size(self) -> int:
        """Bytes of all jars together."""
        return sum(jar.size for jar in self.jars)

    def version_of(self, coordinates: str) -> str:
        """The locked version of ``group:artifact``."""
        for jar in self.jars:
            if f"{jar.group}:{jar.artifact}" == coordinates:
                return jar.version
        raise ArtifactError(f"{LOCK_FILE.name} locks no {coordinates}.", hint=_REINSTALL)


_REINSTALL = "The installation is damaged: reinstall kgdb."


def parse(text: str, origin: str = LOCK_FILE.name) -> JarLock:
    """Read a lock.

    Raises :class:`ArtifactError` with the number of a malformed line, or of a jar whose file name
    another jar has: all jars lie in one folder.
    """
    jars: list[LockedJar] = []
    names: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        jar = _parse_line(line)
        if jar is None:
            raise ArtifactError(
                f"{origin}, line {number}: {short(line)} is not a locked jar; expected "
                "'<plugins|lib> <group>:<artifact>:<version>[:<classifier>] <sha256> <bytes>'.",
                hint=_REINSTALL,
            )
        other = names.setdefault(jar.file_name, jar.coordinates)
        if other != jar.coordinates:
            raise ArtifactError(
                f"{origin}, line {number}: {jar.coordinates} has the same file name as {other}."
            )
        jars.append(jar)
    if not jars:
        raise ArtifactError(f"{origin} locks no jars.", hint=_REINSTALL)
    return JarLock(tuple(jars))


def render(jars: Iterable[LockedJar], comment: str) -> str:
    """The text of a lock: plugins first, each folder sorted by coordinates."""
    ordered = sorted(jars, key=lambda jar: (FOLDERS.index(jar.folder), jar.coordinates))
    lines = [f"# {line}" for line in comment.splitlines()]
    lines += [f"{jar.folder} {jar.coordinates} {jar.sha256} {jar.size}" for jar in ordered]
    return "\n".join(lines) + "\n"


@functools.cache
def shipped() -> JarLock:
    """The lock in the package."""
    try:
        text = LOCK_FILE.read_text(encoding="utf-8")
    except OSError as error:
        raise ArtifactError(f"{LOCK_FILE} cannot be read: {error}.", hint=_REINSTALL) from error
    return parse(text)


def _parse_line(line: str) -> LockedJar | None:
    fields = line.split()
    if len(fields) != 4:
        return None
    folder, coordinates, sha256, size = fields
    parts = coordinates.split(":")
    if (
        folder not in FOLDERS
        or len(parts) not in (3, 4)
        or not all(_COORDINATE_PART.fullmatch(part) for part in parts)
        or not _SHA256.fullmatch(sha256)
        or not size.isdecimal()
        or int(size) == 0
    ):
        return None
    group, artifact, version, classifier = [*parts, ""][:4]
    return LockedJar(folder, group, artifact, version, classifier, sha256, int(size))
