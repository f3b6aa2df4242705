"""The examples of docs/reference/forms.md print what the page says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import kgdb

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

import form_reference

pytestmark = pytest.mark.integration


def test_each_example_prints_what_the_page_says(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    form_reference.create_cast(connection)
    try:
        results = form_reference.run_examples()
    finally:
        form_reference.remove_cast(connection)
    assert results == json.loads(form_reference.RESULTS.read_text(encoding="utf-8")), (
        "run scripts/form_reference.py --run"
    )
