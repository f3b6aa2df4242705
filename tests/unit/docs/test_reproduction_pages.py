"""The pages of reproduced tables show the scores that were kept with them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from kgdb.lab.reproduction.spec import reproductions

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

import reproduction_pages

pytestmark = pytest.mark.unit

KNOWN = reproductions()
FOLDER = reproduction_pages.RUN
RUN = [name for name in KNOWN if (FOLDER / f"{name}.json").is_file()]
PAGES = reproduction_pages.pages()


@pytest.mark.parametrize("name", RUN)
def test_a_page_has_every_score_and_its_picture(name: str) -> None:
    page = PAGES[f"{name}.md"]
    told = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    columns = {column.title: column for column in KNOWN[name].columns}
    scores = 0
    for row in told["rows"]:
        assert row["row"] in page
        for title, score in row["scores"].items():
            column = columns[title]
            value, low, high = (
                f"{score[each] * column.scale:.{column.decimals}f}"
                for each in ("value", "low", "high")
            )
            assert f" {value} ({low} to {high})" in page.replace("\\*", "")
            scores += 1
    assert (f"]({name}.svg)" in page) == (scores > 0)
    assert (FOLDER / f"{name}.svg").is_file() == (scores > 0)


def test_the_index_names_every_table_and_whether_it_was_run() -> None:
    index = PAGES["index.md"]
    linked = [name for name in KNOWN if f"]({name}.md)" in index]
    assert linked == RUN
    assert len(RUN) >= len(KNOWN) - 1
    assert [name for name in KNOWN if f"`{name}`" not in index] == []
    assert set(PAGES) == {"index.md", *(f"{name}.md" for name in RUN)}
