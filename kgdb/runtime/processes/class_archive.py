"""A class-data archive: the server's classes, already parsed, so that it starts a third faster.

The JVM maps such a file instead of reading 20,000 classes out of 345 jars. It is made once per
Java and set of jars, from the classes that the first start really loaded: that start writes a
list of them, and a background process of the lowest priority,

    python -m kgdb.runtime.processes.class_archive JAVA CLASS_LIST JVM_ARGUMENTS ARCHIVE

turns the list into an archive once the machine has little else to do: a start is often followed
by a load, which the work of half a minute would hold up. Until then, and whenever the archive
does not fit, the server starts without one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import filelock
import psutil

from kgdb.errors import ServerError
from kgdb.runtime.instance import configuration, layout
from kgdb.runtime.instance.layout import Instance
from kgdb.runtime.jars.cache import JarCache
from kgdb.runtime.machine import memory
from kgdb.runtime.machine.java import Java
from kgdb.runtime.processes import process

# The JVM rejects a whole class list for one longer line (a generated class of many parameters).
_LONGEST_LINE = 4000
_DUMP_HEAP = 1 << 30
_SPACE_NEEDED = 512 << 20
_MEMORY_NEEDED = 2 << 30
_TIMEOUT_S = 1800
# Exit codes of a JVM that was interrupted or terminated, as it is when the machine goes down.
_ENDED_BY_OTHERS = (130, 143)

# A machine is at rest when a quarter of it at most is in use, or two processors are free.
_AT_REST = 0.25
_FREE_PROCESSORS = 2
_WINDOW_S = 3.0
_LONGEST_WAIT_S = 600.0


@dataclass(frozen=True, slots=True)
class ClassArchive:
    """The archive for one Java and one set of jars; its file may not exist (yet)."""

    file: Path
    java: Java
    jars: JarCache

    def flags(self, instance: Instance) -> list[str]:
        """JVM flags that make the server use the archive, or else list its classes for one."""
        return self.flags_to_use() or [f"-XX:DumpLoadedClassList={_class_list(instance)}"]

    def flags_to_use(self) -> list[str]:
        """JVM flags that make any command of the server use the archive, if there is one."""
        if not self.file.is_file():
            return []
        # An archive that does not fit is no reason to say so on the console at each start.
        return [f"-XX:SharedArchiveFile={self.file}", "-Xshare:auto", "-Xlog:cds=error"]

    def discard(self) -> bool:
        """Delete the file; says whether there was one."""
        existed = self.file.is_file()
        self.file.unlink(missing_ok=True)
        return existed

    def build_in_background(self, instance: Instance) -> None:
        """Have the archive made from what the instance's server has loaded, if there is none.

        Does nothing on a machine with little disk or memory to spare; never fails.
        """
        classes = _class_list(instance)
        if self.file.is_file() or _failed(self.file).exists() or not classes.is_file():
            return
        if not _has_room(self.file):
            return
        with contextlib.suppress(OSError, ServerError):
            arguments = instance.conf / "archive.args"
            # Only G1 can put heap objects into an archive; every collector can read them.
            flags = ("-XX:-UseParallelGC", "-XX:+UseG1GC", "-Xshare:dump")
            text = configuration.jvm_arguments(_DUMP_HEAP, self.jars.paths(), flags)
            layout.write_atomically(arguments, text)
            command = [self.java.executable, classes, arguments, self.file]
            process.detach([sys.executable, "-m", __name__, *map(str, command)], Path(os.devnull))


def archive_for(java: Java, jars: JarCache) -> ClassArchive:
    """The archive that fits. It lies beside the jars, for every instance that uses them."""
    changed = java.executable.stat().st_mtime_ns
    run_time = f"{os.path.realpath(java.executable)} {java.version} {changed}"
    name = hashlib.sha256(run_time.encode()).hexdigest()[:16]
    return ClassArchive(jars.folder / f"classes-{jars.identity()}-{name}.jsa", java, jars)


def build(java: Path, classes: Path, arguments: Path, file: Path) -> None:
    """Make the archive ``file`` when the machine is at rest, or after ten minutes.

    Returns without one when another process is making it, or there is too little room by then.
    """
    _yield_to_others()
    own_classes, own_arguments, partial = map(file.with_suffix, (".list", ".args", ".part"))
    with contextlib.suppress(filelock.Timeout), filelock.FileLock(f"{file}.lock", timeout=0):
        try:
            # Before the wait: the next start of the instance begins its list anew, and a reset
            # removes both.
            own_classes.write_text(_usable(classes))
            shutil.copyfile(arguments, own_arguments)
            classes.unlink()
            _await_rest()
            if file.exists() or not _has_room(file):
                return
            outputs = [f"-XX:SharedClassListFile={own_classes}", f"-XX:SharedArchiveFile={partial}"]
            _dump([java, f"@{own_arguments}", *outputs], file)
            partial.replace(file)
        finally:
            for temporary in (own_classes, own_arguments, partial):
                temporary.unlink(missing_ok=True)
        _remove_outdated(file)


def _usable(classes: Path) -> str:
    """The lines of a list that the JVM takes; the server may be in the middle of the last one."""
    whole, _, _ = classes.read_text(encoding="utf-8", errors="replace").rpartition("\n")
    return "\n".join(line for line in whole.splitlines() if len(line) < _LONGEST_LINE)


def _dump(command: Sequence[str | Path], file: Path) -> None:
    try:
        subprocess.run(
            command,
            env=process.environment(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_TIMEOUT_S,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        if error.returncode not in _ENDED_BY_OTHERS:
            _failed(file).touch()
        raise
    except subprocess.TimeoutExpired:
        _failed(file).touch()
        raise


def _has_room(file: Path) -> bool:
    free = shutil.disk_usage(file.parent).free
    return free >= _SPACE_NEEDED and memory.available_memory() >= _MEMORY_NEEDED


def _yield_to_others() -> None:
    """Take the lowest priority."""
    os.nice(19)
    # Linux shares processors out among sessions first, and this process has one of its own.
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text("19")


def _await_rest() -> None:
    processors = psutil.cpu_count() or 1
    deadline = time.monotonic() + _LONGEST_WAIT_S
    while time.monotonic() < deadline:
        used = psutil.cpu_percent(_WINDOW_S) / 100
        if used <= _AT_REST or (1 - used) * processors >= _FREE_PROCESSORS:
            return


def _remove_outdated(file: Path) -> None:
    """Delete the archives for jars that are no longer in the cache."""
    current = file.name.rpartition("-")[0]
    for other in file.parent.glob("classes-*.jsa"):
        if other.name.rpartition("-")[0] != current:
            other.unlink(missing_ok=True)


def _failed(file: Path) -> Path:
    """Exists when the archive could not be made; it is not tried again for that Java and jars."""
    return file.with_suffix(".failed")


def _class_list(instance: Instance) -> Path:
    return instance.logs / "classes.list"


if __name__ == "__main__":
    build(*map(Path, sys.argv[1:]))
