"""Rows of a program that are no facts are refused before any database is touched."""

from __future__ import annotations

from typing import Any

import pytest

from kgdb.errors import UsageError
from kgdb.loading import load_facts

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        ("Ada knows Bo", "The rows are 'Ada knows Bo'"),
        (7, "The rows are 7"),
        ([("Ada", "knows")], "Row 1 of the facts"),
        ([("Ada", "knows", "Bo"), "Ada"], "Row 2 of the facts is 'Ada'"),
        ([("Ada", "knows", "Bo", 1999)], "Row 1 of the facts"),
        ([("Ada", "knows", "Bo", {"tail": "x"})], "has a property 'tail'"),
    ],
)
def test_rows_that_are_no_facts(facts: Any, problem: str) -> None:
    database: Any = None
    with pytest.raises(UsageError) as failure:
        load_facts(database, facts, "friends")
    assert problem in failure.value.message
    assert failure.value.hint


def test_nodes_are_mappings() -> None:
    database: Any = None
    with pytest.raises(UsageError, match="Row 1 of the nodes"):
        load_facts(database, [("Ada", "knows", "Bo")], "friends", nodes=[("Ada", "Person")])
