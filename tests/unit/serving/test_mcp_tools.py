"""The tools of agents: whom they answer, and what they say of mistakes."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from mcp.client.client import Client
from two_graphs import Access

from kgdb.serving.access_keys import ANYBODY, AccessKey, KeyRing
from kgdb.serving.app import create_app
from kgdb.serving.mcp_tools import mcp_server
from kgdb.serving.serve_options import ServeOptions
from kgdb.serving.service import Service

pytestmark = pytest.mark.unit


def call(tmp_path: Path, asker: AccessKey | None, tool: str, **arguments: Any) -> Any:
    service = Service(Access(), KeyRing(tmp_path / "keys.json"), ServeOptions())  # type: ignore[arg-type]

    async def use() -> Any:
        async with Client(mcp_server(service, asker)) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(use())


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("graphs", {}), ("read_cypher", {"graph": "films", "query": "RETURN 1"})],
)
def test_what_comes_by_no_request_of_a_key_sees_nothing(
    tmp_path: Path, tool: str, arguments: dict[str, Any]
) -> None:
    found = call(tmp_path, None, tool, **arguments)
    assert found.is_error
    assert "no key" in found.content[0].text
    assert "films" not in found.content[0].text


def test_who_starts_the_server_himself_sees_all(tmp_path: Path) -> None:
    found = call(tmp_path, ANYBODY, "graphs")
    assert [each["name"] for each in found.structured_content["result"]] == ["films", "staff"]


def rpc(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@pytest.mark.parametrize(
    "body",
    [
        rpc("resources/read", uri="kgdb://nope/schema"),
        rpc("resources/read", uri="kgdb://films/nothing"),
        rpc("prompts/get", name="nothing"),
        rpc("prompts/get", name="answer_with_proof"),
        rpc("tools/call", name="answer", arguments={"graph": "nope", "question": "x"}),
        rpc("tools/call", name="answer", arguments={"graph": 3}),
        rpc("tools/call", name="nothing", arguments={}),
        rpc("nothing"),
        {"x": 1},
        [],
    ],
    ids=str,
)
def test_a_clients_mistake_is_one_line_of_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, body: Any
) -> None:
    service = Service(Access(), KeyRing(tmp_path / "keys.json"), ServeOptions())  # type: ignore[arg-type]
    accepts = {"Accept": "application/json, text/event-stream"}
    with (
        TestClient(create_app(service), base_url="http://127.0.0.1:8470") as client,
        caplog.at_level(logging.WARNING),
        caplog.at_level(logging.INFO, "kgdb.serve"),
    ):
        found = client.post("/mcp", json=body, headers=accepts)
        counts = client.get("/metrics").text
    assert "error" in found.text.lower()
    told = [each for each in caplog.records if "/metrics" not in each.getMessage()]
    assert [each.name for each in told] == ["kgdb.serve.access"]
    assert '"route": "/mcp"' in told[0].getMessage()
    assert f'kgdb_requests_total{{route="/mcp",status="{found.status_code}"}} 1.0' in counts


def test_a_mistake_of_the_service_is_logged_once_and_tells_nothing_of_the_inside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    access = Access()
    access.fails = RuntimeError("secret place /home/x")
    service = Service(access, KeyRing(tmp_path / "keys.json"), ServeOptions())  # type: ignore[arg-type]

    async def use() -> Any:
        async with Client(mcp_server(service, ANYBODY)) as client:
            return await client.call_tool("graphs", {})

    found = asyncio.run(use())
    assert found.content[0].text.endswith(": The request failed.")
    assert [each.name for each in caplog.records if each.exc_info] == ["kgdb.serve"]
