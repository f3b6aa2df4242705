"""The properties of one fact in each format that has them: the same values, of the same types."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from graph_files import written

from kgdb.loading import prepare, read_spec
from kgdb.loading.drafting import write_draft

pytestmark = pytest.mark.unit

HELD = {
    "since": datetime.date(2020, 2, 29),
    "times": 3,
    "score": 0.5,
    "sure": True,
    "code": "0171",
    "note": "two words",
}
PLAIN = {**HELD, "since": "2020-02-29"}
XSD = "http://www.w3.org/2001/XMLSchema#"
GRAPHML = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="r" for="edge" attr.name="relation" attr.type="string"/>
<key id="d" for="edge" attr.name="since" attr.type="string"/>
<key id="t" for="edge" attr.name="times" attr.type="long"/>
<key id="s" for="edge" attr.name="score" attr.type="double"/>
<key id="b" for="edge" attr.name="sure" attr.type="boolean"/>
<key id="c" for="edge" attr.name="code" attr.type="string"/>
<key id="n" for="edge" attr.name="note" attr.type="string"/>
<graph edgedefault="directed"><node id="a"/><node id="b"/><edge source="a" target="b">
<data key="r">visits</data><data key="d">2020-02-29</data><data key="t">3</data>
<data key="s">0.5</data><data key="b">true</data><data key="c">0171</data>
<data key="n">two words</data></edge></graph></graphml>
"""
GEXF = """<gexf xmlns="http://gexf.net/1.3" version="1.3"><graph defaultedgetype="directed">
<attributes class="edge"><attribute id="0" title="relation" type="string"/>
<attribute id="1" title="since" type="string"/><attribute id="2" title="times" type="integer"/>
<attribute id="3" title="score" type="double"/><attribute id="4" title="sure" type="boolean"/>
<attribute id="5" title="code" type="string"/><attribute id="6" title="note" type="string"/>
</attributes><nodes><node id="a"/><node id="b"/></nodes><edges><edge source="a" target="b">
<attvalues><attvalue for="0" value="visits"/><attvalue for="1" value="2020-02-29"/>
<attvalue for="2" value="3"/><attvalue for="3" value="0.5"/><attvalue for="4" value="true"/>
<attvalue for="5" value="0171"/><attvalue for="6" value="two words"/></attvalues></edge></edges>
</graph></gexf>
"""
APOC = [
    {"type": "node", "id": "a", "labels": ["Town"], "properties": {"name": "a"}},
    {"type": "node", "id": "b", "labels": ["Town"], "properties": {"name": "b"}},
    {
        "type": "relationship",
        "id": "0",
        "label": "visits",
        "properties": PLAIN,
        "start": {"id": "a", "labels": ["Town"]},
        "end": {"id": "b", "labels": ["Town"]},
    },
]
FACT = {"head": "a", "relation": "visits", "tail": "b"}
TERMS = [
    ("since", f'"2020-02-29"^^<{XSD}date>'),
    ("times", f'"3"^^<{XSD}integer>'),
    ("score", f'"0.5"^^<{XSD}double>'),
    ("sure", f'"true"^^<{XSD}boolean>'),
    ("code", '"0171"'),
    ("note", '"two words"'),
]
TRIPLE = "<http://e/a> <http://e/visits> <http://e/b>"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
SAID = "".join(f"_:s <http://e/{key}> {term} .\n" for key, term in TERMS)
TABLE = (
    "head,relation,tail,since,times,score,sure,code,note\n"
    "a,visits,b,2020-02-29,3,0.5,true,0171,two words\n"
)
SOURCES = {
    "graphml": ("graphml", GRAPHML),
    "gexf": ("gexf", GEXF),
    "node-link": (
        "node-link",
        json.dumps(
            {
                "directed": True,
                "nodes": [{"id": "a"}, {"id": "b"}],
                "links": [{"source": "a", "target": "b", "relation": "visits", **PLAIN}],
            }
        ),
    ),
    "apoc": ("apoc", "\n".join(map(json.dumps, APOC))),
    "jsonl": ("jsonl", json.dumps({**FACT, **PLAIN})),
    "csv": ("csv", TABLE),
    "tsv": (
        "tsv",
        TABLE.partition("\n")[2].replace(",", "\t"),
        {"columns": TABLE.partition("\n")[0].replace(",", " ")},
    ),
    "rdf-star": (
        "ntriples",
        f"{TRIPLE} .\n" + "".join(f"<< {TRIPLE} >> <http://e/{k}> {v} .\n" for k, v in TERMS),
    ),
    "rdf-1.2": ("ntriples", f"{TRIPLE} .\n_:s <{RDF}reifies> <<( {TRIPLE} )>> .\n{SAID}"),
    "rdf:Statement": (
        "ntriples",
        f"_:s <{RDF}type> <{RDF}Statement> .\n_:s <{RDF}subject> <http://e/a> .\n"
        f"_:s <{RDF}predicate> <http://e/visits> .\n_:s <{RDF}object> <http://e/b> .\n{SAID}",
    ),
    "turtle": (
        "turtle",
        f"@prefix e: <http://e/> .\n{TRIPLE} {{| "
        + " ; ".join(f"e:{key} {term}" for key, term in TERMS)
        + " |} .\n",
    ),
}


def facts(loader: str, source: Path, options: dict[str, str]) -> list[dict[str, Any]]:
    with prepare(read_spec(loader), source, options=options) as prepared:
        return [row for batch in prepared.triples(10) for row in batch]


def require_typed(rows: list[dict[str, Any]]) -> None:
    """Require the one fact with its properties."""
    (row,) = [row for row in rows if row["relation"].endswith("visits")]
    assert row["properties"] == HELD
    assert [type(row["properties"][key]) for key in HELD] == list(map(type, HELD.values()))


@pytest.mark.parametrize("name", SOURCES)
def test_properties_of_a_relationship_are_typed(tmp_path: Path, name: str) -> None:
    loader, content, *options = SOURCES[name]
    source = written(tmp_path, "facts", content)
    require_typed(facts(loader, source, options[0] if options else {}))


def test_parquet(tmp_path: Path) -> None:
    source = tmp_path / "facts.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT 'a' AS head, 'visits' AS relation, 'b' AS tail, "
            "DATE '2020-02-29' AS since, 3::SMALLINT AS times, 0.5::FLOAT AS score, true AS sure, "
            f"'0171' AS code, 'two words' AS note) TO '{source}' (FORMAT parquet)"
        )
    require_typed(facts("parquet", source, {}))


def test_csv_for_an_import_of_neo4j(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = written(
        tmp_path,
        "visits.csv",
        ":START_ID(Town),:END_ID(Town),:TYPE,since:date,times:long,score:double,sure:boolean,"
        "code,note\n"
        "a,b,visits,2020-02-29,3,0.5,true,0171,two words\n",
    )
    require_typed(facts(str(write_draft("./visits.toml", source)), source, {}))
