"""A dump of neo4j-admin becomes the database of an empty local server, and is adopted there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import neo4j
import pytest
from click.testing import CliRunner, Result

from kgdb.cli.main import cli
from kgdb.errors import ServerError, UsageError
from kgdb.progress import silent
from kgdb.runtime import LocalServer
from kgdb.runtime.importing import admin
from kgdb.runtime.instance import instance_layout
from kgdb.runtime.starting import launching
from kgdb.settings import Settings

pytestmark = [
    pytest.mark.integration,
    pytest.mark.local_server,
    pytest.mark.usefixtures("short_lives"),
]

GRAPH = """
CREATE (a:Baker {name: 'Toni Hagen'}), (b:Bread {name: 'Rye Crown'}), (c:Bread {name: 'Oat Twist'}),
       (a)-[:BAKED]->(b), (a)-[:BAKED]->(c)
"""


@pytest.fixture(scope="module")
def dump(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dump of a small graph, as neo4j-admin writes it."""
    own = replace(settings, instance="dumped")
    server = LocalServer(own)
    endpoint = server.start()
    with neo4j.GraphDatabase.driver(
        endpoint.uri, auth=(endpoint.username, endpoint.password)
    ) as driver:
        driver.execute_query(GRAPH)
    server.stop()
    instance = instance_layout.instance(own.home, own.instance)
    folder = tmp_path_factory.mktemp("a folder, with dumps")
    prepared = launching.prepare(own, instance, silent)
    admin.run(prepared, instance, ["database", "dump", f"--to-path={folder}", "neo4j"], None)
    return (folder / "neo4j.dump").rename(folder / "bakery, 2024.dump")


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Runs a command as a user without a server of their own."""
    monkeypatch.setenv("KGDB_HOME", str(settings.home))
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "KGDB_INSTANCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("KGDB_HEAP", "1g")
    monkeypatch.setenv("KGDB_PAGE_CACHE", "128m")
    return lambda *arguments: CliRunner().invoke(cli, arguments)


def test_a_dump_is_loaded_and_adopted_and_never_replaces_anything(run: object, dump: Path) -> None:
    assert callable(run)
    done: Result = run("adopt", "bakery", "--dump", str(dump), "--instance", "bakery")
    assert done.exit_code == 0, done.output
    assert "Adopted bakery: 2 triples, 3 entities, 1 relation." in done.output
    asked = run(
        *("answer", "Who baked Rye Crown?", "--graph", "bakery"),
        *("--llm", "none", "--instance", "bakery"),
    )
    assert "Toni Hagen" in asked.output
    again: Result = run("adopt", "more", "--dump", str(dump), "--instance", "bakery")
    assert isinstance(again.exception, ServerError)
    assert "is not empty, and a dump would replace" in again.exception.message
    assert "--instance NAME" in (again.exception.hint or "")
    assert "bakery" in run("graphs", "--instance", "bakery").output


def test_what_is_no_dump_leaves_an_empty_database(
    run: object, settings: Settings, tmp_path: Path
) -> None:
    assert callable(run)
    bad = tmp_path / "bad.dump"
    bad.write_bytes(b"no dump at all")
    failed: Result = run("adopt", "bad", "--dump", str(bad), "--instance", "bad")
    assert isinstance(failed.exception, ServerError)
    assert f"The dump {bad} cannot be loaded." in failed.exception.message
    assert "starts with an empty database" in (failed.exception.hint or "")
    endpoint = LocalServer(replace(settings, instance="bad")).start()
    with neo4j.GraphDatabase.driver(
        endpoint.uri, auth=(endpoint.username, endpoint.password)
    ) as driver:
        assert driver.execute_query("MATCH (n) RETURN count(n) AS n").records[0]["n"] == 0
    missing: Result = run("adopt", "bad", "--dump", str(tmp_path / "no.dump"), "--instance", "bad")
    assert isinstance(missing.exception, UsageError)
    assert "no.dump, a dump to load, does not exist." in missing.exception.message


def test_a_server_of_somebody_else_is_told_what_to_run(run: object, dump: Path) -> None:
    assert callable(run)
    failed: Result = run("adopt", "x", "--dump", str(dump), "--uri", "bolt://db.invalid:7687")
    assert isinstance(failed.exception, UsageError)
    assert "bolt://db.invalid:7687 is another one" in failed.exception.message
    hint = failed.exception.hint or ""
    assert "neo4j-admin database load neo4j --from-stdin --overwrite-destination=true" in hint
    assert f"< '{dump}'" in hint
    assert "kgdb adopt x" in hint
