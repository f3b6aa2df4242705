"""One connection to a Neo4j database: runs statements, counts them, translates its errors."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Self

import neo4j
from neo4j import RoutingControl
from neo4j.exceptions import (
    AuthError,
    ClientError,
    DatabaseUnavailable,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from kgdb.disk import Disk
from kgdb.errors import (
    Cancelled,
    ConnectionFailed,
    DatabaseError,
    PluginMissing,
    TimedOut,
    UsageError,
)
from kgdb.graph.connection.cancellation import current_cancellation, transaction_metadata
from kgdb.graph.connection.failures import failed
from kgdb.graph.connection.opening import GivenUp, Opener, untrusted_certificate
from kgdb.graph.connection.plugin_messages import (
    missing_plugin,
    missing_procedure_error,
    plugin_cannot_run,
)
from kgdb.graph.connection.reasons import first_line, missing_procedure
from kgdb.graph.connection.round_trips import count_statement
from kgdb.graph.connection.server_versions import runs_plugin, unsupported
from kgdb.graph.connection.silence import SilenceWatch, Waiting, while_reading_a_reply
from kgdb.graph.connection.statements import Place, Statement, call_text, in_one_record, statement
from kgdb.graph.option_values import integer
from kgdb.lazy import lazy_property
from kgdb.optional_packages import optional
from kgdb.settings import without_login
from kgdb.text_arguments import text as checked
from kgdb.wording import short

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience


_ASKED_FIRST = "kgdb.version"

_LONGEST_MS = 2**53


class Database:
    """Runs the statements of ``cypher/`` and any procedure against one Neo4j database.

    Thread-safe, as the driver under it is. Use it as a context manager, or call :meth:`close`.
    """

    _borrowed = False
    """Whether the driver is somebody else's, to be left open."""

    _gds: GraphDataScience | None = None

    _silence: SilenceWatch | None = None
    """None for a driver that is somebody else's: kgdb cannot close it."""

    disk: Disk | None = None
    """The disk that the data lie on, where that is known: of a local server of kgdb's."""

    def __init__(
        self,
        uri: str | neo4j.Driver,
        username: str = "neo4j",
        password: str | None = None,
        database: str = "neo4j",
        plugin: str = "auto",
    ) -> None:
        """Connect and check that the server answers.

        A driver in the place of the address is used as it is, and left open. ``plugin`` is
        ``"auto"``, ``"required"`` or ``"never"``: see :attr:`uses_plugin`. Raises
        :class:`ConnectionFailed` when the server does not answer, refuses the credentials, or is
        too old.
        """
        self.name = database
        self._plugin = plugin
        self._borrowed = isinstance(uri, neo4j.Driver)
        if isinstance(uri, neo4j.Driver):
            self.uri, self.driver = "the address of the given driver", uri
        else:
            self.uri = without_login(uri)
            opener = Opener(uri, username, password)
            self.driver = opener.open()

            def give_up() -> None:
                self.driver = opener.reopen(self.driver)

            self._silence = SilenceWatch(opener.probe, database, give_up)
        try:
            with self._waiting():
                server = self.driver.get_server_info()
        except AuthError as error:
            self.close()
            raise ConnectionFailed(
                f"The server at {self.uri} refused the credentials of {short(username)}.",
                hint="Set NEO4J_USERNAME and NEO4J_PASSWORD.",
            ) from error
        except (DriverError, Neo4jError, OSError, ValueError) as error:
            self.close()
            raise untrusted_certificate(error, self.uri) or ConnectionFailed(
                f"No Neo4j server answers at {self.uri}: {first_line(error)}",
                hint="kgdb status --log shows how the local server is; kgdb up starts it again."
                if self.disk
                else "Check that the server runs, and that its address is right (NEO4J_URI).",
            ) from error
        if self._borrowed:
            self.uri = f"bolt://{server.address}"
        if failure := unsupported(server.agent, self.uri):
            self.close()
            raise failure
        self._agent = server.agent

    def run(
        self, name: str, parameters: dict[str, Any] | None = None, /, **places: Place
    ) -> list[dict[str, Any]]:
        """Run ``cypher/<name>.cypher`` read-only and return its rows."""
        return self.query(statement(name, **places), parameters)

    def collected(
        self, text: Statement, parameters: dict[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """As :meth:`query`, but the rows travel in one record, which the driver reads faster."""
        columns, collecting = in_one_record(checked("text", text, "a statement in Cypher"))
        (found,) = self._records(collecting, parameters, RoutingControl.READ)
        return [dict(zip(columns, row, strict=True)) for row in found["rows"]]

    def query(
        self, text: Statement, parameters: dict[str, Any] | None = None, *, timeout_ms: int = 0
    ) -> list[dict[str, Any]]:
        """Run a statement read-only; after ``timeout_ms`` (0: never) the server ends it."""
        checked("text", text, "a statement in Cypher")
        timeout = integer(0, _LONGEST_MS)("timeout_ms", timeout_ms) / 1000 or None
        try:
            return self._execute(text, parameters, RoutingControl.READ, timeout)
        except TimedOut as error:
            if not timeout:
                raise
            raise TimedOut(
                f"the call did not end within {timeout_ms} ms.", hint="Raise timeout_ms."
            ) from error.__cause__

    def stream(
        self,
        name: str,
        batch: int,
        parameters: dict[str, Any] | None = None,
        /,
        **places: Place,
    ) -> Generator[list[dict[str, Any]], None, None]:
        """The rows of ``cypher/<name>.cypher``, ``batch`` at a time: for more than fit in memory.

        The statement stays open on the server until the last batch is taken, or ``close``.
        """
        text = statement(name, **places)
        access = {"default_access_mode": neo4j.READ_ACCESS, "fetch_size": batch}
        with self._translated(), self._session(**access) as session:
            result = session.run(neo4j.Query(text, metadata=transaction_metadata()), parameters)
            columns = result.keys()
            while records := result.fetch(batch):
                # Several times faster than Record.data(), which looks for nodes in every value.
                yield [dict(zip(columns, record.values(), strict=True)) for record in records]

    def write(
        self, name: str, parameters: dict[str, Any] | None = None, /, **places: Place
    ) -> list[dict[str, Any]]:
        """Run ``cypher/<name>.cypher`` in a write transaction and return its rows."""
        return self._execute(statement(name, **places), parameters, RoutingControl.WRITE)

    def write_checked(
        self,
        name: str,
        parameters: dict[str, Any],
        check: Callable[[list[dict[str, Any]]], None],
        /,
        **places: Place,
    ) -> list[dict[str, Any]]:
        """As :meth:`write`, but whatever ``check`` raises on the rows undoes the statement."""
        text = statement(name, **places)

        def work(transaction: neo4j.ManagedTransaction) -> list[dict[str, Any]]:
            rows = transaction.run(text, parameters).data()
            check(rows)
            return rows

        with self._translated(), self._session() as session:
            return session.execute_write(work)

    def call(self, procedure: str, *arguments: Any) -> list[dict[str, Any]]:
        """``CALL procedure(arguments…)`` for any procedure the server has.

        >>> db.call("gds.graph.list")                                    # doctest: +SKIP
        >>> db.call("kgdb.neighbors", ["Ada Weir"], {"kg": "demo"})      # doctest: +SKIP
        """
        parameters = {f"a{i}": argument for i, argument in enumerate(arguments)}
        return self._execute(call_text(procedure, len(arguments)), parameters, RoutingControl.WRITE)

    def plugin_version(self) -> str | None:
        """The version of the server's kgdb plugin, or ``None`` where it has none; asked once."""
        return self._plugin_version

    @lazy_property
    def _plugin_version(self) -> str | None:
        try:
            version: str = self.run("version")[0]["version"]
        except PluginMissing:
            return None
        return version

    @lazy_property
    def uses_plugin(self) -> bool:
        """Whether retrieval calls the plugin's procedures; else it is done in plain Cypher.

        On servers where the plugin does not work it is not used, installed or not. Raises
        :class:`PluginMissing` where it is required and cannot be used.
        """
        if self._plugin == "never":
            return False
        if not runs_plugin(self._agent):
            if self._plugin == "required":
                raise plugin_cannot_run(self._agent)
            return False
        if self.plugin_version() is None and self._plugin == "required":
            raise missing_plugin(self.uri)
        return self.plugin_version() is not None

    @lazy_property
    def has_gds(self) -> bool:
        """Whether the server has Graph Data Science."""
        rows = self.run("procedure_exists", {"name": "gds.version"})
        return bool(rows[0]["exists"])

    def gds(self) -> GraphDataScience:
        """The Graph Data Science client over this connection (extra ``gds``)."""
        return self._gds if self._gds is not None else self._own_gds

    @lazy_property
    def _own_gds(self) -> GraphDataScience:
        client = optional("graphdatascience", "gds")
        return client.GraphDataScience(self.driver, database=self.name)

    def close(self) -> None:
        """Close the connections, unless the driver was given; the server goes on."""
        if not self._borrowed:
            self.driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _execute(
        self,
        text: Statement,
        parameters: dict[str, Any] | None,
        routing: RoutingControl,
        timeout: float | None = None,
    ) -> list[dict[str, Any]]:
        return [record.data() for record in self._records(text, parameters, routing, timeout)]

    def _records(
        self,
        text: Statement,
        parameters: dict[str, Any] | None,
        routing: RoutingControl,
        timeout: float | None = None,
    ) -> list[neo4j.Record]:
        if self._borrowed:
            with self._translated():
                return self._quietly(text, parameters, routing, timeout)
        metadata = transaction_metadata()
        plain = timeout is None and metadata is None
        query = text if plain else neo4j.Query(text, timeout=timeout, metadata=metadata)
        with self._translated(timeout):
            records, _, _ = self.driver.execute_query(
                query, parameters, routing_=routing, database_=self.name
            )
        return records

    def _quietly(
        self,
        text: Statement,
        parameters: dict[str, Any] | None,
        routing: RoutingControl,
        timeout: float | None,
    ) -> list[neo4j.Record]:
        """As ``execute_query`` of a driver that is somebody else's, but for what it would log.

        Kgdb's statements name properties that need not be there, which Neo4j warns of; only a
        session can be told not to.
        """

        @neo4j.unit_of_work(timeout=timeout, metadata=transaction_metadata())
        def work(transaction: neo4j.ManagedTransaction) -> list[neo4j.Record]:
            return list(transaction.run(text, parameters))

        with self._session() as session:
            if routing == RoutingControl.READ:
                return session.execute_read(work)
            return session.execute_write(work)

    def _session(self, **config: Any) -> neo4j.Session:
        """A session that sees in a cluster, too, what this object has written."""
        return self.driver.session(
            database=self.name,
            bookmark_manager=self.driver.execute_query_bookmark_manager,
            notifications_min_severity="OFF",
            **config,
        )

    def _waiting(self, limit_s: float | None = None) -> AbstractContextManager[Waiting]:
        if self._silence is None:
            return nullcontext(Waiting(None))
        return self._silence.watching(limit_s)

    @contextmanager
    def _translated(self, limit_s: float | None = None) -> Iterator[None]:
        """One statement: it is counted, and the driver's errors become kgdb's."""
        count_statement()
        work = current_cancellation()
        with (
            nullcontext() if work is None else work.running(lambda: self._end(work.key)),
            self._waiting(limit_s) as waiting,
        ):
            try:
                with self._driver_errors():
                    yield
            except (DatabaseError, UsageError, GivenUp) as error:
                if work is not None and work.is_cancelled:
                    raise Cancelled("The work was cancelled.") from error
                if waiting.given_up:
                    raise self._lost("does not answer any more") from error
                raise

    def _end(self, key: str) -> None:
        """Have the server end the statements of the work with that key, as far as it lets us."""
        with self._driver_errors():
            self.driver.execute_query(
                statement("end_work"),
                {"key": key},
                routing_=RoutingControl.READ,
                database_=self.name,
            )

    def _lost(self, how: str) -> ConnectionFailed:
        return ConnectionFailed(
            f"The server at {self.uri} {how}.",
            hint="kgdb status --log shows why the local server ended; kgdb up starts it again."
            if self.disk
            else "Look into the log of that server, and run the command again when it answers.",
        )

    @contextmanager
    def _driver_errors(self) -> Iterator[None]:
        try:
            yield
        except (ServiceUnavailable, SessionExpired, DatabaseUnavailable) as error:
            raise self._lost(f"went away: {first_line(error)}") from error
        except ClientError as error:
            if procedure := missing_procedure(error):
                own = procedure == _ASKED_FIRST
                version = None if own else self.plugin_version()
                raise missing_procedure_error(self.uri, procedure, version) from error
            if error.code == "Neo.ClientError.Database.DatabaseNotFound":
                raise ConnectionFailed(
                    f"The server at {self.uri} has no database {short(self.name)}.",
                    hint="Set NEO4J_DATABASE or --database; SHOW DATABASES lists them.",
                ) from error
            raise failed(error, self.driver, self.name, self.uri, self.disk) from error
        except (DriverError, Neo4jError) as error:
            raise failed(error, self.driver, self.name, self.uri, self.disk) from error
        except Exception as error:
            if while_reading_a_reply(error):
                raise self._lost(f"sent what is no reply: {first_line(error)}") from error
            if not isinstance(error, TypeError | ValueError | OverflowError):
                raise
            # What the driver says of a value before it sends it.
            raise UsageError(
                f"A value cannot be sent to the database: {first_line(error)}.",
                hint="Expected texts, numbers, booleans, dates, None, lists and maps of them.",
            ) from error
