"""Without the plugin: what is not kept takes no memory, however much a hub leads to."""

from __future__ import annotations

from pathlib import Path

import pytest
from sources import write_facts, write_loader

import kgdb
from kgdb import loading

pytestmark = pytest.mark.integration

PATHS, FILMS = 100, 6000
"""Ways to a hub, and what it leads to: together more partial paths than the server has room for."""


def test_a_beam_over_a_hub_holds_no_more_than_its_width(
    clean: kgdb.Connection, tmp_path: Path
) -> None:
    facts = [(f"film {number}", "genre", "Drama") for number in range(FILMS)]
    facts += [(f"film {number}", "actor", "Ada") for number in range(PATHS)]
    write_facts(tmp_path / "hub.tsv", facts)
    write_loader(tmp_path, "hub")
    spec = loading.read_spec(str(tmp_path / "hub.toml"))
    with loading.prepare(spec, tmp_path / "hub.tsv") as prepared:
        loading.load(prepared, clean)
    hops = [{"^actor": 1.0}, {"genre": 1.0}, {"^genre": 1.0}]
    with kgdb.connect(plugin="never") as plain:
        found = plain.graph("hub").beam(["Ada"], hops, width=PATHS)
    assert len(found) == PATHS
    assert list(found) == list(clean.graph("hub").beam(["Ada"], hops, width=PATHS))
