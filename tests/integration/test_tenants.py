"""A key of one tenant learns nothing of another whose graph is in the same database."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from served_graphs import serving
from two_tenants import NODES, leaks

import kgdb
from kgdb import loading
from kgdb.methods import METHODS

pytestmark = pytest.mark.integration

QUESTIONS = [
    "Who manages Apollo?",
    "What does Ann Archer manage?",
    "Who does Ann Archer know?",
    "Who does Ann Archer supply?",
    "Who is supplied by Ann Archer?",
    "What was Apollo merged into?",
    "What does Zed Zimmer manage?",
    "Who is Zed Zimmer?",
    "What is the clearance of Ann Archer?",
    "How many persons are there?",
    "How many persons manage a project?",
    "Who has the highest grade?",
    "Which persons know nobody?",
    "Who guards the Quartz Cellar?",
    "Which vaults are there?",
    "How many vaults are there?",
    "Who works on Zepelin?",
    "Ann Archer",
]
CLAIMS = [
    "Ann Archer manages Apollo.",
    "Yves Yarrow manages Apollo.",
    "Ann Archer supplies Zed Zimmer.",
    "Ann Archer knows Yves Yarrow.",
    "Zed Zimmer manages Zeppelin.",
    "Every person knows Zed Zimmer.",
    "Three persons manage Apollo.",
]
FORMS: list[dict[str, Any]] = [
    {"op": "Count", "form": {"op": "FindAll"}},
    {"op": "FindAll"},
    {"op": "Count", "form": {"op": "FilterLabel", "label": "Person", "form": {"op": "FindAll"}}},
    {"op": "FilterLabel", "label": "Vault", "form": {"op": "FindAll"}},
    {"op": "FilterLabel", "label": "Globex", "form": {"op": "FindAll"}},
    {"op": "Find", "name": "Zed Zimmer"},
    {"op": "Find", "name": "Ann Archer"},
    {
        "op": "Relate",
        "relation": "MANAGES",
        "direction": "in",
        "form": {"op": "Find", "name": "Apollo"},
    },
    {
        "op": "Relate",
        "relation": "SUPPLIES",
        "direction": "out",
        "form": {"op": "Find", "name": "Ann Archer"},
    },
    {
        "op": "Relate",
        "relation": "KNOWS",
        "direction": "out",
        "form": {"op": "Find", "name": "Ann Archer"},
    },
    {"op": "Property", "property": "clearance", "form": {"op": "Find", "name": "Ann Archer"}},
    {"op": "Property", "property": "grade", "form": {"op": "FindAll"}},
    {"op": "Select", "property": "grade", "extreme": "max", "form": {"op": "FindAll"}},
    *[
        {
            "op": "FilterByCount",
            "relation": "KNOWS",
            "comparator": ">",
            "value": 1,
            "direction": way,
            "relationships": whole,
            "form": {"op": "FindAll"},
        }
        for way in ("in", "out")
        for whole in (True, False)
    ],
    *[
        {"op": "SelectByCount", "relation": relation, "extreme": "max", "form": {"op": "FindAll"}}
        for relation in ("KNOWS", "MANAGES", "SUPPLIES")
    ],
]
CYPHER = [
    "MATCH (n) RETURN n, labels(n), properties(n)",
    "MATCH (n) RETURN count(n)",
    "MATCH (n:Globex) RETURN n",
    "MATCH (n:Vault) RETURN n",
    "MATCH (n:Globes) RETURN n",
    "MATCH (n:Acme|Globex) RETURN n",
    "MATCH (n:!Acme) RETURN n",
    "MATCH (n:%) RETURN labels(n)",
    "MATCH (n:Person) RETURN n.name, n.clearance",
    "MATCH (n:Person) RETURN n.clearence",
    "MATCH (n) WHERE n:Vault RETURN n",
    "MATCH (n) WHERE n:Project OR n:Person RETURN count(*)",
    "MATCH (a)-[r]->(b) RETURN a.name, type(r), b.name, r",
    "MATCH (a)-[r]-(b) RETURN count(r)",
    "MATCH (a)-[r:SUPPLIES]->(b) RETURN r",
    "MATCH (a)-[r:SUPPLIED]->(b) RETURN r",
    "MATCH (a)-[r:KNOWS|SUPPLIES]->(b) RETURN b",
    "MATCH (a)-[r:!MANAGES]->() RETURN type(r)",
    "MATCH ()-[r]->() RETURN DISTINCT type(r), count(*)",
    "MATCH ()-[r]->() RETURN r.volume",
    "MATCH ()-[r]->() RETURN keys(r), properties(r)",
    "MATCH (a {name: 'Ann Archer'})-[*1..3]-(b) RETURN b.name",
    "MATCH p = (a {name: 'Ann Archer'})-[*1..4]-(b) RETURN p, length(p), nodes(p)",
    "MATCH p = shortestPath((a {name: 'Ann Archer'})-[*..4]-(b {name: 'Apollo'})) RETURN p",
    "MATCH (a {name: 'Ann Archer'}) RETURN [(a)--(b) | b.name]",
    "MATCH (a {name: 'Ann Archer'}) RETURN [(a)-[*..3]-(b) | b.name]",
    "MATCH (a) RETURN a.name, COUNT { (a)--() }, COUNT { (a)-->(:Person) }",
    "MATCH (a) WHERE EXISTS { (a)-[:SUPPLIES]-() } RETURN a.name",
    "MATCH (a) WHERE (a)--(:Vault) RETURN a.name",
    "MATCH (a) RETURN COLLECT { MATCH (a)--(b) RETURN b.name }",
    "MATCH (a) RETURN size([(a)-->() | 1])",
    "MATCH (a)--(b) WHERE elementId(b) <> '' RETURN elementId(b), b.name",
    "MATCH (a)-[r]-() RETURN startNode(r).name, endNode(r).name",
    "OPTIONAL MATCH (n {name: 'Zed Zimmer'}) RETURN n",
    "MATCH (n) RETURN n.name UNION MATCH (n:Globex) RETURN n.name",
    "MATCH (n:KnowledgeGraph) RETURN n",
    "MATCH (n:Relation) RETURN n",
    "CALL db.labels() YIELD label RETURN label",
    "SHOW INDEXES",
    "MATCH (n:$('Globex')) RETURN n",
    "MATCH (n) RETURN n.name AS x ORDER BY n.nosuch",
    "MATCH (n) USING INDEX n:Globex(name) WHERE n.name = 'a' RETURN n",
    "RETURN COUNT { (:Globex) }",
    "RETURN COUNT { MATCH (n) RETURN n }",
]


@dataclass(frozen=True)
class Tenants:
    """A service over both, by the plugin or without it, and the head with Acme's key."""

    plugin: str
    url: str
    head: dict[str, str]
    ids: dict[str, str]


@pytest.fixture(scope="module", params=["auto", "never"])
def tenants(
    request: pytest.FixtureRequest,
    connection: kgdb.Connection,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Tenants]:
    connection.driver.execute_query(NODES)
    try:
        for name, label in (("acme", "Acme"), ("globex", "Globex")):
            connection.adopt(name, label)
        rows, _, _ = connection.driver.execute_query(
            "MATCH (n:Acme|Globex) RETURN elementId(n) AS id, "
            "CASE WHEN n:Acme THEN 'Acme ' ELSE 'Globex ' END + n.name AS name"
        )
        with serving(tmp_path_factory.mktemp("tenants"), request.param) as served:
            secret = served.keys.add("acme", ["acme"], ["ask", "cypher"])
            ids = {row["name"]: row["id"] for row in rows}
            yield Tenants(request.param, served.url, {"Authorization": f"Bearer {secret}"}, ids)
    finally:
        for info in connection.graphs():
            if info.name in ("acme", "globex"):
                loading.unload(connection, info)
        connection.driver.execute_query("MATCH (n:Acme|Globex) DETACH DELETE n")


def post(tenants: Tenants, route: str, body: Any, **head: str) -> Any:
    """The response to Acme's key, which is checked to tell nothing of Globex."""
    found = httpx2.post(
        f"{tenants.url}/v1/{route}", json=body, headers=tenants.head | head, timeout=60
    )
    assert found.status_code < 500 or tenants.plugin == "never", found.text
    assert leaks(json.dumps(body), found.text) == [], found.text
    return found.json() if not head else found.text


def test_the_graph_is_there_and_whole(tenants: Tenants) -> None:
    found = post(tenants, "graphs/acme/answer", {"question": "Who manages Apollo?"})
    assert [each["entity"]["name"] for each in found["entities"]] == ["Ann Archer"]
    found = post(tenants, "graphs/acme/answer", {"question": "How many persons are there?"})
    assert found["value"] == 2
    if tenants.plugin == "auto":
        query = "MATCH (n) RETURN n.name ORDER BY n.name"
        rows = post(tenants, "graphs/acme/cypher", {"query": query})["rows"]
        assert rows == [["Ann Archer"], ["Apollo"], ["Bob Baker"]]


@pytest.mark.parametrize(
    "path",
    ["v1/graphs", "v1/models", "v1/graphs/acme/schema", "v1/graphs/acme/form-schema",
     "v1/graphs/globex/schema", "openapi.json", "metrics"],
)  # fmt: skip
def test_what_is_listed(tenants: Tenants, path: str) -> None:
    found = httpx2.get(f"{tenants.url}/{path}", headers=tenants.head, timeout=60)
    status = {"v1/graphs/globex/schema": 404, "metrics": 403}
    assert found.status_code == status.get(path, 200)
    assert leaks(path, found.text) == [], found.text


def test_the_schema_counts_the_tenants_own(tenants: Tenants) -> None:
    found = httpx2.get(f"{tenants.url}/v1/graphs/acme/schema", headers=tenants.head).json()
    assert found["labels"] == {"Person": 2, "Project": 1}
    relations = {each["relation"]: each["count"] for each in found["relations"]}
    assert relations == {"KNOWS": 1, "MANAGES": 1, "WORKS_ON": 1}
    assert {each["name"] for each in found["properties"]} == {"grade", "started"}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", ["entities", "text"])
def test_questions(tenants: Tenants, method: str, form: str) -> None:
    body = {"questions": QUESTIONS, "method": method, "options": {"form": form}}
    post(tenants, "graphs/acme/answer", body)


@pytest.mark.parametrize("question", QUESTIONS)
def test_stages_and_questions_that_go_on(tenants: Tenants, question: str) -> None:
    body = {"question": question}
    post(tenants, "graphs/acme/answer", body, Accept="text/event-stream")
    post(tenants, "graphs/acme/answer", {"question": "Who knows them?", "after": [question]})
    messages = [{"role": "user", "content": question}]
    post(tenants, "chat/completions", {"model": "acme", "messages": messages})
    found = post(tenants, "chat/completions", {"model": "globex", "messages": messages})
    assert found["title"] == "No such graph"


def test_claims(tenants: Tenants) -> None:
    post(tenants, "graphs/acme/verify", {"claims": CLAIMS})
    closed = {"options": {"closed_world": True}}
    post(tenants, "graphs/acme/verify", {"claims": CLAIMS, **closed})
    post(tenants, "graphs/acme/verify", {"claims": CLAIMS, "method": "refkg", **closed})
    post(tenants, "graphs/acme/verify-text", {"text": " ".join(CLAIMS)})


def test_links(tenants: Tenants) -> None:
    names = ["Zed Zimmer", "Zed", "Zeppelin", "Ann Archer", "Extra 5", "Quartz", "purple", "Ann"]
    found = post(tenants, "graphs/acme/link", {"mentions": names, "limit": 50})
    linked = {row["entity"]["id"] for rows in found["candidates"] for row in rows}
    assert linked <= {id for name, id in tenants.ids.items() if name.startswith("Acme")}


def test_ids_of_another_tenant_are_as_ids_that_are_nowhere(tenants: Tenants) -> None:
    foreign = tenants.ids["Globex Zed Zimmer"]
    nowhere = f"{foreign.rpartition(':')[0]}:999999"
    own = tenants.ids["Acme Ann Archer"]
    for route, more in (("entities", {}), ("neighbors", {}), ("paths", {"max_hops": 6})):
        told = []
        for id_ in (foreign, nowhere):
            body = {"nodes": [own, id_], **more}
            found = httpx2.post(
                f"{tenants.url}/v1/graphs/acme/{route}", json=body, headers=tenants.head
            )
            assert found.status_code == 404
            told.append(found.text.replace(id_, "ID"))
        assert told[0] == told[1]


@pytest.mark.parametrize("relation", ["SUPPLIES", "GUARDS", "SUPPLY", "NOSUCH", "MERGED"])
def test_neighbors_and_paths(tenants: Tenants, relation: str) -> None:
    mine = [tenants.ids[f"Acme {name}"] for name in ("Ann Archer", "Bob Baker", "Apollo")]
    found = post(tenants, "graphs/acme/neighbors", {"nodes": mine[:1]})
    assert sorted(row["entity"]["name"] for row in found["rows"]) == ["Apollo", "Bob Baker"]
    found = post(tenants, "graphs/acme/paths", {"nodes": mine, "max_hops": 6, "limit": 100})
    assert found["rows"]
    post(tenants, "graphs/acme/neighbors", {"nodes": mine, "relations": [relation]})
    post(tenants, "graphs/acme/paths", {"nodes": mine, "relations": [f"^{relation}"]})


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_forms(tenants: Tenants, form: dict[str, Any]) -> None:
    post(tenants, "graphs/acme/query", {"form": form})


@pytest.mark.parametrize("query", CYPHER)
def test_cypher(tenants: Tenants, query: str) -> None:
    post(tenants, "graphs/acme/cypher", {"query": query})


def test_tools_of_agents(tenants: Tenants) -> None:
    own = [tenants.ids["Acme Ann Archer"], tenants.ids["Acme Apollo"]]
    foreign = [own[0], tenants.ids["Globex Zed Zimmer"]]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("graphs", {}),
        *[("answer", {"graph": "acme", "question": each}) for each in QUESTIONS],
        *[("verify", {"graph": "acme", "claim": each}) for each in CLAIMS],
        ("link", {"graph": "acme", "name": "Zed Zimmer", "limit": 50}),
        ("neighbors", {"graph": "acme", "ids": own}),
        ("neighbors", {"graph": "acme", "ids": foreign}),
        ("paths", {"graph": "acme", "ids": own, "max_hops": 6}),
        ("paths", {"graph": "acme", "ids": foreign}),
        *[("read_cypher", {"graph": "acme", "query": each}) for each in CYPHER],
        *[(name, {"graph": "globex", text: "Zed Zimmer"}) for name, text in (
            ("answer", "question"), ("verify", "claim"), ("link", "name"), ("read_cypher", "query"),
        )],
    ]  # fmt: skip

    async def use() -> None:
        http = httpx2.AsyncClient(headers=tenants.head, timeout=60)
        async with Client(streamable_http_client(f"{tenants.url}/mcp", http_client=http)) as client:
            for name, arguments in calls:
                found = await client.call_tool(name, arguments)
                told = found.model_dump_json()
                assert leaks(json.dumps(arguments), told) == [], (name, arguments, told)
                assert found.is_error or arguments.get("graph") != "globex"
            schema = await client.read_resource("kgdb://acme/schema")
            assert leaks("", schema.contents[0].text) == []
            with pytest.raises(Exception, match="no graph 'globex'"):
                await client.read_resource("kgdb://globex/schema")

    asyncio.run(use())
