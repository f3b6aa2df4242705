"""The tables of options in the documentation, made from the declarations."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from kgdb.methods import METHODS
from kgdb.methods.options import describe

pytestmark = pytest.mark.unit

SCRIPT = Path(__file__).parents[2] / "scripts" / "option_reference.py"
BEGIN, END = "<!-- options of tog, from the code by make docs -->\n", "<!-- end of the options -->"


@pytest.fixture(scope="module")
def script() -> dict[str, Callable[..., str]]:
    return runpy.run_path(str(SCRIPT))


@pytest.mark.parametrize("method", METHODS)
def test_a_table_has_a_row_of_four_cells_for_each_option(
    script: dict[str, Callable[..., str]], method: str
) -> None:
    rows = script["option_table"](method).splitlines()
    assert {row.count("|") for row in rows} == {5}
    named = [row.split("`")[1] for row in rows if row.startswith("| `")]
    assert named == [option.name for option in describe(METHODS[method].options)]


def test_the_reference_has_every_method_with_its_summary(
    script: dict[str, Callable[..., str]],
) -> None:
    page = script["reference"]()
    for name, kind in METHODS.items():
        assert f"\n## {name}\n\n{kind.summary}\n\n| option |" in page


def test_the_marked_part_of_a_page_alone_is_renewed(
    script: dict[str, Callable[..., str]], tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"Before.\n{BEGIN}old\n{END}\nAfter.\n", encoding="utf-8")
    script["main"]([str(page)])
    table = script["option_table"]("tog")
    assert page.read_text(encoding="utf-8") == f"Before.\n{BEGIN}{table}{END}\nAfter.\n"
