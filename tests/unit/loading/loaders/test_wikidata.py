"""Wikidata's truthy statements, in a small sample made for this test."""

from __future__ import annotations

from pathlib import Path

import pytest
from loaded import lines, load_once

pytestmark = pytest.mark.unit

SAMPLE = Path(__file__).parents[3] / "data" / "wikidata_sample.nt"


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
