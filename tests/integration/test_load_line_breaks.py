"""Texts with line breaks, and long ones, are imported as they are loaded over Bolt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

import kgdb
from kgdb import loading
from kgdb.runtime import LocalServer
from kgdb.settings import Settings, load_settings

pytestmark = [
    pytest.mark.integration,
    pytest.mark.local_server,
    pytest.mark.usefixtures("short_lives"),
]

LOADER = """
name = "small"
label = "Small"
title = '''Two
lines'''
[source]
delimiter = "\\t"
columns = ["head", "relation", "tail"]
[tables]
triples = "SELECT head, relation || chr(10) || 'of' AS relation, tail FROM source"
literals = '''
  SELECT head, 'r' || chr(13) AS relation, 'v' AS value, 'd' || chr(10) AS datatype,
         'l' || chr(13) || chr(10) AS language FROM source'''
entities = '''
  SELECT head AS id, 'the' || chr(10) || head AS name, ['a' || chr(10)] AS aliases,
         ['La' || chr(10) || 'bel'] AS labels FROM source'''
"""


@pytest.fixture
def local(home: Path) -> Iterator[Settings]:
    """A server of its own, which is empty."""
    settings = load_settings(
        {"KGDB_HOME": str(home)}, instance="breaks", heap="512m", page_cache="128m"
    )
    yield settings
    LocalServer(settings).reset()


def test_an_import_keeps_line_breaks_in_every_text(local: Settings, tmp_path: Path) -> None:
    loader, source = tmp_path / "small.toml", tmp_path / "small.tsv"
    loader.write_text(LOADER, encoding="utf-8")
    source.write_text("".join(f"a{i}\tknows\tb{i}\n" for i in range(20)), encoding="utf-8")
    server = LocalServer(local)

    def connect() -> AbstractContextManager[kgdb.Connection]:
        endpoint = server.start()
        return kgdb.connect(endpoint.uri, username=endpoint.username, password=endpoint.password)

    with loading.prepare(loading.read_spec(str(loader)), source) as prepared:
        result = loading.load_auto(prepared, server, connect, mode="offline")
    assert (result.graph.state, result.graph.triples) == ("ready", 40)
    assert result.graph.title == "Two\nlines"
    with connect() as db:
        rows, _, _ = db.driver.execute_query(
            "MATCH (h:Small {id: 'a7'})-[r]->(t) RETURN h.name, h.aliases, labels(h) AS labels, "
            "type(r) AS type, t.id AS tail, t.datatype, t.language ORDER BY type"
        )
    first, second = (record.data() for record in rows)
    assert (first["h.name"], first["h.aliases"]) == ("the\na7", ["a\n"])
    assert "La\nbel" in first["labels"]
    assert (first["type"], first["tail"]) == ("knows\nof", "b7")
    assert (second["type"], second["t.datatype"], second["t.language"]) == ("r\r", "d\n", "l\r\n")


@pytest.mark.endurance
def test_an_import_takes_texts_as_long_as_a_line_may_be(local: Settings, tmp_path: Path) -> None:
    """Longer than what the importer reads at a time, with and without line ends."""
    texts = {"quoted": 'w"\n' * 3_000_000, "plain": "z" * 16_000_000, "short": "s"}
    edges, nodes = tmp_path / "edges.jsonl", tmp_path / "nodes.jsonl"
    edges.write_text('{"head": "quoted", "relation": "r", "tail": "plain"}\n')
    lines = (json.dumps({"id": key, "about": text}) for key, text in texts.items())
    nodes.write_text("\n".join(lines) + "\n")
    server = LocalServer(local)

    def connect() -> AbstractContextManager[kgdb.Connection]:
        endpoint = server.start()
        return kgdb.connect(endpoint.uri, username=endpoint.username, password=endpoint.password)

    with loading.prepare(loading.read_spec("jsonl"), tmp_path) as prepared:
        loading.load_auto(prepared, server, connect, mode="offline")
    with connect() as connection:
        records, _, _ = connection.driver.execute_query(
            "MATCH (e:Entity)-[:about]->(l:Literal) RETURN e.id AS id, l.value AS value"
        )
    assert {record["id"]: record["value"] for record in records} == texts
