"""RDF in TriG, RDF/XML and JSON-LD: the facts that an independent parser finds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from graph_files import XSD, advice, notes, refusal, written
from loaded import load

pytestmark = pytest.mark.unit

E = "http://e.org/"

TRIG = """@prefix e: <http://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:g1 { e:osprey a e:Bird ; rdfs:label "Osprey"@en ; e:eats e:roach . }
GRAPH _:g2 { e:osprey e:eats e:roach . e:roach e:length 30.5, "a { brace }" . }
{ e:roach e:lives_in e:loch }
e:loch e:area "13.3"^^<http://www.w3.org/2001/XMLSchema#decimal> .
"""

RDFXML = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE rdf:RDF>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#">
  <owl:Class rdf:about="http://e.org/Raptor"><rdfs:label xml:lang="en">bird of prey</rdfs:label>
    <rdfs:subClassOf rdf:resource="http://e.org/Bird"/>
    <rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="http://e.org/eats"/></owl:Restriction>
    </rdfs:subClassOf></owl:Class>
  <rdf:Description rdf:ID="local"><e:name>Gro\xdf</e:name>
    <e:eggs rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">3</e:eggs></rdf:Description>
</rdf:RDF>
""".encode("latin-1")

JSONLD = """{"@context": {"@vocab": "http://e.org/", "eats": {"@type": "@id"}},
 "@id": "http://e.org/osprey", "@type": "Bird", "eats": ["http://e.org/roach", "http://e.org/eel"],
 "span": 1.7, "eggs": 3, "seen": {"@value": "2021-05-04",
 "@type": "http://www.w3.org/2001/XMLSchema#date"}, "nest": {"height": 12, "in": "pine"}}
"""


def test_trig(tmp_path: Path) -> None:
    source = written(tmp_path, "birds.trig", TRIG)
    loaded = load("trig", source)
    assert loaded.triples == {
        (f"{E}osprey", f"{E}eats", f"{E}roach"),
        (f"{E}roach", f"{E}lives_in", f"{E}loch"),
    }
    assert loaded.counts.duplicates == 1
    assert (loaded.name(f"{E}osprey"), loaded.labels(f"{E}osprey")) == ("Osprey", [f"{E}Bird"])
    assert loaded.literals == {
        (f"{E}roach", f"{E}length", "30.5", f"{XSD}decimal", None),
        (f"{E}roach", f"{E}length", "a { brace }", None, None),
        (f"{E}loch", f"{E}area", "13.3", f"{XSD}decimal", None),
    }
    assert notes("trig", source) == (
        "Not loaded: the graphs of 6 triples, which stand in 2 named graphs",
    )


def test_rdfxml_of_an_ontology(tmp_path: Path) -> None:
    source = written(tmp_path, "birds.owl", RDFXML)
    loaded = load("rdfxml", source)
    subclass = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
    assert (f"{E}Raptor", subclass, f"{E}Bird") in loaded.triples
    assert loaded.name(f"{E}Raptor") == "bird of prey"
    assert loaded.labels("_:b1") == ["http://www.w3.org/2002/07/owl#Restriction"]
    assert loaded.literals == {
        ("file:///birds.owl#local", f"{E}name", "Groß", None, None),
        ("file:///birds.owl#local", f"{E}eggs", "3", f"{XSD}integer", None),
    }


def test_jsonld(tmp_path: Path) -> None:
    loaded = load("jsonld", written(tmp_path, "birds.jsonld", JSONLD))
    assert {tail for _, relation, tail in loaded.triples if relation == f"{E}eats"} == {
        f"{E}roach",
        f"{E}eel",
    }
    assert (f"{E}osprey", f"{E}nest", "_:b1") in loaded.triples
    assert loaded.literals == {
        (f"{E}osprey", f"{E}span", "1.7E0", f"{XSD}double", None),
        (f"{E}osprey", f"{E}eggs", "3", f"{XSD}integer", None),
        (f"{E}osprey", f"{E}seen", "2021-05-04", f"{XSD}date", None),
        ("_:b1", f"{E}height", "12", f"{XSD}integer", None),
        ("_:b1", f"{E}in", "pine", None, None),
    }


@pytest.mark.parametrize(
    ("loader", "name", "content"),
    [("trig", "a.trig", TRIG), ("rdfxml", "a.owl", RDFXML), ("jsonld", "a.jsonld", JSONLD)],
)
def test_as_many_statements_as_rdflib_reads(
    tmp_path: Path, loader: str, name: str, content: str | bytes
) -> None:
    rdflib = pytest.importorskip("rdflib")
    source = written(tmp_path, name, content)
    dataset = rdflib.Dataset(default_union=True)
    format = {"trig": "trig", "rdfxml": "xml", "jsonld": "json-ld"}[loader]
    dataset.parse(source, format=format)
    statements = set(dataset.triples((None, None, None)))
    counts = load(loader, source).counts
    assert counts.records - counts.duplicates == len(statements)


@pytest.mark.parametrize(
    ("loader", "content", "problem"),
    [
        ("trig", "@prefix e: <http://e/> .\ne:g { e:a e:b e:c .\n", "line 3.*this is not TriG"),
        (
            "rdfxml",
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\n<rdf:Descr',
            "line 2, column 1: this is not well-formed XML",
        ),
        ("jsonld", '{"@context": {"a": "http://e/a"},\n "@id": "http://e/x", "a": ', "not JSON-LD"),
        ("jsonld", '{"@context": "https://schema.org/", "name": "x"}', "@context from the web"),
        ("turtle", TRIG, "is TriG"),
        ("ntriples", JSONLD, "is JSON-LD"),
        ("turtle", RDFXML, "is RDF/XML"),
    ],
)
def test_mistakes(tmp_path: Path, loader: str, content: str | bytes, problem: str) -> None:
    error = refusal(loader, written(tmp_path, "bad", content))
    assert re.search(problem, str(error))
    assert error.hint


@pytest.mark.parametrize(
    ("loader", "content"), [("trig", TRIG), ("rdfxml", RDFXML), ("jsonld", JSONLD)]
)
def test_init_gives_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loader: str, content: str | bytes
) -> None:
    source = written(tmp_path, "birds", content)
    assert advice(source, monkeypatch) == f"kgdb load {loader} {source} --as birds --dry-run"


def test_statements_about_triples_are_counted(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        "star.nt",
        "<http://e.org/a> <http://e.org/knows> <http://e.org/b> .\n"
        "<< <http://e.org/a> <http://e.org/knows> <http://e.org/b> >> <http://e.org/since> "
        '"1999"^^<http://www.w3.org/2001/XMLSchema#gYear> .\n',
    )
    loaded = load("ntriples", source)
    assert loaded.triples == {(f"{E}a", f"{E}knows", f"{E}b")}
    assert loaded.other_records == {"statements about triples": 1}
    assert notes("ntriples", source) == ("Properties of the relationships: since (whole number)",)


TWO_LANGUAGES = """@prefix e: <http://e.org/> .
e:a e:motto "semper"@en {| e:since 1999 |} {| e:since 2004 |} .
e:a e:motto "semper" . e:a e:motto "7" . e:a e:motto 7 {| e:since 2011 |} .
"""


def test_properties_belong_to_a_text_with_its_language(tmp_path: Path) -> None:
    loaded = load("turtle", written(tmp_path, "a.ttl", TWO_LANGUAGES))
    held = sorted(str(sorted(map(str, facts))) for facts in loaded.qualifiers.values())
    assert held == [
        str(["{'since': 1999}", "{'since': 2004}"]),
        str(["{'since': 2011}"]),
        str(["{}"]),
        str(["{}"]),
    ]


PAGES = """<http://e.org/o> <http://xmlns.com/foaf/0.1/homepage> <http://o.example/m/index.html> .
<http://e.org/o> <http://e.org/website> <http://o.example/> .
<http://e.org/o> <http://e.org/knows> <http://e.org/Per_Nyman> .
<http://o.example/> <http://www.w3.org/2000/01/rdf-schema#label> "Olga's pages" .
"""


def test_a_page_is_called_by_its_whole_address(tmp_path: Path) -> None:
    loaded = load("ntriples", written(tmp_path, "pages.nt", PAGES))
    assert loaded.name("http://o.example/m/index.html") == "http://o.example/m/index.html"
    assert loaded.name("http://o.example/") == "Olga's pages"
    assert loaded.name("http://e.org/Per_Nyman") == "Per Nyman"


NAMES = """<http://e.org/Q1> <http://www.w3.org/2000/01/rdf-schema#label> "Starnberg"@de .
<http://e.org/Q2> <http://www.w3.org/2000/01/rdf-schema#label> "München"@de .
<http://e.org/Q2> <http://www.w3.org/2000/01/rdf-schema#label> "Munich"@fr .
<http://e.org/Q1> <http://e.org/near> <http://e.org/Q2> .
"""


def test_names_in_other_languages_alone_are_told(tmp_path: Path) -> None:
    source = written(tmp_path, "towns.nt", NAMES)
    assert notes("ntriples", source) == (
        "No name is in the language en; 2 are in de: --set language=de",
    )
    assert notes("ntriples", source, language="fr") == ()
    assert load("ntriples", source, language="de").name("http://e.org/Q2") == "München"
