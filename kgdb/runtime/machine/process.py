"""Operating-system processes of a server: launch, recognise, stop."""

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

_POLL_S = 0.01
_STARTING_S = 0.2
_KILLED_S = 10.0
_HOME_ARGUMENT = "--home-dir="
_COMMAND_ARGUMENT = "-Dkgdb.command.home="
# These variables would change the class path, the heap or the home folder.
_DROPPED_VARIABLES = ("CLASSPATH", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "NEO4J_")


@dataclass(frozen=True, slots=True)
class Launched:
    """A started process; ``popen`` has the exit code after its end."""

    popen: subprocess.Popen[bytes]
    created: float


def launch(command: Sequence[str], log: Path, home: Path) -> Launched:
    """Start a server in its home folder; it prints to the log."""
    try:
        popen = detach(command, log, home)
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
    """Start a process that outlives this process and the terminal; append its output to a file.

    Raises :class:`OSError` if the command cannot run.
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
    # The parent must collect the exit status: otherwise an ended child stays as a zombie.
    threading.Thread(target=popen.wait, name="kgdb-process-exit", daemon=True).start()
    return popen


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a Java process of kgdb."""
    return {key: value for key, value in environ.items() if not key.startswith(_DROPPED_VARIABLES)}


def find(pid: int, home: Path) -> psutil.Process | None:
    """The server process of that home; ``None`` if it ended, even if its number is reused.

    The command line names the home. The start time would identify the process too, but changes when
    the clock is set.
    """
    try:
        process = psutil.Process(pid)
        return process if home_argument(home) in _command_line(process) else None
    except psutil.Error:
        return None


def _command_line(process: psutil.Process) -> list[str]:
    """The command line; a starting process has none for a moment, a zombie never has one."""
    deadline = time.monotonic() + _STARTING_S
    while not (line := process.cmdline()) and time.monotonic() < deadline:
        if process.status() == psutil.STATUS_ZOMBIE:
            break
        time.sleep(_POLL_S)
    return line


def holder_of(home: Path) -> psutil.Process | None:
    """A running server process on the data of that home, whoever started it."""
    return next(_holders(home, _HOME_ARGUMENT), None)


def end_commands(home: Path, grace_s: float) -> None:
    """End the admin commands that run on the data of that home.

    The caller must hold the instance's lock: then no other process waits for such a command.
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
    """The command-line argument that identifies a server process of that home."""
    return f"{_HOME_ARGUMENT}{home}"


def command_argument(home: Path) -> str:
    """The command-line argument that identifies an admin command of that home."""
    return f"{_COMMAND_ARGUMENT}{home}"


def stop(process: psutil.Process, grace_s: float) -> bool:
    """End the process by a clean shutdown, or kill it after ``grace_s`` seconds; 0: at once.

    Returns whether the shutdown was clean.
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
            # A zombie has ended; its parent has not collected the exit status yet.
            if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(_POLL_S)
    return False
