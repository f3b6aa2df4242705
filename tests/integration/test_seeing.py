"""What people see of answers over the real graph: pages, comparisons, a chat, missing indexes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import run
from sources import load_facts

import kgdb
from kgdb.errors import DatabaseError
from kgdb.methods import METHODS

pytestmark = pytest.mark.integration

QUESTION = "Who wrote The Tuesday Engine?"
WRITERS = {"Nell Castlebrook", "Ruben Okonjo-Hale"}


def test_an_answer_is_written_as_a_page_as_well(demo: kgdb.KnowledgeGraph, tmp_path: Path) -> None:
    page = tmp_path / "answer.html"
    done = run(
        "answer", QUESTION, "--graph", "demo", "--llm", "none", "--json", "--html", str(page)
    )
    assert done.returncode == 0, done.stderr
    assert {each["entity"]["name"] for each in json.loads(done.stdout)["entities"]} == WRITERS
    assert done.stderr == f"Wrote {page}.\n"
    text = page.read_text(encoding="utf-8")
    for name in (QUESTION, *WRITERS, "The Tuesday Engine", "written_by", "explore hop 1"):
        assert name in text
    assert "<svg" in text


def test_methods_are_compared_over_the_graph(demo: kgdb.KnowledgeGraph) -> None:
    done = run("answer", QUESTION, "--method", "all", "--graph", "demo", "--llm", "none", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [method["method"] for method in told["methods"]] == list(METHODS)
    refkg = next(method for method in told["methods"] if method["method"] == "refkg")
    assert {each["entity"]["name"] for each in refkg["entities"]} == WRITERS
    assert set(told["votes"]) >= WRITERS


def test_a_chat_keeps_answering(demo: kgdb.KnowledgeGraph) -> None:
    lines = (QUESTION, "/nonsense", "/set max_hops=1", QUESTION, "/quit", "never asked?")
    done = run("chat", "--graph", "demo", "--llm", "none", input="\n".join(lines))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("└── The Tuesday Engine –written_by→ Nell Castlebrook") == 2
    assert "never asked" not in done.stdout
    assert "There is no command '/nonsense'" in done.stderr


def test_a_graph_without_its_index_says_what_is_missing(
    clean: kgdb.Connection, tmp_path: Path
) -> None:
    graph = load_facts(clean, tmp_path, "bare", [("Ada", "knows", "Bo")])
    with clean.driver.session() as session:
        session.run(f"DROP INDEX {graph.info.fulltext_index}").consume()
    done = run("answer", "Whom does Ada know?", "--graph", "bare", "--llm", "none")
    assert done.returncode == 1
    assert "The graph 'bare' has no full-text index kgdb_Bare_names" in done.stderr
    assert "kgdb remove bare" in done.stderr
    assert "Traceback" not in done.stderr
    for method in ("rok", "gotr"):
        with pytest.raises(DatabaseError, match="no full-text index kgdb_Bare_names") as failure:
            graph.reasoner(method, llm="none").answer("Whom does Ada know?")
        assert "kgdb remove bare" in (failure.value.hint or "")


def test_a_graph_without_embeddings_of_its_relations_gets_them_from_the_encoder(
    clean: kgdb.Connection, tmp_path: Path
) -> None:
    graph = load_facts(clean, tmp_path, "plain", [("Ada", "knows", "Bo"), ("Bo", "likes", "Cy")])
    assert graph.info.encoder is None
    answer = graph.reasoner("gotr", llm="none").answer("Whom does Ada know?")
    assert [answered.entity.name for answered in answer.entities] == ["Bo"]
