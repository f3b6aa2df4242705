"""Runs ``neo4j-admin`` commands on a stopped instance."""

from __future__ import annotations

import os
import re
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory

from kgdb.errors import ServerError
from kgdb.file_permissions import UMASK
from kgdb.progress import Progress, Report
from kgdb.runtime.instance import configuration, instance_layout
from kgdb.runtime.instance.instance_layout import Instance
from kgdb.runtime.jars.class_archive import archive_for
from kgdb.runtime.machine import process
from kgdb.runtime.machine.die_with_parent import die_with_parent
from kgdb.runtime.starting.diagnosis import root_cause
from kgdb.runtime.starting.launching import JavaSetup

_LAST_LINES = 200

_BEGAN = re.compile(
    r"(?:WARNING:.*GiB)?(?P<name>[A-Z][\w<> -]*?)(?P<types> [\d/-]+)?, started \d{4}-"
)
_REACHED = re.compile(r"\[[*>].*\] *(?P<count>[\d.]+)(?P<unit>[KMB]?) *∆")
_ENDED = re.compile(r"Done in ")
_TYPES = re.compile(r" (?:(?P<first>\d+)-)?(?P<last>\d+)/(?P<all>\d+)")
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9}


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
    last: deque[str] = deque(maxlen=_LAST_LINES)
    # The commands leave files in Java's temporary folder: theirs goes with them.
    with TemporaryDirectory(prefix="admin-", dir=instance.root) as temporary:
        argument_file = instance.conf / "admin.args"
        archive = archive_for(prepared.java, prepared.jars)
        text = configuration.jvm_arguments(
            heap or prepared.memory.heap,
            prepared.jars.paths(),
            [*archive.flags_to_use(), f"-Djava.io.tmpdir={temporary}", *flags],
        )
        instance_layout.write_atomically(argument_file, text)
        environment = process.environment(os.environ)
        environment |= {"NEO4J_HOME": str(instance.root), "NEO4J_CONF": str(instance.conf)}
        command = [
            str(prepared.java.executable),
            process.command_argument(instance.root),
            f"@{argument_file}",
            configuration.ADMIN_CLASS,
            *arguments,
        ]
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


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a stage as the user sees it: from ``begin`` to ``end``, as shares of its rows."""

    stage: str
    rows: int
    unit: str
    begin: float = 0.0
    end: float = 1.0


@dataclass(slots=True)
class OutputReader:
    """Reports the progress of one import; ``nodes`` and ``relationships`` may be estimates."""

    nodes: int
    relationships: int
    report: Report
    _part: _Part | None = field(default=None, init=False)

    def read(self, line: str) -> None:
        """Process the next line; lines without progress are ignored."""
        if began := _BEGAN.match(line):
            self._part = self._part_of(began["name"], began["types"] or "")
            self._send(0.0)
        elif reached := _REACHED.match(line):
            if self._part and self._part.rows:
                count = float(reached["count"]) * _UNITS[reached["unit"]]
                # The number of rows may be an estimate.
                self._send(min(count / self._part.rows, 0.99))
        elif _ENDED.match(line):
            self._send(1.0)
            self._part = None

    def _send(self, share: float) -> None:
        if self._part:
            part = self._part
            reached = round(part.rows * (part.begin + (part.end - part.begin) * share))
            self.report(Progress(part.stage, reached, part.rows, part.unit))

    def _part_of(self, name: str, types: str) -> _Part | None:
        nodes = self.nodes, "nodes"
        relationships = self.relationships, "relationships"
        match name:
            case "Nodes":
                return _Part("importing nodes", *nodes)
            case "Relationships":
                return _Part("importing relationships", *relationships)
            case "Relationship --> Relationship" | "Relationship <-- Relationship":
                begin, end = _range(types)
                middle = (begin + end) / 2
                begin, end = (begin, middle) if "-->" in name else (middle, end)
                return _Part("linking relationships", *relationships, begin, end)
            case "Node counts and label index build":
                return _Part("counting nodes", *nodes)
            case "Relationship counts and relationship type index build":
                return _Part("counting relationships", *relationships)
            case _:
                return None  # too short to report


def _range(types: str) -> tuple[float, float]:
    """The begin and end of a range of types, as shares of all types."""
    match = _TYPES.fullmatch(types)
    if not match:
        return 0.0, 1.0
    total = int(match["all"])
    first = int(match["first"] or match["last"])
    return (first - 1) / total, int(match["last"]) / total
