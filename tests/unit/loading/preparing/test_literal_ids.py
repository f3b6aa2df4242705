"""The ids of literals: one for each fact, whatever its parts are."""

from __future__ import annotations

from pathlib import Path

import pytest
from three_fields import reading

from kgdb.loading import PreparedSource, prepare
from kgdb.loading.preparing.tables import MAX_ID_BYTES

pytestmark = pytest.mark.unit

SPEC = reading(
    ("head", "relation", "value", "datatype", "language"),
    triples="SELECT head, 'is' AS relation, head AS tail FROM source",
    literals="FROM source",
)


def ids(prepared: PreparedSource) -> list[str]:
    return [row["id"] for batch in prepared.literals(10) for row in batch]


def test_facts_whose_parts_are_split_otherwise_have_ids_of_their_own(source: Path) -> None:
    source.write_text("a|b c|1||\na b|c|1||\n")
    with prepare(SPEC, source) as prepared:
        first, second = ids(prepared)
        assert first != second
        assert {each.rpartition(" ")[0] for each in (first, second)} == {"a b c"}


def test_an_empty_datatype_or_language_is_none(source: Path) -> None:
    spec = reading(
        ("head", "relation", "value"),
        triples="SELECT head, 'is' AS relation, head AS tail FROM source",
        literals="SELECT *, '' AS datatype, '' AS language FROM source "
        "UNION ALL SELECT *, NULL, NULL FROM source",
    )
    source.write_text("a|r|1\n")
    with prepare(spec, source) as prepared:
        ((row,),) = prepared.literals(10)
        assert (row["datatype"], row["language"]) == (None, None)
        assert prepared.counts.duplicates == 1


def test_datatype_and_language_tell_facts_apart(source: Path) -> None:
    source.write_text("a|r|1|x|\na|r|1||x\na|r|1||\na|r|1|x|x\n")
    with prepare(SPEC, source) as prepared:
        assert len(set(ids(prepared))) == 4


def test_no_id_is_longer_than_an_id_may_be(source: Path) -> None:
    long = "界" * (MAX_ID_BYTES // 3)
    source.write_text(f"{long}|{long}|1||\n{long}|{long}|2||\n", encoding="utf-8")
    with prepare(SPEC, source) as prepared:
        assert prepared.counts.skipped == 0
        first, second = ids(prepared)
    assert first != second
    assert max(len(each.encode()) for each in (first, second)) <= MAX_ID_BYTES
