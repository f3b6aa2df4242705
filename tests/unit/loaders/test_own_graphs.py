"""Graphs of users' own: CSV, JSON Lines, Parquet, delimited lines, and RDF."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
from loaded import load, sample

from kgdb.errors import LoadError, UsageError

pytestmark = pytest.mark.unit

EDGES = [
    {"head": "porto", "relation": "in", "tail": "pt", "since": "868"},
    {"head": "porto", "relation": "in", "tail": "pt", "since": "1143"},
    {"head": "a, b", "relation": "twin of", "tail": "a, b", "since": None},
]
NODES = [
    {"id": "porto", "name": "Porto", "aliases": "Oporto|Cale", "labels": "City", "size": "231962"},
    {"id": "pt", "name": "Portugal", "aliases": None, "labels": None, "size": "231962"},
    {"id": "x", "name": "Portugal", "aliases": None, "labels": None, "size": None},
]
FORMATS = ("csv", "jsonl", "parquet")


def write(path: Path, rows: list[dict[str, str | None]]) -> None:
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    if path.suffix == ".jsonl":
        path.write_text(lines)
        return
    made = path.with_suffix(".made")
    made.write_text(lines)
    target = "(FORMAT parquet)" if path.suffix == ".parquet" else "(FORMAT csv, HEADER)"
    with duckdb.connect() as connection:
        source = f"read_json('{made}', format = 'newline_delimited')"
        connection.execute(f"COPY (FROM {source}) TO '{path}' {target}")


@pytest.fixture(params=FORMATS)
def kind(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    kind = str(request.param)
    write(tmp_path / f"edges.{kind}", EDGES)
    write(tmp_path / f"nodes.{kind}", NODES)
    return kind


def test_triples_alone(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "alone" / f"facts.{kind}"
    path.parent.mkdir()
    (tmp_path / f"edges.{kind}").rename(path)
    loaded = load(kind, path)
    assert loaded.triples == {("porto", "in", "pt"), ("a, b", "twin of", "a, b")}
    assert (loaded.counts.records, loaded.counts.duplicates) == (3, 1)
    assert loaded.name("a, b") == "a, b"


def test_a_folder_of_edges_and_nodes(kind: str, tmp_path: Path) -> None:
    loaded = load(kind, tmp_path)
    assert loaded.entities["porto"] == {
        "id": "porto",
        "name": "Porto",
        "aliases": ["Cale", "Oporto"],
        "labels": ["City"],
    }
    assert loaded.name("pt") == loaded.name("x") == "Portugal"
    assert loaded.literals == {
        ("porto", "size", "231962", None, None),
        ("pt", "size", "231962", None, None),
    }
    assert loaded.shares == {"nodes": 3}


def test_columns_go_by_the_names_that_they_have(kind: str, tmp_path: Path) -> None:
    renamed = {"head": "from node", "relation": "kind", "tail": "to", "since": "since"}
    write(
        tmp_path / f"edges.{kind}",
        [{renamed[key]: value for key, value in row.items()} for row in EDGES],
    )
    write(tmp_path / f"nodes.{kind}", [{"key": row["id"], "title": row["name"]} for row in NODES])
    loaded = load(
        kind, tmp_path, head="from node", relation="kind", tail="to", id="key", name="title"
    )
    assert ("porto", "in", "pt") in loaded.triples
    assert loaded.name("pt") == "Portugal"
    assert not loaded.literals
    with pytest.raises(UsageError, match=r"no .*'head'"):
        load(kind, tmp_path)


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_aliases_and_labels_may_be_lists(kind: str, tmp_path: Path) -> None:
    write(tmp_path / f"edges.{kind}", EDGES)
    path = tmp_path / "nodes.jsonl"
    path.write_text('{"id": "porto", "aliases": ["O, porto", "Cale"], "labels": ["City"]}\n')
    if kind == "parquet":
        with duckdb.connect() as connection:
            source = f"read_json('{path}', format = 'newline_delimited')"
            connection.execute(f"COPY (FROM {source}) TO '{tmp_path}/nodes.parquet'")
    porto = load(kind, tmp_path).entities["porto"]
    assert (porto["aliases"], porto["labels"]) == (["Cale", "O, porto"], ["City"])


def test_csv_with_another_delimiter(tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    path.write_text('head;relation;tail\n"a;b";in;"c ""d"""\n')
    assert load("csv", path, delimiter=";").triples == {("a;b", "in", 'c "d"')}


def test_lines_without_a_header(tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text('a\tin\t"b"\na\tin\t"b"\n')
    loaded = load("tsv", path)
    assert loaded.triples == {("a", "in", '"b"')}
    assert loaded.counts.duplicates == 1
    path.write_text("a|in|b\n")
    assert load("tsv", path, delimiter="|").triples == {("a", "in", "b")}
    with pytest.raises(LoadError):
        load("tsv", path)


PREFIXES = """
@prefix : <http://porto.example/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
TURTLE = f"""{PREFIXES}
:porto a :City ; rdfs:label "Porto"@en, "Porto"@pt, "Oporto" ; :lies_in :pt, :porto ;
  :size 231962 ; :motto "Antiga"@pt, "" ; :mayor [ :called "Rui" ] .
:pt :lies_in :S%C3%BCd_europa ; :size 231962 .
:lies_in rdfs:label "lies in"@en .
"""


def test_turtle(tmp_path: Path) -> None:
    path = tmp_path / "graph.ttl"
    path.write_text(TURTLE)
    loaded = load("turtle", path)
    here = "http://porto.example/"
    porto = loaded.entities[f"{here}porto"]
    assert (porto["name"], porto["aliases"]) == ("Porto", ["Oporto"])
    assert porto["labels"] == [f"{here}City"]
    assert loaded.name(f"{here}S%C3%BCd_europa") == "Süd europa"
    (mayor,) = (tail for _, relation, tail in loaded.triples if relation == f"{here}mayor")
    assert mayor.startswith("_:")
    assert loaded.name(mayor) == mayor
    assert (f"{here}porto", f"{here}lies_in", f"{here}porto") in loaded.triples
    whole = "http://www.w3.org/2001/XMLSchema#integer"
    assert loaded.literals == {
        (f"{here}porto", f"{here}size", "231962", whole, None),
        (f"{here}pt", f"{here}size", "231962", whole, None),
        (mayor, f"{here}called", "Rui", None, None),
    }
    assert loaded.text(f"{here}lies_in") == "what {} lies in"
    assert loaded.shares == {
        "names, in all languages": 4,
        "types": 1,
        "texts in other languages": 1,
        "empty values": 1,
    }
    assert f"{here}lies_in" not in loaded.entities


def test_ntriples(data: Path) -> None:
    (path,) = sample(data, "dbpedia/sample.nt.gz")
    counts = load("ntriples", path, max_errors=5_000).counts
    assert (counts.records, counts.skipped) == (60_758, 4_653)
