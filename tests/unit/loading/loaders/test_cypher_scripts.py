"""Cypher scripts that create a graph: read, never run."""

from __future__ import annotations

from pathlib import Path

import pytest
from graph_files import XSD, advice, notes, refusal, written
from loaded import Loaded, load

pytestmark = pytest.mark.unit

BIRDS = """// Birds of the loch
CREATE CONSTRAINT bird IF NOT EXISTS FOR (b:Bird) REQUIRE b.name IS UNIQUE;
CREATE INDEX FOR (b:Bird) ON (b.name);
CREATE (Osprey:Bird:Raptor {name: 'Osprey', span: 1.6, eggs: 3, wild: true,
  seen: date('2021-05-04'), motto: 'it\\'s "mine"; yes',
  tags: ['a', "b"], none: null, home: {at: {lat: 56.2}}}) /* one;
  bird */
CREATE (Roach:Fish {title: "Plötze"}), (`odd name`:Fish)
CREATE
  (Osprey)-[:EATS {since: 1999}]->(Roach),
  (`odd name`)<-[:`LOOKS AT`]-(Osprey)-[:EATS]->(`odd name`)
WITH Osprey AS o MATCH (o)-[:EATS]->(f) RETURN f LIMIT 10;
MATCH (b:Bird {name: 'Osprey'}), (f:Fish) WHERE f.title = 'Plötze' CREATE (f)-[:FEARS]->(b);
MATCH (b:Bird {name: 'Nobody'}) CREATE (b)-[:EATS]->(b);
"""


def script(tmp_path: Path, text: str) -> Loaded:
    return load("cypher", written(tmp_path, "script.cypher", text))


def test_nodes_relationships_and_typed_properties(tmp_path: Path) -> None:
    loaded = script(tmp_path, BIRDS)
    assert loaded.triples == {
        ("0", "EATS", "1"),
        ("0", "LOOKS AT", "2"),
        ("0", "EATS", "2"),
        ("1", "FEARS", "0"),
    }
    assert [loaded.name(id) for id in "012"] == ["Osprey", "Plötze", "2"]
    assert loaded.labels("0") == ["Bird", "Raptor"]
    assert loaded.literals == {
        ("0", "span", "1.6", f"{XSD}double", None),
        ("0", "eggs", "3", f"{XSD}integer", None),
        ("0", "wild", "true", f"{XSD}boolean", None),
        ("0", "seen", "2021-05-04", f"{XSD}date", None),
        ("0", "motto", 'it\'s "mine"; yes', None, None),
        ("0", "tags", "a", None, None),
        ("0", "tags", "b", None, None),
        ("0", "home.at.lat", "56.2", f"{XSD}double", None),
    }
    assert notes("cypher", tmp_path / "script.cypher") == (
        "Properties of the relationships: since (whole number)",
    )


def test_what_apoc_writes(tmp_path: Path) -> None:
    loaded = script(
        tmp_path,
        """:begin
CREATE CONSTRAINT UNIQUE_IMPORT_NAME FOR (node:`UNIQUE IMPORT LABEL`) REQUIRE (node.x) IS UNIQUE;
:commit
CALL db.awaitIndexes(300);
:begin
UNWIND [{_id:7, properties:{name:"Ann", age:-4}}, {_id:8, properties:{}}] AS row
CREATE (n:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row._id}) SET n += row.properties SET n:Person;
:commit
UNWIND [{start: {_id:7}, end: {_id:8}, properties:{since:3}}] AS row
MATCH (start:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row.start._id})
MATCH (end:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row.end._id})
CREATE (start)-[r:KNOWS]->(end) SET r += row.properties;
MATCH (n:`UNIQUE IMPORT LABEL`)  WITH n LIMIT 20000 REMOVE n:`UNIQUE IMPORT LABEL` REMOVE n.`x`;
DROP CONSTRAINT UNIQUE_IMPORT_NAME;
""",
    )
    assert loaded.triples == {("0", "KNOWS", "1")}
    assert loaded.labels("0") == loaded.labels("1") == ["Person"]
    assert loaded.literals == {("0", "age", "-4", f"{XSD}integer", None)}


def test_merge_finds_what_exists(tmp_path: Path) -> None:
    loaded = script(
        tmp_path,
        """MERGE (a:P {name: 'Ann'}) ON CREATE SET a.made = 1 ON MATCH SET a.found = 1;
MERGE (a:P {name: 'Ann'}) ON CREATE SET a.twice = 1 ON MATCH SET a.met = 2;
MERGE (:P {name: 'Bo'})-[:KNOWS]-(:P {name: 'Cy'});
MERGE (:P {name: 'Cy'})-[:KNOWS]-(:P {name: 'Bo'});
MATCH (a:P {name: 'Ann'}), (b:P {name: 'Bo'}) MERGE (a)-[r:KNOWS]->(b) MERGE (a)-[:KNOWS]->(b);
""",
    )
    assert loaded.triples == {("1", "KNOWS", "2"), ("0", "KNOWS", "1")}
    assert {row[1:3] for row in loaded.literals} == {("made", "1"), ("met", "2")}
    assert loaded.counts.duplicates == 0


def test_variables_end_with_their_statement(tmp_path: Path) -> None:
    loaded = script(tmp_path, "CREATE (a:X {name: 'a'});\nCREATE (a)-[:R]->(b:Y);\n")
    assert loaded.triples == {("1", "R", "2")}
    assert set(loaded.entities) == {"0", "1", "2"}


def test_a_script_may_begin_with_a_clean_graph(tmp_path: Path) -> None:
    loaded = script(
        tmp_path,
        """MATCH (n) DETACH DELETE n;
CREATE (:Boat {name: 'Ada', built: date({year: 1950, month: 2, day: 3})}), (:Boat {name: 'Bo'});
CREATE (:Boat {name: 'Cy', at: localdatetime({year: 1950, hour: 4})});
MATCH (a:Boat), (b:Boat {name: 'Cy'}) WHERE a.name IN ['Ada', 'Bo'] CREATE (a)-[:TOWS]->(b);
""",
    )
    assert loaded.triples == {("0", "TOWS", "2"), ("1", "TOWS", "2")}
    assert loaded.literals == {
        ("0", "built", "1950-02-03", f"{XSD}date", None),
        ("2", "at", "1950-01-01T04:00:00", f"{XSD}dateTime", None),
    }


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        (
            "CREATE (a:X);\nLOAD CSV FROM 'f' AS row\nCREATE (b:X)",
            "line 2, column 1",
            "LOAD is not",
        ),
        ("CREATE (a:X {n: 1 + 2})", "line 1, column 19", "not a calculation"),
        ("CREATE (a:X {n: rand()})", "line 1, column 22", "expected a value"),
        ("CREATE (a:X {n: toUpper('a')})", "line 1, column 17", "the function toUpper"),
        ("CREATE (a:X {n: b.n})", "line 1, column 17", "the variable b has no value"),
        ("CREATE (a:X)\n-[:R]->(b", "line 2, column 10", "expected ), the script ends"),
        ("CREATE (a:X)-[]->(b)", "line 1, column 13", "the relationship has no type"),
        ("CREATE (a:X {n: 'it is})", "line 1, column 17", "' is not closed"),
        ("CREATE (a) MATCH (n) DETACH DELETE n;", "line 1, column 22", "DETACH is not read"),
        ("CREATE (a {d: date({week: 3})})", "line 1, column 15", "the map of date is not read"),
        ("MATCH (n)-[:R]->(m) CREATE (n)-[:S]->(m)", "line 1, column 7", "MATCH of a relation"),
        ("CREATE (a) WITH a MATCH (b) SET b.x = 1", "line 1, column 12", "WITH is not read"),
        ("CALL apoc.load.json('http://x') YIELD value", "line 1, column 1", "CALL is not read"),
        ("CREATE (a:X {n: $p})", "line 1, column 17", "expected a value, found $p"),
    ],
)
def test_other_statements_are_refused(tmp_path: Path, text: str, place: str, problem: str) -> None:
    error = refusal("cypher", written(tmp_path, "s.cypher", text))
    assert place in str(error)
    assert problem in str(error)
    assert "cypher-shell" in str(error.hint)
    assert "kgdb adopt" in str(error.hint)


def test_init_gives_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(tmp_path, "birds.cypher", BIRDS)
    assert advice(source, monkeypatch) == f"kgdb load cypher {source} --as birds --dry-run"


def test_nodes_whose_name_has_another_word_are_noted(tmp_path: Path) -> None:
    text = "CREATE (:Tea {teaName: 'Assam'})-[:OF]->(:Place {placeName: 'India'}), (:Cup {x: 'S'});"
    source = written(tmp_path, "tea.cypher", text)
    (note,) = notes("cypher", source)
    assert note.startswith("Without a name: 2 of 3 nodes, which go by their id; ")
    advised = note.partition('--set name="')[2].rstrip('"')
    loaded = load("cypher", source, name=advised)
    assert [loaded.name(id) for id in "012"] == ["Assam", "India", "2"]
    assert notes("cypher", source, name=advised) == ()
