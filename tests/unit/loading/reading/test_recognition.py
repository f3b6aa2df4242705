"""Files recognized by their first bytes: with their loader, or refused by name with what helps."""

from __future__ import annotations

import gzip
import pickle
import shlex
from pathlib import Path

import pytest

from kgdb.errors import KgdbError
from kgdb.loading import prepare, read_spec
from kgdb.loading.drafting.draft_writer import draft
from kgdb.loading.reading.recognition import is_trig, recognize

pytestmark = pytest.mark.unit

READ = {
    "graphml": [
        b"<graphml/>",
        b"<?xml version='1.0'?>\n<!-- <gexf> -->\n<graphml xmlns='x'>",
        b'<!DOCTYPE graphml SYSTEM "x.dtd">\n<graphml >',
    ],
    "gexf": [b'\xef\xbb\xbf<?xml version="1.0"?><gexf version="1.3"></gexf>'],
    "rdfxml": [b"<?xml version='1.0'?><!DOCTYPE rdf:RDF [<!ENTITY a 'b'>]><rdf:RDF xmlns='x'>"],
    "node-link": [
        b'{"directed": false, "nodes": [], "links": []}',
        b'{\n "edges": [{"source": 1, "target": 2}]',
        b'{"data": [], "elements": {"nodes": [{"data": {"id": "a"}}]}}',
    ],
    "apoc": [
        b'{"type":"node","id":"0","labels":["A"]}\n',
        b'{"nodes":[{"type":"node","id":"0","properties":{"a":1}}],"rels":[]}',
        b'[{"n":{"identity":0,"labels":["A"],"properties":{}}}]',
    ],
    "jsonld": [b'{"@context": {"a": "http://e/"}}', b'[{"@id": "http://e/a"}]'],
    "trig": [
        b"@prefix e: <http://e/> .\ne:g { e:a e:b e:c }",
        b'PREFIX e: <http://e/>\ne:a e:b "x" .\nGRAPH <http://e/g> {',
    ],
    "turtle": [
        b"@prefix e: <http://e/> .\ne:a e:b e:c {| e:d 1 |} .",
        b'@base <http://e/> .\n<a#x> <b> """{ no } . g:x {""" . # g:y {\n',
    ],
    "obo": [b"format-version: 1.2\n[Term]\n", b"! made\nontology: x\n", b"[Term]\nid: x\n"],
}


@pytest.mark.parametrize(
    ("loader", "content"), [(loader, each) for loader, all in READ.items() for each in all]
)
def test_formats_with_a_loader(loader: str, content: bytes) -> None:
    found = recognize(content)
    assert found
    assert found.loader == loader
    assert read_spec(loader).sources[0].input.format in {loader, "apoc"}


@pytest.mark.parametrize(
    "content",
    [
        b"head,relation,tail\n",
        b"a\tb\tc\n",
        b'{"head": "a", "relation": "b"}\n{"head": "c"}\n',
        b'{"a": 1, "nodes": [1]}\n{"a": 2, "nodes": []}\n',
        b'[{"a": 1}]',
        b"<http://e/a> <http://e/b> <http://e/c> .\n",
        b'<http://e/a> <http://e/b> "</x> <?xml " .\n',
        b"Matchbox,made_in,Hackney\n",
        b"Create a graph\tby\tAda\n",
        b"CREATE (a)\tis\tCypher\n",
        b"graph theory\tpart of\tmathematics\n",
    ],
)
def test_tables_and_lines_are_not_recognized(content: bytes) -> None:
    assert recognize(content) is None


REFUSED = [
    (b"DZV1(\xb5/\xfd", "dump of a Neo4j database", "kgdb adopt mine --dump"),
    (b"zstd\0\0\0\1" + b"\0" * 40, "dump of a Neo4j database", "kgdb adopt"),
    (
        gzip.compress(b"gzip\0\0\0\1" + b"\0" * 40, mtime=0),
        "dump of a Neo4j database",
        "kgdb adopt",
    ),
    (pickle.dumps({"a": 1}), "a Python pickle", "networkx.write_graphml"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "Unpack it"),
    (b"$HDT\x01", "RDF in HDT", "hdt2rdf.sh"),
    (b"<Ontology xmlns='http://www.w3.org/2002/07/owl#'/>", "OWL/XML", "robot convert"),
    (b"Prefix(:=<http://e/>)\nOntology(<http://e/>\n)", "functional syntax", "robot convert"),
    (b"Prefix: e: <http://e/>\nOntology: <http://e/>\n", "Manchester syntax", "robot convert"),
    (b"<?xml version='1.0'?><sbml><model/></sbml>", "XML (<sbml>)", "formats.md"),
    (b'{"@type": "g:Vertex", "@value": {}}', "GraphSON", "kgdb load graphml"),
    (b'{"head": {"vars": ["a"]}, "results": {}}', "SPARQL query in JSON", "text/csv"),
    (b'[\n{"type":"item","id":"Q1","labels":{}},\n', "Wikidata's entities", "kgdb load wikidata"),
    (b"CREATE TABLE a (b int);\n", "SQL statements", "export each table as CSV"),
    (b"-- dump\nINSERT INTO a VALUES (1);\n", "SQL statements", "kgdb load mine --init"),
    (b"graph [\n  node [ id 1 ]\n]\n", "GML", "label='id'"),
    (b"digraph G { a -> b }\n", "DOT", "read_dot"),
    (b"*Vertices 3\n1 a\n", "Pajek", "read_pajek"),
    (b"CREATE (a:X {b: 1, c: 2})", "Cypher statements", "cypher-shell"),
    (b"// a\nCREATE (a)\n", "Cypher statements", "Neo4j Browser"),
    (b"/* b */ merge (a:X {b: 1});", "Cypher statements", "kgdb adopt"),
    (b"CREATE CONSTRAINT x IF NOT EXISTS FOR", "Cypher statements", "kgdb adopt"),
    (b"UNWIND [{a:1}] AS row", "Cypher statements", "kgdb adopt"),
    (b":begin\nCREATE INDEX", "Cypher statements", "kgdb adopt"),
]


def refused(loader: str | None, source: Path) -> None:
    """Load the file, or without a loader draft one for it."""
    if loader is None:
        draft("mine", source)
        return
    with prepare(read_spec(loader), source):
        pass


@pytest.mark.parametrize(("content", "name", "hint"), REFUSED)
@pytest.mark.parametrize("loader", ["csv", "jsonl", "ntriples", "graphml", "wikidata", None])
def test_other_formats_are_refused_by_name(
    tmp_path: Path, content: bytes, name: str, hint: str, loader: str | None
) -> None:
    source = tmp_path / "a file"
    source.write_bytes(content)
    with pytest.raises(KgdbError) as failure:
        refused(loader, source)
    assert name in failure.value.message
    assert hint in str(failure.value.hint)
    assert "FILE" not in str(failure.value.hint).replace("--init FILE", "")


def test_a_dump_is_known_by_its_name_where_it_cannot_be_unpacked(tmp_path: Path) -> None:
    source = tmp_path / "movies.dump"
    source.write_bytes(b"\x28\xb5\x2f\xfd\x04\x58")
    for loader in ("csv", "apoc"):
        with pytest.raises(KgdbError, match="dump of a Neo4j"), prepare(read_spec(loader), source):
            pass
    with pytest.raises(KgdbError, match="dump of a Neo4j"):
        draft("mine", source)


@pytest.mark.parametrize("name", ["a script.cypher", "films.CQL", "films.cypher.gz"])
@pytest.mark.parametrize("loader", ["csv", "jsonl", None])
def test_a_script_is_known_by_its_name_however_it_begins(
    tmp_path: Path, name: str, loader: str | None
) -> None:
    source = tmp_path / name
    text = b"WITH 1 AS one CREATE (:Film {rank: one});\n"
    source.write_bytes(gzip.compress(text, mtime=0) if name.endswith(".gz") else text)
    with pytest.raises(KgdbError, match="Cypher statements") as failure:
        refused(loader, source)
    assert shlex.quote(str(source)) in str(failure.value.hint)
    assert "cypher-shell" in str(failure.value.hint)
    assert "kgdb adopt NAME" in str(failure.value.hint)


@pytest.mark.parametrize("named", ["films.cypher", "cypher", "cql", "neo4j"])
def test_a_script_has_no_loader(named: str) -> None:
    with pytest.raises(KgdbError, match="Cypher statements") as failure:
        read_spec(named)
    assert "cypher-shell" in str(failure.value.hint)
    assert "kgdb adopt NAME" in str(failure.value.hint)


@pytest.mark.parametrize(
    ("loader", "content", "command"),
    [
        ("csv", b"<graphml><graph/></graphml>", "kgdb load graphml"),
        ("tsv", b'{"nodes": [], "links": []}', "kgdb load node-link"),
        ("jsonl", b'{"nodes": [], "links": []}', "kgdb load node-link"),
        ("tsv", b"format-version: 1.2\n[Term]\n", "kgdb load obo"),
        ("wikidata", b"@prefix wd: <http://w/> .\nwd:Q1 a wd:Q2 .\n", "--set syntax=turtle"),
        ("turtle", b"@prefix e: <http://e/> .\ne:g { e:a e:b e:c }", "kgdb load trig"),
        ("node-link", b'{"type":"node","id":"0","labels":["A"]}\n', "kgdb load apoc"),
        ("apoc", b'{"nodes": [], "links": [{"source": 1}]}', "kgdb load node-link"),
    ],
)
def test_another_loader_is_named(tmp_path: Path, loader: str, content: bytes, command: str) -> None:
    source = tmp_path / "file"
    source.write_bytes(content)
    with pytest.raises(KgdbError) as failure, prepare(read_spec(loader), source):
        pass
    assert command in str(failure.value.hint)


def test_braces_in_texts_make_no_trig() -> None:
    assert not is_trig('e:a e:b "g:x { y" , """\n. {""" ; # e:g {\n e:c <http://e/#{> .')
    assert is_trig("_:g { e:a e:b e:c }")


@pytest.mark.parametrize(
    ("word", "loader"), [("nquads", "ntriples"), ("rdf", "rdfxml"), ("networkx", "node-link")]
)
def test_other_names_of_formats(word: str, loader: str) -> None:
    with pytest.raises(KgdbError, match=f"Did you mean {loader}"):
        read_spec(word)
