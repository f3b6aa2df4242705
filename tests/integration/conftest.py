"""One real server for all integration tests: local, in a home of its own, or in a container.

What is downloaded (the server's jars, the language model) is shared with the user's own home: tests
do not fetch it again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from container_server import container_server
from sources import Fact, demo_facts

import kgdb
from kgdb import loading
from kgdb.runtime import Endpoint, LocalServer
from kgdb.runtime.machine import ports
from kgdb.settings import Settings, load_settings


@pytest.fixture(scope="session", autouse=True)
def own_ports() -> Iterator[None]:
    """Workers that run side by side leave each other's ports alone, also while one restarts."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    with pytest.MonkeyPatch.context() as patch:
        # Commands that tests start as processes take ports from the first one on.
        patch.setattr(ports, "FIRST_PORT", ports.FIRST_PORT + 300 * (worker + 1))
        yield


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty kgdb home that shares the user's downloads."""
    downloads = load_settings().home
    folder = tmp_path_factory.mktemp("kgdb-home")
    for shared in ("jars", "models"):
        (downloads / shared).mkdir(parents=True, exist_ok=True)
        (folder / shared).symlink_to(downloads / shared)
    return folder


@pytest.fixture(scope="session")
def settings(home: Path, request: pytest.FixtureRequest) -> Iterator[Settings]:
    """Settings of the running test server, which every command started by a test uses too."""
    in_container = request.config.getoption("--server") == "container"
    with container_server() if in_container else _local_server(home) as endpoint:
        variables = {
            "KGDB_HOME": str(home),
            "NEO4J_URI": endpoint.uri,
            "NEO4J_USERNAME": endpoint.username,
            "NEO4J_PASSWORD": endpoint.password,
        }
        before = {name: os.environ.get(name) for name in variables}
        os.environ.update(variables)
        yield load_settings()
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _local_server(home: Path) -> Iterator[Endpoint]:
    server = LocalServer(load_settings({"KGDB_HOME": str(home)}, heap="512m", page_cache="128m"))
    yield server.start()
    server.stop()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what a container cannot show."""
    if config.getoption("--server") == "local":
        return
    skipped = pytest.mark.skip(reason="starts, stops or breaks a local server")
    for item in items:
        if item.get_closest_marker("local_server"):
            item.add_marker(skipped)


@pytest.fixture(scope="module")
def short_lives() -> Iterator[None]:
    """Servers that run for seconds start in two thirds of the time if Java compiles simply."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")
        yield


@pytest.fixture(scope="session")
def connection(settings: Settings) -> Iterator[kgdb.Connection]:
    """A connection to the test server."""
    with kgdb.connect() as db:
        yield db


@pytest.fixture(scope="session")
def demo(connection: kgdb.Connection) -> kgdb.KnowledgeGraph:
    """The demo graph, loaded once."""
    with loading.prepare(loading.read_spec("demo")) as prepared:
        loading.load(prepared, connection)
    return connection.graph("demo")


@pytest.fixture(scope="session")
def facts() -> set[Fact]:
    """The demo graph's facts, read from its source without kgdb."""
    return demo_facts()


@pytest.fixture(scope="session")
def kept() -> set[str]:
    """The graphs that stay from test to test: the demo graph, and those of whole modules."""
    return {"demo"}


@pytest.fixture
def clean(connection: kgdb.Connection, kept: set[str]) -> Iterator[kgdb.Connection]:
    """A connection whose graphs are removed after the test, but for those that are kept."""
    yield connection
    for info in connection.graphs():
        if info.name not in kept:
            loading.unload(connection, info)
