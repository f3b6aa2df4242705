"""Graphs of users' own: CSV, JSON Lines, Parquet, delimited lines, and RDF."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
from loaded import count, load, sample

from kgdb.errors import LoadError, UsageError
from kgdb.loading import prepare, read_spec
from kgdb.progress import Event, Message

pytestmark = [pytest.mark.unit, pytest.mark.slow]

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
    assert (loaded.counts.records, loaded.counts.duplicates) == (3, 0)
    years = [868, 1143] if kind != "parquet" else ["1143", "868"]  # whose columns have types
    assert loaded.qualifiers["porto", "in", "pt"] == [{"since": year} for year in years]
    assert loaded.qualifiers["a, b", "twin of", "a, b"] == [{}]
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
    assert loaded.other_records == {"nodes": 3}


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


def write_nodes(folder: Path, kind: str, *nodes: dict[str, object]) -> None:
    """The edges, and nodes whose values may be lists."""
    write(folder / f"edges.{kind}", EDGES)
    made = folder / "nodes.jsonl"
    made.write_text("".join(f"{json.dumps(node)}\n" for node in nodes))
    if kind != "jsonl":
        target = "(FORMAT parquet)" if kind == "parquet" else "(FORMAT csv, HEADER)"
        with duckdb.connect() as connection:
            source = f"read_json('{made}', format = 'newline_delimited')"
            connection.execute(f"COPY (FROM {source}) TO '{folder}/nodes.{kind}' {target}")


@pytest.mark.parametrize("kind", FORMATS)
def test_other_names_may_begin_with_a_bracket(kind: str, tmp_path: Path) -> None:
    nodes = {"id": "porto", "aliases": "[sic] Annie", "labels": "[?"}, {"id": "pt", "labels": "["}
    write_nodes(tmp_path, kind, *nodes)
    loaded = load(kind, tmp_path)
    assert loaded.entities["porto"]["aliases"] == ["[sic] Annie"]
    assert (loaded.labels("porto"), loaded.labels("pt")) == (["[?"], ["["])


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_lists_keep_what_stands_in_them(kind: str, tmp_path: Path) -> None:
    names = ["nl\nx", 'a "b"', "[sic]", "c\\d", "e|f", "'"]
    write_nodes(tmp_path, kind, {"id": "porto", "aliases": names, "labels": ["a|b", None]})
    loaded = load(kind, tmp_path)
    assert loaded.entities["porto"]["aliases"] == sorted(names)
    assert loaded.labels("porto") == ["a|b"]


def test_columns_of_parquet_have_types(tmp_path: Path) -> None:
    write(tmp_path / "edges.parquet", EDGES)
    duckdb.sql(
        "SELECT 7 AS id, 1.50::DECIMAL(5, 2) AS price, DATE '2020-01-02' AS day, true AS open, "
        "[1, 2]::INTEGER[2] AS pair, {'a': 1} AS parts, NULL::INTEGER[] AS none, ['City'] AS Labels"
    ).write_parquet(str(tmp_path / "nodes.parquet"))
    loaded = load("parquet", tmp_path)
    assert {(relation, value) for _, relation, value, *_ in loaded.literals} == {
        ("price", "1.50"),
        ("day", "2020-01-02"),
        ("open", "true"),
        ("pair", "1"),
        ("pair", "2"),
        ("parts", "{'a': 1}"),
    }
    assert loaded.labels("7") == ["City"]


def test_a_text_in_brackets_is_no_list_in_parquet(tmp_path: Path) -> None:
    write_nodes(tmp_path, "parquet", {"id": "porto", "aliases": "[1926]", "motto": "[a, b]"})
    loaded = load("parquet", tmp_path)
    assert loaded.entities["porto"]["aliases"] == ["[1926]"]
    assert loaded.literals == {("porto", "motto", "[a, b]", None, None)}


@pytest.mark.parametrize("kind", FORMATS)
def test_blanks_around_other_names_and_kinds_are_no_part_of_them(kind: str, tmp_path: Path) -> None:
    node = {"id": "porto", "aliases": " Oporto | Cale ", "labels": "City | Capital"}
    write_nodes(tmp_path, kind, node)
    loaded = load(kind, tmp_path)
    assert loaded.entities["porto"]["aliases"] == ["Cale", "Oporto"]
    assert loaded.labels("porto") == ["Capital", "City"]


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("blank", ["  ", "\t", " \n ", "\r\n"])
def test_blanks_are_no_value(kind: str, blank: str, tmp_path: Path) -> None:
    write_nodes(tmp_path, kind, {"id": "porto", "size": blank}, {"id": "faro", "size": " 5 "})
    assert {value for _, _, value, *_ in load(kind, tmp_path).literals} == {" 5 "}


@pytest.mark.parametrize("kind", FORMATS)
def test_nodes_without_an_id_are_told_once(kind: str, tmp_path: Path) -> None:
    porto = {"id": "porto", "name": "Porto", "size": "41"}
    lost = {"id": None, "name": "Lost Name", "size": "5"}
    write_nodes(tmp_path, kind, porto, lost, lost)
    loaded = load(kind, tmp_path)
    assert loaded.other_records == {"nodes": 1, "nodes without an id": 2}
    assert (loaded.counts.skipped, len(loaded.literals)) == (0, 1)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_second_name_is_an_alias(kind: str, tmp_path: Path) -> None:
    names = "Porto", "Oporto", "Porto"
    write_nodes(tmp_path, kind, *({"id": "porto", "name": name} for name in names))
    porto = load(kind, tmp_path).entities["porto"]
    assert (porto["name"], porto["aliases"]) == ("Oporto", ["Porto"])


@pytest.mark.parametrize("kind", FORMATS)
def test_nodes_may_have_an_id_alone(kind: str, tmp_path: Path) -> None:
    write_nodes(tmp_path, kind, {"id": "porto"}, {"id": "y"})
    assert load(kind, tmp_path).name("y") == "y"


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_list_is_a_value_each(kind: str, tmp_path: Path) -> None:
    node = {"id": "porto", "phone": ["22", "23", "22"], "size": [1, 2], "none": [], "name": "[P]"}
    write_nodes(tmp_path, kind, node)
    loaded = load(kind, tmp_path)
    assert {(relation, value) for _, relation, value, *_ in loaded.literals} == {
        ("phone", "22"),
        ("phone", "23"),
        ("size", "1"),
        ("size", "2"),
    }
    assert loaded.counts.duplicates == 1
    assert loaded.name("porto") == "[P]"


def test_what_is_not_loaded_is_told(kind: str, tmp_path: Path) -> None:
    def notes(source: Path) -> list[str]:
        told: list[Event] = []
        with prepare(read_spec(kind), source, report=told.append) as prepared:
            texts = [each.text for each in told if isinstance(each, Message)]
            shown = texts[texts.index(f"Making the tables of {kind!r} …") + 1 :]
            assert shown == list(prepared.notes)
        return shown

    type_name = "text" if kind == "parquet" else "whole number"
    columns = f"Properties of the relationships: since ({type_name})"
    assert notes(tmp_path) == [
        columns,
        "In no line of the nodes: 1 of 4 entities, such as a, b (they go by their id)",
    ]
    write(tmp_path / f"edges.{kind}", EDGES[:2])
    assert notes(tmp_path) == [columns]
    (tmp_path / f"nodes.{kind}").unlink()
    three = [{key: row[key] for key in ("head", "relation", "tail")} for row in EDGES]
    write(tmp_path / f"edges.{kind}", three)
    assert notes(tmp_path) == []


def test_a_column_that_is_named_must_be_there(kind: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has no column 'nmae'\. Did you mean 'name'\?"):
        load(kind, tmp_path, name="nmae")
    assert load(kind, tmp_path, name="size").name("porto") == "231962"
    assert load(kind, tmp_path, name="").name("porto") == "porto"


def test_csv_with_another_delimiter(tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    path.write_text('head;relation;tail\n"a;b";in;"c ""d"""\n')
    assert load("csv", path, delimiter=";").triples == {("a;b", "in", 'c "d"')}


@pytest.mark.parametrize("tab", ["\\t", "tab", "\t"])
def test_tabs_below_a_header(tmp_path: Path, tab: str) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text("tail\thead\trelation\nb\ta\tin\n")
    assert load("csv", path, delimiter=tab).triples == {("a", "in", "b")}


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
    assert loaded.other_records == {
        "names, in all languages": 4,
        "types": 1,
        "texts in other languages": 1,
        "empty values": 1,
    }
    assert f"{here}lies_in" not in loaded.entities


def test_ntriples(data: Path) -> None:
    (path,) = sample(data, "dbpedia/sample.nt.gz")
    counts = count("ntriples", path, max_errors=5_000)
    assert (counts.records, counts.skipped) == (60_758, 4_653)


LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
TAGS = f"""
<e:film> {LABEL} "Movie"@en-US .
<e:film> {LABEL} "Film"@en .
<e:film> {LABEL} "Spielfilm"@de .
<e:film> <e:in> <e:pt> .
<e:film> <e:note> "long"@EN .
<e:film> <e:note> "lang"@de .
<e:book> {LABEL} "Book"@EN .
<e:book> <e:in> <e:pt> .
<e:lift> {LABEL} "Elevator"@en-US .
<e:lift> {LABEL} "Lift"@en-GB .
<e:lift> {LABEL} "Fahrstuhl"@de-AT .
<e:lift> <e:in> <e:pt> .
<e:pt> {LABEL} "Portugal"@eng .
<e:in> {LABEL} "lies in"@en-GB .
"""


@pytest.mark.parametrize("kind", ["turtle", "ntriples"])
def test_texts_without_a_language_are_in_no_other(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "graph.nt"
    path.write_text('<e:a> <e:in> <e:b> .\n<e:a> <e:size> "5" .\n<e:a> <e:note> "lang"@de .\n')
    loaded = load(kind, path)
    assert loaded.other_records == {"texts in other languages": 1}
    counts = loaded.counts
    assert (counts.records, counts.triples, counts.literals, counts.other) == (3, 2, 1, 1)


@pytest.mark.parametrize("kind", ["turtle", "ntriples"])
def test_a_language_is_asked_for_whatever_its_case_and_country(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "graph.nt"
    path.write_text(TAGS)
    loaded = load(kind, path)
    film = loaded.entities["e:film"]
    assert (film["name"], film["aliases"]) == ("Film", ["Movie"])
    assert loaded.name("e:book") == "Book"
    assert loaded.name("e:lift") == "Elevator"
    assert loaded.name("e:pt") == "pt"
    assert {value for _, _, value, *_ in loaded.literals} == {"long"}
    assert loaded.other_records["texts in other languages"] == 1
    assert loaded.text("e:in") == "what {} lies in"
    loaded = load(kind, path, language="DE")
    assert loaded.name("e:lift") == "Fahrstuhl"
    assert loaded.text("e:in") is None
    assert load(kind, path, language="EN-gb").text("e:in") == "what {} lies in"


def test_nested_objects_in_json(tmp_path: Path) -> None:
    (tmp_path / "edges.jsonl").write_text(
        '[{"subject": {"id": "a"}, "predicate": "knows", "object": {"id": "b"}}]'
    )
    (tmp_path / "nodes.jsonl").write_text(
        '{"id": "a", "name": "Ann", "home": {"city": "Ö", "at": {"lat": 1.5, "none": null}}, '
        '"jobs": [{"in": "Q"}, {"in": "R"}], "tags": ["u", "v"]}\n{"id": "b", "empty": {}}\n'
    )
    ends = {"head": "subject.id", "relation": "predicate", "tail": "object.id"}
    loaded = load("jsonl", tmp_path, **ends)
    assert loaded.triples == {("a", "knows", "b")}
    assert {row[1:3] for row in loaded.literals} == {
        ("home.city", "Ö"),
        ("home.at.lat", "1.5"),
        ("jobs.in", "Q"),
        ("jobs.in", "R"),
        ("tags", "u"),
        ("tags", "v"),
    }
