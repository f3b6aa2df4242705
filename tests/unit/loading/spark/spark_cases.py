"""A small source for each loader that Spark runs."""

# ruff: noqa: E501 - a line of a file is a line here

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

SAMPLE = Path(__file__).parents[3] / "data" / "wikidata_sample.nt"
XSD = "http://www.w3.org/2001/XMLSchema#"


@dataclass(frozen=True)
class Case:
    """``write`` makes the source below an empty folder, of published data if there is any."""

    name: str
    loader: str
    write: Callable[[Path, Path], Path | None]
    options: dict[str, str] = field(default_factory=dict)


def texts(**files: str) -> Callable[[Path, Path], Path]:
    """Files by name, with __ for a dot; a single one is the source, several are a folder."""

    def write(folder: Path, _: Path) -> Path:
        for name, text in files.items():
            (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
        return folder if len(files) > 1 else folder / next(iter(files)).replace("__", ".")

    return write


def beginnings(lines: int, **files: str) -> Callable[[Path, Path], Path]:
    """The first lines of published files; the first file is the source."""

    def write(folder: Path, data: Path) -> Path:
        for name, path in files.items():
            with gzip.open(data / path, "rt", encoding="utf-8", newline="\n") as file:
                text = "".join(line for line, _ in zip(file, range(lines), strict=False))
            (folder / name.replace("__", ".")).write_text(text, encoding="utf-8", newline="\n")
        return folder / next(iter(files)).replace("__", ".")

    return write


def _parquet(folder: Path, _: Path) -> Path:
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (FROM (VALUES ('a', 'in', 'b', 3, [DATE '2020-01-02']), ('b', 'of', 'a', NULL, NULL))"
            f" AS t (head, relation, tail, weight, days)) TO '{folder}/edges.parquet'"
        )
        connection.execute(
            "COPY (FROM (VALUES ('a', 'Ada', ['A', 'Countess'], 'Person|Writer', 36))"
            f" AS t (id, name, aliases, labels, age)) TO '{folder}/nodes.parquet'"
        )
    return folder


def _exported(folder: Path, _: Path) -> Path:
    with duckdb.connect() as connection:
        for name, rows in {
            "entities": "SELECT 'a' AS id, 'Ada' AS name, ['A'] AS aliases, ['Person'] AS labels, false AS mediator",
            "triples": "SELECT 'a' AS head, 'in' AS relation, 'b' AS tail, 2 AS weight",
            "literals": "SELECT 'a' AS head, 'age' AS relation, '36' AS value, NULL::VARCHAR AS datatype, 'en' AS language",
            "relations": "SELECT 'in' AS id, 'where {} is' AS text, NULL::VARCHAR AS inverse, NULL::VARCHAR AS question, NULL::VARCHAR AS inverse_question",
        }.items():
            connection.execute(f"COPY ({rows}) TO '{folder}/{name}.parquet'")
    return folder


def _shipped(_: Path, __: Path) -> None:
    return None


_NTRIPLES = (
    '<e:a> <http://www.w3.org/2000/01/rdf-schema#label> "Ada \\"A\\" \\u00e9\\nLine"@en .\n'
    "<e:a>\t<e:in> <e:b_c> . # a comment\n\n# only a comment\n"
    f'<e:b_c> <e:size> "5"^^<{XSD}integer> .\n_:x <e:in> <e:a> .\n<e:a> <e:in> _:x .\n'
    '<e:a> <e:in> <e:b_c> <e:graph> .\nno triple\n<e:a> <e:note> "" .\n'
    f'<e:a> <e:note> "t\\\\n\\tb"^^<{XSD}string> .\n<e:a> <e:homepage> <http://a.org/x> .\n'
    "<e:a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <e:Person> .\n"
    '<e:a> <e:note> "deutsch"@de-AT .\n'
)
_UMLS = {
    "MRCONSO__RRF": "C1|ENG|P|L1|PF|S1|Y|A1||M1|D1|MSH|MH|D1|Headache|0|N|256|\n"
    'C1|ENG|S|L2|PF|S2|N|A2||M2|D1|MSH|ET|D1|Head Pain|0|N||\nC2|ENG|P|L4|PF|S4|Y|A4||||MSH|MH|D2|Aspirin "A"|0|N||\n',
    "MRREL__RRF": "C1|A1|SCUI|RO|C2|A4|SCUI|may_treat|R1||MED-RT|MED-RT||Y|N||\n"
    "C1|A1|SCUI|PAR|C3|A5|SCUI||R2||MSH|MSH|||N||\nC1|A1|AUI|SY|C1|A2|AUI||R3||MSH|MSH|||N||\n",
    "MRSTY__RRF": "C1|T184|A2|Sign or Symptom|AT1|256|\n",
}
_PRIMEKG = (
    "relation,display_relation,x_index,x_id,x_type,x_name,x_source,y_index,y_id,y_type,y_name,y_source\n"
    "drug_protein,target,14012,DB00945,drug,Aspirin,DrugBank,1,5742,gene/protein,PTGS1,NCBI\n"
    'indication,indication,14012,DB00945,drug,Aspirin,DrugBank,2,5044_1200,disease,"pain, acute",MONDO\n'
)
_CONCEPTNET = "".join(
    f"/a/\t/r/{relation}\t{start}\t{end}\t{json.dumps(info)}\n"
    for relation, start, end, info in [
        ("IsA", "/c/en/guide_dog/n", "/c/en/dog/n/wn/animal", {"dataset": "/d/w", "weight": 2.0}),
        ("Synonym", "/c/en/dog", "/c/en/hound", {"surfaceText": '[[a]] is "b"', "weight": 1}),
        ("Synonym", "/c/en/dog", "/c/de/hund", {"weight": 1.0}),
        ("ExternalURL", "/c/en/dog", "http://dbpedia.org/resource/Dog", {"weight": 1.0}),
    ]
)
_ONTOLOGY = {
    "reverse_properties__txt": "freebase/reverse_properties.txt.gz",
    "schema_roles__txt": "freebase/schema_roles.txt.gz",
    "mediator_properties__csv": "freebase/mediator_properties.csv.gz",
}

CASES = (
    Case("demo", "demo", _shipped),
    Case("metaqa", "metaqa", beginnings(300, kb__txt="metaqa/kb.txt.gz")),
    Case(
        "tsv",
        "tsv",
        texts(
            f__tsv="a\tin\tb\t3\t2020-01-02\nb\tin\ta\t-4\t2021-02-03\nb\tin\na\tin\t\t1\t2020-01-01\na\tin\tb\t3\t2020-01-02\n"
        ),
        {"columns": "head relation tail weight day", "undirected": "yes"},
    ),
    Case(
        "csv",
        "csv",
        texts(
            edges__csv='head,relation,tail,since,"a note"\na,in,b,1.5,"x, ""y""\nz"\nb,in,"c_d",2,\nb,in\n',
            nodes__csv="id,name,aliases,labels,born\na,Ada,A|Countess,Person|Writer,1815\nc_d,,,City,\nz,Zed,,,\n",
        ),
    ),
    Case("parquet", "parquet", _parquet),
    Case("exported", "exported", _exported),
    Case(
        "fb15k-237",
        "fb15k-237",
        texts(
            train__txt="/m/1\t/film/film/genre\t/m/2\n/m/1\t/film/film/genre\t/m/2\n"
            "/m/1\t/film/film/starring./film/performance/actor\t/m/3\n",
            valid__txt="/m/3\t/people/person/spouse_s./people/marriage/spouse\t/m/3\n",
            test__txt="/m/3\t/influence/influence_node/influenced_by\t/m/4\n",
            entity2text__txt="/m/1\tTide\n/m/3\tTide\n/m/9\tNowhere\n",
        ),
        {"splits": "train valid"},
    ),
    Case(
        "openke",
        "openke",
        texts(
            train2id__txt="2\n0 1 0\n1\t2\t0\n",
            entity2id__txt="3\nAda Weir\t0\n/m/1 1\nx\t2\n",
            relation2id__txt="1\nknows 0\n",
        ),
    ),
    Case("emckg", "emckg", beginnings(200, t__tsv="emckg/train.txt.gz")),
    Case("cmckg", "cmckg", beginnings(300, t__tsv="cmkg/triples.tsv.gz")),
    Case("factkg", "factkg", beginnings(300, t__tsv="dbpedia/factkg_triples.tsv.gz")),
    Case("ntriples", "ntriples", texts(g__nt=_NTRIPLES)),
    Case("dbpedia", "dbpedia", beginnings(400, d__nt="dbpedia/sample.nt.gz")),
    Case(
        "freebase",
        "freebase",
        beginnings(900, d__nt="freebase/dump_slice.nt.gz", **_ONTOLOGY),
        {"subset": "kbqa"},
    ),
    Case("basekb", "freebase", beginnings(900, d__nt="freebase/basekb_10k.nt.gz")),
    Case(
        "webqsp-cwq",
        "webqsp-cwq",
        beginnings(
            300,
            webqsp_cwq_triples__tsv="freebase/webqsp_cwq_triples.tsv.gz",
            webqsp_cwq_paths__tsv="freebase/webqsp_cwq_paths_direction_unverified.tsv.gz",
            **_ONTOLOGY,
        ),
        {"paths": "known"},
    ),
    Case("wikidata", "wikidata", lambda folder, data: SAMPLE),
    Case("conceptnet", "conceptnet", texts(c__csv=_CONCEPTNET)),
    Case("primekg", "primekg", texts(kg__csv=_PRIMEKG)),
    Case("umls", "umls", texts(**_UMLS)),
    Case(
        "hetionet-tsv",
        "hetionet-tsv",
        texts(
            **{
                "h-edges__sif": "source\tmetaedge\ttarget\nGene::9\tGiG\tGene::2\nCompound::1\tCtD\tDisease::2\nGene::2\tGr>G\tGene::9\n",
                "h-nodes__tsv": 'id\tname\tkind\nGene::9\tSOCS3\tGene\nCompound::1\t"Mestinon ""M"" 1"\tCompound\n',
            }
        ),
    ),
)
