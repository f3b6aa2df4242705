"""Answers by a model on a server: the cache, prices, and a server that fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from command import run

import kgdb
from tests.unit.served import Request, Response, Server, chat, failure, serving, user

pytestmark = pytest.mark.integration

QUESTION = "Who wrote The Tuesday Engine?"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as state:
        state.reply = likes_writers
        yield state


def likes_writers(request: Request) -> Response:
    """A server that keeps to schemas, and a model that likes writing best."""
    choices = request["response_format"]["json_schema"]["schema"]["properties"]["choice"]["enum"]
    liked = [choice for choice in choices if "writ" in choice] or choices
    return chat(json.dumps({"choice": liked[0]}), tokens=(1000, 100))


def answer(
    server: Server, *options: str, question: str = QUESTION, **environ: str
) -> dict[str, Any]:
    asked = ("answer", question, "--graph", "demo", "--json", "--method", "refkg")
    done = run(*asked, "--llm", f"openai:tiny@{server.url}", *options, **environ)
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_what_was_asked_before_is_answered_from_disk_and_costs_nothing(
    demo: kgdb.KnowledgeGraph, server: Server
) -> None:
    first = answer(server, KGDB_LLM_PRICES="1,10")
    calls = first["usage"]["calls"]
    assert (first["usage"]["cached"], len(server.requests)) == (0, calls)
    assert calls > 0
    assert first["usage"]["cost"] == pytest.approx(calls * 0.002)
    again = answer(server, KGDB_LLM_PRICES="1,10")
    assert (again["usage"]["cached"], len(server.requests)) == (calls, calls)
    assert again["usage"]["cost"] == 0
    assert again["entities"] == first["entities"]
    asked = answer(server, "--no-cache")
    assert (asked["usage"]["cached"], len(server.requests)) == (0, 2 * calls)
    assert asked["usage"]["cost"] == 0


def test_a_server_that_fails_for_ever_is_one_clear_error(
    demo: kgdb.KnowledgeGraph, server: Server
) -> None:
    server.says(failure(500, "out of memory"))
    with kgdb.connect() as db:
        method = db.graph("demo").reasoner("refkg", llm=f"openai:tiny@{server.url}")
        good, bad = method.answers(["What is the colour of luck?", QUESTION])
    assert bad.error is not None
    assert "'tiny' at http://127" in bad.error.message
    assert "out of memory" in bad.error.message
    assert good.error is None
    assert good.reason


def test_a_served_model_writes_the_query(demo: kgdb.KnowledgeGraph, server: Server) -> None:
    query = "MATCH (:DemoFilm {name: 'The Tuesday Engine'})-[:written_by]->(p) RETURN p"
    server.says(
        "<think>Writers, so MATCH …</think>\nMATCH (f:Movieish)-[:wrote]->(p) RETURN p",
        f"Cypher:\n```cypher\n{query};\n```<|im_end|>",
    )
    found = answer(server, "--method", "text2cypher")
    names = {each["entity"]["name"] for each in found["entities"]}
    assert names == {"Nell Castlebrook", "Ruben Okonjo-Hale"}
    assert found["entities"][0]["paths"][0]["steps"] == ["written_by"]
    (error,) = found["trace"][1]["output"]["errors"]
    assert error.startswith("UNKNOWN_LABEL: line 1")
    assert "no label 'Movieish'" in error
    assert error.partition(": ")[2] in user(server.requests[1])


def test_a_served_model_writes_the_form_that_the_rules_do_not_know(
    demo: kgdb.KnowledgeGraph, server: Server
) -> None:
    films = {
        "op": "Relate",
        "form": {"op": "Find", "name": "ada weir"},
        "relation": "starred_actors",
        "direction": "in",
    }
    server.says(
        f"As she acts: {json.dumps({'op': 'Count', 'form': {**films, 'relation': 'acted_in'}})}",
        f"```json\n{json.dumps({'form': {'op': 'Count', 'form': films}})}\n```",
    )
    found = answer(server, "--method", "auto", question="How many gigs did Ada Weir land?")
    right = demo.query(
        {"op": "Count", "form": {**films, "form": {"op": "Find", "name": "Ada Weir"}}}
    )
    assert found["value"] == right.value > 1
    assert found["facts"]
    assert found["form"]["form"]["form"]["name"] == "Ada Weir"
    written = next(stage["output"] for stage in found["trace"] if stage["name"] == "write form")
    assert written["written_by"] == "tiny"
    (error,) = written["errors"]
    assert "no relation 'acted_in'" in error
    assert error in user(server.requests[1])
    assert found["usage"]["calls"] == 2
