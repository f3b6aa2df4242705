"""Drafts for cells as programs write them: missing values, quotes, 2.0 for 2, lists, codes."""

from __future__ import annotations

from pathlib import Path

import pytest
from drafts import drafted

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("mark", ["NULL", r"\N", "NaN", "N/A", "None", "#N/A"])
def test_marks_for_missing_values_are_no_values(tmp_path: Path, mark: str) -> None:
    rows = f"id,name,city,score\n1,Ann,Oslo,{mark}\n2,Bo,{mark},3.5\n3,Cy,Oslo,2.0\n"
    found = drafted(tmp_path, "people.csv", rows)
    assert found.facts == {
        ("1", "city", "Oslo"),
        ("2", "score", "3.5"),
        ("3", "city", "Oslo"),
        ("3", "score", "2.0"),
    }
    assert f"UNSURE: {mark} are read as missing values." in found.text


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("source,target,type", "1,2.0,KNOWS\n2,,KNOWS\n3,1.0,LIKES\n"),
        ("head,tail,relation", "1.0,2,KNOWS\n2.0,3,KNOWS\n3.0,1,LIKES\n"),
    ],
)
def test_whole_numbers_that_once_stood_beside_missing_ones(
    tmp_path: Path, header: str, rows: str
) -> None:
    found = drafted(tmp_path, "edges.csv", f"{header}\n{rows}")
    assert {("1", "KNOWS", "2"), ("3", "LIKES", "1")} <= found.facts
    assert not any("." in id for id in found.names)


def test_single_quotation_marks_around_fields(tmp_path: Path) -> None:
    rows = "id\tname\tkind\n'go:1'\t'3',5'-something'\t'Term'\n'efo:2'\t'O''Hara''s'\t'Term'\n"
    found = drafted(tmp_path, "terms.tsv", rows)
    assert found.names["go:1"] == "3',5'-something"
    assert found.names["efo:2"] == "O'Hara's"
    assert ("go:1", "kind", "Term") in found.facts


@pytest.mark.parametrize("column", ["cca3", "code"])
def test_codes_in_lists_are_those_of_other_rows(tmp_path: Path, column: str) -> None:
    """Whether they are ids, or beside the names that are the ids here."""
    rows = f'name,{column},borders\nNorrland,NOR,"SUN,OST"\nSundia,SUN,NOR\nOstia,OST,NOR\n'
    found = drafted(tmp_path, "countries.csv", rows)
    borders = {
        (found.names[head], found.names[tail])
        for head, relation, tail in found.facts
        if relation == "borders"
    }
    assert borders == {
        ("Norrland", "Sundia"),
        ("Norrland", "Ostia"),
        ("Sundia", "Norrland"),
        ("Ostia", "Norrland"),
    }
    assert set(found.names.values()) == {"Norrland", "Sundia", "Ostia"}


def test_lists_with_commas_whose_items_come_again(tmp_path: Path) -> None:
    rows = 'name,languages\nNorrland,"Norrish, Latin"\nSundia,Sundish\nOstia,"Ostian, Latin"\n'
    found = drafted(tmp_path, "countries.csv", rows)
    assert ("Norrland", "languages", "Latin") in found.facts
    assert ("Ostia", "languages", "Ostian") in found.facts
    assert "UNSURE: languages seems to have several values per cell" in found.text


def test_a_comma_within_names_is_no_list(tmp_path: Path) -> None:
    rows = 'name,author\nRain,"Weir, Ada"\nSnow,"Weir, Ada"\nSea,"Holt, Jon"\n'
    found = drafted(tmp_path, "books.csv", rows)
    assert ("Sea", "author", "Holt, Jon") in found.facts


def test_the_relation_is_the_column_that_names_no_end(tmp_path: Path) -> None:
    rows = "Ann,Bo,mother,x\nBo,Ann,son,x\nCy,Ann,son,y\nAnn,Cy,mother,x\n"
    found = drafted(tmp_path, "kin.txt", rows)
    assert ("Ann", "mother", "Bo") in found.facts
    assert ("Cy", "son", "Ann") in found.facts


@pytest.mark.parametrize(
    ("rows", "name"),
    [
        ("Ann\tvisits\tOslo\t2014-05-13\nBo\tvisits\tRome\t2015-01-01\n" * 3, "date"),
        ("Ann\tin\tOslo\t2014-05-13\t2015-01-01\nBo\tin\tOslo\t2015-01-01\t2016-02-02\n", "until"),
    ],
)
def test_dates_behind_a_triple_are_properties_of_it(tmp_path: Path, rows: str, name: str) -> None:
    more = "Ann\tin\tRome\t2011-01-01\t2012-01-01\n" if name == "until" else ""
    found = drafted(tmp_path, "events.txt", rows + more)
    assert f'"{name}"' in found.text
    assert "Properties of the relationship:" in found.text


@pytest.mark.parametrize("direction", ["Undirected", "undirected"])
def test_edges_without_a_direction_are_stated_both_ways(tmp_path: Path, direction: str) -> None:
    rows = f"Source,Target,Type,weight\nArya,Jon,{direction},71\nBran,Arya,{direction},40\n"
    found = drafted(tmp_path, "edges.csv", rows)
    assert {fact[::2] for fact in found.facts} == {
        ("Arya", "Jon"), ("Jon", "Arya"), ("Bran", "Arya"), ("Arya", "Bran"),
    }  # fmt: skip
    assert found.counts.mirrored == 2


def test_ids_by_the_header_of_an_import(tmp_path: Path) -> None:
    rows = ":START_ID(Person),role,:END_ID(Movie),:TYPE\np1,Neo,1,ACTED_IN\np2,Trinity,1,ACTED_IN\n"
    found = drafted(tmp_path, "roles.csv", rows)
    assert found.facts == {("p1", "ACTED_IN", "1"), ("p2", "ACTED_IN", "1")}
    assert found.counts.literals == 0
