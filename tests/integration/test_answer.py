"""Questions to answers, from the command line, with the real models."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from command import run
from sources import Fact

import kgdb

pytestmark = pytest.mark.integration

FLAGSHIP = "Who directed the films that Ada Weir acted in?"


def without_time(answer: dict[str, Any]) -> dict[str, Any]:
    """What has to be the same when a question is asked again."""
    return {
        key: answer[key]
        for key in ("question", "interpretation", "entities", "reason", "truncated")
    }


def test_answers_and_proofs_are_right(demo: kgdb.KnowledgeGraph, facts: set[Fact]) -> None:
    done = run("answer", FLAGSHIP, FLAGSHIP, "--graph", "demo", "--json", "--set", "paths=9")
    assert done.returncode == 0, done.stderr
    first, second = map(json.loads, done.stdout.splitlines())
    films = {h for h, r, t in facts if (r, t) == ("starred_actors", "Ada Weir")}
    assert {a["entity"]["name"] for a in first["entities"]} == {
        t for h, r, t in facts if h in films and r == "directed_by"
    }
    for answer in first["entities"]:
        assert len(answer["paths"]) == answer["path_count"] > 0
        for path in answer["paths"]:
            start, film, end = (entity["id"] for entity in path["entities"])
            assert path["steps"] == ["^starred_actors", "directed_by"]
            assert {(film, "starred_actors", start), (film, "directed_by", end)} <= facts
    assert without_time(first) == without_time(second)
    assert first["usage"]["calls"] > 0
    assert first["usage"]["round_trips"] <= 6


def test_answers_are_the_same_without_the_plugin(demo: kgdb.KnowledgeGraph) -> None:
    questions = (FLAGSHIP, "Which other films did the director of 第七个渡口 direct?", "Who is it?")
    asked = ("answer", *questions, "--graph", "demo", "--llm", "none", "--json")
    plugin, plain = (run(*asked, plugin=mode) for mode in ("required", "never"))
    assert (plain.returncode, plain.stderr) == (plugin.returncode, plugin.stderr)
    expected = [without_time(json.loads(line)) for line in plugin.stdout.splitlines()]
    assert [without_time(json.loads(line)) for line in plain.stdout.splitlines()] == expected
    assert [bool(answer["entities"]) for answer in expected] == [True, True, False]


def test_a_question_that_joins_verbs_asks_for_both(
    demo: kgdb.KnowledgeGraph, facts: set[Fact]
) -> None:
    def of(relation: str) -> set[str]:
        return {t for h, r, t in facts if (h, r) == ("The Tuesday Engine", relation)}

    both = of("directed_by") & of("written_by")
    assert both < of("written_by")
    answer = demo.answer("Who directed and wrote The Tuesday Engine?", llm="none")
    assert {each.entity.name for each in answer.entities} == both


def test_other_scripts_and_misspelt_names(demo: kgdb.KnowledgeGraph, facts: set[Fact]) -> None:
    done = run(
        "answer", "--graph", "demo", "--llm", "none", "--json",
        "Who starred in 第七个渡口?",
        "which films did malgorzata sniezynska direct",
        "Who wrote The Tuesday Engin?",
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    chinese, polish, misspelt = ({a["entity"]["name"] for a in row["entities"]} for row in rows)
    assert chinese == {t for h, r, t in facts if (h, r) == ("第七个渡口", "starred_actors")}
    assert polish == {h for h, r, t in facts if (r, t) == ("directed_by", "Małgorzata Śnieżyńska")}
    assert misspelt == set()
    assert "did you mean 'The Tuesday Engine'?" in rows[2]["reason"]


@pytest.mark.parametrize("plugin", ["required", "never"])
@pytest.mark.parametrize("question", ["Who wrote The Tuesday Engin?", "Who wrote [Xyzzyxyz]?"])
def test_a_misspelt_name_takes_no_round_trip_more(
    demo: kgdb.KnowledgeGraph, question: str, plugin: str
) -> None:
    """Of the first question of a connection too."""
    with kgdb.connect(plugin=plugin) as fresh:
        answer = fresh.graph("demo").answer(question, llm="none")
    assert answer.usage.round_trips == 1
    assert answer.is_empty


IMPORTED = """
import atexit, sys
names = sys.modules
atexit.register(lambda: print(*names, file=sys.stderr))
from kgdb.cli.main import main
main()
"""


def test_a_question_that_needs_no_language_model_imports_no_library_of_models(
    demo: kgdb.KnowledgeGraph,
) -> None:
    asked = [FLAGSHIP, "--graph", "demo", "--llm", "none"]
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, "answer", *asked],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    packages = {name.partition(".")[0] for name in done.stderr.split()}
    assert "tokenizers" in packages
    heavy = {"torch", "transformers", "sentence_transformers", "scipy", "pandas", "duckdb"}
    assert not packages & heavy


def test_no_answer_says_why_and_exits_with_3(demo: kgdb.KnowledgeGraph) -> None:
    done = run("answer", "Where is the tower?", "--graph", "demo", "--llm", "none")
    assert done.returncode == 3
    assert "I don't know, because the question mentions no name of the graph 'demo'" in done.stdout


def test_output_for_people_shows_the_proof_and_the_cost(demo: kgdb.KnowledgeGraph) -> None:
    done = run("answer", FLAGSHIP, "--graph", "demo", "--llm", "none", "--explain")
    assert done.returncode == 0, done.stderr
    assert "Ada Weir ←starred_actors– Le Phare de Kermor –directed_by→ Solène Kermadoc" in (
        done.stdout
    )
    assert "0 LLM calls" in done.stdout
    assert "database round trips" in done.stdout


def test_an_unknown_graph_is_one_sentence(demo: kgdb.KnowledgeGraph) -> None:
    done = run("answer", "Who?", "--graph", "nope")
    assert done.returncode == 2
    assert "The graph 'nope' is not loaded" in done.stderr
    assert "Traceback" not in done.stderr


def test_graphs_lists_what_is_loaded(demo: kgdb.KnowledgeGraph) -> None:
    listed = json.loads(run("graphs", "--json").stdout)
    assert {"demo"} <= {graph["name"] for graph in listed}


def test_a_text_cites_facts_of_the_graph(demo: kgdb.KnowledgeGraph, facts: set[Fact]) -> None:
    asked = [FLAGSHIP, "I liked The Tuesday Engine. Who made it?"]
    done = run("answer", *asked, "--graph", "demo", "--llm", "none", "--form", "text", "--json")
    assert done.returncode == 0, done.stderr
    question, dialogue = map(json.loads, done.stdout.splitlines())
    for answer in (question, dialogue):
        cited = [(c["head"]["id"], c["relation"], c["tail"]["id"]) for c in answer["cited"]]
        assert cited
        assert set(cited) <= facts
        assert all(f"[{number}]" in "".join(answer["chain"]) for number in range(1, len(cited) + 1))
    assert question["chain"][0] == "Ada Weir"
    assert "The director of The Tuesday Engine is Ruben Okonjo-Hale" in dialogue["text"]
