"""What the reference pages take from a run, in scripts/*.json, is what a server gives now."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import kgdb

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import form_reference
import procedure_reference

pytestmark = pytest.mark.integration


def test_each_form_prints_what_its_page_says(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    form_reference.create_cast(connection)
    try:
        results = form_reference.run_examples()
    finally:
        form_reference.remove_cast(connection)
    assert results == json.loads(form_reference.RESULTS.read_text(encoding="utf-8")), (
        "run make docs"
    )


@pytest.mark.local_server
def test_the_plugin_has_the_procedures_of_the_pages(connection: kgdb.Connection) -> None:
    assert procedure_reference.asked(connection) == procedure_reference.catalogue(), "run make docs"
