"""Servers of versions that kgdb does not support are refused by name."""

from __future__ import annotations

import pytest

from kgdb.graph.connection.server_versions import unsupported

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "agent",
    ["Neo4j/5.26.0", "Neo4j/5.26.23", "Neo4j/5.27-aura"],
)
def test_a_supported_server_is_accepted(agent: str) -> None:
    assert unsupported(agent, "bolt://host:7687") is None


@pytest.mark.parametrize(
    "agent",
    ["Neo4j/4.4.30", "Neo4j/5.25.1", "Neo4j/2024.12.0", "Neo4j/2026.08.1", "Other/5.26", ""],
)
def test_another_server_is_refused_by_its_version(agent: str) -> None:
    refused = unsupported(agent, "bolt://host:7687")
    assert refused is not None
    assert f'"{agent}"' in refused.message or f"'{agent}'" in refused.message
    assert "5.26 and later 5.x" in refused.message
    assert refused.hint
