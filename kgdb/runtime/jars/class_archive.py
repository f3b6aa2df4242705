"""A class-data archive: the parsed classes of the server, with which it starts a third faster.

The JVM maps this file instead of reading 20,000 classes from 345 jars. kgdb builds it once per Java
and set of jars, from the classes that the first start loaded: that start writes a list of them, and
a background process of the lowest priority,

    python -m kgdb.runtime.jars.class_archive JAVA CLASS_LIST JVM_ARGUMENTS ARCHIVE

builds the archive when the machine is idle: a load often follows a start, and the half minute of
work would slow it down. Until then, or if the archive does not fit, the server starts without it.
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
from kgdb.runtime.instance import configuration, instance_layout
from kgdb.runtime.instance.instance_layout import Instance
from kgdb.runtime.jars.jar_cache import JarCache
from kgdb.runtime.machine import process, server_memory
from kgdb.runtime.machine.java import Java

# The JVM rejects the whole list for one longer line (a generated class with many parameters).
_MAX_LINE_LENGTH = 4000
_DUMP_HEAP = 1 << 30
_DISK_NEEDED = 512 << 20
_MEMORY_NEEDED = 2 << 30
_TIMEOUT_S = 1800
# Exit codes of a JVM that was interrupted or terminated, for example by a shutdown.
_INTERRUPTED = (130, 143)

# A machine is idle if at most a quarter of it is in use, or two processors are free.
_IDLE_USE = 0.25
_FREE_PROCESSORS = 2
_WINDOW_S = 3.0
_MAX_WAIT_S = 600.0


@dataclass(frozen=True, slots=True)
class ClassArchive:
    """The archive for one Java and one set of jars; its file may not exist yet."""

    file: Path
    java: Java
    jars: JarCache

    def flags(self, instance: Instance) -> list[str]:
        """JVM flags that make the server use the archive or, without one, list its classes."""
        return self.flags_to_use() or [f"-XX:DumpLoadedClassList={_class_list(instance)}"]

    def flags_to_use(self) -> list[str]:
        """JVM flags that make any command use the archive, if it exists."""
        if not self.file.is_file():
            return []
        # The last flag hides the warning about an archive that does not fit.
        return [f"-XX:SharedArchiveFile={self.file}", "-Xshare:auto", "-Xlog:cds=error"]

    def discard(self) -> bool:
        """Delete the file; returns whether it existed."""
        existed = self.file.is_file()
        self.file.unlink(missing_ok=True)
        return existed

    def build_in_background(self, instance: Instance) -> None:
        """Build a missing archive from the classes that the instance's server has loaded.

        Does nothing on a machine with little free disk or memory; never fails.
        """
        classes = _class_list(instance)
        if self.file.is_file() or _failed(self.file).exists() or not classes.is_file():
            return
        if not _has_resources(self.file):
            return
        with contextlib.suppress(OSError, ServerError):
            arguments = instance.conf / "archive.args"
            # Only G1 can put heap objects into an archive; every collector can read them.
            flags = ("-XX:-UseParallelGC", "-XX:+UseG1GC", "-Xshare:dump")
            text = configuration.jvm_arguments(_DUMP_HEAP, self.jars.paths(), flags)
            instance_layout.write_atomically(arguments, text)
            command = [self.java.executable, classes, arguments, self.file]
            process.detach([sys.executable, "-m", __name__, *map(str, command)], Path(os.devnull))


def archive_for(java: Java, jars: JarCache) -> ClassArchive:
    """The archive for this Java and these jars, stored beside the jars for all instances."""
    changed = java.executable.stat().st_mtime_ns
    run_time = f"{os.path.realpath(java.executable)} {java.version} {changed}"
    name = hashlib.sha256(run_time.encode()).hexdigest()[:16]
    return ClassArchive(jars.folder / f"classes-{jars.identity()}-{name}.jsa", java, jars)


def build(java: Path, classes: Path, arguments: Path, file: Path) -> None:
    """Build the archive ``file`` when the machine is idle, or after ten minutes.

    Returns without it if another process builds it, or if disk or memory have become too small.
    """
    _yield_to_others()
    own_classes, own_arguments, partial = map(file.with_suffix, (".list", ".args", ".part"))
    with contextlib.suppress(filelock.Timeout), filelock.FileLock(f"{file}.lock", timeout=0):
        try:
            # Copied before the wait: the next start overwrites the list, and a reset deletes both.
            own_classes.write_text(_complete_lines(classes))
            shutil.copyfile(arguments, own_arguments)
            classes.unlink()
            _await_idle_machine()
            if file.exists() or not _has_resources(file):
                return
            outputs = [f"-XX:SharedClassListFile={own_classes}", f"-XX:SharedArchiveFile={partial}"]
            _dump([java, f"@{own_arguments}", *outputs], file)
            partial.replace(file)
        finally:
            for temporary in (own_classes, own_arguments, partial):
                temporary.unlink(missing_ok=True)
        _remove_outdated(file)


def _complete_lines(classes: Path) -> str:
    """The lines of the list that the JVM accepts, without a last line still being written."""
    whole, _, _ = classes.read_text(encoding="utf-8", errors="replace").rpartition("\n")
    return "\n".join(line for line in whole.splitlines() if len(line) < _MAX_LINE_LENGTH)


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
        if error.returncode not in _INTERRUPTED:
            _failed(file).touch()
        raise
    except subprocess.TimeoutExpired:
        _failed(file).touch()
        raise


def _has_resources(file: Path) -> bool:
    free = shutil.disk_usage(file.parent).free
    return free >= _DISK_NEEDED and server_memory.available_memory() >= _MEMORY_NEEDED


def _yield_to_others() -> None:
    """Lower this process to the lowest priority."""
    os.nice(19)
    # Linux divides the processors among sessions first, and this process has its own session.
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text("19")


def _await_idle_machine() -> None:
    processors = psutil.cpu_count() or 1
    deadline = time.monotonic() + _MAX_WAIT_S
    while time.monotonic() < deadline:
        used = psutil.cpu_percent(_WINDOW_S) / 100
        if used <= _IDLE_USE or (1 - used) * processors >= _FREE_PROCESSORS:
            return


def _remove_outdated(file: Path) -> None:
    """Delete the archives of jars that are no longer in the cache."""
    current = file.name.rpartition("-")[0]
    for other in file.parent.glob("classes-*.jsa"):
        if other.name.rpartition("-")[0] != current:
            other.unlink(missing_ok=True)


def _failed(file: Path) -> Path:
    """The marker of a failed build; it prevents another attempt for this Java and these jars."""
    return file.with_suffix(".failed")


def _class_list(instance: Instance) -> Path:
    return instance.logs / "classes.list"


if __name__ == "__main__":
    build(*map(Path, sys.argv[1:]))
