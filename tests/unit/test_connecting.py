"""Connecting, and what is said when that fails."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from fakes import MemoryDatabase, MemoryDriver, Record
from neo4j import Driver, GraphDatabase
from neo4j.exceptions import ClientError, Neo4jError, ServiceUnavailable, SessionExpired

import kgdb
from kgdb.api import open_connection
from kgdb.connection import Connection
from kgdb.disk import Disk
from kgdb.errors import ConnectionFailed, DatabaseError, KgdbError, PluginMissing
from kgdb.graph import Database, count_round_trips, plugin_notice
from kgdb.optional_packages import installation
from kgdb.progress import Event, Message, silent
from kgdb.settings import load_settings

pytestmark = pytest.mark.unit

SERVER = SimpleNamespace(agent="Neo4j/5.26.23")


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("KGDB_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.fixture
def closed_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port: int = listener.getsockname()[1]
    return port


@pytest.fixture
def talkative_port() -> Iterator[int]:
    """Something listens, but it is no Neo4j."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1024)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        thread.join(5)


@pytest.mark.parametrize(
    "uri", ["localhost:7687", "http://localhost:7474", "neo4j", "bolt://host:port", " ", "bolt://"]
)
def test_what_is_no_address_is_refused_with_an_example(uri: str) -> None:
    with pytest.raises(ConnectionFailed) as failure:
        kgdb.connect(uri)
    assert uri in failure.value.message
    assert failure.value.hint


def test_an_address_of_another_scheme_is_answered_with_one_of_the_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NEO4J_URI", "http://localhost:7474")
    with pytest.raises(ConnectionFailed, match="is not a Neo4j address") as failure:
        kgdb.connect()
    assert "neo4j://host:7687" in (failure.value.hint or "")


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_nothing_listening_is_an_error_that_says_where_and_what_to_do(
    closed_port: int, scheme: str
) -> None:
    uri = f"{scheme}://127.0.0.1:{closed_port}"
    with pytest.raises(ConnectionFailed, match=f"No Neo4j server answers at {uri}") as failure:
        kgdb.connect(uri, password="x")
    assert "\n" not in failure.value.message
    assert "NEO4J_URI" in (failure.value.hint or "")


def test_another_kind_of_server_is_an_error(talkative_port: int) -> None:
    with pytest.raises(ConnectionFailed, match=f"answers at bolt://127.0.0.1:{talkative_port}"):
        kgdb.connect(f"bolt://127.0.0.1:{talkative_port}")


class FailingDriver(MemoryDriver):
    """Raises what a server would."""

    def __init__(self, error: Exception) -> None:
        super().__init__([])
        self._error = error

    def execute_query(self, *_: object, **__: object) -> tuple[list[object], None, None]:  # type: ignore[override]
        raise self._error


def server_error(code: str, message: str) -> ClientError:
    error = ClientError._hydrate_neo4j(code=code, message=message)
    assert isinstance(error, ClientError)
    return error


MISSING = server_error(
    "Neo.ClientError.Procedure.ProcedureNotFound",
    "There is no procedure with the name `kgdb.version` registered for this database instance.",
)


def test_a_server_without_the_plugin_is_an_error_that_says_how_to_get_it() -> None:
    database = MemoryDatabase(FailingDriver(MISSING))
    with pytest.raises(PluginMissing, match="has no kgdb plugin") as failure:
        database.run("version")
    assert "kgdb-procedures.jar" in (failure.value.hint or "")
    assert database.plugin_version() is None


@pytest.mark.parametrize(("plugin", "asked"), [("auto", 1), ("never", 0)])
def test_without_the_plugin_plain_cypher_is_used(plugin: str, asked: int) -> None:
    database = MemoryDatabase(FailingDriver(MISSING), plugin=plugin)
    with count_round_trips() as trips:
        assert not database.uses_plugin
        assert not database.uses_plugin
    assert trips.count == asked


def test_a_server_without_a_required_plugin_is_refused() -> None:
    database = MemoryDatabase(FailingDriver(MISSING), plugin="required")
    with pytest.raises(PluginMissing, match="has no kgdb plugin"):
        _ = database.uses_plugin


def missing(procedure: str) -> ClientError:
    return server_error(
        MISSING.code or "", (MISSING.message or "").replace("kgdb.version", procedure)
    )


class OtherVersionDriver(MemoryDriver):
    """A server with the plugin of some version, or none, which lacks the procedure."""

    def __init__(self, version: str | None) -> None:
        super().__init__([])
        self._version = version

    def execute_query(self, text: str, *_: object, **__: object) -> tuple[list[Record], None, None]:  # type: ignore[override]
        if "kgdb.version" not in text:
            raise missing("kgdb.got.match")
        if self._version is None:
            raise MISSING
        return [Record({"version": self._version})], None, None


def test_a_plugin_of_another_version_is_not_called_missing() -> None:
    with pytest.raises(PluginMissing) as failure:
        MemoryDatabase(OtherVersionDriver("0.0.9")).run("got/match")
    message, hint = failure.value.message, failure.value.hint or ""
    assert "has no kgdb plugin" not in message
    assert "is 0.0.9 and has no procedure kgdb.got.match;" in message
    assert f"this package is {kgdb.__version__}" in message
    assert "kgdb down && kgdb up" in hint
    assert "kgdb-procedures.jar" in hint
    assert "upgrade this package" in hint


def test_a_procedure_that_no_version_has_is_called_so() -> None:
    driver = OtherVersionDriver(kgdb.__version__)
    with pytest.raises(PluginMissing, match=r"has no procedure kgdb\.got\.match;") as failure:
        MemoryDatabase(driver).call("kgdb.got.match")
    assert "kgdb.help()" in (failure.value.hint or "")
    assert "kgdb-procedures.jar" not in (failure.value.hint or "")


def test_without_any_plugin_no_procedure_is_asked_for_by_name() -> None:
    with pytest.raises(PluginMissing, match="has no kgdb plugin"):
        MemoryDatabase(OtherVersionDriver(None)).run("got/match")


class VersionDriver(MemoryDriver):
    """A server with the plugin of some version."""

    def __init__(self, version: str) -> None:
        super().__init__([])
        self._version_row = {"version": version}

    def execute_query(self, *_: object, **__: object) -> tuple[list[Record], None, None]:  # type: ignore[override]
        return [Record(self._version_row)], None, None


@pytest.mark.parametrize("plugin", ["auto", "required"])
def test_a_plugin_that_is_there_is_used_unless_that_is_unwanted(plugin: str) -> None:
    assert MemoryDatabase(VersionDriver("1.2.3"), plugin=plugin).uses_plugin
    assert not MemoryDatabase(VersionDriver("1.2.3"), plugin="never").uses_plugin


def opened(monkeypatch: pytest.MonkeyPatch, driver: MemoryDriver, plugin: str) -> list[str]:
    """What is said while a connection to a server is opened."""
    monkeypatch.setattr(GraphDatabase, "driver", lambda *_, **__: driver)
    monkeypatch.setattr(MemoryDriver, "get_server_info", lambda _: SERVER, raising=False)
    events: list[Event] = []
    open_connection(load_settings({}, uri="bolt://x", plugin=plugin), events.append)
    return [event.text for event in events if isinstance(event, Message)]


def test_what_retrieval_uses_is_said_where_it_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    (said,) = opened(monkeypatch, FailingDriver(MISSING), "auto")
    assert said == plugin_notice(None)
    assert opened(monkeypatch, FailingDriver(MISSING), "never") == []
    assert opened(monkeypatch, VersionDriver(kgdb.__version__), "auto") == []
    (said,) = opened(monkeypatch, VersionDriver("0.0.0"), "required")
    assert said == plugin_notice("0.0.0")


def test_a_connection_that_may_not_be_used_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = FailingDriver(MISSING)
    closed: list[bool] = []
    monkeypatch.setattr(driver, "close", lambda: closed.append(True))
    with pytest.raises(PluginMissing):
        opened(monkeypatch, driver, "required")
    assert closed == [True]


def test_a_missing_procedure_of_another_plugin_is_not_blamed_on_kgdb() -> None:
    error = server_error(MISSING.code or "", "There is no procedure with the name `gds.nope`")
    with pytest.raises(DatabaseError, match=r"gds\.nope") as failure:
        MemoryDatabase(FailingDriver(error)).call("gds.nope")
    assert not isinstance(failure.value, PluginMissing)


def test_what_a_procedure_refuses_is_told_without_what_is_around_it() -> None:
    error = server_error(
        "Neo.ClientError.Procedure.ProcedureCallFailed",
        "Failed to invoke procedure `kgdb.follow`: Caused by: "
        "io.github.kgdb.KgdbException: limit is -1; expected 0 or more.",
    )
    with pytest.raises(DatabaseError) as failure:
        MemoryDatabase(FailingDriver(error)).call("kgdb.follow")
    assert failure.value.message == "limit is -1; expected 0 or more."


def test_only_the_first_line_of_an_error_is_told() -> None:
    error = server_error("Neo.ClientError.Statement.SyntaxError", "Invalid input 'X'\n\"X\"\n ^")
    with pytest.raises(DatabaseError) as failure:
        MemoryDatabase(FailingDriver(error)).call("db.labels")
    assert failure.value.message == "Invalid input 'X'"


@pytest.mark.parametrize(
    "error",
    [
        ServiceUnavailable("gone"),
        SessionExpired("gone"),
        Neo4jError._hydrate_neo4j(
            code="Neo.TransientError.General.DatabaseUnavailable", message="gone"
        ),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize(
    ("disk", "hints"),
    [(None, ["the log of that server"]), (Disk(Path(), Path()), ["kgdb status --log", "kgdb up"])],
    ids=["of another", "local"],
)
def test_a_server_that_goes_away_is_an_error_with_where_to_look(
    error: Exception, disk: Disk | None, hints: list[str]
) -> None:
    database = MemoryDatabase(FailingDriver(error))
    database.disk = disk
    with pytest.raises(ConnectionFailed, match="went away: gone") as failure:
        database.call("db.labels")
    assert all(hint in (failure.value.hint or "") for hint in hints)
    assert ("kgdb" in (failure.value.hint or "")) == (disk is not None)


def test_a_server_that_went_away_is_waited_for_but_not_for_long(
    closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    clock = SimpleNamespace(now=0.0)

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        clock.now += seconds

    monkeypatch.setattr("neo4j._sync.work.session.sleep", sleep)
    monkeypatch.setattr("neo4j._sync.work.session.monotonic", lambda: clock.now)
    # It was there when the connection was made.
    monkeypatch.setattr(Driver, "get_server_info", lambda _: SERVER)
    with (
        Database(f"bolt://127.0.0.1:{closed_port}") as database,
        pytest.raises(ConnectionFailed, match="went away"),
    ):
        database.call("db.labels")
    assert 12 <= sum(pauses) <= 18


@pytest.mark.parametrize(
    ("unknown", "name"),
    [("entity 'Ada Weir'", "'Ada Weir'"), ("entities 'O\\'Hara', 'b' and 2 more", '"O\'Hara"')],
)
def test_a_name_in_the_place_of_an_id_is_told_how_to_find_the_id(unknown: str, name: str) -> None:
    message = f"no {unknown} in graph 'g'; nodes takes ids (element ids of the database), not names"
    error = server_error(
        "Neo.ClientError.Procedure.ProcedureCallFailed",
        "Failed to invoke procedure `kgdb.follow`: Caused by: java.lang.IllegalArgumentException: "
        f"kgdb.follow: {message}: kgdb.entities.link finds the ids of a name",
    )
    with pytest.raises(DatabaseError) as failure:
        MemoryDatabase(FailingDriver(error)).call("kgdb.follow")
    assert failure.value.message == f"kgdb.follow: {message}"
    assert failure.value.hint == (
        f"kg.link([{name}]) finds the entities of a name; pass these instead of it."
    )


def test_a_statement_that_failed_was_sent_all_the_same() -> None:
    database = MemoryDatabase(FailingDriver(MISSING))
    with count_round_trips() as trips:
        database.plugin_version()
    assert trips.count == 1


def test_gds_that_is_not_installed_comes_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "graphdatascience", None)
    connection = object.__new__(Connection)
    connection.report = silent
    with pytest.raises(KgdbError, match="'graphdatascience' is not installed") as failure:
        connection.gds()
    assert failure.value.hint == installation("gds")


def test_what_answers_is_named_with_the_settings_that_change_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Driver, "get_server_info", lambda _: SERVER)

    def named(**settings: str) -> str:
        with Connection(
            load_settings({}, uri="bolt://127.0.0.1:1", **settings), silent
        ) as database:
            return database.models("none")

    assert named(llm_timeout="5", cache="off", plugin="auto") == "llm none, encoder minilm"
    assert named(plugin="never", llm_dtype="bfloat16", llm_context="512") == (
        "llm none, encoder minilm, llm_dtype bfloat16, llm_context 512, plugin never"
    )
