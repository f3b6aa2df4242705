"""Launches a server: prepares its files, starts the process, waits until it serves."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from subprocess import Popen

import filelock

from kgdb.disk import require_start_space
from kgdb.errors import StartFailed
from kgdb.progress import Message, Report
from kgdb.runtime.instance import configuration, credentials, instance_layout, plugins, server_state
from kgdb.runtime.instance.configuration import Network
from kgdb.runtime.instance.credentials import Credentials
from kgdb.runtime.instance.instance_layout import Instance
from kgdb.runtime.instance.server_state import Endpoint, State
from kgdb.runtime.jars import lock_file
from kgdb.runtime.jars.class_archive import ClassArchive, archive_for
from kgdb.runtime.jars.jar_cache import JarCache
from kgdb.runtime.machine import java, ports, process, server_memory
from kgdb.runtime.machine.java import Java
from kgdb.runtime.machine.ports import HOST
from kgdb.runtime.machine.server_memory import Memory
from kgdb.runtime.starting import bolt, unfinished_import
from kgdb.runtime.starting.diagnosis import (
    Crashed,
    PortTaken,
    TornLog,
    explain_exit,
    explain_unstartable,
    is_short_of_heap,
)
from kgdb.settings import Settings
from kgdb.wording import short

STOP_GRACE_S = 30.0

_START_TIMEOUT_S = 180.0
_DATABASE_TIMEOUT_S = 60.0
_STRANGER_TIMEOUT_S = 20.0
_DRIVER_TIMEOUT_S = 10.0
_POLL_S = 0.02
_ATTEMPTS = 3
_DISCARDED_LOG = "corrupted-neostore.transaction.db"  # Neo4j's name for the folder
_TRUNCATED = (
    "Neo4j truncated the torn transaction log of instance {name}: the unfinished last write is "
    "lost, all committed data are safe. The removed bytes are in {folder}"
)


@dataclass(frozen=True, slots=True)
class JavaSetup:
    """The checked requirements of any Java process of an instance."""

    java: Java
    jars: JarCache
    memory: Memory
    credentials: Credentials


def prepare(settings: Settings, instance: Instance, report: Report) -> JavaSetup:
    """Check the settings, find Java, ensure the jars and create the instance's folder."""
    sizes = server_memory.choose(settings.heap, settings.page_cache)
    runtime = java.find(settings.java)
    jars = jar_cache(settings)
    jars.ensure(report)
    instance.create()
    require_start_space(unfinished_import.disk_of(instance))
    login = credentials.ensure(instance)
    credentials.set_initial_password(instance, login)
    return JavaSetup(runtime, jars, sizes, login)


def jar_cache(settings: Settings) -> JarCache:
    """The jar cache of ``settings.home``, with the mirror of the settings."""
    # Resolved: a class archive is valid only for the paths of its build.
    folder = Path(os.path.realpath(settings.home / "jars"))
    return JarCache(folder, lock_file.shipped(), settings.artifact_mirror)


def launch(settings: Settings, instance: Instance, report: Report) -> State:
    """Start the server of an instance that has none, and wait until it serves.

    The caller holds the instance's lock. Raises :class:`ServerError` and its subclasses.
    """
    prepared = prepare(settings, instance, report)
    unfinished_import.discard(instance, report)
    plugins.install(instance, prepared.jars.paths("plugins"), report)
    if settings.http_port:
        ports.require_free(settings.http_port, "KGDB_HTTP_PORT")
    report(Message(f"Starting Neo4j (instance {instance.name})"))
    classes = archive_for(prepared.java, prepared.jars)
    attempts = _ATTEMPTS
    truncate_torn_log = False
    while True:
        attempts -= 1
        try:
            serving = _launch_once(settings, instance, prepared, classes, truncate_torn_log)
            if truncate_torn_log:
                report(
                    Message(
                        _TRUNCATED.format(
                            name=short(instance.name),
                            folder=unfinished_import.store(instance)[0] / _DISCARDED_LOG,
                        )
                    )
                )
            classes.build_in_background(instance)
            return serving
        except PortTaken:
            # Another program may take a free port in the seconds before the server binds it.
            if settings.bolt_port or not attempts:
                raise
        except TornLog:
            if truncate_torn_log:
                raise
            report(
                Message(
                    f"The transaction log of instance {short(instance.name)} has unreadable bytes, "
                    "probably from a write to a full disk: starting again so that Neo4j truncates "
                    "it there"
                )
            )
            truncate_torn_log = True
        except Crashed:
            # A damaged class archive crashes the JVM, so it is the first suspect.
            if not attempts or not classes.discard():
                raise


def await_service(
    instance: Instance, started: State, login: Credentials, popen: Popen[bytes] | None = None
) -> State:
    """Wait until a started server runs statements; then store its state as ready.

    ``popen`` is the process, if this process started it. Raises :class:`StartFailed` with the
    server's reason if it ends, or with its last answer after three minutes.
    """
    server = endpoint(started, login)
    deadline = time.monotonic() + _START_TIMEOUT_S
    listening_until = None
    is_final = False
    answer = "it does not listen yet"
    while time.monotonic() < (listening_until or deadline):
        if process.find(started.pid, instance.root) is None:
            code = popen.wait() if popen else None
            network = Network(started.bolt_port, started.http_port)
            raise explain_exit(instance, network, started.log_offset, code)
        # A server of another home may have taken the port meanwhile. Logins with this server's
        # password would lock that one for its own users; this server ends soon by itself.
        is_stranger = ports.listens(started.pid, started.bolt_port) is False
        if not is_stranger and bolt.answers(started.bolt_port):
            listening_until = listening_until or time.monotonic() + _DATABASE_TIMEOUT_S
            try:
                bolt.require_service(server, _DRIVER_TIMEOUT_S)
            except bolt.RefusedError as refused:
                answer = str(refused)
                if refused.unstartable:
                    raise explain_unstartable(instance, answer) from refused
                if refused.final and not is_final:
                    # A server of another home may have the port; then this server ends soon.
                    is_final = True
                    listening_until = time.monotonic() + _STRANGER_TIMEOUT_S
            else:
                ready = replace(started, ready=True)
                server_state.write(instance, ready)
                return ready
        time.sleep(_POLL_S)
    if is_short_of_heap(instance):
        answer += (
            f"; its heap of {server_memory.format_size(started.heap)} is too small, it only "
            "collects garbage"
        )
    raise StartFailed(
        f"The server of instance {short(instance.name)} (process {started.pid}) does not serve: "
        f"{answer}",
        hint=f"Its logs are {instance.console_log} and {instance.debug_log} (kgdb status --log).",
    )


def endpoint(server: State, login: Credentials) -> Endpoint:
    """The address and login of the server."""
    return Endpoint(f"bolt://{HOST}:{server.bolt_port}", login.username, login.password)


def _launch_once(
    settings: Settings,
    instance: Instance,
    prepared: JavaSetup,
    classes: ClassArchive,
    truncate_torn_log: bool,
) -> State:
    network = Network(_reserve_port(settings, instance), settings.http_port)
    text = configuration.neo4j_conf(
        network, prepared.memory, settings.unrestricted, truncate_torn_log=truncate_torn_log
    )
    instance_layout.write_atomically(instance.conf / "neo4j.conf", text)
    logging = configuration.user_logs(instance.console_log.name)
    instance_layout.write_atomically(instance.conf / "user-logs.xml", logging)
    log = instance.console_log
    log_offset = log.stat().st_size if log.exists() else 0
    launched = process.launch(_command(instance, prepared, classes), log, instance.root)
    lock = prepared.jars.lock
    started = State(
        pid=launched.popen.pid,
        created=launched.created,
        bolt_port=network.bolt_port,
        http_port=network.http_port,
        heap=prepared.memory.heap,
        page_cache=prepared.memory.page_cache,
        java=str(prepared.java.executable),
        java_version=prepared.java.version,
        neo4j_version=lock.version_of("org.neo4j:neo4j"),
        gds_version=lock.version_of("org.neo4j.gds:proc"),
        log_offset=log_offset,
    )
    try:
        server_state.write(instance, started)
        return await_service(instance, started, prepared.credentials, launched.popen)
    except BaseException:
        # After an interrupt too: nobody would wait for the half-started server.
        running = process.find(started.pid, instance.root)
        if running is not None:
            process.stop(running, STOP_GRACE_S)
        server_state.remove(instance)
        raise


def _command(instance: Instance, prepared: JavaSetup, classes: ClassArchive) -> list[str]:
    plugin = plugins.installed_plugin(instance)
    own_plugin = [plugin] if plugin else []
    # Plugins may extend the server itself: Neo4j finds extensions on the class path.
    class_path = [*prepared.jars.paths(), *own_plugin, *plugins.user_jars(instance)]
    flags = [f"-XX:ErrorFile={instance.logs / 'jvm-crash-%p.log'}", *classes.flags(instance)]
    arguments = instance.conf / "jvm.args"
    text = configuration.jvm_arguments(prepared.memory.heap, class_path, flags)
    instance_layout.write_atomically(arguments, text)
    return [
        str(prepared.java.executable),
        f"@{arguments}",
        configuration.SERVER_CLASS,
        process.home_argument(instance.root),
        f"--config-dir={instance.conf}",
        "--console-mode",
    ]


def _reserve_port(settings: Settings, instance: Instance) -> int:
    """Choose the Bolt port and store it, so that instances which start at once differ."""
    folder = instance.root.parent
    with filelock.FileLock(folder / ".ports.lock"):
        reserved = {
            port
            for name in instance_layout.instance_names(settings.home)
            if name != instance.name
            and (port := _stored_port(instance_layout.instance(settings.home, name)))
        }
        port = ports.choose_bolt_port(settings.bolt_port, _stored_port(instance), reserved)
        instance_layout.write_atomically(instance.port, f"{port}\n")
    return port


def _stored_port(instance: Instance) -> int | None:
    try:
        text = instance.port.read_text().strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None
