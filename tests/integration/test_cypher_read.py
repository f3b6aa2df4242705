"""Every script of the corpus over Bolt, on the real server: what each gives, and no side effect."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

import kgdb
from kgdb.api import open_connection
from kgdb.progress import silent
from kgdb.runtime import LocalServer
from kgdb.settings import Settings

pytestmark = pytest.mark.integration

CORPUS = Path(__file__).parents[1] / "corpus" / "read"
PATIENT = {"timeoutMs": 60_000}
MOST_SECONDS = 5.0
ENDS = ("ok", "RUNTIME", "TIME", "MEMORY", "TOO_COMPLEX", "TOO_DEEP", "FORBIDDEN_CONSTRUCT")
"""How a script that would take long may end: run, refused or stopped."""


@dataclass(frozen=True)
class Case:
    """One script and what becomes of it."""

    name: str
    script: str
    rows: list[Any]

    @property
    def status(self) -> str:
        """The code that the name of a script to refuse ends with."""
        return self.name.rsplit(" ", 1)[1]


def cases(folder: str) -> list[Case]:
    found = []
    for file in sorted((CORPUS / folder).glob("*.txt")):
        text = file.read_bytes().decode("utf-8")
        for block in ("\n" + text).split("\n==== ")[1:]:
            name, _, body = block.partition("\n")
            body = body if body.endswith("\n") else body + "\n"
            script, expected, rows = body.partition("\n----\n")
            if not expected:
                script = body[:-1]
            found.append(Case(name, script, [json.loads(row) for row in rows.splitlines()]))
    return found


@dataclass(frozen=True)
class Store:
    """All of a store that a script could have changed."""

    nodes: list[Any]
    relationships: list[Any]
    tokens: list[Any]
    indexes: list[Any]
    constraints: list[Any]
    users: list[Any]


def store(db: kgdb.Connection) -> Store:
    with db.driver.session(database="system") as session:
        users = [r.data() for r in session.run("SHOW USERS")]
    return Store(
        rows(db, "MATCH (n) RETURN elementId(n), labels(n), properties(n)"),
        rows(db, "MATCH ()-[r]->() RETURN elementId(r), type(r), properties(r)"),
        rows(db, "CALL db.labels()")
        + rows(db, "CALL db.relationshipTypes()")
        + rows(db, "CALL db.propertyKeys()"),
        rows(db, "SHOW INDEXES YIELD name, type, labelsOrTypes, properties"),
        rows(db, "SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties"),
        users,
    )


def rows(db: kgdb.Connection, statement: str, **parameters: Any) -> list[Any]:
    with db.driver.session() as session:
        return [r.data() for r in session.run(statement, parameters)]


def read(db: kgdb.Connection, script: str, config: dict[str, Any]) -> dict[str, Any]:
    (row,) = rows(db, "CALL kgdb.cypher.read($script, $config)", script=script, config=config)
    assert isinstance(row, dict)
    return row


@pytest.fixture(scope="module")
def films(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[kgdb.Connection]:
    """A server of this module's own: what a store has ever held would change the answers."""
    folder = tmp_path_factory.mktemp("kgdb-read")
    (folder / "jars").symlink_to((home / "jars").resolve())
    settings = Settings(home=folder, heap="512m", page_cache="64m")
    with open_connection(settings, silent) as connection:
        rows(connection, (CORPUS / "graph.cypher").read_text(encoding="utf-8"))
        yield connection
    LocalServer(settings).stop()


@dataclass
class Canary:
    """A web server that counts who came."""

    url: str
    hits: list[str]


@pytest.fixture
def canary() -> Iterator[Canary]:
    hits: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"a,b\n1,2\n")

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Canary(f"http://127.0.0.1:{server.server_port}/canary.csv", hits)
    server.shutdown()
    server.server_close()
    thread.join()


def test_scripts_to_refuse_are_refused_and_change_nothing(films: kgdb.Connection) -> None:
    before = store(films)
    wrong = {}
    for case in cases("refuse"):
        row = read(films, case.script, PATIENT)
        if row["status"] != case.status or row["rows"]:
            wrong[case.name] = row
    assert wrong == {}
    assert store(films) == before


def test_scripts_to_run_give_their_rows_and_change_nothing(films: kgdb.Connection) -> None:
    before = store(films)
    wrong = {}
    for case in cases("run"):
        row = read(films, case.script, PATIENT)
        found, expected = row["rows"], case.rows
        if "ORDER BY" not in case.script.upper():
            found, expected = sorted(found, key=repr_of), sorted(expected, key=repr_of)
        if row["status"] != "ok" or found != expected:
            wrong[case.name] = (row["status"], row["message"], found, expected)
    assert wrong == {}
    assert store(films) == before


def repr_of(row: Any) -> str:
    return json.dumps(row, sort_keys=True)


@pytest.mark.parametrize(
    "script",
    [
        "LOAD CSV FROM '{url}' AS row RETURN row",
        "LOAD CSV WITH HEADERS FROM '{url}' AS row RETURN row.a",
        "UNWIND ['{url}'] AS u LOAD CSV FROM u AS row RETURN row",
        "RETURN COLLECT {{ LOAD CSV FROM '{url}' AS row RETURN row }} AS rows",
        "MATCH (n) WHERE EXISTS {{ LOAD CSV FROM '{url}' AS row RETURN row }} RETURN n",
        "RETURN 1 AS x UNION LOAD CSV FROM '{url}' AS x RETURN x",
        "\\u004cOAD CSV FROM '{url}' AS row RETURN row",
    ],
)
def test_nothing_is_fetched(films: kgdb.Connection, canary: Canary, script: str) -> None:
    loading = script.format(url=canary.url)
    assert read(films, loading, {})["status"] == "FORBIDDEN_CLAUSE"
    assert canary.hits == []


def test_the_canary_would_have_told(films: kgdb.Connection, canary: Canary) -> None:
    rows(films, f"LOAD CSV FROM '{canary.url}' AS row RETURN row")
    assert canary.hits == ["/canary.csv"]


def test_no_file_is_read(films: kgdb.Connection, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("secret,42\n", encoding="utf-8")
    row = read(films, f"LOAD CSV FROM '{secret.as_uri()}' AS row RETURN row", {})
    assert row["status"] == "FORBIDDEN_CLAUSE"
    assert "42" not in str(row)


def test_no_script_takes_long(films: kgdb.Connection) -> None:
    rows(films, "UNWIND range(1, 5000) AS i CREATE (:N {i: i, name: 'node ' + i})")
    rows(films, "MATCH (h:N {i: 1}), (x:N) WHERE x.i > 1 CREATE (h)-[:R]->(x), (x)-[:S]->(h)")
    megabyte = 1 << 20
    rows(
        films,
        "UNWIND range(1, 5) AS i CREATE (:Big {i: i, t: $t, p: $p, d: $d, l: range(1, 130000)})",
        t="lorem ab" * (megabyte // 8),
        p="a" * megabyte,
        d="1" * megabyte,
    )
    before = store(films)
    bombs = cases("bombs")
    assert len(bombs) >= 90
    wrong = {}
    for case in bombs:
        begin = monotonic()
        row = read(films, case.script, {"timeoutMs": 300})
        seconds = monotonic() - begin
        if seconds > MOST_SECONDS or row["status"] not in ENDS:
            wrong[case.name] = (seconds, row["status"], row["message"])
    assert wrong == {}
    assert store(films) == before


DYING_CLIENT = """
import sys
import neo4j

driver = neo4j.GraphDatabase.driver(sys.argv[1], auth=(sys.argv[2], sys.argv[3]))
with driver.session() as session:
    session.run("CALL kgdb.cypher.read($script, {timeoutMs: 60000})", script=sys.argv[4]).consume()
"""
ENDLESS = (
    "MATCH (n:Movie) WITH collect(n.title) AS s WITH s + s + s + s AS t WITH t + t + t + t AS u"
    " WITH u + u + u + u AS l"
    " RETURN size([a IN l WHERE all(b IN l WHERE all(c IN l WHERE a + b + c <> 'x'))])"
)


def running(db: kgdb.Connection) -> list[str]:
    found = rows(db, "SHOW TRANSACTIONS YIELD currentQuery AS query RETURN query")
    return [row["query"] for row in found if "kgdb.cypher.read" in (row["query"] or "")]


def wait(db: kgdb.Connection, many: int, seconds: float) -> float:
    """The seconds until so many reads run, at most as many as are given."""
    begin = monotonic()
    while len(running(db)) != many and monotonic() - begin < seconds:
        sleep(0.05)
    return monotonic() - begin


def test_a_loop_in_an_expression_ends_with_its_client(films: kgdb.Connection) -> None:
    endpoint = LocalServer(Settings(home=films.home, heap="512m", page_cache="64m")).start()
    login = (endpoint.uri, endpoint.username, endpoint.password)
    client = subprocess.Popen([sys.executable, "-c", DYING_CLIENT, *login, ENDLESS])
    assert wait(films, 1, 30) < 30
    client.kill()
    client.wait()
    assert wait(films, 0, 5) < 5
