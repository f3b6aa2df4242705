"""Drafts for N-Triples, N-Quads and Turtle."""

from __future__ import annotations

from pathlib import Path

import pytest
from drafts import drafted

from kgdb.loading import prepare, read_spec, write_draft

pytestmark = pytest.mark.unit


NTRIPLES = """# a comment
<http://e.org/a> <http://e.org/likes> <http://e.org/b#c%20d> .
<http://e.org/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e.org/Person> .
<http://e.org/a> <http://www.w3.org/2000/01/rdf-schema#label> "Ada"@en .
<http://e.org/a> <http://www.w3.org/2000/01/rdf-schema#label> "Adele"@de .
<http://e.org/a> <http://e.org/born> "1961"^^<http://www.w3.org/2001/XMLSchema#gYear> .
_:b0 <http://e.org/likes> <http://e.org/a> .
<http://e.org/b> <http://e.org/likes> <http://e.org/a> .
<http://e.org/b> <http://www.w3.org/2000/01/rdf-schema#label> "Bea"@EN-gb .
<http://e.org/b> <http://www.w3.org/2000/01/rdf-schema#label> "Bee"@EN .
<http://e.org/b> <http://www.w3.org/2000/01/rdf-schema#label> "Abeille"@fr .
"""


def test_ntriples(tmp_path: Path) -> None:
    found = drafted(tmp_path, "kb.nt", NTRIPLES)
    assert found.format == "ntriples"
    assert ("http://e.org/a", "http://e.org/likes", "http://e.org/b#c%20d") in found.facts
    assert ("http://e.org/a", "http://e.org/born", "1961") in found.facts
    assert found.names["http://e.org/a"] == "Ada"
    assert found.names["http://e.org/b#c%20d"] == "c d"
    counts = found.counts
    assert (counts.records, counts.triples, counts.other, counts.skipped) == (10, 4, 6, 0)
    assert found.names["http://e.org/b"] == "Bee"


def test_nquads(tmp_path: Path) -> None:
    found = drafted(tmp_path, "kb.nq", "<u:a> <u:r> <u:b> <u:g> .\n<u:b> <u:r> <u:c> <u:g> .\n")
    assert (found.format, found.counts.triples) == ("ntriples", 2)


def test_turtle_without_prefixes(tmp_path: Path) -> None:
    found = drafted(tmp_path, "kb.ttl", "<u:a> <u:r> <u:b> ;\n  <u:s> <u:c> .\n")
    assert (found.format, found.counts.triples) == ("turtle", 2)


def test_turtle(tmp_path: Path) -> None:
    content = "@prefix e: <http://e.org/> .\n\ne:a a e:Person ; e:likes e:b , e:c .\n"
    found = drafted(tmp_path, "kb.ttl", content)
    assert found.format == "turtle"
    assert {t for _, _, t in found.facts} == {"http://e.org/b", "http://e.org/c"}


def test_a_class_without_a_name_is_no_label(tmp_path: Path) -> None:
    content = (
        "@prefix : <http://e/> .\n:rex a :Dog , [ a :Restriction ; :on :eats ] .\n"
        ":rex :eats :meat .\n"
    )
    found = drafted(tmp_path, "dogs.ttl", content)
    assert found.labels["http://e/rex"] == ["Dog"]
    type_ = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    assert ("http://e/rex", type_, "_:b1") in found.facts


def test_names_by_several_vocabularies_are_names(tmp_path: Path) -> None:
    label, name = "http://www.w3.org/2000/01/rdf-schema#label", "http://xmlns.com/foaf/0.1/name"
    content = (
        f'<u:acme> <{label}> "ACME" .\n<u:acme> <{name}> "Acme Inc." .\n'
        f'<u:jane> <{name}> "Jane Doe" .\n<u:acme> <u:ceo> <u:jane> .\n'
    )
    made = drafted(tmp_path, "company.nt", content)
    assert made.names == {"u:acme": "ACME", "u:jane": "Jane Doe"}
    assert made.facts == {("u:acme", "u:ceo", "u:jane")}


def test_statements_about_triples_are_properties(tmp_path: Path) -> None:
    content = (
        "@prefix : <http://e/> .\n:rex :eats :meat {| :since 1999 |} {| :since 2001 |} .\n"
        ":rex :age 7 {| :on 2020 |} .\n"
    )
    source = tmp_path / "kb.ttl"
    source.write_text(content, encoding="utf-8")
    with prepare(read_spec(str(write_draft(str(tmp_path / "mine"), source))), source) as prepared:
        rows = [row for batch in prepared.triples(10) for row in batch]
    assert sorted((row["relation"], str(row["properties"])) for row in rows) == [
        ("http://e/age", "{'on': 2020}"),
        ("http://e/eats", "{'since': 1999}"),
        ("http://e/eats", "{'since': 2001}"),
    ]
