"""A table of three questions over three facts, for tests that run it."""

from __future__ import annotations

import gzip
from pathlib import Path

from sources import write_facts, write_loader

import kgdb
from kgdb import loading
from kgdb.lab.reproduction.spec import Reproduction
from kgdb.lab.reproduction.table_runs import Sample

TABLE = """
title = "Paper, Table 1: films"
paper = "Paper (Table 1)"
[[columns]]
title = "1-hop"
dataset = "metaqa"
hops = 1
measure = "hits_at_1"
[[published]]
row = "theirs"
values = { "1-hop" = 99.0 }
[[runs]]
row = "RefKG"
method = "refkg"
beside = "theirs"
[[runs]]
row = "neighbors"
method = "neighbors"
options = { hops = 2 }
[[runs]]
row = "alone"
method = "llm"
"""
QUESTIONS = """who directed [Winter Wheat]\tNoor Haddad
who wrote [Winter Wheat]\tMara Lind
who directed [Grey Harbour]\tElif Sahin
"""


def write_films(connection: kgdb.Connection, tmp_path: Path) -> Sample:
    """Three questions, one of which has a wrong label, over a graph under MetaQA's name."""
    facts = [
        ("Winter Wheat", "directed_by", "Noor Haddad"),
        ("Winter Wheat", "written_by", "Mara Lind"),
        ("Grey Harbour", "directed_by", "Noor Haddad"),
    ]
    write_facts(tmp_path / "metaqa.tsv", facts)
    write_loader(tmp_path, "metaqa")
    spec = loading.read_spec(str(tmp_path / "metaqa.toml"))
    with loading.prepare(spec, tmp_path / "metaqa.tsv") as prepared:
        loading.load(prepared, connection)
    folder = tmp_path / "data" / "metaqa" / "1-hop" / "vanilla"
    folder.mkdir(parents=True)
    (folder / "qa_dev.txt.gz").write_bytes(gzip.compress(QUESTIONS.encode()))
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "table.toml").write_text(TABLE, encoding="utf-8")
    return Sample(tmp_path / "data", tmp_path / "out")


def read_table(tmp_path: Path) -> Reproduction:
    """The table as it stands now."""
    return Reproduction.read(tmp_path / "tables" / "table.toml")
