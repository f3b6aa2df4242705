"""Wikidata's truthy statements, in a small sample made for this test."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from graph_files import XSD, advice, notes, written
from loaded import lines, load, load_once

pytestmark = pytest.mark.unit

SAMPLE = Path(__file__).parents[3] / "data" / "wikidata_sample.nt"


@pytest.mark.slow
def test_every_line_is_accounted_for() -> None:
    for options in ({}, {"identifiers": "yes"}, {"language": "de"}, {"leave_out": "P31 P17"}):
        counts = load_once("wikidata", SAMPLE, **options).counts
        assert (counts.records, counts.skipped) == (lines([SAMPLE]), 0)


def test_names_and_aliases() -> None:
    loaded = load_once("wikidata", SAMPLE)
    assert loaded.name("Q42") == "Douglas Adams"
    assert loaded.entities["Q42"]["aliases"] == ["Douglas Noel Adams"]
    assert loaded.name("Q350") == loaded.name("Q49111") == "Cambridge"
    assert loaded.name("Q30") == "United States"  # only named for all languages
    assert loaded.name("Q214917") == "Q214917"
    assert load_once("wikidata", SAMPLE, language="ru").name("Q42") == "Дуглас Адамс"
    assert load_once("wikidata", SAMPLE, language="ru", fallback="en").name("Q350") == "Cambridge"


def test_statements() -> None:
    loaded = load_once("wikidata", SAMPLE)
    assert {("Q42", "P31", "Q5"), ("Q42", "P106", "Q36180"), ("Q42", "P106", "Q214917")} <= (
        loaded.triples
    )
    assert ("Q145", "P17", "Q145") in loaded.triples
    assert loaded.counts.duplicates == 1
    unknown = {tail for head, _, tail in loaded.triples if head == "Q692"}
    assert len(unknown) == 2
    assert all(tail.startswith("_:") and loaded.name(tail) == tail for tail in unknown)


def test_literals_and_identifiers() -> None:
    loaded = load_once("wikidata", SAMPLE)
    assert loaded.literals == {
        (head, relation, value, datatype and f"http://www.{datatype}", language)
        for head, relation, value, datatype, language in [
            ("Q42", "P569", "1952-03-11T00:00:00Z", "w3.org/2001/XMLSchema#dateTime", None),
            ("Q42", "P2048", "+1.96", "w3.org/2001/XMLSchema#decimal", None),
            ("Q42", "P1477", "Douglas Noel Adams", None, "en"),
            ("Q42", "P856", "http://douglasadams.com/", "w3.org/2001/XMLSchema#anyURI", None),
            (
                "Q350",
                "P625",
                "Point(0.1225 52.20805)",
                "opengis.net/ont/geosparql#wktLiteral",
                None,
            ),
        ]
    }
    with_identifiers = load_once("wikidata", SAMPLE, identifiers="yes")
    assert with_identifiers.literals - loaded.literals == {("Q42", "P214", "113230702", None, None)}


def test_properties_give_the_texts_of_relations() -> None:
    loaded = load_once("wikidata", SAMPLE)
    assert loaded.text("P19") == "the place of birth of {}"
    assert loaded.text("P31") == "what {} is instance of"
    assert loaded.text("P800") is None
    assert load_once("wikidata", SAMPLE, language="de").text("P19") == "{}: Geburtsort"
    # A property is an entity only where something is said of it.
    assert {entity for entity in loaded.entities if entity.startswith("P")} == {"P50", "P170"}


# The whole data in the form of Special:EntityData, shortened.
FULL = """@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wds: <http://www.wikidata.org/entity/statement/> .
@prefix wdv: <http://www.wikidata.org/value/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix p: <http://www.wikidata.org/prop/> .
@prefix ps: <http://www.wikidata.org/prop/statement/> .
@prefix psv: <http://www.wikidata.org/prop/statement/value/> .
@prefix pq: <http://www.wikidata.org/prop/qualifier/> .
@prefix pqv: <http://www.wikidata.org/prop/qualifier/value/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
wd:Q42 rdfs:label "Douglas Adams"@en ; wdt:P69 wd:Q691283 ; p:P69 wds:a, wds:b .
wd:Q42 p:P26 wds:c ; p:P27 wds:d, wds:f ; wdt:P2048 "+1.96"^^xsd:decimal ; p:P2048 wds:e .
wds:a a wikibase:Statement, wikibase:BestRank ; wikibase:rank wikibase:NormalRank ;
  ps:P69 wd:Q691283 ; prov:wasDerivedFrom wd:ref ;
  pq:P580 "1971-01-01T00:00:00Z"^^xsd:dateTime ; pqv:P580 wdv:y ;
  pq:P582 "1974-06-30T00:00:00Z"^^xsd:dateTime ; pqv:P582 wdv:d ;
  pq:P512 wd:Q1765120, wd:Q2 ; pq:P1107 "+0.5"^^xsd:decimal .
wds:b wikibase:rank wikibase:NormalRank ; ps:P69 wd:Q691283 ;
  pq:P580 "1959-01-01T00:00:00Z"^^xsd:dateTime ; pqv:P580 wdv:x .
wds:c wikibase:rank wikibase:NormalRank ; a <http://www.wikidata.org/prop/novalue/P26> .
wds:d wikibase:rank wikibase:DeprecatedRank ; ps:P27 wd:Q30 .
wds:e wikibase:rank wikibase:NormalRank ; ps:P2048 "+1.96"^^xsd:decimal ; psv:P2048 wdv:q ;
  pq:P585 "2000-01-01T00:00:00Z"^^xsd:dateTime .
wds:lost ps:P69 wd:Q2 ; pq:P580 "1971-01-01T00:00:00Z"^^xsd:dateTime .
wdv:y a wikibase:TimeValue ; wikibase:timePrecision 9 .
wdv:d a wikibase:TimeValue ; wikibase:timePrecision 11 .
wdv:x a wikibase:TimeValue ; wikibase:timePrecision 8 .
wdv:q a wikibase:QuantityValue ; wikibase:quantityAmount "+1.96"^^xsd:decimal ;
  wikibase:quantityUnit wd:Q11573 .
wd:Q691283 rdfs:label "St John's College"@en .
wd:Q1765120 rdfs:label "Bachelor of Arts"@en .
wd:P580 rdfs:label "start time"@en .
wd:P512 rdfs:label "academic degree"@en .
"""


def test_statements_with_qualifiers(tmp_path: Path) -> None:
    source = written(tmp_path, "Q42.ttl", FULL)
    loaded = load("wikidata", source, syntax="turtle")
    studied = loaded.qualifiers["Q42", "P69", "Q691283"]
    assert sorted(studied, key=len) == [
        {"start_time": "195X"},
        {
            "start_time": "1971",
            "P582": datetime.date(1974, 6, 30),
            "academic_degree": ["Bachelor of Arts", "Q2"],
            "P1107": 0.5,
        },
    ]
    assert loaded.triples == {("Q42", "P69", "Q691283")}
    ((_, properties),) = [each for each in loaded.qualifiers.items() if each[0][1] == "P2048"]
    assert properties == [{"P585": datetime.date(2000, 1, 1), "unit": "Q11573"}]
    assert loaded.literals == {("Q42", "P2048", "+1.96", f"{XSD}decimal", None)}
    others = loaded.other_records
    assert others["truthy statements that are there in full"] == 2
    assert others["deprecated statements"] == 1
    assert others["values of statements that could not be joined"] == 1
    assert {entity for entity in loaded.entities if "statement" in entity} == set()
    assert ("Q42", "P27", "Q30") in load(
        "wikidata", source, syntax="turtle", deprecated="yes"
    ).triples


def test_statements_that_could_not_be_joined_are_counted(tmp_path: Path) -> None:
    told = notes("wikidata", written(tmp_path, "Q42.ttl", FULL), syntax="turtle")
    assert "Statements without a value: 2, such as statement/c" in told
    assert (
        "Statement nodes that could not be joined, because no item has them: 1, such as "
        "statement/lost"
    ) in told


def test_init_names_the_loader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turtle = written(tmp_path, "Q42.ttl", FULL)
    command = f"kgdb load wikidata {turtle} --as q42 --set syntax=turtle --dry-run"
    assert advice(turtle, monkeypatch) == command
    triples = written(tmp_path, "truthy.nt", SAMPLE.read_bytes())
    assert advice(triples, monkeypatch) == f"kgdb load wikidata {triples} --as truthy --dry-run"
