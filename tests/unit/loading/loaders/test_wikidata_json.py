"""Wikidata's JSON: a dump in small, made for this test in the form of the real one."""

from __future__ import annotations

import bz2
import datetime
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from graph_files import XSD, advice, notes, written
from loaded import load

pytestmark = pytest.mark.unit


def snak(property: str, type: str, value: Any, datatype: str = "") -> dict[str, Any]:
    return {
        "snaktype": "value",
        "property": property,
        "datavalue": {"value": value, "type": type},
        "datatype": datatype or type,
    }


def item(property: str, id: str) -> dict[str, Any]:
    return snak(property, "wikibase-entityid", {"entity-type": "item", "id": id})


def time(property: str, text: str, precision: int) -> dict[str, Any]:
    return snak(property, "time", {"time": text, "precision": precision, "timezone": 0})


def amount(property: str, text: str, unit: str = "1") -> dict[str, Any]:
    return snak(property, "quantity", {"amount": text, "unit": unit})


def statement(main: dict[str, Any], *qualifiers: dict[str, Any], rank: str = "normal") -> Any:
    held: dict[str, Any] = {}
    for each in qualifiers:
        held.setdefault(each["property"], []).append(each)
    return {"mainsnak": main, "type": "statement", "rank": rank, "qualifiers": held}


def named(id: str, statements: Any = (), aliases: Any = (), **labels: str) -> dict[str, Any]:
    claims: dict[str, Any] = {}
    for each in statements:
        claims.setdefault(each["mainsnak"]["property"], []).append(each)
    return {
        "type": "property" if id.startswith("P") else "item",
        "id": id,
        "labels": {key: {"language": key, "value": label} for key, label in labels.items()},
        "descriptions": {},
        "aliases": {"en": [{"language": "en", "value": alias} for alias in aliases]},
        "claims": claims or [],  # as PHP writes an empty object
    }


STATEMENTS = [
    statement(
        item("P69", "Q691283"),
        time("P580", "+1971-00-00T00:00:00Z", 9),
        time("P582", "+1974-06-30T00:00:00Z", 11),
        item("P512", "Q1765120"),
        item("P512", "Q2"),
        amount("P1107", "+0.5"),
    ),
    statement(item("P69", "Q691283"), time("P580", "+1959-00-00T00:00:00Z", 8)),
    statement(item("P27", "Q145"), rank="deprecated"),
    statement({"snaktype": "novalue", "property": "P26", "datatype": "wikibase-item"}),
    statement(time("P569", "+1952-03-11T00:00:00Z", 11)),
    statement(time("P571", "-0044-03-00T00:00:00Z", 10)),
    statement(amount("P2048", "+1.96", "http://www.wikidata.org/entity/Q11573")),
    statement(snak("P214", "string", "113230702", "external-id")),
    statement(snak("P856", "string", "http://douglasadams.com/", "url")),
    statement(snak("P1477", "monolingualtext", {"text": "Douglas Noël", "language": "fr"})),
    statement(snak("P625", "globecoordinate", {"latitude": 52.2, "longitude": 0.12})),
]
ENTITIES = [
    named(
        "Q42", STATEMENTS, ["DNA", "D. N. Adams"], en="Douglas Adams", de="Douglas Adams (Autor)"
    ),
    named("Q691283", en="St John's College", de="St. John's College"),
    named("Q1765120", mul="Bachelor of Arts"),
    named("Q11573", en="metre", de="Meter"),
    named("P580", en="start time", de="Startzeitpunkt"),
    named("P512", en="academic degree"),
    named("P69", en="educated at"),
]
DUMP = "[\n" + ",\n".join(map(json.dumps, ENTITIES)) + "\n]\n"


@pytest.mark.parametrize("packed", ["", ".gz", ".bz2"])
def test_facts_with_qualifiers(tmp_path: Path, packed: str) -> None:
    content = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress}[packed](DUMP.encode())
    loaded = load("wikidata-json", written(tmp_path, f"latest-all.json{packed}", content))
    assert loaded.triples == {("Q42", "P69", "Q691283")}
    assert sorted(loaded.qualifiers["Q42", "P69", "Q691283"], key=len) == [
        {"start_time": "195X"},
        {
            "start_time": "1971",
            "P582": datetime.date(1974, 6, 30),
            "academic_degree": ["Bachelor of Arts", "Q2"],
            "P1107": 0.5,
        },
    ]
    assert loaded.literals == {
        ("Q42", "P569", "1952-03-11", f"{XSD}date", None),
        ("Q42", "P571", "-0044-03", f"{XSD}gYearMonth", None),
        ("Q42", "P2048", "1.96", f"{XSD}decimal", None),
        ("Q42", "P856", "http://douglasadams.com/", f"{XSD}anyURI", None),
        (
            "Q42",
            "P625",
            "Point(0.12 52.2)",
            "http://www.opengis.net/ont/geosparql#wktLiteral",
            None,
        ),
    }
    ((_, height),) = [each for each in loaded.qualifiers.items() if each[0][1] == "P2048"]
    assert height == [{"unit": "metre"}]
    assert loaded.other_records == {
        "items and properties": 7,
        "deprecated statements": 1,
        "values that are unknown, or known not to exist": 1,
        "identifiers in other data sets": 1,
        "texts in other languages": 1,
    }
    assert loaded.counts.records == len(STATEMENTS) + len(ENTITIES)
    assert loaded.name("Q1765120") == "Bachelor of Arts"
    assert loaded.entities["Q42"]["aliases"] == ["D. N. Adams", "DNA"]
    assert loaded.text("P69") == "what {} is educated at"
    assert set(loaded.entities) == {"Q42", "Q691283", "Q1765120", "Q11573"}


def test_names_in_another_language(tmp_path: Path) -> None:
    source = written(tmp_path, "dump.json", DUMP)
    loaded = load("wikidata-json", source, language="de", identifiers="yes", leave_out="P69 P625")
    assert loaded.name("Q42") == "Douglas Adams (Autor)"
    assert ("Q42", "P214", "113230702", None, None) in loaded.literals
    assert not {relation for _, relation, _ in loaded.triples}
    assert load("wikidata-json", source, deprecated="yes").counts.triples == 8
    told = notes("wikidata-json", source, language="xx", fallback="yy")
    assert "No item has a name in xx; most have one in en: --set language=en" in told


def test_items_by_special_entity_data(tmp_path: Path) -> None:
    document = json.dumps({"entities": {each["id"]: each for each in ENTITIES}})
    loaded = load("wikidata-json", written(tmp_path, "Q42.json", document))
    assert (loaded.counts.triples, loaded.name("Q42")) == (7, "Douglas Adams")


@pytest.mark.parametrize("content", [DUMP, json.dumps({"entities": {"Q42": ENTITIES[0]}})])
def test_init_names_the_loader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    source = written(tmp_path, "dump.json", content)
    assert advice(source, monkeypatch).startswith("kgdb load wikidata-json ")


def test_lines_cut_out_of_a_dump(tmp_path: Path) -> None:
    lines = "".join(f"{json.dumps(each)},\n" for each in ENTITIES)
    loaded = load("wikidata-json", written(tmp_path, "part.json", lines))
    assert loaded == load("wikidata-json", written(tmp_path, "dump.json", DUMP))
