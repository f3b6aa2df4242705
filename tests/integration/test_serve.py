"""A service over the demo graph, asked by HTTP, by an MCP client and as a chat model."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from openai import OpenAI
from served_graphs import Served, serving

import kgdb
from kgdb.api import open_connection
from kgdb.progress import silent
from kgdb.serving.access_keys import KeyRing
from kgdb.serving.app import create_app
from kgdb.serving.graph_access import GraphAccess
from kgdb.serving.serve_options import ServeOptions
from kgdb.serving.service import Service
from kgdb.settings import load_settings

pytestmark = pytest.mark.integration

QUESTION = "Who wrote The Tuesday Engine?"
WRITERS = {"Nell Castlebrook", "Ruben Okonjo-Hale"}
CLAIM = "Ruben Okonjo-Hale directed The Tuesday Engine."


@pytest.fixture(scope="module")
def served(demo: kgdb.KnowledgeGraph, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("serve")) as found:
        yield found


def names(answer: Any) -> set[str]:
    return {each["entity"]["name"] for each in answer["entities"]}


def test_one_question_and_several(served: Served) -> None:
    one = served.post("/v1/graphs/demo/answer", {"question": QUESTION})
    assert names(one) == WRITERS
    assert all(each["paths"] for each in one["entities"])
    several = served.post(
        "/v1/graphs/demo/answer", {"questions": [QUESTION, "Who wrote Kermit the Frog?"]}
    )
    first, second = several["answers"]
    assert names(first) == WRITERS
    assert second["entities"] == []
    assert second["reason"]


def test_claims_get_verdicts_with_their_facts(served: Served) -> None:
    claims = [CLAIM, "Ada Weir directed The Tuesday Engine."]
    found = served.post("/v1/graphs/demo/verify", {"claims": claims})["verdicts"]
    assert [each["label"] for each in found] == ["SUPPORTED", "REFUTED"]
    assert found[0]["supporting"]
    assert found[1]["opposing"]


def test_a_text_is_judged_claim_by_claim(served: Served) -> None:
    text = f"{CLAIM} Ada Weir directed The Tuesday Engine. Was it good?"
    found = served.post("/v1/graphs/demo/verify-text", {"text": text})
    assert [each["verdict"]["label"] for each in found["claims"]] == ["SUPPORTED", "REFUTED"]
    assert text[: found["claims"][0]["end"]] == CLAIM


def test_a_question_goes_on_from_those_before_it(served: Served) -> None:
    found = served.post(
        "/v1/graphs/demo/answer",
        {
            "question": "Which of them did Ruben Okonjo-Hale direct?",
            "after": ["Which films did Ada Weir act in?"],
        },
    )
    assert "A Small Apocalypse in Norbury" in names(found)


def test_stages_come_before_the_answer(served: Served) -> None:
    events = []
    with httpx2.stream(
        "POST",
        f"{served.url}/v1/graphs/demo/answer",
        json={"question": QUESTION},
        headers={"Accept": "text/event-stream"},
        timeout=60,
    ) as stream:
        for line in stream.iter_lines():
            if line.startswith("event: "):
                events.append(line.removeprefix("event: "))
            elif line.startswith("data: "):
                last = json.loads(line.removeprefix("data: "))
    assert set(events[:-1]) == {"stage"}
    assert len(events) > 1
    assert events[-1] == "answer"
    assert names(last) == WRITERS


def test_retrieval_by_ids(served: Served) -> None:
    linked = served.post("/v1/graphs/demo/link", {"mentions": ["ada weir"]})["candidates"]
    assert linked[0][0]["entity"]["name"] == "Ada Weir"
    ids = [linked[0][0]["entity"]["id"], "Ruben Okonjo-Hale"]
    around = served.post("/v1/graphs/demo/neighbors", {"nodes": ids[:1], "limit": 2})
    assert (len(around["rows"]), around["cut"]) == (2, ["limit"])
    paths = served.post("/v1/graphs/demo/paths", {"nodes": ids})["rows"]
    assert paths[0]["path"]["steps"] == ["^starred_actors", "directed_by"]


def test_entities_have_labels_and_properties(served: Served) -> None:
    ids = ["Ruben Okonjo-Hale", "The Tuesday Engine"]
    found = served.post("/v1/graphs/demo/entities", {"nodes": ids})["entities"]
    assert [each["entity"]["name"] for each in found] == ids
    response = httpx2.post(
        f"{served.url}/v1/graphs/demo/entities", json={"nodes": [*ids, "Nobody At All"]}
    )
    assert response.status_code == 404
    assert "Nobody At All" in response.json()["detail"]


def test_forms_and_cypher(served: Served) -> None:
    form = {"op": "Count", "form": {"op": "FindAll"}}
    assert served.post("/v1/graphs/demo/query", {"form": form})["value"] == 457
    count = {"query": "MATCH (n) RETURN count(n) AS number"}
    assert served.post("/v1/graphs/demo/cypher", count)["rows"] == [[457]]
    refused = served.post("/v1/graphs/demo/cypher", {"query": "CREATE (n) RETURN n"})
    assert refused["error"]["code"] == "FORBIDDEN_CLAUSE"


def test_every_example_of_the_description_is_taken(served: Served) -> None:
    described = httpx2.get(f"{served.url}/openapi.json").json()
    schemas, tried = described["components"]["schemas"], 0
    for path, methods in described["paths"].items():
        body = methods.get("post", {}).get("requestBody")
        if body is None or "/graphs/" not in path:
            continue
        name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        fields = schemas[name]["properties"]
        example = {key: each["examples"][0] for key, each in fields.items() if "examples" in each}
        assert example, name
        served.post(path.replace("{graph}", "demo"), example)
        tried += 1
    assert tried == 9


def test_a_wrong_option_and_an_unknown_graph_are_problems(served: Served) -> None:
    url = f"{served.url}/v1/graphs"
    wrong = httpx2.post(f"{url}/demo/answer", json={"question": "x", "options": {"width": "?"}})
    assert wrong.status_code == 400
    assert "width" in wrong.json()["detail"]
    unknown = httpx2.post(f"{url}/nope/answer", json={"question": "x"})
    assert (unknown.status_code, unknown.json()["title"]) == (404, "No such graph")


@pytest.mark.parametrize(
    ("route", "body", "status", "told"),
    [
        ("neighbors", {"nodes": ["Zed"]}, 404, "no entity 'Zed'"),
        ("paths", {"nodes": ["Zed", "Ada Weir"]}, 404, "no entity 'Zed'"),
        ("neighbors", {"nodes": ["Ada Weir"], "relations": ["directs"]}, 400, "'directs'"),
        ("query", {"form": {"op": "Fly"}}, 400, "Fly"),
    ],
)
def test_a_mistake_of_the_caller_is_told_as_one(
    served: Served, route: str, body: Any, status: int, told: str
) -> None:
    found = httpx2.post(f"{served.url}/v1/graphs/demo/{route}", json=body)
    assert found.status_code == status
    assert told in found.json()["detail"]


def test_a_key_does_not_reach_the_graphs_of_others(served: Served) -> None:
    secret = served.keys.add("other", ["elsewhere"])
    head = {"Authorization": f"Bearer {secret}"}
    for path in ("schema", "form-schema"):
        found = httpx2.get(f"{served.url}/v1/graphs/demo/{path}", headers=head)
        assert found.status_code == 404
    found = httpx2.post(
        f"{served.url}/v1/graphs/demo/answer", json={"question": QUESTION}, headers=head
    )
    assert found.status_code == 404
    assert "Tuesday" not in found.text


def test_a_chat_client_uses_a_graph_as_a_model(served: Served) -> None:
    client = OpenAI(base_url=f"{served.url}/v1", api_key=served.keys.add("chat"))
    assert [model.id for model in client.models.list()] == ["demo"]
    messages: list[Any] = [{"role": "user", "content": "Which films did Ada Weir act in?"}]
    first = client.chat.completions.create(model="demo", messages=messages)
    said = first.choices[0].message.content or ""
    assert "Salt in the Clock" in said
    assert "[1] " in said
    messages += [
        {"role": "assistant", "content": said},
        {"role": "user", "content": "Which of them did Ruben Okonjo-Hale direct?"},
    ]
    stream = client.chat.completions.create(model="demo", messages=messages, stream=True)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in stream)
    assert "A Small Apocalypse in Norbury" in text
    assert "Salt in the Clock\n" not in text


def test_an_agent_uses_the_tools(served: Served) -> None:
    async def use() -> dict[str, Any]:
        async with Client(f"{served.url}/mcp") as client:
            tools = (await client.list_tools()).tools
            told = {
                "answer": {"graph": "demo", "question": QUESTION},
                "verify": {"graph": "demo", "claim": CLAIM},
                "neighbors": {"graph": "demo", "ids": ["Ada Weir"], "limit": 1},
                "wrong": {"graph": "nope", "question": QUESTION},
                "paths": {"graph": "demo", "ids": ["Zed", "Ada Weir"]},
            }
            found: dict[str, Any] = {"tools": tools}
            for name, arguments in told.items():
                tool = "answer" if name == "wrong" else name
                found[name] = await client.call_tool(tool, arguments)
            found["schema"] = await client.read_resource("kgdb://demo/schema")
            found["prompts"] = await client.list_prompts()
            return found

    found = asyncio.run(use())
    assert all(tool.annotations.read_only_hint for tool in found["tools"])
    assert all(name in found["answer"].content[0].text for name in WRITERS)
    assert found["verify"].content[0].text.startswith("SUPPORTED\n")
    assert found["neighbors"].structured_content["cut"] == ["limit"]
    assert found["wrong"].is_error
    assert "no entity 'Zed'" in found["paths"].content[0].text
    assert "There is no graph 'nope'" in found["wrong"].content[0].text
    assert "DemoFilm" in found["schema"].contents[0].text
    assert found["prompts"].prompts


def test_an_agent_on_this_machine_starts_the_server_itself(demo: kgdb.KnowledgeGraph) -> None:
    command = ["-m", "kgdb", "serve", "--stdio", "--llm", "none"]
    server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))

    async def use() -> Any:
        async with Client(server) as client:
            return await client.call_tool("graphs", {})

    found = asyncio.run(use())
    assert demo.name in [each["name"] for each in found.structured_content["result"]]


def test_many_clients_get_the_answers_to_their_own_questions(served: Served) -> None:
    films = ["The Tuesday Engine", "Salt in the Clock", "A Small Apocalypse in Norbury"]

    async def ask() -> list[tuple[str, Any]]:
        async with httpx2.AsyncClient(timeout=60) as client:

            async def one(number: int) -> tuple[str, Any]:
                film = films[number % len(films)]
                found = await client.post(
                    f"{served.url}/v1/graphs/demo/answer",
                    json={"question": f"Who directed {film}?"},
                )
                return film, found.json()

            return list(await asyncio.gather(*(one(number) for number in range(60))))

    directors: dict[str, set[frozenset[str]]] = {}
    for film, answer in asyncio.run(ask()):
        directors.setdefault(film, set()).add(frozenset(names(answer)))
    assert {film: len(each) for film, each in directors.items()} == dict.fromkeys(films, 1)
    assert directors["The Tuesday Engine"] == {frozenset({"Ruben Okonjo-Hale"})}


def test_a_service_starts_before_its_database(tmp_path: Path) -> None:
    away = load_settings(uri="bolt://127.0.0.1:1", password="x", llm="none")
    service = Service(
        GraphAccess(lambda: open_connection(away, silent)),
        KeyRing(tmp_path / "keys.json"),
        ServeOptions(),
    )
    from fastapi.testclient import TestClient

    with TestClient(create_app(service), base_url="http://127.0.0.1") as client:
        assert client.get("/health").status_code == 200
        for path in ("/ready", "/v1/graphs"):
            found = client.get(path)
            assert found.status_code == 503
            assert "127.0.0.1:1" not in found.text
            assert found.headers["retry-after"]
