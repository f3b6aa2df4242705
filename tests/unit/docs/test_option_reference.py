"""The page of options, made from the declarations of methods and searches."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

import option_reference

from kgdb.methods import all_methods
from kgdb.methods.option_declarations import describe

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("method", all_methods())
def test_a_method_has_a_row_of_four_cells_for_each_option(method: str) -> None:
    rows = list(option_reference.method_table(method))
    assert {row.count("|") for row in rows[1:]} == {5}
    named = [row.split("`")[1] for row in rows if row.startswith("| `")]
    assert named == [option.name for option in describe(all_methods()[method].options)]


@pytest.mark.parametrize("search", option_reference.SEARCHES)
def test_a_search_has_a_row_of_three_cells_for_each_option(search: str) -> None:
    rows = list(option_reference.search_table(search))
    assert {row.count("|") for row in rows[1:]} == {4}
    assert len(rows) == 1 + len(option_reference.SEARCHES[search])
    for name, option in option_reference.SEARCHES[search].items():
        assert option.help, name
        assert not option.help.endswith("."), name


def test_the_page_has_every_method_with_its_summary() -> None:
    page = option_reference.page()
    for name, kind in all_methods().items():
        assert f"\n## {name}\n\n{kind.summary}\n\n| option |" in page
