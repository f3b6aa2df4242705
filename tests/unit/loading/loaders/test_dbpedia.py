"""DBpedia: dumps in N-Triples and Turtle, and the facts of FactKG and WebNLG."""

from __future__ import annotations

import bz2
from pathlib import Path

import pytest
from loaded import count, lines, load, load_once, sample

from kgdb.errors import LoadError

pytestmark = [pytest.mark.unit, pytest.mark.slow]

PREFIXES = {
    "": "http://dbpedia.org/resource/",
    "dbo": "http://dbpedia.org/ontology/",
    "dbp": "http://dbpedia.org/property/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "yago": "http://dbpedia.org/class/yago/",
}
FACTS = """
:Porto rdfs:label "Porto"@en
:Porto rdfs:label "Oporto"@es
:Porto rdf:type dbo:City
:Porto rdf:type yago:City108524735
:Porto dbo:country :Portugal
:Porto dbo:country :Portugal
:Oporto_City dbo:twinTown :Lixboa
:Oporto_City dbo:wikiPageRedirects :Oporto
:Oporto dbo:wikiPageRedirects :Porto
:Lixboa dbo:wikiPageRedirects :Lisbon
:Round_1 dbo:wikiPageRedirects :Round_2
:Round_2 dbo:wikiPageRedirects :Round_1
:Porto dbo:populationTotal "231962"^^xsd:nonNegativeInteger
:Lisbon dbo:populationTotal "231962"^^xsd:nonNegativeInteger
:Porto dbp:populationTotal "231962"^^xsd:integer
:Porto dbp:motto "Antiga"@en
:Porto dbp:motto "Antiga, mui nobre"@pt
:Porto dbp:motto ""@en
:Porto foaf:homepage <http://porto.example/>
:Porto dbo:partner <http://www.wikidata.org/entity/Q2>
:Porto dbo:isPartOf :Porto
:Porto dbo:mayor _:b1
:Porto dbo:wikiPageWikiLink :Wine
:Zamora,_%22Spain%22 dbo:river :Douro
""".strip().splitlines()


def spelled(term: str) -> str:
    """The term without prefixes."""
    if term.startswith(("<", "_:")):
        return term
    if term.startswith('"'):
        text, found, datatype = term.partition("^^")
        return text + (found and "^^" + spelled(datatype))
    prefix, _, local = term.partition(":")
    return f"<{PREFIXES[prefix]}{local}>"


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dump") / "dbpedia.nt"
    triples = (line.split(" ", 2) for line in FACTS)
    path.write_text("".join(" ".join(map(spelled, triple)) + " .\n" for triple in triples))
    return path


def test_every_line_is_accounted_for(dump: Path) -> None:
    for options in ({}, {"raw": "no"}, {"leave_out": ""}):
        assert load_once("dbpedia", dump, **options).counts.records == len(FACTS)


def test_names_kinds_and_ids(dump: Path) -> None:
    loaded = load_once("dbpedia", dump)
    assert loaded.entities["Porto"] == {
        "id": "Porto",
        "name": "Porto",
        "aliases": ["Oporto", "Oporto City"],
        "labels": ["dbo:City"],
    }
    assert loaded.name("Zamora,_%22Spain%22") == 'Zamora, "Spain"'
    assert load_once("dbpedia", dump, language="es").name("Porto") == "Oporto"
    spanish, other = (load_once("dbpedia", dump, language=tag) for tag in ("es", "ES"))
    assert (spanish.entities, spanish.literals) == (other.entities, other.literals)


def test_a_redirect_is_a_name_of_its_target_and_no_entity(dump: Path) -> None:
    loaded = load_once("dbpedia", dump)
    assert ("Porto", "dbo:twinTown", "Lisbon") in loaded.triples
    assert loaded.entities["Lisbon"]["aliases"] == ["Lixboa"]
    assert not {"Oporto", "Oporto_City", "Lixboa", "Round_1"} & set(loaded.entities)


def test_literals_belong_to_one_subject_and_keep_their_kind(dump: Path) -> None:
    literals = load_once("dbpedia", dump).literals
    whole = "http://www.w3.org/2001/XMLSchema#nonNegativeInteger"
    assert ("Porto", "dbo:populationTotal", "231962", whole, None) in literals
    assert ("Lisbon", "dbo:populationTotal", "231962", whole, None) in literals
    assert ("Porto", "dbp:motto", "Antiga", None, "en") in literals
    page = ("Porto", "foaf:homepage", "http://porto.example/")
    assert (*page, "http://www.w3.org/2001/XMLSchema#anyURI", None) in literals
    assert len(literals) == 5


def test_relations_of_the_ontology_and_of_infoboxes_stay_apart(dump: Path) -> None:
    loaded = load_once("dbpedia", dump)
    assert loaded.text("dbo:populationTotal") == "the population total of {}"
    assert loaded.text("dbo:isPartOf") == "what {} is part of"
    assert {"dbo:populationTotal", "dbp:populationTotal"} <= set(loaded.relations)
    plain = load_once("dbpedia", dump, raw="no")
    assert not any(relation.startswith("dbp:") for relation in plain.relations)
    assert plain.other_records["raw properties of infoboxes (dbp:)"] == 4


def test_duplicates_loops_blank_nodes_and_other_data_sets(dump: Path) -> None:
    loaded = load_once("dbpedia", dump)
    assert loaded.counts.duplicates == 1
    assert ("Porto", "dbo:isPartOf", "Porto") in loaded.triples
    assert ("Porto", "dbo:mayor", "_:b1") in loaded.triples
    assert ("Porto", "dbo:partner", "http://www.wikidata.org/entity/Q2") in loaded.triples
    assert "dbo:wikiPageWikiLink" not in loaded.relations
    assert "dbo:wikiPageWikiLink" in load_once("dbpedia", dump, leave_out="").relations


def test_turtle_and_compressed_dumps_give_the_same(dump: Path, tmp_path: Path) -> None:
    expected = load_once("dbpedia", dump)
    turtle = tmp_path / "dbpedia.ttl"
    prefixes = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
    text = "".join(f"{line} .\n" for line in FACTS)
    turtle.write_text(
        prefixes + text.replace(":Zamora,_%22Spain%22", spelled(FACTS[-1].split()[0]))
    )
    packed = tmp_path / "dbpedia.nt.bz2"
    packed.write_bytes(bz2.compress(dump.read_bytes()))
    for found in (load("dbpedia", turtle, syntax="turtle"), load("dbpedia", packed)):
        assert found.literals == expected.literals
        assert len(found.triples) == len(expected.triples)
        assert set(found.relations) == set(expected.relations)


def test_values_in_angle_brackets_are_literals(tmp_path: Path) -> None:
    values = ("152", "-7", "44.0", "1.5e+9", "2.0E9", "1926-08-17", "Rita", "c.+1980")
    path = tmp_path / "dbpedia.nt"
    path.write_text(
        "".join(
            f"<http://dbpedia.org/resource/Porto> <http://dbpedia.org/property/is> <{value}> .\n"
            for value in (*values, "The Genius", "", 'Gus"')
        )
        + "<152> <http://dbpedia.org/property/is> <http://dbpedia.org/resource/Porto> .\n"
        "<http://dbpedia.org/resource/Porto> <152> <http://dbpedia.org/resource/Porto> .\n"
    )
    loaded = load("dbpedia", path)
    kinds = ("integer",) * 2 + ("double",) * 3 + ("date", None, None)
    assert loaded.literals == {
        ("Porto", "dbp:is", value, kind and f"http://www.w3.org/2001/XMLSchema#{kind}", None)
        for value, kind in zip(values, kinds, strict=True)
    }
    assert (loaded.triples, loaded.counts.skipped) == (set(), 5)


def test_the_published_sample(data: Path) -> None:
    (path,) = sample(data, "dbpedia/sample.nt.gz")
    loaded = load("dbpedia", path)
    counts = loaded.counts
    assert counts.records == lines([path])
    assert (counts.triples, counts.skipped, counts.other) == (50_009, 2, 10_721)
    assert (counts.entities, counts.relations, counts.literals) == (40_281, 667, 11_902)
    assert loaded.entities["Brad_Pitt"]["name"] == "Brad Pitt"
    assert "1980s grunge" in loaded.entities["Grunge"]["aliases"]


def test_malformed_lines_are_refused(data: Path) -> None:
    (path,) = sample(data, "dbpedia/malformed.nt.gz")
    with pytest.raises(LoadError, match="of 600 "):
        load("dbpedia", path)


def test_values_in_the_form_of_factkg(tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text(
        'A._B%26C\theight\t1.8 (metres)\nA._B%26C\tbirthPlace\tPorto\nA._B%26C\tnick\t"Ab"\n'
        "A._B%26C\tbirthDate\t1988-02-01\nA._B%26C\tnick\t\nA._B%26C\tyear\t1988\n"
        "Porto\tyear\t1988\nPorto\tin\tPorto\nPorto\tin\tPorto\nA._B%26C\tzip\t90-121\n"
        "Porto\tmass\t4.8 g\nPorto\tarea codes\t234, 330\nPorto\tshow\t24_(TV series)\n"
        'Porto\tmotto\t"\\"Antiga\\" \\\\ mui\\n* nobre"\n'
    )
    loaded = load("factkg", path)
    integer, date = (f"http://www.w3.org/2001/XMLSchema#{kind}" for kind in ("integer", "date"))
    assert loaded.literals == {
        ("A._B%26C", "height", "1.8 (metres)", None, None),
        ("A._B%26C", "nick", "Ab", None, None),
        ("A._B%26C", "birthDate", "1988-02-01", date, None),
        ("A._B%26C", "year", "1988", integer, None),
        ("Porto", "year", "1988", integer, None),
        ("Porto", "mass", "4.8 g", None, None),
        ("Porto", "area codes", "234, 330", None, None),
        ("Porto", "motto", '"Antiga" \\ mui\n* nobre', None, None),
    }
    assert ("Porto", "show", "24_(TV series)") in loaded.triples
    assert loaded.name("A._B%26C") == "A. B&C"
    assert ("A._B%26C", "zip", "90-121") in loaded.triples
    assert (loaded.counts.records, loaded.counts.duplicates) == (14, 1)
    assert loaded.other_records == {"empty values": 1}


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("factkg_triples.tsv.gz", (46_934, 43_680, 455, 13_155)),
        ("webnlg_triples.tsv.gz", (3_792, 2_151, 373, 1_091)),
    ],
)
def test_the_published_facts(data: Path, name: str, facts: tuple[int, ...]) -> None:
    (path,) = sample(data, f"dbpedia/{name}")
    counts = count("factkg", path)
    assert (counts.triples, counts.entities, counts.relations, counts.literals) == facts
    assert counts.records == lines([path])
    assert counts.skipped == 0
