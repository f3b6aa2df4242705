"""Drafts for folders of tables: keys, references, tables that only join others."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kgdb.cli.main import cli
from kgdb.errors import UsageError
from kgdb.loading import prepare, read_spec, write_draft

pytestmark = pytest.mark.unit

SHOP = {
    "customers.csv": "customerID,companyName,city\nALFKI,Alfreds,Berlin\nBONAP,Bon app,NULL\n",
    "employees.csv": "employeeID,lastName,firstName,reportsTo\n1,Fuller,Andrew,NULL\n"
    "2,Davolio,Nancy,1\n3,King,Robert,1\n",
    "order-lines.csv": "orderID,productID,quantity,discount\n10,1,5,0\n10,2,12,0.15\n11,2,1,0\n",
    "orders.csv": "orderID,customerID,employeeID,orderDate,shipVia\n"
    "10,ALFKI,2,1996-07-04,1\n11,BONAP,3,1996-07-05,2\n",
    "products.csv": "productID,productName,unitPrice\n1,Chai,18.0\n2,Chang,19.5\n",
    "shippers.csv": "shipperID,companyName\n1,Speedy\n2,United\n",
    "employee-territories.csv": "employeeID,territoryID\n1,01581\n2,01730\n",
    "territories.csv": "territoryID,territoryDescription\n01581,Westboro\n01730,Bedford\n",
}


class Shop:
    """What the draft of a folder makes of it, by the names of rows."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        source = folder / "tables"
        source.mkdir()
        for name, content in files.items():
            (source / name).write_text(content, encoding="utf-8")
        path = write_draft(str(folder / "mine"), source)
        self.text = path.read_text(encoding="utf-8")
        with prepare(read_spec(str(path)), source, max_errors=0) as prepared:
            entities = [row for batch in prepared.entities(100) for row in batch]
            literals = [row for batch in prepared.literals(100) for row in batch]
            triples = [row for batch in prepared.triples(100) for row in batch]
            self.counts = prepared.counts
        names = {row["id"]: row["name"] for row in entities}
        values = {row["id"]: row["value"] for row in literals}
        kinds = {row["id"]: (row["datatype"] or "").rpartition("#")[2] for row in literals}
        self.types = {
            (names[row["head"]], row["relation"]): kinds[row["tail"]]
            for row in triples
            if row["tail"] in kinds
        }
        self.labels = {row["name"]: row["labels"] for row in entities}
        self.facts: dict[tuple[str, str, str], dict[str, Any]] = {
            (
                names[row["head"]],
                row["relation"],
                names.get(row["tail"]) or values[row["tail"]],
            ): row.get("properties", {})
            for row in triples
        }


def test_rows_are_entities_and_keys_lead_to_others(tmp_path: Path) -> None:
    shop = Shop(tmp_path, SHOP)
    assert {fact[1:] for fact in shop.facts if fact[0] == "Order 10"} == {
        ("customer", "Alfreds"),
        ("employee", "Nancy Davolio"),
        ("shipVia", "Speedy"),
        ("orderDate", "1996-07-04"),
        ("order line", "Chai"),
        ("order line", "Chang"),
    }
    assert ("Nancy Davolio", "reportsTo", "Andrew Fuller") in shop.facts
    assert ("Chang", "unitPrice", "19.5") in shop.facts
    assert shop.labels["Chai"] == ["Product"]
    # Rows of several tables have the number 1, and are different entities nevertheless.
    assert shop.labels["Speedy"] == ["Shipper"]
    assert not any(fact[2] == "NULL" for fact in shop.facts)


def test_rows_that_join_two_tables_are_relationships_with_properties(tmp_path: Path) -> None:
    shop = Shop(tmp_path, SHOP)
    assert shop.facts["Order 10", "order line", "Chang"] == {"quantity": 12, "discount": 0.15}
    assert ("Nancy Davolio", "employee territory", "Bedford") in shop.facts
    assert shop.counts.entities == 2 + 3 + 2 + 2 + 2 + 2  # neither table of joins has any


def test_edges_and_nodes_of_any_name(tmp_path: Path) -> None:
    files = {
        "got-edges.csv": "Source,Target,Type,weight\nA,B,knows,3\nB,A,fears,1\n",
        "got-nodes.csv": "Id,Label,house\nA,Ann,Stark\nB,Bob,\n",
    }
    found = Shop(tmp_path, files)
    assert found.facts == {
        ("Ann", "knows", "Bob"): {"weight": 3},
        ("Bob", "fears", "Ann"): {"weight": 1},
        ("Ann", "house", "Stark"): {},
    }
    assert found.labels == {"Ann": [], "Bob": []}


def test_tables_of_other_formats(tmp_path: Path) -> None:
    files = {
        "authors.tsv": "author_id\tname\n7\tAda\n8\tBo\n",
        "books.jsonl": '{"id": "x1", "title": "Rain", "author_id": 7}\n'
        '{"id": "x2", "title": "Snow", "author_id": 8}\n',
    }
    found = Shop(tmp_path, files)
    assert set(found.facts) == {("Rain", "author", "Ada"), ("Snow", "author", "Bo")}


def test_a_table_with_the_key_of_another_is_kept(tmp_path: Path) -> None:
    """One row for each row of another table; it joins nothing."""
    files = {
        "users.csv": "id,name,city_id\n1,Ann,7\n2,Bo,8\n",
        "cities.csv": "id,name\n7,Oslo\n8,Rome\n",
        "profiles.csv": "user_id,motto\n1,so it is\n2,not so\n",
    }
    found = Shop(tmp_path, files)
    assert ("Profile 1", "motto", "so it is") in found.facts
    assert ("Ann", "city", "Oslo") in found.facts


def test_names_in_any_script_and_an_empty_file(tmp_path: Path) -> None:
    files = {
        "人.csv": "id,名字,it's \"x\"\n1,雨,a'b\n2,O'Neill,c\n",
        "书.csv": "id,title\n7,'t\n8,u\n",
        "读.csv": "人_id,书_id,自 何时\n1,7,1999-01-02\n2,7,2001-02-03\n",
        "empty.csv": "",
    }
    found = Shop(tmp_path, files)
    reads = {fact[1:] for fact in found.facts if fact[1] == "读"}
    assert reads == {("读", "'t")}
    assert sum("自_何时" in held for held in found.facts.values()) == 2
    assert "Left out, because they are empty: empty.csv." in found.text


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({}, "has no table"),
        ({"notes.md": "# nothing"}, "has no table"),
        (
            {"a.csv": "id,name\n1,Ann\n2,Bo\n", "b.csv": "id,colour\nx,red\ny,blue\n"},
            "No table of the folder refers to another one",
        ),
    ],
)
def test_folders_without_a_graph_are_refused(
    tmp_path: Path, files: Mapping[str, str], problem: str
) -> None:
    with pytest.raises(UsageError, match=problem) as failure:
        Shop(tmp_path, files)
    assert failure.value.hint


WAREHOUSE = {
    "hall.csv": "site,hall_no,opened,keeper_no\nN,1,2001-02-03 08:00:00,7\nN,2,NULL,8\n"
    "S,1,2004-05-06 09:30:00,7\n",
    "keeper.csv": "keeper_no,keep_name,born,trained_by\n7,Ida Ross,1970,NULL\n8,Jon Bly,NULL,7\n",
    "part.csv": "sku,description\nb1,Bolt\nn1,Nut\n",
    "stock.csv": "site,hall_no,row_no,sku,amount\nN,1,1,b1,5\nN,1,2,n1,9\nN,2,1,b1,4\nS,1,1,n1,2\n",
}


def test_several_columns_are_a_key_together(tmp_path: Path) -> None:
    found = Shop(tmp_path, WAREHOUSE)
    assert {fact[1:] for fact in found.facts if fact[0] == "Hall N 1"} == {
        ("keeper", "Ida Ross"),
        ("opened", "2001-02-03T08:00:00"),
        ("site", "N"),
        ("hall_no", "1"),
        ("stock", "Bolt"),
        ("stock", "Nut"),
    }
    assert found.facts["Hall N 2", "stock", "Bolt"] == {"row_no": 1, "amount": 4}
    assert "UNSURE: hall.csv: each row is of the kind Hall; the key is site, hall_no" in found.text


def test_a_table_by_dates_is_kept(tmp_path: Path) -> None:
    """One reference and no single key: the reference and the date together are the key."""
    files = {
        "gauges.csv": "gauge_id,name\n1,Weir\n2,Lock\n",
        "levels.csv": "gauge_id,day,level\n1,2001-01-01,2.5\n1,2001-01-02,2.5\n2,2001-01-01,3.5\n",
    }
    found = Shop(tmp_path, files)
    assert ("Level 1 2001-01-02", "gauge", "Weir") in found.facts
    assert ("Level 2 2001-01-01", "level", "3.5") in found.facts
    assert ("Level 2 2001-01-01", "day", "2001-01-01") in found.facts


def test_names_under_a_short_form_of_the_table(tmp_path: Path) -> None:
    found = Shop(tmp_path, WAREHOUSE)
    assert found.labels["Ida Ross"] == ["Keeper"]
    assert found.labels["Bolt"] == ["Part"]


def test_who_did_something_to_rows_of_the_same_table(tmp_path: Path) -> None:
    assert ("Jon Bly", "trained_by", "Ida Ross") in Shop(tmp_path, WAREHOUSE).facts


def test_marks_for_missing_values_change_no_type(tmp_path: Path) -> None:
    found = Shop(tmp_path, WAREHOUSE)
    assert found.types["Ida Ross", "born"] == "integer"
    assert found.types["Hall S 1", "opened"] == "dateTime"


def test_a_key_that_names_what_it_is_of_is_no_name_of_a_relation(tmp_path: Path) -> None:
    files = {
        "books.csv": "isbn,title\n1-2,Rain\n3-4,Snow\n",
        "copies.csv": "copy_id,isbn\n1,1-2\n2,1-2\n3,3-4\n",
    }
    assert ("Copy 3", "book", "Snow") in Shop(tmp_path, files).facts


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("1.234,50", "7,5", "12"), {"1234.50", "7.5", "12"}),
        (("3,141", "2,718", "5,000"), {"3,141", "2,718", "5,000"}),  # perhaps thousands
        (("1,2", "3,4", "x"), {"1,2", "3,4", "x"}),
    ],
)
def test_commas_before_decimals(tmp_path: Path, cells: tuple[str, ...], values: set[str]) -> None:
    rows = "".join(f"{number};r{number};{cell}\n" for number, cell in enumerate(cells))
    files = {
        "prices.csv": f"price_id;rate_id;amount\n{rows}",
        "rates.csv": "rate_id,name\nr0,A\nr1,B\nr2,C\n",
    }
    found = Shop(tmp_path, files)
    assert {fact[2] for fact in found.facts if fact[1] == "amount"} == values
    assert ("decimal point" in found.text) == ("7.5" in values)


def test_tables_in_an_archive(tmp_path: Path) -> None:
    archive = tmp_path / "stores.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for name, content in WAREHOUSE.items():
            packed.writestr(f"stores/{name}", content)
        packed.writestr("stores/README.txt", "Tables of our stores.\nMade by hand.\n")
    path = write_draft(str(tmp_path / "mine"), archive)
    assert "Left out, because it is no table: README.txt." in path.read_text()
    with prepare(read_spec(str(path)), archive, max_errors=0) as prepared:
        assert prepared.counts.entities == 3 + 2 + 2
        assert not any("Not taken" in note for note in prepared.notes)


TITLED = {
    "entities.csv": "id,no,title,type,remark\na1,0,MIRA HOLT,PERSON,Builds buoys\n"
    "a2,1,NORDLYS LABS,COMPANY,Sells buoys\na3,2,BERGEN,PLACE,Has rain\n",
    "relationships.csv": "id,no,source,target,description,weight\n"
    "r1,0,MIRA HOLT,NORDLYS LABS,founded it in 2011,9\nr2,1,NORDLYS LABS,BERGEN,has its seat,6\n",
}


def test_edges_may_refer_to_names(tmp_path: Path) -> None:
    shop = Shop(tmp_path, TITLED)
    joins = {fact: further for fact, further in shop.facts.items() if fact[1] == "relationship"}
    assert set(joins) == {
        ("MIRA HOLT", "relationship", "NORDLYS LABS"),
        ("NORDLYS LABS", "relationship", "BERGEN"),
    }
    founded = joins["MIRA HOLT", "relationship", "NORDLYS LABS"]
    assert founded["description"] == "founded it in 2011"
    assert ("BERGEN", "type", "PLACE") in shop.facts
    assert not any(relation == "id" for _, relation, _ in shop.facts)


def test_edges_that_refer_to_keys_leave_names_alone(tmp_path: Path) -> None:
    files = {
        "people.csv": "id,name,age\n1,Ada Weir,61\n2,Bo Lind,44\n",
        "knows.csv": "source,target\n1,2\n2,1\n",
    }
    shop = Shop(tmp_path, files)
    assert ("Ada Weir", "know", "Bo Lind") in shop.facts or (
        "Ada Weir",
        "knows",
        "Bo Lind",
    ) in shop.facts


def test_the_folder_one_is_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, content in TITLED.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["load", "mine", "--init", "."], standalone_mode=False)
    assert done.exception is None
    assert "kgdb load ./mine.toml . --dry-run" in done.output
    assert f"the folder {tmp_path.name}." in Path("mine.toml").read_text(encoding="utf-8")


OPENKE = {
    "entity2id.txt": "3\nSan Marino\t0\nItaly\t1\n1984\t2\n",
    "relation2id.txt": "1\nborders on\t0\n",
    "train2id.txt": "2\n0 1 0\n1\t0\t0\n",
}


@pytest.mark.parametrize("given", [".", "train2id.txt", "entity2id.txt"])
def test_a_folder_of_openke_has_a_loader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    for name, content in OPENKE.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="OpenKE's format") as refused:
        write_draft("mine", Path(given))
    assert (refused.value.hint or "").startswith("kgdb load openke . --as ")
    with prepare(read_spec("openke"), Path(), max_errors=0) as prepared:
        facts = {
            (row["head"], row["relation"], row["tail"])
            for batch in prepared.triples(100)
            for row in batch
        }
    assert facts == {
        ("San Marino", "borders on", "Italy"),
        ("Italy", "borders on", "San Marino"),
    }
