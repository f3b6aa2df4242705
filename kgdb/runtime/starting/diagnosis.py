"""Explains why a server ended or did not start, from its output and its logs."""

from __future__ import annotations

import re
from pathlib import Path

from kgdb.errors import StartFailed
from kgdb.runtime.instance import plugins
from kgdb.runtime.instance.configuration import Network
from kgdb.runtime.instance.instance_layout import Instance
from kgdb.runtime.machine import ports, process
from kgdb.runtime.starting.unfinished_import import disk_of
from kgdb.wording import listed, short

_READ_BYTES = 256 << 10
_CAUSE = re.compile(r"^Caused by: (?:[\w.$]+(?:Exception|Error)\S*?: )?(?P<reason>.+)$", re.M)
_UNCAUGHT = re.compile(
    r'^Exception in thread "main" (?:[\w.$]+(?:Exception|Error)\S*?: )?(?P<reason>.+)$', re.M
)
_LOGGED = re.compile(r"^\S+ \S+ (?:ERROR|FATAL) +(?P<reason>.+)$", re.M)
# The JVM's own complaints, before any Java ran.
_JVM = re.compile(
    r"^(?:# |Error: |Error occurred during initialization of VM\n|Unrecognized VM option )"
    r"(?P<reason>.+)$",
    re.M,
)
_UNSTARTABLE = "Failed to start DatabaseId"
# Neo4j names this setting in the error of a recovery that finds unreadable bytes.
_TORN = "internal.dbms.tx_log.fail_on_corrupted_log_files"
_FULL = "No space left on device"
_PAUSE = "Detected VM stop-the-world pause"
_PAUSES = 3
_ABORTED = 134  # how a shell reports the abort after a fatal JVM error
_EXIT_MEANINGS = {
    1: "the server could not start its services",
    2: "the store is locked by another process",
    3: "the configuration is not valid",
    4: "the licence was not accepted",
}


class PortTaken(StartFailed):
    """Another program listens on the port of the server."""


class Crashed(StartFailed):
    """The JVM itself failed."""


class TornLog(StartFailed):
    """The database does not start because its transaction log has unreadable bytes."""


def explain_exit(
    instance: Instance, network: Network, printed_from: int, code: int | None
) -> StartFailed:
    """The error for a server that ended during its start.

    ``printed_from`` is the byte offset of its output in the console log; ``code`` is its exit
    status, ``None`` if unknown.
    """
    output = _output(instance, printed_from)
    reason = root_cause(output) or _exit_meaning(code)
    subject = f"The server of instance {short(instance.name)} ended during its start"
    log = f"Its output is in {instance.console_log} (kgdb status --log)."
    if own := plugins.user_jars(instance):
        names = listed(jar.name for jar in own)
        log = f"First check your own plugins in {instance.plugins} ({names}). {log}"
    if "store_lock" in output or code == 2:
        holder = process.holder_of(instance.root)
        who = f"process {holder.pid}" if holder else "another process"
        return StartFailed(
            f"{subject}: {who} uses its database in {instance.data}.",
            hint=(f"End that process first{f': kill {holder.pid}' if holder else ''}. {log}"),
        )
    if "Address already in use" in output or "PortBindException" in output:
        taken = [port for port in (network.bolt_port, network.http_port) if port]
        return PortTaken(
            f"{subject}: {reason} "
            + " ".join(f"(port {port}{ports.holder(port)})" for port in taken),
            hint=f"Choose another port with KGDB_BOLT_PORT or KGDB_HTTP_PORT. {log}",
        )
    if "OutOfMemoryError" in output or "insufficient memory" in output:
        return StartFailed(
            f"{subject}: {reason}",
            hint=f"Change its memory with KGDB_HEAP and KGDB_PAGE_CACHE. {log}",
        )
    if code is not None and (code < 0 or code == _ABORTED):
        return Crashed(f"{subject}: a signal killed Java (exit status {code}).", hint=log)
    return StartFailed(f"{subject}: {reason}", hint=log)


def explain_unstartable(instance: Instance, message: str) -> StartFailed:
    """The error for a running server that could not start its database, from its log."""
    written = _tail(instance.debug_log, 0)
    _, marker, failure = written.rpartition(_UNSTARTABLE)
    reasons = [match["reason"].strip() for match in _CAUSE.finditer(failure if marker else "")]
    reason = reasons[-1] if reasons else message
    subject = f"The database of instance {short(instance.name)} could not be started"
    log = f"Its log is {instance.debug_log}."
    if any(_TORN in text for text in reasons):
        return TornLog(f"{subject}: its transaction log has unreadable bytes.", hint=log)
    if _FULL in failure:
        disk = disk_of(instance)
        return StartFailed(
            f"{subject}: its disk was full; {disk.free_clause()} now.",
            hint=f"Free at least {disk.bytes_to_start():,} bytes there, then run: kgdb up. {log}",
        )
    return StartFailed(f"{subject}: {reason}", hint=log)


def is_short_of_heap(instance: Instance) -> bool:
    """Whether the last lines of the log are garbage collection pauses."""
    last = _tail(instance.debug_log, 0).splitlines()[-_PAUSES:]
    return len(last) == _PAUSES and all(_PAUSE in line for line in last)


def root_cause(output: str) -> str | None:
    """The line of a server's output with the reason of its failure; ``None`` without output."""
    for pattern in (_CAUSE, _UNCAUGHT, _LOGGED):
        if matches := list(pattern.finditer(output)):
            return matches[-1]["reason"].strip()
    if first := _JVM.search(output):
        return first["reason"].strip()
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else None


def _exit_meaning(code: int | None) -> str:
    if code is None:
        return "it gave no reason."
    meaning = _EXIT_MEANINGS.get(code, "it gave no reason")
    return f"{meaning} (exit status {code})."


def _output(instance: Instance, printed_from: int) -> str:
    return _tail(instance.console_log, printed_from)


def _tail(path: Path, printed_from: int) -> str:
    try:
        with path.open("rb") as log:
            size = log.seek(0, 2)
            # A shorter log was rotated meanwhile.
            start = printed_from if printed_from <= size else 0
            log.seek(max(start, size - _READ_BYTES))
            return log.read().decode("utf-8", errors="replace")
    except OSError:
        return ""
