"""Ontologies in OWL: classes by their labels, and what they say of each other as facts."""

from __future__ import annotations

from pathlib import Path

import pytest
from graph_files import XSD, advice, notes, written
from loaded import load

pytestmark = pytest.mark.unit

OBO = "http://purl.obolibrary.org/obo/"
SUBCLASS = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
PART = f"{OBO}BFO_0000050"

ONTOLOGY = """<?xml version="1.0"?>
<rdf:RDF xmlns="http://e.org/a.owl#" xml:base="http://e.org/a.owl" xmlns:obo="http://purl.obolibrary.org/obo/"
  xmlns:owl="http://www.w3.org/2002/07/owl#"
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:oboInOwl="http://www.geneontology.org/formats/oboInOwl#">
<owl:Ontology rdf:about="http://e.org/a.owl"><owl:versionInfo>1</owl:versionInfo></owl:Ontology>
<owl:ObjectProperty rdf:about="http://purl.obolibrary.org/obo/BFO_0000050">
  <rdfs:label>part of</rdfs:label><rdfs:domain rdf:resource="http://purl.obolibrary.org/obo/A_1"/></owl:ObjectProperty>
<owl:ObjectProperty rdf:about="http://e.org/eats"><rdfs:label>eats</rdfs:label></owl:ObjectProperty>
<owl:AnnotationProperty rdf:about="http://purl.obolibrary.org/obo/IAO_0000115">
  <rdfs:label>definition</rdfs:label></owl:AnnotationProperty>
<owl:Class rdf:about="http://purl.obolibrary.org/obo/A_1">
  <rdfs:label xml:lang="en">wing</rdfs:label>
  <rdfs:label xml:lang="de">Flügel</rdfs:label>
  <oboInOwl:hasExactSynonym>ala</oboInOwl:hasExactSynonym>
  <obo:IAO_0000115>A limb for flight.</obo:IAO_0000115>
  <rdfs:subClassOf rdf:resource="http://purl.obolibrary.org/obo/A_2"/>
  <rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="http://purl.obolibrary.org/obo/BFO_0000050"/>
    <owl:someValuesFrom rdf:resource="http://purl.obolibrary.org/obo/A_3"/></owl:Restriction></rdfs:subClassOf>
  <rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="http://purl.obolibrary.org/obo/BFO_0000050"/>
    <owl:allValuesFrom rdf:resource="http://purl.obolibrary.org/obo/A_2"/></owl:Restriction></rdfs:subClassOf>
</owl:Class>
<owl:Class rdf:about="http://purl.obolibrary.org/obo/A_2"><rdfs:label>limb</rdfs:label></owl:Class>
<owl:Class rdf:about="http://purl.obolibrary.org/obo/A_3"><rdfs:label>bird</rdfs:label></owl:Class>
<owl:Class rdf:about="http://purl.obolibrary.org/obo/A_4"><rdfs:label>fish eater</rdfs:label>
  <owl:equivalentClass><owl:Class><owl:intersectionOf rdf:parseType="Collection">
    <rdf:Description rdf:about="http://purl.obolibrary.org/obo/A_3"/>
    <owl:Restriction><owl:onProperty rdf:resource="http://e.org/eats"/>
      <owl:someValuesFrom rdf:resource="http://purl.obolibrary.org/obo/A_5"/></owl:Restriction>
  </owl:intersectionOf></owl:Class></owl:equivalentClass>
  <owl:deprecated rdf:datatype="http://www.w3.org/2001/XMLSchema#boolean">true</owl:deprecated></owl:Class>
<owl:Axiom><owl:annotatedSource rdf:resource="http://purl.obolibrary.org/obo/A_1"/>
  <owl:annotatedProperty rdf:resource="http://purl.obolibrary.org/obo/IAO_0000115"/>
  <owl:annotatedTarget>A limb for flight.</owl:annotatedTarget>
  <oboInOwl:hasDbXref>PMID:1</oboInOwl:hasDbXref></owl:Axiom>
<owl:Axiom><owl:annotatedSource rdf:resource="http://purl.obolibrary.org/obo/A_1"/>
  <owl:annotatedProperty rdf:resource="http://www.w3.org/2000/01/rdf-schema#subClassOf"/>
  <owl:annotatedTarget><owl:Restriction><owl:onProperty rdf:resource="http://purl.obolibrary.org/obo/BFO_0000050"/>
    <owl:someValuesFrom rdf:resource="http://purl.obolibrary.org/obo/A_3"/></owl:Restriction></owl:annotatedTarget>
  <oboInOwl:is_inferred>true</oboInOwl:is_inferred></owl:Axiom>
</rdf:RDF>
"""


def test_facts_of_an_ontology(tmp_path: Path) -> None:
    loaded = load("owl", written(tmp_path, "a.owl", ONTOLOGY))
    assert loaded.triples == {
        (f"{OBO}A_1", SUBCLASS, f"{OBO}A_2"),
        (f"{OBO}A_1", PART, f"{OBO}A_3"),
        (f"{OBO}A_4", SUBCLASS, f"{OBO}A_3"),
        (f"{OBO}A_4", "http://e.org/eats", f"{OBO}A_5"),
    }
    assert loaded.literals == {
        (f"{OBO}A_1", f"{OBO}IAO_0000115", "A limb for flight.", None, None),
        (f"{OBO}A_4", "http://www.w3.org/2002/07/owl#deprecated", "true", f"{XSD}boolean", None),
    }
    assert loaded.qualifiers[f"{OBO}A_1", PART, f"{OBO}A_3"] == [{"is_inferred": "true"}]
    (held,) = [h for fact, h in loaded.qualifiers.items() if fact[1] == f"{OBO}IAO_0000115"]
    assert held == [{"hasDbXref": "PMID:1"}]
    assert set(loaded.entities) == {f"{OBO}A_{number}" for number in range(1, 6)}
    assert loaded.name(f"{OBO}A_1") == "wing"
    assert loaded.name(f"{OBO}A_5") == "A 5"
    assert loaded.entities[f"{OBO}A_1"]["aliases"] == ["ala"]
    assert loaded.labels(f"{OBO}A_1") == ["Class"]
    assert loaded.text(PART) == "what {} is part of"
    assert loaded.text("http://e.org/eats") == "what {} eats"
    assert loaded.text(SUBCLASS) == "what {} is a kind of"


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    others = load("owl", written(tmp_path, "a.owl", ONTOLOGY)).other_records
    assert others["class expressions that are no facts"] == 1
    assert others["class expressions that became facts"] == 3
    assert others["statements about triples"] == 2
    assert load("owl", tmp_path / "a.owl", language="de").name(f"{OBO}A_1") == "Flügel"


def test_init_names_the_loader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(tmp_path, "a.owl", ONTOLOGY)
    assert advice(source, monkeypatch) == f"kgdb load owl {source} --as a --dry-run"
    assert notes("owl", source) == notes("rdfxml", source)
