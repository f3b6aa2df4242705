"""The server as an operating-system process: launch, recognise, stop."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from kgdb.errors import StartFailed
from kgdb.file_permissions import UMASK, private_file
from kgdb.runtime.instance.layout import Instance

_POLL_S = 0.01
_NAMELESS_S = 0.2
_KILLED_S = 10.0
_HOME_ARGUMENT = "--home-dir="
_COMMAND_ARGUMENT = "-Dkgdb.command.home="
# These would change the class path, the heap or the home folder behind our back.
_DROPPED_VARIABLES = ("CLASSPATH", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "NEO4J_")


@dataclass(frozen=True, slots=True)
class Launched:
    """A process just started. ``popen`` has its exit code once it ended."""

    popen: subprocess.Popen[bytes]
    created: float


def console_log_size(instance: Instance) -> int:
    """Where in the console log the next output will begin, in bytes."""
    log = instance.console_log
    return log.stat().st_size if log.exists() else 0


def launch(command: Sequence[str], instance: Instance) -> Launched:
    """Start a server, which prints to the console log of its instance."""
    try:
        popen = detach(command, instance.console_log, instance.root)
    except OSError as error:
        raise StartFailed(f"{command[0]} cannot be run: {error.strerror or error}.") from error
    try:
        created = psutil.Process(popen.pid).create_time()
    except psutil.NoSuchProcess:
        created = 0.0
    return Launched(popen, created)


def detach(
    command: Sequence[str], output: Path, folder: Path | None = None
) -> subprocess.Popen[bytes]:
    """Start a process that outlives this one and the terminal; its output is appended to a file.

    Raises :class:`OSError` when it cannot be run.
    """
    if output != Path(os.devnull):
        private_file(output)
    with output.open("ab") as file:
        popen = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=UMASK,
        )
    # While this process lives it is the parent and has to collect the exit status: otherwise an
    # ended child would stay as a zombie.
    threading.Thread(target=popen.wait, name="kgdb-process-exit", daemon=True).start()
    return popen


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment for a Java process of ours."""
    return {key: value for key, value in environ.items() if not key.startswith(_DROPPED_VARIABLES)}


def find(pid: int, home: Path) -> psutil.Process | None:
    """The server process of that home; ``None`` if it ended, though its number may be reused.

    Recognised by its command line, which names the home: a start time would tell as much, but
    moves when the clock is set.
    """
    try:
        process = psutil.Process(pid)
        return process if home_argument(home) in _command_line(process) else None
    except psutil.Error:
        return None


def _command_line(process: psutil.Process) -> list[str]:
    """A process that is just being started has none for a moment; a zombie has none for ever."""
    deadline = time.monotonic() + _NAMELESS_S
    while not (line := process.cmdline()) and time.monotonic() < deadline:
        if process.status() == psutil.STATUS_ZOMBIE:
            break
        time.sleep(_POLL_S)
    return line


def holder_of(home: Path) -> psutil.Process | None:
    """Any running server process on the data of that home, however it was started."""
    return next(_holders(home, _HOME_ARGUMENT), None)


def end_commands(home: Path, grace_s: float) -> None:
    """End the admin commands that run on the data of that home.

    Only for who holds the instance's lock: then nobody waits for such a command any more.
    """
    for command in list(_holders(home, _COMMAND_ARGUMENT)):
        stop(command, grace_s)


def _holders(home: Path, argument_name: str) -> Iterator[psutil.Process]:
    data = os.path.realpath(home / "data")
    for process in psutil.process_iter():
        try:
            for argument in process.cmdline():
                prefix, _, other_home = argument.partition(argument_name)
                if not prefix and other_home and os.path.realpath(f"{other_home}/data") == data:
                    yield process
                    break
        except psutil.Error:
            continue


def home_argument(home: Path) -> str:
    """The command-line argument by which a server process is recognised as that home's."""
    return f"{_HOME_ARGUMENT}{home}"


def command_argument(home: Path) -> str:
    """The command-line argument by which an admin command is recognised as that home's."""
    return f"{_COMMAND_ARGUMENT}{home}"


def stop(process: psutil.Process, grace_s: float) -> bool:
    """End the process: a clean shutdown, or after ``grace_s`` seconds a hard one; 0: at once.

    Says whether it was clean.
    """
    try:
        if grace_s:
            process.terminate()
            if _ended(process, grace_s):
                return True
        process.kill()
        _ended(process, grace_s or _KILLED_S)
    except psutil.NoSuchProcess:
        return True
    return False


def _ended(process: psutil.Process, timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        try:
            # A zombie has ended; only its parent, maybe not us, has not noticed yet.
            if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(_POLL_S)
    return False
