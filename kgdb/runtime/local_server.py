"""The local server: a real Neo4j with Graph Data Science and the kgdb plugin, run by kgdb."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import filelock

from kgdb import halted_database
from kgdb.disk import Disk, require_start_space
from kgdb.errors import ServerError
from kgdb.file_permissions import private_folder
from kgdb.progress import Message, Report, silent
from kgdb.runtime.importing import admin, store_import
from kgdb.runtime.importing.store_import import FileGroups, ImportOptions, Inputs
from kgdb.runtime.instance import credentials, instance_layout, plugins, server_state
from kgdb.runtime.instance.server_state import Endpoint, ServerStatus, State
from kgdb.runtime.jars import lock_file
from kgdb.runtime.machine import ports, process
from kgdb.runtime.machine.server_memory import format_size, parse_size
from kgdb.runtime.starting import bolt, launching, unfinished_import
from kgdb.runtime.starting.diagnosis import TornLog
from kgdb.settings import Settings
from kgdb.wording import short

_PROBE_S = 5.0
_DEFAULT_PORT = 7687


class LocalServer:
    """One named instance of the local server.

    The object has no state: any number of objects, in any number of processes, may manage the same
    instance.
    """

    def __init__(self, settings: Settings) -> None:
        """Raises :class:`UsageError` for an invalid instance name."""
        self._settings = settings
        self._instance = instance_layout.instance(settings.home, settings.instance)

    def start(self, report: Report = silent) -> Endpoint:
        """Start the server and return its endpoint; returns at once if it runs already.

        The first start downloads 150 MB. Raises :class:`ServerError` and its subclasses, with the
        reason and the next step.
        """
        running = self._running()
        if running is None or not running.ready or not bolt.answers(running.bolt_port):
            with self._locked(report):
                running = self._running()
                if running is None:
                    return self._launch(report)
                try:
                    running = launching.await_service(
                        self._instance, running, credentials.ensure(self._instance)
                    )
                except TornLog:
                    self._stop(report)
                    return self._launch(report)
        self._report_differences(running, report)
        return self._endpoint(running)

    def revive(self, report: Report = silent) -> Endpoint:
        """Like :meth:`start`, but also restart the server if its database has halted.

        The check runs a statement, which takes half a second. Raises :class:`ServerError` if the
        disk has too little space for a start; then nothing changes.
        """
        endpoint = self.start(report)
        if bolt.halt_reason(endpoint, _PROBE_S) is None:
            return endpoint
        with self._locked(report):
            # Another process may have restarted it meanwhile.
            running = self._running()
            if running is None:
                return self._launch(report)
            return self._restart_if_halted(self._endpoint(running), report)

    @property
    def disk(self) -> Disk:
        """The disk of the database."""
        return unfinished_import.disk_of(self._instance)

    def add_plugin(self, jar: Path, report: Report = silent) -> None:
        """Copy a plugin of the user, such as APOC, into the instance; the next start loads it.

        It replaces another version of the same plugin. Raises :class:`UsageError` for a file that
        is not a Neo4j plugin.
        """
        with self._locked(report):
            version = lock_file.shipped().version_of("org.neo4j:neo4j")
            plugins.add(self._instance, jar, version, report)
            if self._running() is not None:
                report(Message(f"The server is running. To load {jar.name}: kgdb down && kgdb up"))

    def stop(self, report: Report = silent) -> bool:
        """Stop the server cleanly; returns whether it was running.

        A server that has not ended after half a minute is killed and reported.
        """
        with self._locked(report):
            return self._stop(report)

    def reset(self, report: Report = silent) -> None:
        """Stop the server and delete the instance with its data; the jars stay."""
        with self._locked(report):
            self._stop(report)
            try:
                if self._instance.root.exists():
                    shutil.rmtree(self._instance.root)
            except OSError as error:
                raise instance_layout.unwritable(self._instance.root, error) from error

    def serves_at(self, uri: str) -> bool:
        """Whether the server runs and has that address."""
        try:
            address = urlsplit(uri)
            host, port = address.hostname, address.port or _DEFAULT_PORT
        except ValueError:
            return False
        running = self._running()
        here = host in (ports.HOST, "localhost")
        return here and running is not None and port == running.bolt_port

    def status(self) -> ServerStatus:
        """The present status of the instance; changes nothing."""
        running = self._running()
        login = credentials.read(self._instance)
        lock = lock_file.shipped()
        plugin = plugins.installed_plugin(self._instance)
        serves = running is not None and running.ready and bolt.answers(running.bolt_port)
        return ServerStatus(
            instance=self._instance.name,
            state="stopped" if running is None else "running" if serves else "starting",
            pid=running.pid if running else None,
            endpoint=launching.endpoint(running, login) if running and login else None,
            java=f"{running.java_version} ({running.java})" if running else None,
            neo4j_version=(
                running.neo4j_version if running else lock.version_of("org.neo4j:neo4j")
            ),
            gds_version=running.gds_version if running else lock.version_of("org.neo4j.gds:proc"),
            plugin_version=plugins.plugin_version(plugin) if plugin else None,
            plugins=tuple(jar.name for jar in plugins.user_jars(self._instance)),
            home=self._instance.root,
            log=self._instance.console_log,
            started_at=datetime.fromtimestamp(running.created).astimezone() if running else None,
            heap=running.heap if running else None,
            page_cache=running.page_cache if running else None,
            store_size=instance_layout.folder_size(self._instance.data),
        )

    def log_tail(self, lines: int) -> str:
        """The last ``lines`` lines the server printed; empty before its first start."""
        instance_layout.require_access(self._instance)
        try:
            with self._instance.console_log.open(encoding="utf-8", errors="replace") as log:
                return "".join(deque(log, maxlen=lines)).rstrip("\n")
        except FileNotFoundError:
            return ""

    def admin(
        self,
        arguments: Sequence[str],
        *,
        on_line: Callable[[str], None] | None = None,
        report: Report = silent,
    ) -> None:
        """Run a ``neo4j-admin`` command on the instance, which must be stopped.

        ``arguments`` as the command takes them (``["database", "import", "full", "neo4j", …]``);
        ``on_line`` gets its output line by line. Raises :class:`ServerError` with the command's
        own reason when it fails, and when the server runs.
        """
        with self._locked(report):
            running = self._running()
            if running is not None:
                raise ServerError(
                    f"The server of instance {short(self._instance.name)} is running (process "
                    f"{running.pid}); neo4j-admin {' '.join(arguments[:2])} needs it stopped.",
                    hint="Stop it with: kgdb down",
                )
            prepared = launching.prepare(self._settings, self._instance, report)
            unfinished_import.discard(self._instance, report)
            admin.run(prepared, self._instance, arguments, on_line)

    def is_empty(self, report: Report = silent) -> bool:
        """Whether the database has no node; unless it was never started, it runs afterwards."""
        with self._locked(report):
            return self._is_empty(report)

    def import_store(
        self,
        nodes: FileGroups,
        relationships: FileGroups = (),
        *,
        options: ImportOptions | None = None,
        replace: bool = False,
        report: Report = silent,
    ) -> Endpoint:
        """Import CSV files into the database offline, the fastest way; then start the server.

        Each group of files begins with a file that has only the header line: ``:ID``, columns
        ``name:TYPE`` and ``:LABEL`` for nodes; ``:START_ID``, ``:END_ID`` and ``:TYPE`` for
        relationships. The ids are 0, 1, 2, … without gaps and duplicates; kgdb does not check that.
        The files are UTF-8 with commas, and with quotation marks doubled inside quotation marks.
        :data:`~kgdb.runtime.ARRAY_DELIMITER` separates list elements and labels. Texts stay
        unchanged; an empty field without quotation marks is absent. Relationships sorted by type
        are imported about twice as fast.

        The import replaces the content and the indexes of the database; without ``replace`` a
        database with nodes is refused. Writes of other clients during the import are lost, so make
        sure that there are none. If the import is killed, fails or fills the disk, the next start
        reports it, deletes the partial data and starts with an empty database.

        Raises :class:`UsageError` for missing files, and :class:`ServerError` with the reason if
        the database has nodes, the disk is too small, or the import fails.
        """
        chosen = options or ImportOptions()
        inputs = Inputs(nodes, relationships)
        inputs.check(chosen)
        with self._locked(report):
            if not replace:
                self._require_empty("an import", report)
            prepared = launching.prepare(self._settings, self._instance, report)
            store_import.require_space(self._instance, inputs)
            self._stop(report)
            began = time.monotonic()
            store_import.run_import(prepared, self._instance, inputs, chosen, report)
            report(Message(f"Imported in {time.monotonic() - began:.1f} s"))
            return self._launch(report)

    def load_dump(self, path: Path, report: Report = silent) -> Endpoint:
        """Fill the empty database from a dump of ``neo4j-admin``, and start the server.

        If that is killed or fails, the next start reports it and starts with an empty database.
        Raises :class:`UsageError` if there is no such file, else :class:`ServerError`.
        """
        store_import.require_file(path)
        with self._locked(report):
            self._require_empty("a dump", report)
            prepared = launching.prepare(self._settings, self._instance, report)
            self._stop(report)
            store_import.load_dump(prepared, self._instance, path, report)
            return self._launch(report)

    def _launch(self, report: Report) -> Endpoint:
        server_state.remove(self._instance)
        return self._endpoint(launching.launch(self._settings, self._instance, report))

    def _restart_if_halted(self, endpoint: Endpoint, report: Report) -> Endpoint:
        """The endpoint of the running server, restarted if its database has halted."""
        reason = bolt.halt_reason(endpoint, _PROBE_S)
        if reason is None:
            return endpoint
        report(
            Message(
                f"The database of instance {short(self._instance.name)} "
                f"{'refused writes' if reason == halted_database.CLOSED else 'had halted'}: "
                f"{halted_database.cause(reason, self.disk)} Restarting the server"
            )
        )
        require_start_space(self.disk)
        self._stop(report)
        return self._launch(report)

    def _require_empty(self, what: str, report: Report) -> None:
        if not self._is_empty(report):
            raise ServerError(
                f"The database of instance {short(self._instance.name)} is not empty, and {what} "
                "would replace all that is in it: Neo4j's Community Edition has one database.",
                hint="Choose another instance with KGDB_INSTANCE (or --instance NAME), or empty "
                "this one first: kgdb remove --all",
            )

    def _is_empty(self, report: Report) -> bool:
        if not unfinished_import.has_store(self._instance):
            return True
        running = self._running()
        if running is None:
            endpoint = self._launch(report)
        else:
            login = credentials.ensure(self._instance)
            endpoint = self._endpoint(launching.await_service(self._instance, running, login))
        return not bolt.has_nodes(self._restart_if_halted(endpoint, report))

    def _running(self) -> State | None:
        instance_layout.require_access(self._instance)
        stored = server_state.read(self._instance)
        if stored and process.find(stored.pid, self._instance.root):
            return stored
        return None

    def _endpoint(self, running: State) -> Endpoint:
        return launching.endpoint(running, credentials.ensure(self._instance))

    def _stop(self, report: Report) -> bool:
        stored = server_state.read(self._instance)
        running = process.find(stored.pid, self._instance.root) if stored else None
        if running is None:
            # Without its state file the server can still be found by its command line.
            running = process.holder_of(self._instance.root)
        process.end_commands(self._instance.root, unfinished_import.COMMAND_GRACE_S)
        if running is not None and stored is not None and self._is_halted(stored):
            # A clean stop would wait for space on the disk. With space, Neo4j would then write
            # behind the torn end of the log, and no start could read the log.
            process.stop(running, 0)
        elif running is not None and not process.stop(running, launching.STOP_GRACE_S):
            report(
                Message(
                    f"The server did not end within {launching.STOP_GRACE_S:.0f} s and was killed; "
                    "the next start recovers the database"
                )
            )
        server_state.remove(self._instance)
        return running is not None

    def _is_halted(self, stored: State) -> bool:
        login = credentials.read(self._instance)
        if login is None or not stored.ready or not bolt.answers(stored.bolt_port):
            return False
        return bolt.halt_reason(launching.endpoint(stored, login), _PROBE_S) is not None

    @contextlib.contextmanager
    def _locked(self, report: Report) -> Iterator[None]:
        """Hold the instance's lock: only one process may start, stop or change it."""
        path = self._instance.lock
        instance_layout.require_access(self._instance)
        try:
            private_folder(path.parent)
            lock = filelock.FileLock(path)
            try:
                lock.acquire(timeout=0)
            except filelock.Timeout:
                report(Message("Waiting for another process that starts or stops this server"))
                lock.acquire()
        except OSError as error:
            raise instance_layout.unwritable(path, error) from error
        try:
            yield
        finally:
            lock.release()

    def _report_differences(self, running: State, report: Report) -> None:
        """Report explicit settings that the running server does not have."""
        settings = self._settings
        differences = []
        if settings.heap and parse_size(settings.heap, "heap") != running.heap:
            differences.append(f"heap {settings.heap} (now {format_size(running.heap)})")
        if (
            settings.page_cache
            and parse_size(settings.page_cache, "page_cache") != running.page_cache
        ):
            differences.append(
                f"page_cache {settings.page_cache} (now {format_size(running.page_cache)})"
            )
        for name in ("bolt_port", "http_port"):
            port, present = getattr(settings, name), getattr(running, name)
            if port and port != present:
                differences.append(f"{name} {port} (now {present or 'off'})")
        if differences:
            report(
                Message(
                    f"The server is running. To apply {', '.join(differences)}: "
                    "kgdb down && kgdb up"
                )
            )


def local_server(settings: Settings) -> LocalServer | None:
    """The local server at ``settings.uri``, or of the instance if there is no URI."""
    if settings.uri is None:
        return LocalServer(settings)
    # If kgdb may not read the instances, they belong to another user.
    with contextlib.suppress(ServerError):
        for name in instances(settings):
            server = LocalServer(replace(settings, instance=name))
            if server.serves_at(settings.uri):
                return server
    return None


def instances(settings: Settings) -> tuple[str, ...]:
    """The names of the existing instances below ``settings.home``, running or not."""
    return instance_layout.instance_names(settings.home)
