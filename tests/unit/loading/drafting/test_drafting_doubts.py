"""First loader files of what can be read in several ways: the likely one, said to be UNSURE."""

from __future__ import annotations

from pathlib import Path

import pytest
from drafts import drafted

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "content",
    [
        "1,knows,2\n2,knows,3\n3,likes,1\n",
        "head,relation,tail\n1,knows,2\n2,knows,3\n3,likes,1\n",
        "head,relation,tail\n1,knows,2\n2,knows,3\n3,likes,1\nAda,knows,1\nBen,knows,2\n",
    ],
)
def test_numbers_by_which_entities_go_are_no_values(tmp_path: Path, content: str) -> None:
    found = drafted(tmp_path, "kb.csv", content)
    assert found.facts >= {("1", "knows", "2"), ("2", "knows", "3"), ("3", "likes", "1")}
    assert found.counts.literals == 0
    assert "UNSURE: tail contains numbers" in found.text


def test_the_relation_may_be_a_number_too(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    middle = "".join(f"{i}\t{i % 2}\t{i + 1}\n" for i in range(9))
    last = "".join(f"{i}\t{i + 1}\t{i % 2}\n" for i in range(9))
    for found in (
        drafted(tmp_path, "middle.tsv", middle),
        drafted(tmp_path / "1", "last.tsv", last),
    ):
        assert ("3", "1", "4") in found.facts
        assert (found.counts.literals, found.unsure) == (0, 2)


PANDAS = ",head,relation,tail\n0,Porto,in,Portugal\n1,Braga,in,Portugal\n2,Porto,on,Douro\n"


@pytest.mark.parametrize("quote", ["", '"'])
def test_row_numbers_have_no_name_in_the_header(tmp_path: Path, quote: str) -> None:
    content = PANDAS.replace("Porto", f"{quote}Porto{quote}")
    found = drafted(tmp_path, "kb.csv", content)
    assert found.facts == {
        ("Porto", "in", "Portugal"),
        ("Braga", "in", "Portugal"),
        ("Porto", "on", "Douro"),
    }
    assert (found.counts.other, found.counts.skipped) == (0, 0)
    assert "Left out: column1, which only numbers the rows." in found.text


def test_two_columns_may_have_one_name(tmp_path: Path) -> None:
    found = drafted(tmp_path, "kb.csv", "id,Name,name,town\n1,a,b,Porto\n2,c,d,Porto\n")
    assert found.names["1"] == "a"
    assert found.facts >= {("1", "column3", "b"), ("2", "town", "Porto")}
    assert "UNSURE: the first line is read as the header" in found.text
    assert "Columns that got a name here: column3." in found.text


def test_years_may_name_columns(tmp_path: Path) -> None:
    found = drafted(tmp_path, "gdp.csv", "country,2001,2002\nPortugal,121.6,\nSpain,627.8,708.8\n")
    assert found.facts == {
        ("Portugal", "2001", "121.6"),
        ("Spain", "2001", "627.8"),
        ("Spain", "2002", "708.8"),
    }
    assert "UNSURE: the first line is read as the header" in found.text


def test_years_of_data_name_no_columns(tmp_path: Path) -> None:
    found = drafted(tmp_path, "lives.csv", "Ann,1901,1990\nBen,1850,1902\nEve,1950,\n")
    assert {head for head, _, _ in found.facts} == {"Ann", "Ben", "Eve"}


def test_a_first_row_of_data_may_say_the_same_twice_or_nothing(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    loop = drafted(tmp_path, "loop.csv", "a,knows,a\nb,knows,c\nb,knows,a\n")
    assert ("a", "knows", "a") in loop.facts
    blank = drafted(tmp_path / "1", "blank.csv", "A,Oporto,,x\nB,,Braga,y\nC,Lisboa,Lx,z\n")
    assert ("A", "column2", "Oporto") in blank.facts
    assert "UNSURE: the first line is read as data" in blank.text


def test_a_row_of_four_fields_is_no_triple_without_doubt(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    cities = "Porto\tPortugal\tDouro\t231800\nBraga\tPortugal\tCávado\t140796\n"
    found = drafted(tmp_path, "cities.tsv", cities + "Zamora\tSpain\tDouro\t59475\n")
    assert ("Porto", "Portugal", "Douro") not in found.facts
    assert ("Porto", "column2", "Portugal") in found.facts
    assert "UNSURE: column 1 has no value twice" in found.text
    weighted = "".join(f"a{i % 3}\tlikes\tb{i}\t0.{i}\n" for i in range(9))
    found = drafted(tmp_path / "1", "weighted.tsv", weighted)
    assert ("a1", "likes", "b4") in found.facts
    assert "UNSURE: columns 1, 2 and 3 are read" in found.text
