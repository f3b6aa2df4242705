"""Public graphs in the form of their files: Hetionet, PrimeKG, ConceptNet, UMLS."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path

import pytest
from graph_files import XSD, advice, notes, written
from loaded import load

pytestmark = pytest.mark.unit


HETNET = {
    "metanode_kinds": ["Compound", "Disease", "Gene"],
    "metaedge_tuples": [["Compound", "Disease", "treats", "both"]],
    "kind_to_abbrev": {"Compound": "C"},
    "nodes": [
        {
            "kind": "Gene",
            "identifier": 9021,
            "name": "SOCS3",
            "data": {"description": "suppressor", "chromosome": "17"},
        },
        {"kind": "Gene", "identifier": 2, "name": "A2M", "data": {}},
        {"kind": "Compound", "identifier": "DB1", "name": "Mestinon", "data": {"source": "X"}},
        {"kind": "Disease", "identifier": "DOID:2", "name": "gout", "data": {}},
    ],
    "edges": [
        {
            "source_id": ["Gene", 9021],
            "target_id": ["Gene", 2],
            "kind": "interacts",
            "direction": "both",
            "data": {"source": "HI-I-05", "unbiased": True},
        },
        {
            "source_id": ["Compound", "DB1"],
            "target_id": ["Gene", 2],
            "kind": "downregulates",
            "direction": "both",
            "data": {"z_score": -4.156, "unbiased": False},
        },
        {
            "source_id": ["Compound", "DB1"],
            "target_id": ["Disease", "DOID:2"],
            "kind": "treats",
            "direction": "both",
            "data": {},
        },
        {
            "source_id": ["Gene", 2],
            "target_id": ["Gene", 9021],
            "kind": "regulates",
            "direction": "forward",
            "data": {},
        },
        {"source_id": "Gene", "target_id": ["Gene", 2], "kind": "x", "direction": "both"},
    ],
}
HETNET_TRIPLES = {
    ("Gene::9021", "interacts", "Gene::2"),
    ("Gene::2", "interacts", "Gene::9021"),
    ("Compound::DB1", "downregulates", "Gene::2"),
    ("Compound::DB1", "treats", "Disease::DOID:2"),
    ("Gene::2", "regulates", "Gene::9021"),
}


def test_hetionet_in_json(tmp_path: Path) -> None:
    packed = bz2.compress(json.dumps(HETNET, indent=1).encode())
    loaded = load("hetionet", written(tmp_path, "hetionet-v1.0.json.bz2", packed))
    assert loaded.triples == HETNET_TRIPLES
    counts = loaded.counts
    assert (counts.entities, counts.mirrored, counts.skipped) == (4, 1, 1)
    assert loaded.name("Gene::9021") == "SOCS3"
    assert loaded.labels("Compound::DB1") == ["Compound"]
    assert loaded.literals == {
        ("Gene::9021", "description", "suppressor", None, None),
        ("Gene::9021", "chromosome", "17", None, None),
        ("Compound::DB1", "source", "X", None, None),
    }
    held = loaded.qualifiers
    assert held["Gene::9021", "interacts", "Gene::2"] == [{"source": "HI-I-05", "unbiased": True}]
    assert held["Compound::DB1", "downregulates", "Gene::2"] == [
        {"z_score": -4.156, "unbiased": False}
    ]
    assert loaded.text("treats") == "what {} treats"


def test_an_id_goes_before_a_kind_with_an_identifier(tmp_path: Path) -> None:
    nodes = [{"id": "n1", "kind": "Gene", "identifier": 7}, {"id": "n2"}]
    links = [{"source": "n1", "target": "n2", "relation": "r"}]
    source = written(tmp_path, "graph.json", json.dumps({"nodes": nodes, "links": links}))
    assert load("node-link", source).triples == {("n1", "r", "n2")}


EDGES = """source\tmetaedge\ttarget
Gene::9021\tGiG\tGene::2
Compound::DB1\tCdG\tGene::2
Compound::DB1\tCtD\tDisease::DOID:2
Gene::2\tGr>G\tGene::9021
"""
NODES = """id\tname\tkind
Gene::9021\tSOCS3\tGene
Gene::2\tA2M\tGene
Compound::DB1\t"Mestinon ""M"" 1"\tCompound
Disease::DOID:2\tgout\tDisease
"""


def test_hetionet_in_tables(tmp_path: Path) -> None:
    written(tmp_path, "hetionet-v1.0-edges.sif.gz", gzip.compress(EDGES.encode()))
    written(tmp_path, "hetionet-v1.0-nodes.tsv", NODES)
    loaded = load("hetionet-tsv", tmp_path)
    assert loaded.triples == HETNET_TRIPLES
    assert (loaded.counts.entities, loaded.other_records) == (4, {"nodes": 4})
    assert loaded.name("Compound::DB1") == 'Mestinon "M" 1'
    assert loaded.labels("Gene::2") == ["Gene"]
    assert loaded.relations["treats"].inverse == "what treats {}"


ABBREVIATIONS = (
    "AdG downregulates AeG expresses AuG upregulates CbG binds CcSE causes CdG downregulates CpD "
    "palliates CrC resembles CtD treats CuG upregulates DaG associates DdG downregulates DlA "
    "localizes DpS presents DrD resembles DuG upregulates GcG covaries GiG interacts GpBP "
    "participates GpCC participates GpMF participates GpPW participates Gr>G regulates PCiC "
    "includes XyZ XyZ"
).split()


def test_every_abbreviation_of_hetionet(tmp_path: Path) -> None:
    verbs = dict(zip(ABBREVIATIONS[::2], ABBREVIATIONS[1::2], strict=True))
    rows = "".join(f"a::{short}\t{short}\tb::1\n" for short in verbs)
    written(tmp_path, "edges.sif", EDGES.partition("\n")[0] + "\n" + rows)
    written(tmp_path, "nodes.tsv", NODES)
    loaded = load("hetionet-tsv", tmp_path)
    assert {head.removeprefix("a::"): verb for head, verb, _ in loaded.triples} == verbs
    assert "Unknown abbreviations of relations, which stay what they are: XyZ" in notes(
        "hetionet-tsv", tmp_path
    )


PRIMEKG = "\n".join(
    [
        "relation,display_relation,x_index,x_id,x_type,x_name,x_source,"
        "y_index,y_id,y_type,y_name,y_source",
        "drug_protein,target,14012,DB00945,drug,Aspirin,DrugBank,1,5742,gene/protein,PTGS1,NCBI",
        "drug_protein,target,1,5742,gene/protein,PTGS1,NCBI,14012,DB00945,drug,Aspirin,DrugBank",
        "indication,indication,14012,DB00945,drug,Aspirin,DrugBank,"
        '2,5044_1200,disease,"pain, acute",MONDO_grouped',
        "",
    ]
)


def test_primekg(tmp_path: Path) -> None:
    source = written(tmp_path, "kg.csv", PRIMEKG)
    loaded = load("primekg", source)
    assert loaded.triples == {
        ("DrugBank:DB00945", "drug_protein", "NCBI:5742"),
        ("NCBI:5742", "drug_protein", "DrugBank:DB00945"),
        ("DrugBank:DB00945", "indication", "MONDO_grouped:5044_1200"),
    }
    assert loaded.qualifiers["DrugBank:DB00945", "drug_protein", "NCBI:5742"] == [
        {"display_relation": "target"}
    ]
    assert loaded.name("MONDO_grouped:5044_1200") == "pain, acute"
    assert loaded.labels("NCBI:5742") == ["gene/protein"]
    shown = load("primekg", source, relation="display_relation")
    assert shown.qualifiers["DrugBank:DB00945", "target", "NCBI:5742"] == [
        {"kind_of_relation": "drug_protein"}
    ]


CONCEPTNET = "".join(
    f"/a/[{relation}/,{start}/,{end}/]\t{relation}\t{start}\t{end}\t{json.dumps(info)}\n"
    for relation, start, end, info in [
        (
            "/r/IsA",
            "/c/en/guide_dog/n",
            "/c/en/dog/n/wn/animal",
            {"dataset": "/d/wordnet/3.1", "license": "cc:by/4.0", "sources": [], "weight": 2.0},
        ),
        (
            "/r/Synonym",
            "/c/en/dog",
            "/c/en/hound",
            {
                "dataset": "/d/conceptnet/4/en",
                "surfaceText": '[[a dog]] is a "hound"',
                "weight": 1,
            },
        ),
        ("/r/Synonym", "/c/en/dog", "/c/de/hund", {"dataset": "/d/x", "weight": 1.0}),
        ("/r/IsA", "/c/de/hund", "/c/de/tier", {"dataset": "/d/x", "weight": 1.0}),
        ("/r/ExternalURL", "/c/en/dog", "http://dbpedia.org/resource/Dog", {"weight": 1.0}),
    ]
)


def test_conceptnet(tmp_path: Path) -> None:
    packed = gzip.compress(CONCEPTNET.encode())
    source = written(tmp_path, "conceptnet-assertions-5.7.0.csv.gz", packed)
    loaded = load("conceptnet", source)
    assert loaded.triples == {
        ("/c/en/guide_dog", "IsA", "/c/en/dog"),
        ("/c/en/dog", "Synonym", "/c/en/hound"),
        ("/c/en/hound", "Synonym", "/c/en/dog"),
    }
    assert loaded.qualifiers["/c/en/guide_dog", "IsA", "/c/en/dog"] == [
        {"weight": 2.0, "dataset": "/d/wordnet/3.1"}
    ]
    assert loaded.qualifiers["/c/en/dog", "Synonym", "/c/en/hound"] == [
        {
            "weight": 1.0,
            "dataset": "/d/conceptnet/4/en",
            "surface_text": '[[a dog]] is a "hound"',
        }
    ]
    assert loaded.name("/c/en/guide_dog") == "guide dog"
    assert loaded.literals == {
        ("/c/en/dog", "ExternalURL", "http://dbpedia.org/resource/Dog", f"{XSD}anyURI", None)
    }
    assert loaded.other_records == {"in other languages, or between two": 2}
    assert load("conceptnet", source, language="de").triples == {
        ("/c/de/hund", "IsA", "/c/de/tier")
    }
    every = load("conceptnet", source, language="all", senses="yes")
    assert ("/c/en/guide_dog/n", "IsA", "/c/en/dog/n/wn/animal") in every.triples
    assert every.name("/c/en/dog/n/wn/animal") == "dog"
    assert (every.counts.triples, every.other_records) == (7, {})


MRCONSO = """C0018681|ENG|P|L1|PF|S1|Y|A1||M1|D1|MSH|MH|D006261|Headache|0|N|256|
C0018681|ENG|S|L2|PF|S2|N|A2||M2|D1|MSH|ET|D006261|Head Pain|0|N||
C0018681|ENG|S|L9|PF|S9|N|A9||M2|D1|MSH|ET|D006261|Headach obsolete|0|O||
C0018681|GER|P|L3|PF|S3|Y|A3||||MSHGER|MH|D006261|Kopfschmerz|3|N||
C0004057|ENG|P|L4|PF|S4|Y|A4||||MSH|MH|D001241|Aspirin "A"|0|N||
C0030193|SPA|P|L5|PF|S5|Y|A5||||MSHSPA|MH|D010146|Dolor|3|N||
C9999999|ENG|P|L6|PF|S6|Y|A6||||MSH|MH|D0|Unrelated|0|N||
"""
MRREL = """C0018681|A1|SCUI|RO|C0004057|A4|SCUI|may_treat|R1||MED-RT|MED-RT||Y|N||
C0018681|A1|SCUI|PAR|C0030193|A5|SCUI||R2||MSH|MSH|||N||
C0018681|A1|SCUI|PAR|C0030193|A5|SCUI||R9||SNOMEDCT_US|SNOMEDCT_US|||N||
C0018681|A1|AUI|SY|C0018681|A2|AUI||R3||MSH|MSH|||N||
C0018681|A1|SCUI|CHD|C0004057|A4|SCUI||R4||MSH|MSH|||O||
"""
MRSTY = """C0018681|T184|A2.2.2|Sign or Symptom|AT1|256|
C0004057|T121|A1|Pharmacologic Substance|AT2||
C0004057|T109|A2|Organic Chemical|AT3||
"""


@pytest.fixture
def umls(tmp_path: Path) -> Path:
    for name, content in (("MRCONSO", MRCONSO), ("MRREL", MRREL), ("MRSTY", MRSTY)):
        written(tmp_path, f"{name}.RRF", content)
    return tmp_path


def test_umls(umls: Path) -> None:
    loaded = load("umls", umls)
    assert loaded.triples == {
        ("C0004057", "may_treat", "C0018681"),
        ("C0030193", "parent_of", "C0018681"),
    }
    assert loaded.qualifiers["C0030193", "parent_of", "C0018681"] == [
        {"vocabulary": "MSH"},
        {"vocabulary": "SNOMEDCT_US"},
    ]
    assert loaded.name("C0018681") == "Headache"
    assert loaded.entities["C0018681"]["aliases"] == ["Head Pain"]
    assert loaded.name("C0004057") == 'Aspirin "A"'
    assert loaded.labels("C0004057") == ["Organic Chemical", "Pharmacologic Substance"]
    assert loaded.other_records == {
        "names, in all languages": 7,
        "semantic types": 3,
        "between two names of one concept": 1,
        "suppressed relationships": 1,
    }
    assert "Without a name in ENG: 1 of 3 concepts (they go by their CUI)" in notes("umls", umls)
    (umls / "MRSTY.RRF").unlink()
    german = load("umls", umls, language="GER", vocabularies="MSH MED-RT")
    assert german.name("C0018681") == "Kopfschmerz"
    assert german.other_records["of other vocabularies"] == 1


@pytest.mark.parametrize(
    ("name", "content", "loader"),
    [
        ("hetionet-v1.0.json", json.dumps(HETNET), "hetionet"),
        ("edges.sif", EDGES, "hetionet-tsv"),
        ("kg.csv", PRIMEKG, "primekg"),
        ("conceptnet.csv", CONCEPTNET, "conceptnet"),
        ("MRREL.RRF", MRREL, "umls"),
        ("MRCONSO.RRF", MRCONSO, "umls"),
        ("MRSTY.RRF", MRSTY, "umls"),
    ],
)
def test_init_names_the_loader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str, loader: str
) -> None:
    source = written(tmp_path, name, content)
    folder = loader in {"umls", "hetionet-tsv"}
    command = f"kgdb load {loader} {tmp_path if folder else source} --as "
    assert advice(source, monkeypatch).startswith(command)
    if folder:
        written(tmp_path, "a.pdf", b"%PDF-1.4")
        assert advice(tmp_path, monkeypatch).startswith(command)
