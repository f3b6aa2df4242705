"""Scripts of language models on a real server: each gets its verdict and leaves nothing behind.

The scripts are those of ``tests/corpus/got``; its README describes the files.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import neo4j
import neo4j.exceptions
import pytest

import kgdb

pytestmark = pytest.mark.integration

CORPUS = Path(__file__).parent.parent / "corpus" / "got"
LONGEST = 5.0
SECRET = "what no script may read"


@dataclass(frozen=True)
class Script:
    place: str
    heading: str
    text: str


def scripts(folder: str) -> list[Script]:
    """Every script of a folder, as it is written there."""
    return [
        Script(f"{folder}/{file.name} ({number})", heading.strip(), text)
        for file in sorted((CORPUS / folder).glob("*.txt"))
        for number, block in enumerate(
            f"\n{file.read_text(encoding='utf-8')}".split("\n=====")[1:], start=1
        )
        for heading, _, text in [block.partition("\n")]
    ]


def written_out(text: str, addresses: dict[str, str]) -> str:
    """The text with what its notation stands for."""
    for name, address in addresses.items():
        text = text.replace(f"⟦{name}⟧", address)
    text = re.sub(r"⟦U\+([0-9A-F]+)⟧", lambda found: chr(int(found[1], 16)), text)
    return re.sub(r"⟦(\d+) × (.*?)⟧", lambda found: found[2] * int(found[1]), text, flags=re.DOTALL)


class Canaries:
    """An address and a file that tell whether a script has read them."""

    def __init__(self, file_address: str) -> None:
        self.hits: list[str] = []
        self.file_address = file_address
        hits = self.hits

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                hits.append(self.path)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(SECRET.encode())

            def do_POST(self) -> None:
                self.do_GET()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def addresses(self) -> dict[str, str]:
        return {
            "FILE": self.file_address,
            "HTTP": f"http://127.0.0.1:{self.server.server_port}/canary.csv",
        }

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def readable_file(session: neo4j.Session, folder: Path) -> str:
    """The address of a file that LOAD CSV can read, wherever the server's settings allow it."""
    imports = session.run(
        "SHOW SETTINGS YIELD name, value WHERE name = 'server.directories.import' RETURN value"
    ).single(True)[0]
    for file, address in [
        (folder / "canary.csv", (folder / "canary.csv").as_uri()),
        (Path(imports) / "canary.csv", "file:///canary.csv"),
    ]:
        file.parent.mkdir(exist_ok=True)
        file.write_text(SECRET, encoding="utf-8")
        with suppress(neo4j.exceptions.ClientError):
            session.run("LOAD CSV FROM $address AS row RETURN row", address=address).consume()
            return address
    pytest.fail("LOAD CSV reads no file at all")


@pytest.fixture(scope="module")
def canaries(
    session: neo4j.Session, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Canaries]:
    canaries = Canaries(readable_file(session, tmp_path_factory.mktemp("canary")))
    yield canaries
    canaries.close()


@pytest.fixture(scope="module")
def session(demo: kgdb.KnowledgeGraph, connection: kgdb.Connection) -> Iterator[neo4j.Session]:
    """A session that may write: what keeps a script from it is the procedure alone."""
    assert demo
    with connection.driver.session(database="neo4j") as session:
        yield session


@pytest.fixture(scope="module")
def system(connection: kgdb.Connection) -> Iterator[neo4j.Session]:
    with connection.driver.session(database="system") as session:
        yield session


def state(session: neo4j.Session, system: neo4j.Session) -> dict[str, Any]:
    """All that a script could leave behind; names as the store lists them, in use or not."""
    tokens = session.run("CALL db.stats.retrieve('TOKENS') YIELD data RETURN data").single(True)[0]
    counts = session.run(
        "CALL { MATCH (n) RETURN count(n) AS nodes } "
        "CALL { MATCH ()-->() RETURN count(*) AS relationships } "
        "RETURN nodes, relationships"
    ).single(True)
    return {
        **counts.data(),
        **{kind: sorted(names) for kind, names in tokens.items()},
        "indexes": sorted(session.run("SHOW INDEXES YIELD name").value()),
        "constraints": sorted(session.run("SHOW CONSTRAINTS YIELD name").value()),
        "users": sorted(system.run("SHOW USERS YIELD user").value()),
        "databases": sorted(system.run("SHOW DATABASES YIELD name").value()),
    }


def run(session: neo4j.Session, script: str) -> dict[str, Any]:
    begin = time.monotonic()
    row = session.run("CALL kgdb.got.run($script)", script=script).single(True).data()
    assert time.monotonic() - begin < LONGEST
    return row


def test_what_looks_for_side_effects_finds_them(
    session: neo4j.Session, system: neo4j.Session, canaries: Canaries
) -> None:
    before = state(session, system)
    with session.begin_transaction() as transaction:
        transaction.run("CREATE (:SandboxControl {sandboxControl: 1})-[:SANDBOX_CONTROL]->()")
        transaction.rollback()
    after = state(session, system)
    assert {kind for kind in before if before[kind] != after[kind]} == {
        "labels",
        "relationshipTypes",
        "propertyKeys",
    }
    for address in canaries.addresses.values():
        read = session.run("LOAD CSV FROM $address AS row RETURN row[0]", address=address)
        assert read.single(True)[0] == SECRET
    assert canaries.hits == ["/canary.csv"]
    canaries.hits.clear()


def test_scripts_to_refuse(
    session: neo4j.Session, system: neo4j.Session, canaries: Canaries
) -> None:
    before = state(session, system)
    wrong = []
    for script in scripts("refuse"):
        row = run(session, written_out(script.text.removesuffix("\n"), canaries.addresses))
        if (row["status"], row["nodes"], row["triples"]) != (script.heading, [], []):
            wrong.append(f"{script.place}: {row}")
        if SECRET in str(row) or state(session, system) != before or canaries.hits:
            pytest.fail(f"{script.place} had a side effect: {script.text[:200]}")
    assert not wrong


def test_scripts_to_run(session: neo4j.Session, system: neo4j.Session, canaries: Canaries) -> None:
    before = state(session, system)
    wrong = []
    for script in scripts("run"):
        text, _, expected = script.text.removesuffix("\n").rpartition("\n----- ")
        count, *lines = written_out(expected, {}).split("\n")
        row = run(session, written_out(text, {}))
        found = (row["status"], row["executed"], len(row["nodes"]), row["triples"])
        triples = [line.split(" | ") for line in lines]
        if found != ("ok", True, int(count.removesuffix(" nodes")), triples):
            wrong.append(f"{script.place}: {row}")
        if state(session, system) != before:
            pytest.fail(f"{script.place} had a side effect: {script.text[:200]}")
    assert not wrong


def test_a_reader_may_run_scripts(connection: kgdb.Connection) -> None:
    rows, _, _ = connection.driver.execute_query(
        "CALL kgdb.got.run('CREATE (a)-[:R]->(b)') YIELD executed, triples",
        routing_=neo4j.RoutingControl.READ,
        database_="neo4j",
    )
    assert rows[0].data() == {"executed": True, "triples": [["a", "R", "b"]]}
