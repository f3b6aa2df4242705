"""Properties of relationships: the further columns of facts, with the types of their values."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest

from kgdb.loading import prepare, read_spec

pytestmark = pytest.mark.unit

LOADER = """
name = "own"
label = "Own"

[source]
format = "csv"
columns = ["head"]

[tables]
triples = '''{triples}'''
{more}
"""


def facts(
    folder: Path, rows: str, triples: str = "FROM source", more: str = ""
) -> list[tuple[Any, ...]]:
    """The facts of a loader over a CSV file, each with its properties."""
    (folder / "own.toml").write_text(LOADER.format(triples=triples, more=more), encoding="utf-8")
    source = folder / "facts.csv"
    source.write_text(rows, encoding="utf-8")
    with prepare(read_spec(str(folder / "own.toml")), source) as prepared:
        return [
            (row["head"], row["relation"], row["tail"], row.get("properties"))
            for batch in prepared.triples(10)
            for row in batch
        ]


def properties(folder: Path, column: str, *values: str) -> list[Any]:
    """What a column becomes, by the order of its rows."""
    lines = "".join(f"a{place},r,b,{value}\n" for place, value in enumerate(values))
    found = facts(folder, f"head,relation,tail,{column}\n{lines}")
    return [(held or {}).get(column) for *_, held in sorted(found, key=lambda fact: fact[0])]


@pytest.mark.parametrize(
    ("values", "typed"),
    [
        (("1", "-2", "0"), [1, -2, 0]),
        (("1", "2.5", "1e3"), [1.0, 2.5, 1000.0]),
        (("0171", "12"), ["0171", "12"]),
        (("12345678901234567890", "1"), [12345678901234567890.0, 1.0]),
        (("1999-03-31", "2004-02-29"), [datetime.date(1999, 3, 31), datetime.date(2004, 2, 29)]),
        (("1999-03-31", "1999"), ["1999-03-31", "1999"]),
        (("2004-02-30", "2004-02-29"), ["2004-02-30", "2004-02-29"]),
        (("true", "False"), [True, False]),
        (("2020-01-02T10:00:00", ""), [datetime.datetime(2020, 1, 2, 10), None]),
        (("x", "NULL", r"\N", "N/A", "", " "), ["x", None, None, None, None, None]),
        (("1", "NULL", "NaN"), [1, None, None]),
    ],
)
def test_a_column_has_the_type_of_all_its_values(
    tmp_path: Path, values: tuple[str, ...], typed: list[Any]
) -> None:
    found = properties(tmp_path, "since", *values)
    assert found == typed
    assert [type(each) for each in found] == [type(each) for each in typed]


def test_facts_that_differ_in_a_property_are_different(tmp_path: Path) -> None:
    rows = "head,relation,tail,since\na,r,b,1999\na,r,b,2001\na,r,b,1999\na,r,b,\n"
    assert sorted(map(repr, facts(tmp_path, rows))) == [
        "('a', 'r', 'b', {'since': 1999})",
        "('a', 'r', 'b', {'since': 2001})",
        "('a', 'r', 'b', {})",
    ]


def test_a_column_without_values_is_no_property(tmp_path: Path) -> None:
    rows = "head,relation,tail,since,role\na,r,b,,x\n"
    assert facts(tmp_path, rows) == [("a", "r", "b", {"role": "x"})]
    assert facts(tmp_path, "head,relation,tail,since\na,r,b,\n") == [("a", "r", "b", None)]


def test_a_name_that_an_import_cannot_hold_is_changed(tmp_path: Path) -> None:
    rows = 'head,relation,tail,"a:b","a,b"," x  y "\na,r,b,1,2,3\n'
    assert facts(tmp_path, rows) == [("a", "r", "b", {"a_b": 1, "a_b_": 2, "x_y": 3})]


def test_the_keys_of_objects_are_properties(tmp_path: Path) -> None:
    rows = (
        "head,relation,tail,more\n"
        'a,r,b,"{""since"": 1999, ""roles"": [""x"", ""y""], ""deep"": {""k"": 1}}"\n'
        'a,r,c,"{""since"": 2001, ""roles"": ""z"", ""none"": null}"\n'
        "b,r,c,\n"
    )
    triples = "SELECT head, relation, tail, more::JSON AS more FROM source"
    assert sorted(facts(tmp_path, rows, triples), key=lambda fact: fact[2] + fact[0]) == [
        ("a", "r", "b", {"deep": '{"k":1}', "roles": ["x", "y"], "since": 1999}),
        ("a", "r", "c", {"roles": ["z"], "since": 2001}),
        ("b", "r", "c", {}),
    ]


def test_every_sign_may_stand_in_a_key(tmp_path: Path) -> None:
    more = '{"a/b": 1, "c~d": [2], "e.f": "x", "it\'s": true, "g$*h": 0.5}'
    rows = f"""head,relation,tail,more\na,r,b,"{more.replace('"', '""')}"\n"""
    ((*_, held),) = facts(tmp_path, rows, "SELECT * REPLACE (more::JSON AS more) FROM source")
    assert held == {"a/b": 1, "c~d": ["2"], "e.f": "x", "it's": True, "g$*h": 0.5}


def test_a_quotation_mark_in_a_key_is_no_end_of_it(tmp_path: Path) -> None:
    more = json.dumps({'say "x"': 1})
    rows = f"""head,relation,tail,more\na,r,b,"{more.replace('"', '""')}"\n"""
    ((*_, held),) = facts(tmp_path, rows, "SELECT * REPLACE (more::JSON AS more) FROM source")
    assert held == {"say_x_": 1}


def test_a_declared_text_is_no_date(tmp_path: Path) -> None:
    more = json.dumps({"on": "2020-01-01", "code": {"@value": "2020-01-01"}})
    rows = f"""head,relation,tail,more\na,r,b,"{more.replace('"', '""')}"\n"""
    ((*_, held),) = facts(tmp_path, rows, "SELECT * REPLACE (more::JSON AS more) FROM source")
    assert held == {"on": datetime.date(2020, 1, 1), "code": "2020-01-01"}


def test_values_of_entities_have_properties_too(tmp_path: Path) -> None:
    """A value is one node, however often it is stated."""
    rows = "head,relation,tail,year\nporto,size,231962,2011\nporto,size,231962,2021\n"
    literals = """
literals = '''SELECT head, relation, tail AS value, NULL AS datatype, NULL AS language, year
FROM source'''
"""
    found = facts(tmp_path, rows, "SELECT head, relation, tail FROM source WHERE false", literals)
    assert sorted(held["year"] for *_, held in found) == [2011, 2021]
    assert len({tail for _, _, tail, _ in found}) == 1
