"""The tools of agents: whom they answer, and what they say of mistakes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from two_graphs import Access

from kgdb.serving.access_keys import ANYBODY, AccessKey, KeyRing
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
