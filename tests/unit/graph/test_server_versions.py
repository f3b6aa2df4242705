"""Old servers are refused by name; on new ones retrieval is done without the plugin."""

from __future__ import annotations

import pytest

from kgdb.graph.connection.server_versions import runs_plugin, unsupported

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("agent", "plugin"),
    [
        ("Neo4j/5.26.0", True),
        ("Neo4j/5.26.23", True),
        ("Neo4j/5.27-aura", True),
        ("Neo4j/2025.01.0", False),
        ("Neo4j/2026.08.1", False),
    ],
)
def test_a_supported_server_is_accepted(agent: str, plugin: bool) -> None:
    assert unsupported(agent, "bolt://host:7687") is None
    assert runs_plugin(agent) == plugin


@pytest.mark.parametrize("agent", ["Neo4j/4.4.30", "Neo4j/5.25.1", "Other/5.26", ""])
def test_another_server_is_refused_by_its_version(agent: str) -> None:
    refused = unsupported(agent, "bolt://host:7687")
    assert refused is not None
    assert f"'{agent}'" in refused.message or "the empty text" in refused.message
    assert "Neo4j 5.26 or later" in refused.message
    assert refused.hint
    assert not runs_plugin(agent)
