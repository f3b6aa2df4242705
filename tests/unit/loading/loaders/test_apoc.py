"""A graph that APOC exported from another Neo4j as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from loaded import load

from kgdb.errors import LoadError
from kgdb.loading import prepare, read_spec

pytestmark = pytest.mark.unit

XSD = "http://www.w3.org/2001/XMLSchema#"


def node(number: int, *labels: str, **properties: Any) -> dict[str, Any]:
    """As APOC writes it: without the keys of what a node has none of."""
    more = {"labels": labels, "properties": properties}
    return {"type": "node", "id": str(number)} | {key: more[key] for key in more if more[key]}


def relationship(head: int, kind: str, tail: int, **properties: Any) -> dict[str, Any]:
    ends = {"start": {"id": str(head), "labels": ["X"]}, "end": {"id": str(tail)}}
    row = {"id": "7", "type": "relationship", "label": kind, **ends}
    return row | ({"properties": properties} if properties else {})


ROWS = [
    node(0, "Person", name="Ada", aliases=["A.", "Ada W."], born=1964, key="ada", height=1.5),
    node(1, "Film", "Movie", title="Glass", name="", key="glass", tags=["[1]", "b"], good=True),
    node(2, "Person", aliases="Bo", key="bo", motto="Say \"hm\" 'ok'", odd={"x": 1, "y": None}),
    node(3),
    relationship(0, "ACTED_IN", 1, roles=["Nell"]),
    relationship(2, "ACTED_IN", 1),
    relationship(2, "KNOWS", 2),
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "graph.json"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def test_nodes_and_relationships(source: Path) -> None:
    loaded = load("apoc", source)
    assert loaded.triples == {("0", "ACTED_IN", "1"), ("2", "ACTED_IN", "1"), ("2", "KNOWS", "2")}
    assert {id: loaded.name(id) for id in loaded.entities} == {
        "0": "Ada",
        "1": "Glass",
        "2": "2",
        "3": "3",
    }
    assert loaded.labels("0") == ["Person"]
    assert loaded.labels("1") == ["Film", "Movie"]
    assert loaded.labels("3") == []
    assert loaded.entities["0"]["aliases"] == ["A.", "Ada W."]
    assert loaded.entities["2"]["aliases"] == ["Bo"]
    assert loaded.other_records == {"nodes": 4}


def test_properties_are_values_of_their_kind(source: Path) -> None:
    assert load("apoc", source).literals == {
        ("0", "born", "1964", f"{XSD}integer", None),
        ("0", "height", "1.5", f"{XSD}double", None),
        ("0", "key", "ada", None, None),
        ("1", "good", "true", f"{XSD}boolean", None),
        ("1", "key", "glass", None, None),
        ("1", "tags", "[1]", None, None),
        ("1", "tags", "b", None, None),
        ("2", "key", "bo", None, None),
        ("2", "motto", "Say \"hm\" 'ok'", None, None),
        ("2", "odd.x", "1", f"{XSD}integer", None),
    }


def test_a_property_can_tell_the_nodes_apart(source: Path) -> None:
    loaded = load("apoc", source, id="key")
    assert set(loaded.entities) == {"ada", "glass", "bo"}
    assert ("ada", "ACTED_IN", "glass") in loaded.triples
    assert "key" not in loaded.relations
    assert loaded.other_records == {"nodes": 3, "nodes without an id": 1}


def test_the_name_is_the_first_property_that_a_node_has(source: Path) -> None:
    loaded = load("apoc", source, name="title motto")
    assert [loaded.name(id) for id in "0123"] == ["0", "Glass", "Say \"hm\" 'ok'", "3"]
    assert ("0", "name", "Ada", None, None) in loaded.literals


def test_another_of_the_names_is_an_alias(source: Path) -> None:
    loaded = load("apoc", source, name="key title")
    assert (loaded.name("1"), loaded.entities["1"]["aliases"]) == ("glass", ["Glass"])


def test_relationships_keep_their_properties(source: Path) -> None:
    with prepare(read_spec("apoc"), source) as prepared:
        assert prepared.notes == ("Properties of the relationships: roles (list of texts)",)
    loaded = load("apoc", source)
    assert loaded.qualifiers["0", "ACTED_IN", "1"] == [{"roles": ["Nell"]}]
    assert loaded.qualifiers["2", "ACTED_IN", "1"] == [{}]


def test_other_lines_are_counted(source: Path) -> None:
    with source.open("a", encoding="utf-8") as file:
        file.write('{"type":"schema"}\n')
    other_records = load("apoc", source).other_records
    assert other_records == {"nodes": 4, "lines that are neither a node nor a relationship": 1}


DOCUMENTS = {
    "object": {"nodes": ROWS[:4], "rels": ROWS[4:]},
    "object by ids": {
        "nodes": {row["id"]: row for row in ROWS[:4]},
        "rels": {str(at): {**row, "id": str(at)} for at, row in enumerate(ROWS[4:])},
    },
    "array": [
        {**row, "id": row["id"] + ("" if at < 4 else str(at))} for at, row in enumerate(ROWS)
    ],
}


@pytest.mark.parametrize("form", DOCUMENTS)
@pytest.mark.parametrize("indent", [None, 2])
def test_other_forms_of_an_export(source: Path, form: str, indent: int | None) -> None:
    lines = load("apoc", source)
    document = DOCUMENTS[form]
    if isinstance(document, dict) and isinstance(document["rels"], list):
        for at, row in enumerate(document["rels"]):
            row["id"] = str(at)
    source.write_text(json.dumps(document, indent=indent), encoding="utf-8")
    loaded = load("apoc", source)
    assert (loaded.triples, loaded.literals) == (lines.triples, lines.literals)
    assert loaded.entities == lines.entities


def test_results_of_a_query(source: Path) -> None:
    rows: list[Any] = [
        {"r": {**ROWS[4], "id": "1"}, "n": ROWS[0], "count": 3},
        {"r": {**ROWS[4], "id": "1"}, "path": [ROWS[1], {**ROWS[6], "id": "2"}]},
        {"r": None},
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    loaded = load("apoc", source)
    assert loaded.triples == {("0", "ACTED_IN", "1"), ("2", "KNOWS", "2")}
    assert [loaded.name(id) for id in "012"] == ["Ada", "Glass", "2"]
    assert loaded.labels("2") == ["X"]
    assert loaded.counts.duplicates == 0


def test_results_of_neo4j_browser(source: Path) -> None:
    person = {
        "identity": 7,
        "labels": ["Person"],
        "properties": {"name": "Zoë"},
        "elementId": "4:7",
    }
    film = {"identity": 8, "labels": ["Film"], "properties": {"title": "Ça", "year": 1999}}
    acted = {"identity": 3, "start": 7, "end": 8, "type": "ACTED_IN", "properties": {}}
    segments = [{"start": person, "relationship": acted, "end": film}]
    path = {"start": person, "end": film, "segments": segments, "length": 1}
    content = "\ufeff" + json.dumps([{"p": path}], indent=1, ensure_ascii=False)
    source.write_text(content, encoding="utf-8")
    loaded = load("apoc", source)
    assert loaded.triples == {("7", "ACTED_IN", "8")}
    assert [loaded.name(id) for id in "78"] == ["Zoë", "Ça"]
    assert loaded.literals == {("8", "year", "1999", f"{XSD}integer", None)}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"nodes": [{"type": "node", "id": "1"},\n', r"line 2, column 1: this is not JSON"),
        ('{"nodes": [], "rels": []}', "has no node and no relationship"),
        ('[{"a": {"b": 1}}]', "has no node and no relationship"),
    ],
)
def test_broken_documents(source: Path, content: str, problem: str) -> None:
    source.write_text(content, encoding="utf-8")
    with pytest.raises(LoadError, match=problem) as failure, prepare(read_spec("apoc"), source):
        pass
    assert failure.value.hint


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text('{"head":"a","relation":"r","tail":"b"}\n', encoding="utf-8")
    with pytest.raises(LoadError, match="is JSON lines"), prepare(read_spec("apoc"), path):
        pass


def test_points_and_dates_of_nodes(tmp_path: Path) -> None:
    place = {"crs": "wgs-84", "latitude": 59.5, "height": None}
    properties = {
        "name": "Weir",
        "place": place,
        "built": "1904-05-06",
        "at": "2001-02-03T04:05:06Z",
    }
    node = {"type": "node", "id": "1", "labels": ["Weir"], "properties": properties}
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(node) + "\n" + json.dumps({**node, "id": "2"}) + "\n")
    held = {row[1:4] for row in load("apoc", path).literals}
    assert held == {
        ("place.crs", "wgs-84", None),
        ("place.latitude", "59.5", f"{XSD}double"),
        ("built", "1904-05-06", f"{XSD}date"),
        ("at", "2001-02-03T04:05:06Z", f"{XSD}dateTime"),
    }


def test_nodes_whose_name_has_another_word_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    properties = {"teaName": "Assam", "grade": 3}
    node = {"type": "node", "id": "1", "labels": ["Tea"], "properties": properties}
    path.write_text(json.dumps(node) + "\n" + json.dumps({**node, "id": "2"}) + "\n")
    with prepare(read_spec("apoc"), path) as prepared:
        assert prepared.notes == (
            "Without a name: 2 of 2 nodes, which go by their id; perhaps "
            '--set name="name title teaName"',
        )
    assert load("apoc", path, name="name title teaName").name("1") == "Assam"
