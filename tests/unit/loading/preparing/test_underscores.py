"""Names that are written with underscores, as the pages of an encyclopedia are."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgdb.loading import prepare, read_spec

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("name", "alias"),
    [
        ("Barack_Obama", "Barack Obama"),
        ("Honolulu,_Hawaii", "Honolulu, Hawaii"),
        ("Queen_(band)", "Queen (band)"),
        ("St._John's", "St. John's"),
        ("Élan_vital", "Élan vital"),
        ("長城_電影", "長城 電影"),
        ("Apollo_11", "Apollo 11"),
        ("m.02_abc", None),
        ("_private", None),
        ("a_ b", None),
        ("x", None),
    ],
)
def test_the_name_with_spaces_is_an_alias(name: str, alias: str | None, tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text(f"{name}\tknows\tZ\n", encoding="utf-8")
    with prepare(read_spec("tsv"), path) as prepared:
        aliases = {row["name"]: row["aliases"] for b in prepared.entities(9) for row in b}
    assert aliases == {name: [alias] if alias else None, "Z": None}
