"""Ontologies in OBO."""

from __future__ import annotations

from pathlib import Path

import pytest
from graph_files import XSD, advice, notes, refusal, skipped, written
from loaded import load

pytestmark = pytest.mark.unit

FISH = r"""format-version: 1.4
ontology: fish

[Term]
id: FISH:1
name: roach ! the common one
namespace: water
def: "A fish \"of\" rivers! And lakes." [PMID:1]
synonym: "Rutilus rutilus" EXACT []
synonym: "Plötze" RELATED [de:1]
is_a: FISH:2 {source="x"} ! fish
relationship: eaten_by BIRD:1 ! osprey
property_value: length "30" xsd:integer
property_value: seen "2020-01-02" xsd:date
property_value: motto "no ! comment" xsd:string
xref: NCBI:48668 "the tax\"on"
intersection_of: eaten_by BIRD:1
is_obsolete: true
created_by: nobody

[Term]
id: FISH:2
name: fish

[Typedef]
id: eaten_by
name: eaten by
is_a: affected_by
"""


def test_terms_and_relationships(tmp_path: Path) -> None:
    source = written(tmp_path, "fish.obo", FISH)
    loaded = load("obo", source)
    assert loaded.triples == {("FISH:1", "is_a", "FISH:2"), ("FISH:1", "eaten_by", "BIRD:1")}
    assert loaded.name("FISH:1") == "roach"
    assert loaded.entities["FISH:1"]["aliases"] == ["Plötze", "Rutilus rutilus"]
    assert loaded.labels("FISH:1") == ["Term", "water"]
    assert loaded.literals == {
        ("FISH:1", "definition", 'A fish "of" rivers! And lakes.', None, None),
        ("FISH:1", "length", "30", f"{XSD}integer", None),
        ("FISH:1", "seen", "2020-01-02", f"{XSD}date", None),
        ("FISH:1", "motto", "no ! comment", None, None),
        ("FISH:1", "xref", "NCBI:48668", None, None),
        ("FISH:1", "is_obsolete", "true", f"{XSD}boolean", None),
    }
    assert loaded.text("eaten_by") == "what {} is eaten by"
    assert loaded.other_records == {"terms": 2, "types of relationships": 1}
    assert notes("obo", source) == (
        "Properties of the relationships: source (text)",
        "Not among the nodes: 1 ends of edges, such as BIRD:1 (they go by their id)",
        "Not taken: created_by (1), intersection_of (1), is_a of a Typedef (1), "
        "scope of synonym (2), sources of def (1), text of xref (1)",
    )


def test_the_counts_of_a_large_file(tmp_path: Path) -> None:
    stanzas = "".join(
        f"[Term]\nid: T:{at}\nname: term {at}\nis_a: T:{at // 2} ! parent\n\n"
        for at in range(1, 5000)
    )
    loaded = load("obo", written(tmp_path, "big.obo", f"format-version: 1.2\n\n{stanzas}"))
    assert len(loaded.triples) == stanzas.count("is_a:")
    assert loaded.other_records == {"terms": stanzas.count("[Term]")}


def test_odd_lines(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        "odd.obo",
        'format-version: 1.2\r\n\r\n[Term]\r\nid: X\\:1\r\nname: 5" pipe \\! 管 \\\r\n'
        "goes on\r\n\r\n[Term]\r\nname: no id\r\n\r\n[Term]\r\nid: Y\r\nname: y\r\n"
        "relationship: lonely\r\njunk\r\nis_a: X\\:1\r\n\r\n[Term]\r\nid: Y\r\nname: again\r\n",
    )
    loaded = load("obo", source)
    assert loaded.name("X:1") == '5" pipe ! 管 goes on'
    assert loaded.triples == {("Y", "is_a", "X:1")}
    assert {loaded.name("Y"), *loaded.entities["Y"]["aliases"]} == {"y", "again"}
    assert skipped("obo", source) == [
        (8, "the [Term] has no id"),
        (14, "the relationship has no other term"),
        (15, "the line has neither a tag nor a colon"),
    ]


def test_other_files_are_named(tmp_path: Path) -> None:
    error = refusal("obo", written(tmp_path, "x.obo", "format-version: 1.2\nontology: x\n"))
    assert "has no [Term]" in str(error)
    assert "kgdb load rdfxml" in str(error.hint)
    error = refusal(
        "obo", written(tmp_path, "x.obo", b"format-version: 1.2\n[Term]\nid: a\nname: caf\xe9\n")
    )
    assert "is not UTF-8" in str(error)


def test_init_gives_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(tmp_path, "fish.obo", FISH)
    assert advice(source, monkeypatch) == f"kgdb load obo {source} --as fish --dry-run"
