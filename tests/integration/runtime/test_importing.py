"""Offline imports into a real server: whole, verbatim, and never half, whoever is killed when."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import Any, NamedTuple

import duckdb
import neo4j
import psutil
import pytest

from kgdb.errors import ServerError
from kgdb.progress import Event, Message, Progress
from kgdb.runtime import ARRAY_DELIMITER, Endpoint, ImportOptions, LocalServer
from kgdb.runtime.instance import instance_layout
from kgdb.runtime.machine import process
from kgdb.settings import Settings

pytestmark = [
    pytest.mark.integration,
    pytest.mark.local_server,
    pytest.mark.usefixtures("short_lives"),
]

TEXTS = [
    "plain",
    "x",
    "",
    " ",
    "  on both sides  ",
    "\ta tab\t",
    'they say "so"',
    '"',
    '""',
    "a,b",
    ",",
    "a;b|c",
    "two\nlines",
    "\n",
    "two\r\nlines",
    "\r",
    "back\\slash",
    "\\",
    'ends with \\"',
    "'single'",
    "🙂 beyond the first plane 𝒳",
    "é, and e\u0301",
    "電影 فيلم",
    "\ufeffa mark of order",
    "\x01\x1f\x7f\u2028\u2029",
    "{}[]()<>&#%$`",
    "# no comment",
    "null",
    "true",
    "1",
]
NODES_HEADER = ":ID,number:LONG,name:STRING,aliases:STRING[],:LABEL\n"
RELATIONSHIPS_HEADER = ":START_ID,:END_ID,:TYPE\n"


class Files(NamedTuple):
    """The arguments of an import."""

    nodes: list[list[Path]]
    relationships: list[list[Path]]


def write(folder: Path, nodes: str, relationships: str) -> Files:
    """Files with the rows of two DuckDB queries: the columns of the headers, the first twice."""
    folder.mkdir()
    files = Files(
        [[folder / "nodes header", folder / "nodes, all"]],
        [[folder / "relationships header", folder / "relationships, all"]],
    )
    ((node_header, node_rows),) = files.nodes
    ((relationship_header, relationship_rows),) = files.relationships
    node_header.write_text(NODES_HEADER)
    relationship_header.write_text(RELATIONSHIPS_HEADER)
    with duckdb.connect() as connection:
        for query, path, quoted in (
            (nodes, node_rows, "name, aliases, labels"),
            (relationships, relationship_rows, "type"),
        ):
            connection.execute(f"COPY ({query}) TO '{path}' (HEADER false, FORCE_QUOTE ({quoted}))")
    return files


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A node for each of the texts, and a relationship whose type is the text where it can be."""
    values = ", ".join(
        f"({i}, '{text.replace(chr(39), 2 * chr(39))}')" for i, text in enumerate(TEXTS)
    )
    table = f"(VALUES {values}) AS t(id, name)"
    return write(
        tmp_path_factory.mktemp("texts") / "files",
        f"SELECT id, id, name, CASE WHEN id % 2 = 1 THEN concat_ws('{ARRAY_DELIMITER}', name, "
        f"'also ' || name) END AS aliases, concat('Entity', '{ARRAY_DELIMITER}', 'A; B') AS labels "
        f"FROM {table} ORDER BY id",
        f"SELECT id, (id + 1) % {len(TEXTS)}, name AS type FROM {table} WHERE name <> ''",
    )


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A graph large enough to be killed in every stage of its import."""
    return write(
        tmp_path_factory.mktemp("ring") / "files",
        "SELECT i, i, 'node ' || i AS name, NULL AS aliases, 'Entity' AS labels "
        "FROM range(200000) AS t(i)",
        "SELECT i % 200000, (i * 7 + 1) % 200000, 'r' || i // 8000 AS type "
        "FROM range(800000) AS t(i)",
    )


@pytest.fixture(scope="module")
def endpoint(settings: Settings) -> Endpoint:
    return LocalServer(settings).start()


def query(endpoint: Endpoint, text: str, **parameters: Any) -> list[dict[str, Any]]:
    login = (endpoint.username, endpoint.password)
    with neo4j.GraphDatabase.driver(endpoint.uri, auth=login) as driver:
        return [record.data() for record in driver.execute_query(text, parameters).records]


def counts(endpoint: Endpoint) -> tuple[int, int]:
    (nodes,) = query(endpoint, "MATCH (n) RETURN count(n) AS count")
    (relationships,) = query(endpoint, "MATCH ()-[r]->() RETURN count(r) AS count")
    return nodes["count"], relationships["count"]


def fingerprint(endpoint: Endpoint) -> dict[str, Any]:
    """What tells the ring from every other graph of its size."""
    (row,) = query(
        endpoint,
        "MATCH (a)-[r]->(b) RETURN count(*) AS relationships, count(DISTINCT type(r)) AS types, "
        "sum((a.number * 31 + b.number * 17) * toInteger(substring(type(r), 1)) % 9973) AS mixed",
    )
    return row


RING = {
    "relationships": 800_000,
    "types": 100,
    "mixed": sum(
        (i % 200_000 * 31 + (i * 7 + 1) % 200_000 * 17) * (i // 8_000) % 9973
        for i in range(800_000)
    ),
}


def test_every_text_arrives_as_it_is(settings: Settings, endpoint: Endpoint, texts: Files) -> None:
    """Into a server that runs and is empty: it is stopped and started again."""
    events: list[Event] = []
    before = LocalServer(settings).status().pid
    assert LocalServer(settings).import_store(*texts, report=events.append) == endpoint
    assert LocalServer(settings).status().pid != before
    rows = query(
        endpoint,
        "MATCH (n) RETURN n.number AS number, n.name AS name, n.aliases AS aliases, "
        "labels(n) AS labels ORDER BY number",
    )
    assert [row["name"] for row in rows] == TEXTS
    for number, (row, text) in enumerate(zip(rows, TEXTS, strict=True)):
        assert row["number"] == number
        assert row["aliases"] == ([text, f"also {text}"] if number % 2 else None)
        assert sorted(row["labels"]) == ["A; B", "Entity"]
    rows = query(endpoint, "MATCH (n)-[r]->() RETURN type(r) AS type ORDER BY n.number")
    assert [row["type"] for row in rows] == [text for text in TEXTS if text]
    stages = [event.stage for event in events if isinstance(event, Progress)]
    assert list(dict.fromkeys(stages)) == [
        "importing nodes",
        "importing relationships",
        "linking relationships",
        "counting nodes",
        "counting relationships",
    ]
    ends = {event.stage: event for event in events if isinstance(event, Progress)}
    assert all(event.done == event.total for event in ends.values())


def test_a_database_with_nodes_is_refused_and_keeps_them(
    settings: Settings, endpoint: Endpoint, ring: Files
) -> None:
    server = LocalServer(settings)
    pid = server.status().pid
    with pytest.raises(ServerError, match="is not empty"):
        server.import_store(*ring)
    assert server.status().pid == pid
    server.stop()
    with pytest.raises(ServerError, match="is not empty"):
        server.import_store(*ring)
    assert counts(server.start())[0] == len(TEXTS)


def test_an_earlier_store_is_replaced_when_told(
    settings: Settings, endpoint: Endpoint, ring: Files
) -> None:
    query(endpoint, "CREATE CONSTRAINT once FOR (e:Entity) REQUIRE e.name IS UNIQUE")
    LocalServer(settings).import_store(
        *ring, options=ImportOptions(heap="1g", off_heap="1500m", multiline=()), replace=True
    )
    assert counts(endpoint) == (200_000, 800_000)
    assert fingerprint(endpoint) == RING
    assert query(endpoint, "SHOW CONSTRAINTS") == []
    query(endpoint, "CREATE CONSTRAINT once FOR (e:Entity) REQUIRE e.name IS UNIQUE")
    left = instance_layout.instance(settings.home, settings.instance)
    assert not left.import_marker.exists()
    assert not left.import_folder.exists()


def test_a_malformed_file_gives_the_reason_and_leaves_an_empty_database(
    settings: Settings, endpoint: Endpoint, tmp_path: Path, texts: Files
) -> None:
    bad = tmp_path / "bad, very.csv"
    bad.write_text('0,0,"good",,Entity\n1,1,"cut" off,,Entity\n')
    server = LocalServer(settings)
    with pytest.raises(ServerError, match="ending quote") as failure:
        server.import_store([[texts.nodes[0][0], bad]], replace=True)
    assert str(bad) in failure.value.message
    assert "Correct the files" in (failure.value.hint or "")
    assert server.status().state == "stopped"
    events: list[Event] = []
    assert server.start(events.append) == endpoint
    assert any("was not finished" in e.text for e in events if isinstance(e, Message))
    assert counts(endpoint) == (0, 0)


def test_a_relationship_without_its_node_is_refused(
    settings: Settings, endpoint: Endpoint, tmp_path: Path, texts: Files
) -> None:
    stray = tmp_path / "stray.csv"
    stray.write_text(f"0,{len(TEXTS) + 5},r\n")
    with pytest.raises(ServerError, match=str(len(TEXTS) + 5)):
        LocalServer(settings).import_store(texts.nodes, [[texts.relationships[0][0], stray]])


IMPORTER = """
import sys
from pathlib import Path
from kgdb.runtime import LocalServer
from kgdb.settings import Settings
settings = Settings(home=Path(sys.argv[1]), heap="1g", page_cache="128m")
nodes, relationships = ([[Path(p) for p in sys.argv[i:i + 2]]] for i in (2, 4))
LocalServer(settings).import_store(nodes, relationships, replace=True)
"""


@pytest.fixture(scope="module")
def duration(settings: Settings, ring: Files) -> float:
    """Seconds from the mark until it is gone, undisturbed."""
    importer, mark = start_importer(settings, ring)
    began = time.monotonic()
    while mark.exists():
        time.sleep(0.01)
    seconds = time.monotonic() - began
    assert importer.wait(60) == 0
    return seconds


def start_importer(settings: Settings, files: Files) -> tuple[subprocess.Popen[bytes], Path]:
    """An import by a process of its own, which has just set its mark."""
    paths: Sequence[Path] = (*files.nodes[0], *files.relationships[0])
    importer = subprocess.Popen(
        [sys.executable, "-c", IMPORTER, settings.home, *paths],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.DEVNULL,
    )
    mark = instance_layout.instance(settings.home, settings.instance).import_marker
    while not mark.exists():
        assert importer.poll() is None
        time.sleep(0.01)
    return importer, mark


def killed(settings: Settings, files: Files, victim: str, after: float) -> Path:
    """The mark of an import that was killed so many seconds after its beginning, or earlier."""
    for _ in range(5):
        importer, mark = start_importer(settings, files)
        time.sleep(after)
        if victim == "importer":
            importer.kill()
        else:
            while mark.exists() and (jvm := importing_jvm(settings)) is None:
                time.sleep(0.01)
            if mark.exists() and jvm:
                jvm.kill()
        ended = importer.wait(60)
        if mark.exists():
            assert ended == (-signal.SIGKILL if victim == "importer" else 1)
            return mark
        after *= 0.7  # It was faster than the one that was measured.
    raise AssertionError("no import was killed before its end")


def importing_jvm(settings: Settings) -> psutil.Process | None:
    wanted = process.command_argument(
        instance_layout.instance(settings.home, settings.instance).root
    )
    for candidate in psutil.process_iter():
        try:
            if wanted in candidate.cmdline():
                return candidate
        except psutil.Error:
            continue
    return None


@pytest.mark.endurance
@pytest.mark.parametrize(
    ("victim", "part"),
    [
        ("importer", 0.02),
        ("jvm", 0.2),
        ("importer", 0.4),
        ("jvm", 0.6),
        ("importer", 0.75),
        ("jvm", 0.9),
    ],
)
def test_a_killed_import_leaves_an_empty_database_and_can_be_repeated(
    settings: Settings, endpoint: Endpoint, ring: Files, duration: float, victim: str, part: float
) -> None:
    mark = killed(settings, ring, victim, part * duration)
    events: list[Event] = []
    server = LocalServer(settings)
    assert server.start(events.append) == endpoint  # the same password
    assert importing_jvm(settings) is None
    assert [e.text for e in events if isinstance(e, Message) and "was not finished" in e.text]
    assert not mark.exists()
    assert counts(endpoint) == (0, 0)
    query(endpoint, "CREATE (:Entity {name: 'works'})")
    query(endpoint, "MATCH (n) DETACH DELETE n")
    if part in (0.6, 0.75):
        server.import_store(*ring)
        assert fingerprint(endpoint) == RING


def test_it_fits_an_instance_that_never_ran(settings: Settings, texts: Files) -> None:
    before = set(Path(gettempdir()).glob("log4j-*"))
    server = LocalServer(replace(settings, instance="new"))
    endpoint = server.import_store(*texts)
    assert counts(endpoint)[0] == len(TEXTS)
    assert set(Path(gettempdir()).glob("log4j-*")) == before
    assert not list(instance_layout.instance(settings.home, "new").root.glob("admin-*"))
    server.reset()
