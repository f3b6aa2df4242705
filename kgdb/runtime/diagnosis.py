"""Why a server process ended: read from what it printed."""

from __future__ import annotations

import re

from kgdb.errors import StartFailed
from kgdb.runtime import plugins, ports, process
from kgdb.runtime.configuration import Network
from kgdb.runtime.layout import Instance
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
_ABORTED = 134  # how a shell reports the abort after a fatal JVM error
_EXIT_MEANINGS = {
    1: "the server could not start its services",
    2: "the store is locked by another process",
    3: "the configuration is not valid",
    4: "the licence was not accepted",
}


class PortTaken(StartFailed):
    """Something else listens on the port the server was to take."""


class Crashed(StartFailed):
    """The JVM itself failed, not the server in it."""


def explain_exit(
    instance: Instance, network: Network, printed_from: int, code: int | None
) -> StartFailed:
    """The error for a server that ended while starting.

    ``printed_from`` is where its output begins in the console log, in bytes; ``code`` its exit
    status, ``None`` when the system did not tell.
    """
    output = _output(instance, printed_from)
    reason = root_cause(output) or _exit_meaning(code)
    subject = f"The server of instance {short(instance.name)} ended while starting"
    log = f"All it said is in {instance.console_log} (kgdb logs)."
    if own := plugins.users(instance):
        told = listed(jar.name for jar in own)
        log = f"Look first at your own plugins in {instance.plugins} ({told}). {log}"
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
            hint=f"Change the memory it gets with KGDB_HEAP and KGDB_PAGE_CACHE. {log}",
        )
    if code is not None and (code < 0 or code == _ABORTED):
        return Crashed(f"{subject}: Java was killed by a signal (exit status {code}).", hint=log)
    return StartFailed(f"{subject}: {reason}", hint=log)


def root_cause(output: str) -> str | None:
    """The line of a server's output that says why it gave up; ``None`` if none does."""
    for pattern in (_CAUSE, _UNCAUGHT, _LOGGED):
        if found := list(pattern.finditer(output)):
            return found[-1]["reason"].strip()
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
    try:
        with instance.console_log.open("rb") as log:
            size = log.seek(0, 2)
            # A log that is shorter was put aside meanwhile.
            begun = printed_from if printed_from <= size else 0
            log.seek(max(begun, size - _READ_BYTES))
            return log.read().decode("utf-8", errors="replace")
    except OSError:
        return ""
