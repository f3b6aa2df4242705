"""The example that docs/reference/loaders.md begins with, as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kgdb.loading import prepare, read_spec

pytestmark = pytest.mark.unit

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "loaders.md"


def block(kind: str) -> str:
    """The first block of that kind."""
    found = re.search(rf"^```{kind}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert found
    return found[1]


def test_the_first_example_can_be_loaded(tmp_path: Path) -> None:
    source, loader = tmp_path / "cities.tsv", tmp_path / "cities.toml"
    source.write_text(block("text"), encoding="utf-8")
    loader.write_text(block("toml"), encoding="utf-8")
    with prepare(read_spec(str(loader)), source, max_errors=0) as prepared:
        counts = prepared.counts
        assert (counts.triples, counts.literals, counts.entities) == (9, 3, 7)
        assert prepared.labels() == ["City"]
        assert prepared.unused_texts() == []
