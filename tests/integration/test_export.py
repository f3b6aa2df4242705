"""A graph written out of the database, and the same graph from what was written."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import duckdb
import pytest
from click.testing import CliRunner

import kgdb
from kgdb import loading
from kgdb.cli.main import cli
from kgdb.errors import DatabaseError, LoadError, UsageError
from kgdb.loading import adopt, export

pytestmark = pytest.mark.integration

DATE = "http://www.w3.org/2001/XMLSchema#date"
ENTITIES = [
    ("m.01", 'He said "no"\\', ["ein\tTab", "zwei\nZeilen"], ["Person", "type.object"], False),
    ("https://example.org/a b?c=d#é", "第七个渡口", ["🙂", "渡口"], ["地点"], False),
    ("`); MATCH (n) DETACH DELETE n //", "Robert'); --", None, None, False),
    ("m.cvt", "m.cvt", None, None, True),
    (" ", "a blank as its id", None, None, False),
    ("alone", "no triple has it", None, None, False),
    ("👩‍🚀", "👩‍🚀", None, None, False),
]
TRIPLES = [
    ("m.01", "people.person.place", "https://example.org/a b?c=d#é"),
    ("m.01", "people.person.place", "👩‍🚀"),
    ("m.01", "has `quotes` & <angles>", "m.01"),
    ("m.cvt", "属于", " "),
    (" ", "属于", "m.cvt"),
    ("`); MATCH (n) DETACH DELETE n //", "属于", "not described"),
]
LITERALS = [
    ("m.01", "born", "1988-02-30", DATE, None),
    ("m.01", "born", "1988-02-30", "own:date type", None),
    ("m.01", "born", "1988-02-30", None, None),
    ("m.01", "born", "1988-02-30", "http://www.w3.org/2001/XMLSchema#string", None),
    ("👩‍🚀", "born", "1988-02-30", DATE, None),
    ("m.01", "label", "Schiffer", None, "de"),
    ("m.01", "label", "Schiffer", None, "de-CH"),
    ("m.01", "label", "Schiffer", None, "not a language"),
    ("m.01", "label", "船夫", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", "zh"),
    ("m.cvt", "note", 'line one\nline two\t"quoted" \\ \x01' + "long " * 80, None, None),
]
RELATIONS = [
    ("born", "the birth of {}", None, "when was {} born?", None),
    ("属于", "{} 的归属", "属于 {}", None, None),
]


def source(folder: Path) -> Path:
    """The tables above in the form that an export has."""
    folder.mkdir()
    tables = {
        "entities": (
            "id VARCHAR, name VARCHAR, aliases VARCHAR[], labels VARCHAR[], mediator BOOLEAN",
            ENTITIES,
        ),
        "triples": ("head VARCHAR, relation VARCHAR, tail VARCHAR", TRIPLES),
        "literals": (
            "head VARCHAR, relation VARCHAR, value VARCHAR, datatype VARCHAR, language VARCHAR",
            LITERALS,
        ),
        "relations": (
            "id VARCHAR, text VARCHAR, inverse VARCHAR, question VARCHAR, inverse_question VARCHAR",
            RELATIONS,
        ),
    }
    with duckdb.connect() as connection:
        for name, (columns, rows) in tables.items():
            connection.execute(f"CREATE TABLE {name} ({columns})")
            connection.executemany(
                f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows
            )
            connection.execute(f"COPY {name} TO '{folder / name}.parquet' (FORMAT parquet)")
    return folder


def load(
    db: kgdb.Connection, folder: Path, name: str, loader: str = "exported"
) -> kgdb.KnowledgeGraph:
    spec = loading.read_spec(loader).renamed(name)
    with loading.prepare(spec, folder) as prepared:
        loading.load(prepared, db)
    return db.graph(name)


def stored(kg: kgdb.KnowledgeGraph) -> tuple[Counter[Any], Counter[Any], Any]:
    """Everything that the store has of a graph, but for the graph's own label and ranks."""
    label = kg.info.label
    run = kg.database.driver.execute_query
    nodes, _, _ = run(
        "MATCH (n) WHERE $label IN labels(n) RETURN [l IN labels(n) WHERE l <> $label] AS labels, "
        "n.id AS id, n.name AS name, n.aliases AS aliases, n.value AS value, "
        "n.datatype AS datatype, n.language AS language",
        label=label,
    )
    edges, _, _ = run(
        "MATCH (h)-[r]->(t) WHERE $label IN labels(h) AND $label IN labels(t) "
        "RETURN h.id AS head, type(r) AS relation, t.id AS tail",
        label=label,
    )
    return (
        Counter((tuple(sorted(row["labels"])), str(row.values()[1:])) for row in nodes),
        Counter(tuple(row.values()) for row in edges),
        kg.relations,
    )


def test_the_tables_give_exactly_the_same_graph(clean: kgdb.Connection, tmp_path: Path) -> None:
    first = load(clean, source(tmp_path / "source"), "first")
    done = export(clean, first.info, tmp_path / "new" / "export")
    assert (done.entities, done.triples, done.literals) == (8, 6, 10)
    assert {path.name for path in done.folder.iterdir()} == {
        "entities.parquet",
        "triples.parquet",
        "literals.parquet",
        "relations.parquet",
        "graph.json",
    }
    about = json.loads((done.folder / "graph.json").read_text(encoding="utf-8"))
    assert (about["name"], about["counts"]["literals"]) == ("first", 10)
    second = load(clean, done.folder, "second")
    assert stored(second) == stored(first)
    assert (second.info.title, second.info.licence) == (first.info.title, first.info.licence)
    again = export(clean, second.info, tmp_path / "again")
    for path in done.folder.glob("*.parquet"):
        assert path.read_bytes() == (again.folder / path.name).read_bytes()


def test_ntriples_hold_all_of_the_graph(clean: kgdb.Connection, tmp_path: Path) -> None:
    first = load(clean, source(tmp_path / "source"), "first")
    folder = export(clean, first.info, tmp_path / "export", file_format="ntriples").folder
    assert {path.name for path in folder.iterdir()} == {"graph.nt", "graph.json"}
    entities, triples, literals, texts = read_back(folder / "graph.nt")
    named = {
        entity: (name, tuple(sorted(aliases or ())), labels, mediator)
        for entity, name, aliases, labels, mediator in ENTITIES
    }
    expected = {
        entity: (name, aliases, tuple(sorted([*(labels or ()), *(["Mediator"] * mediator)])))
        for entity, (name, aliases, labels, mediator) in named.items()
    }
    assert entities == expected | {"not described": ("not described", (), ())}
    assert sorted(triples) == sorted(TRIPLES)
    assert sorted(map(str, literals)) == sorted(map(str, LITERALS))
    assert texts == {
        ("born", "text"): "the birth of {}",
        ("born", "question"): "when was {} born?",
        ("属于", "text"): "{} 的归属",
        ("属于", "inverse"): "属于 {}",
    }
    second = load(clean, folder, "second", "exported-ntriples")
    assert stored(second) == stored(first)
    first_text = (folder / "graph.nt").read_bytes()
    again = export(clean, first.info, tmp_path / "again", file_format="ntriples").folder
    assert (again / "graph.nt").read_bytes() == first_text


def read_back(path: Path) -> tuple[Any, Any, Any, Any]:
    """What the lines say, by the documented scheme alone."""
    line = re.compile(
        r"<([^>]*)> <([^>]*)> "
        r'(?:<([^>]*)>|"((?:[^"\\]|\\.)*)"(?:@(\S+)|\^\^<([^>]*)>)?) \.'
    )
    entities: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {}
    triples, literals, texts = [], [], {}

    def local(iri: str, kind: str) -> str:
        prefix = f"urn:kgdb:first:{kind}:"
        assert iri.startswith(prefix), iri
        return unquote(iri.removeprefix(prefix))

    for text in path.read_text(encoding="utf-8").removesuffix("\n").split("\n"):
        parts = line.fullmatch(text)
        assert parts, text
        subject, predicate, iri, quoted, language, datatype = parts.groups()
        value = json.loads(f'"{quoted}"') if quoted is not None else None
        if predicate.startswith("urn:kgdb:relation:"):
            texts[local(subject, "relation"), predicate.rpartition(":")[2]] = value
            continue
        entity = local(subject, "entity")
        name, aliases, labels = entities.get(entity, ("", (), ()))
        if predicate.endswith("#label"):
            entities[entity] = (value, aliases, labels)
        elif predicate.endswith("#altLabel"):
            entities[entity] = (name, tuple(sorted([*aliases, value])), labels)
        elif predicate.endswith("#type"):
            entities[entity] = (name, aliases, tuple(sorted([*labels, local(iri, "label")])))
        elif iri:
            triples.append((entity, local(predicate, "relation"), local(iri, "entity")))
        else:
            if datatype and datatype.startswith("urn:kgdb:first:language:"):
                both = datatype.removeprefix("urn:kgdb:first:language:").split("@")
                datatype, language = (unquote(one) or None for one in both)
            elif datatype and datatype.startswith("urn:kgdb:"):
                datatype = local(datatype, "datatype")
            literals.append((entity, local(predicate, "relation"), value, datatype, language))
    return entities, triples, literals, texts


def test_an_adopted_graph_is_exported_with_its_parallel_relationships(
    clean: kgdb.Connection, tmp_path: Path
) -> None:
    clean.driver.execute_query(
        "CREATE (a:Stop:Literal {nr: 1, sign: 'Elm Road', also: ['Elm', 'Elm Rd']}), "
        "(b:Stop {nr: 2}), (a)-[:NEXT {line: 4}]->(b), (a)-[:NEXT {line: 7}]->(b)"
    )
    try:
        graph = adopt(
            clean,
            "stops",
            "Stop",
            id_property="nr",
            name_properties="sign",
            alias_properties=["also"],
        ).graph
        done = export(clean, graph, tmp_path / "export")
        assert (done.entities, done.triples, done.literals) == (2, 2, 0)
        with loading.prepare(loading.read_spec("exported"), done.folder) as prepared:
            assert (prepared.counts.triples, prepared.counts.duplicates) == (2, 0)
            (rows,) = prepared.entities(10)
        assert [(row["id"], row["name"], row["aliases"]) for row in rows] == [
            ("1", "Elm Road", ["Elm", "Elm Rd"]),
            ("2", "2", None),
        ]
    finally:
        clean.driver.execute_query("MATCH (n:Stop) DETACH DELETE n")


def test_a_folder_with_something_in_it_is_refused(
    demo: kgdb.KnowledgeGraph, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    for target in (tmp_path, tmp_path / "file"):
        with pytest.raises(UsageError, match="not an empty folder"):
            export(demo.database, demo.info, target)
    with pytest.raises(UsageError, match="cannot be exported as 'csv'"):
        export(demo.database, demo.info, tmp_path / "new", file_format="csv")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    empty = tmp_path / "empty"
    empty.mkdir()
    assert export(demo.database, demo.info, empty).triples == demo.info.triples


@pytest.mark.parametrize("file_format", ["parquet", "ntriples"])
def test_an_export_that_cannot_be_written_says_why(
    demo: kgdb.KnowledgeGraph, tmp_path: Path, file_format: str
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LoadError, match=r"Exporting 'demo' stopped: .*file"):
        export(demo.database, demo.info, tmp_path / "file" / "export", file_format=file_format)

    def fill(event: object) -> None:
        if "Writing" in str(event):
            (folder,) = tmp_path.glob("kgdb-work-*/export")
            for name in ("graph.nt", "triples.parquet"):
                (folder / name).symlink_to("/dev/full")

    with pytest.raises(LoadError, match="No space left on device"):
        export(demo.database, demo.info, tmp_path / "export", file_format=file_format, report=fill)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


KILLED = """
import os, signal, sys
from pathlib import Path
import kgdb
from kgdb.loading import export

def kill(event):
    if "triples" in str(event):
        os.kill(os.getpid(), signal.SIGKILL)

with kgdb.connect() as connection:
    export(connection, connection.graph("demo").info, Path(sys.argv[1]), report=kill)
"""


def test_the_next_export_removes_what_a_killed_one_left(
    demo: kgdb.KnowledgeGraph, tmp_path: Path
) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "killed")], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1
    time.sleep(2)
    export(demo.database, demo.info, tmp_path / "export")
    assert [path.name for path in tmp_path.iterdir()] == ["export"]


def test_an_export_that_is_interrupted_leaves_nothing(
    demo: kgdb.KnowledgeGraph, tmp_path: Path
) -> None:
    def interrupt(event: object) -> None:
        if "triples" in str(event):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(demo.database, demo.info, tmp_path / "export", report=interrupt)
    assert list(tmp_path.iterdir()) == []


def test_the_command_exports(demo: kgdb.KnowledgeGraph, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    result = CliRunner().invoke(cli, ["export", "demo", str(folder)])
    assert result.exit_code == 0, result.output
    assert f"{demo.info.triples:,} triples" in result.output
    with loading.prepare(loading.read_spec("exported"), folder) as prepared:
        assert prepared.counts.triples == demo.info.triples
    missing = CliRunner().invoke(cli, ["export", "nothing", str(tmp_path / "other")])
    assert isinstance(missing.exception, (UsageError, DatabaseError))
    assert not (tmp_path / "other").exists()
