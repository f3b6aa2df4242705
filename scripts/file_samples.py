"""A small sample of each format that kgdb reads, by its loader; a loader file too."""

# ruff: noqa: E501 - samples are lines as files have them

from __future__ import annotations

import json

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
NODES = [
    {"id": "a", "name": "Ada", "kind": ["Person"]},
    {"id": "b", "born": 1964, "at": {"x": 1.5}},
]
LINKS = [{"source": "a", "target": "b", "relation": "knows", "since": "2001-02-03"}]
NODE = {"type": "node", "id": "0", "labels": ["P"], "properties": {"name": "Ada", "tags": ["x"]}}
EDGE = {
    "type": "relationship",
    "id": "1",
    "label": "KNOWS",
    "start": {"id": "0"},
    "end": {"id": "2"},
}
ITEM = {
    "type": "item",
    "id": "Q1",
    "labels": {"en": {"language": "en", "value": "one"}},
    "claims": {
        "P31": [
            {
                "mainsnak": {
                    "snaktype": "value",
                    "property": "P31",
                    "datavalue": {
                        "type": "wikibase-entityid",
                        "value": {"id": "Q2", "entity-type": "item"},
                    },
                },
                "rank": "normal",
            }
        ]
    },
}
LOADER = """name = "mine"
label = "Mine"
[options.relation]
default = "is"
help = "the relation"
[source]
format = "csv"
columns = ["head", "tail"]
skip = 0
[tables]
triples = "SELECT head, getvariable('relation') AS relation, tail FROM source"
[relations.is]
text = "{} is"
"""

SAMPLES: dict[str, tuple[str, ...]] = {
    "csv": ('head,relation,tail,since\na,knows,"b, c",2001\nb,likes,"x ""y""",\n',),
    "tsv": ("a\tknows\tb\nb\tlikes\tc\n",),
    "jsonl": (
        '{"head": "a", "relation": "r", "tail": {"id": 1, "x": [1, null]}}\n{"head": 2, "tail": "b"}\n',
        '[{"head": "a",\n "relation": "r", "tail": "b"}, {"head": "c", "relation": "r", "tail": ["d"]}]',
    ),
    "apoc": (
        f"{json.dumps(NODE)}\n{json.dumps(EDGE)}\n",
        json.dumps({"nodes": [NODE], "rels": [EDGE]}),
        json.dumps(
            [
                {
                    "n": {"identity": 0, "labels": ["A"], "properties": {"name": "x"}},
                    "r": {"identity": 1, "start": 0, "end": 3, "type": "R", "properties": {}},
                }
            ]
        ),
    ),
    "ntriples": (
        '<http://e/a> <http://e/p> <http://e/b> .\n_:x <http://e/p> "t\\u00e9"@en .\n'
        f'<< <http://e/a> <http://e/p> <http://e/b> >> <http://e/c> "1"^^<{RDF}x> .\n'
        f"_:s <{RDF}reifies> <<( <http://e/a> <http://e/p> <http://e/b> )>> .\n"
        "<http://e/a> <http://e/q> <http://e/c> <http://e/g> .\n",
    ),
    "turtle": (
        '@prefix e: <http://e/> .\ne:a e:p [ e:q ( 1 2.5 "x"@en ) ] ; a e:C {| e:n true |} .\n',
    ),
    "trig": ("@prefix e: <http://e/> .\ne:g { e:a e:p e:b, 'x' . }\n",),
    "rdfxml": (
        f'<?xml version="1.0" encoding="utf-8"?><rdf:RDF xmlns:rdf="{RDF}" xmlns:e="http://e/">'
        '<rdf:Description rdf:about="http://e/a"><e:p rdf:resource="http://e/b"/><e:q rdf:parseType="Resource">'
        "<e:n>x</e:n></e:q></rdf:Description></rdf:RDF>",
    ),
    "owl": (
        f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:owl="http://www.w3.org/2002/07/owl#" '
        'xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"><owl:Ontology rdf:about="http://e/o"/>'
        '<owl:Class rdf:about="http://e/b"><rdfs:label>b</rdfs:label><rdfs:subClassOf '
        'rdf:resource="http://e/c"/></owl:Class></rdf:RDF>',
    ),
    "jsonld": (
        '{"@context": {"p": {"@id": "http://e/p", "@type": "@id"}}, "@id": "http://e/a", "p": ["http://e/b"]}',
    ),
    "graphml": (
        '<?xml version="1.0"?><graphml><key id="n" for="node" attr.name="name" attr.type="string"><default>z</default>'
        '</key><key id="l" for="edge" attr.name="l" attr.type="string" attr.list="int"/><graph edgedefault="directed">'
        '<node id="a" labels=":P"><data key="n">Ada</data></node><node id="b"/><edge source="a" target="b" label="R">'
        '<data key="l">[1,2]</data></edge></graph></graphml>',
    ),
    "gexf": (
        '<gexf><graph defaultedgetype="directed" timeformat="date"><attributes class="node"><attribute id="0" '
        'title="t" type="integer"><default>3</default></attribute></attributes><nodes><node id="a" label="A"><attvalues>'
        '<attvalue for="0" value="7"/></attvalues></node><node id="b"/></nodes><edges><edge source="a" target="b" '
        'intervals="&lt;[2001, 2002]&gt;"><spells><spell start="2001"/></spells></edge></edges></graph></gexf>',
    ),
    "obo": (
        'format-version: 1.4\n\n[Term]\nid: F:1\nname: roach\nsynonym: "R r" EXACT []\nis_a: F:2 ! fish\n'
        'relationship: eats F:3 {since="2001"}\nproperty_value: size "3" xsd:integer\n\n[Typedef]\nid: eats\n',
    ),
    "node-link": (
        json.dumps({"directed": True, "nodes": NODES, "links": LINKS}),
        json.dumps({"elements": {"nodes": [{"data": {"id": "a"}}], "edges": [{"data": LINKS[0]}]}}),
        json.dumps({"nodes": NODES, "adjacency": [[{"id": "b", "weight": 1}], []]}),
    ),
    "hetionet": (
        json.dumps(
            {
                "metanode_kinds": ["G"],
                "nodes": [{"kind": "G", "identifier": 1, "name": "x", "data": {}}],
                "edges": [
                    {
                        "source_id": ["G", 1],
                        "target_id": ["G", 2],
                        "kind": "i",
                        "direction": "both",
                        "data": {"s": 1},
                    }
                ],
            }
        ),
    ),
    "wikidata-json": (f"[\n{json.dumps(ITEM)},\n{json.dumps({**ITEM, 'id': 'Q2'})}\n]\n",),
    "metaqa": ("Ada Weir|directed|Heat\nHeat|released in|1999\n",),
    "parquet": ("",),
    "toml": (LOADER,),
}
