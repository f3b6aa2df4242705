"""Runs ``neo4j-admin`` commands on a stopped instance."""

from __future__ import annotations

import os
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from tempfile import TemporaryDirectory

from kgdb.errors import ServerError
from kgdb.file_permissions import UMASK
from kgdb.runtime.instance import configuration, layout
from kgdb.runtime.instance.layout import Instance
from kgdb.runtime.processes import process
from kgdb.runtime.processes.class_archive import archive_for
from kgdb.runtime.processes.die_with_parent import die_with_parent
from kgdb.runtime.starting.diagnosis import root_cause
from kgdb.runtime.starting.launching import JavaSetup

_LAST_LINES = 200


def run(
    prepared: JavaSetup,
    instance: Instance,
    arguments: Sequence[str],
    on_line: Callable[[str], None] | None,
    heap: int | None = None,
    *,
    flags: Sequence[str] = (),
) -> None:
    """Run one command to its end.

    ``on_line`` receives each printed line; ``heap`` is the heap in bytes, by default that of the
    server, and ``flags`` are extra flags of the JVM. Raises :class:`ServerError` with the reason
    that the command printed. If this process is interrupted or, on Linux, killed, the command ends
    too.
    """
    # The commands leave files in Java's temporary folder: theirs goes with them.
    with TemporaryDirectory(prefix="admin-", dir=instance.root) as temporary:
        _run(
            prepared, instance, arguments, on_line, heap, [f"-Djava.io.tmpdir={temporary}", *flags]
        )


def _run(
    prepared: JavaSetup,
    instance: Instance,
    arguments: Sequence[str],
    on_line: Callable[[str], None] | None,
    heap: int | None,
    flags: Sequence[str],
) -> None:
    argument_file = instance.conf / "admin.args"
    archive = archive_for(prepared.java, prepared.jars)
    text = configuration.jvm_arguments(
        heap or prepared.memory.heap, prepared.jars.paths(), [*archive.flags_to_use(), *flags]
    )
    layout.write_atomically(argument_file, text)
    environment = process.environment(os.environ)
    environment |= {"NEO4J_HOME": str(instance.root), "NEO4J_CONF": str(instance.conf)}
    command = [
        str(prepared.java.executable),
        process.command_argument(instance.root),
        f"@{argument_file}",
        configuration.ADMIN_CLASS,
        *arguments,
    ]
    last: deque[str] = deque(maxlen=_LAST_LINES)
    with subprocess.Popen(
        die_with_parent(command),
        cwd=instance.root,
        env=environment,
        umask=UMASK,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as running:
        try:
            for line in running.stdout or ():
                last.append(line.rstrip("\n"))
                if on_line:
                    on_line(last[-1])
        except BaseException:
            running.terminate()
            raise
    if running.returncode:
        reason = root_cause("\n".join(last)) or f"exit status {running.returncode}"
        raise ServerError(f"neo4j-admin {' '.join(arguments[:3])} failed: {reason}")
