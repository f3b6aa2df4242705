"""Objects and lists inside JSON lines: each value is taken under its path, none as JSON text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kgdb.errors import LoadError
from kgdb.loading import prepare, read_spec
from kgdb.loading.preparing import nested_values

pytestmark = pytest.mark.unit


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def facts(source: Path) -> tuple[list[tuple[str, str, str, dict[str, Any]]], list[str]]:
    """The triples with their properties, and what was skipped."""
    with prepare(read_spec("jsonl"), source) as prepared:
        rows = [row for batch in prepared.triples(100) for row in batch]
        skipped = [f"{each.problem}: {each.text}" for each in prepared.incomplete]
        return (
            sorted(
                (row["head"], row["relation"], row["tail"], row.get("properties", {}))
                for row in rows
            ),
            skipped,
        )


@pytest.mark.parametrize(
    ("value", "properties"),
    [
        ({"city": "Porto"}, {"where.city": "Porto"}),
        ({"geo": {"lat": 41.1, "ok": True}}, {"where.geo.lat": 41.1, "where.geo.ok": True}),
        ({"city": None, "n": 3}, {"where.n": 3}),
        (["x", "y"], {"where": ["x", "y"]}),
        ([["x"], ["y", "z"]], {"where": ["x", "y", "z"]}),
        ([{"at": "x"}, {"at": "y", "n": 1}], {"where.at": ["x", "y"], "where.n": 1}),
        ({"names": ["x", "y"]}, {"where.names": ["x", "y"]}),
        ("[sic] (1999", {"where": "[sic] (1999"}),
        ("{x}", {"where": "{x}"}),
        ([], {}),
        ({}, {}),
    ],
)
def test_a_property_inside_has_its_path(
    value: Any, properties: dict[str, Any], tmp_path: Path
) -> None:
    edge = {"head": "a", "relation": "knows", "tail": "b", "where": value}
    (row,), skipped = facts(write(tmp_path / "edges.jsonl", edge))
    assert (row, skipped) == (("a", "knows", "b", properties), [])


def test_a_property_may_be_nested_in_some_rows_only(tmp_path: Path) -> None:
    edge = {"head": "a", "relation": "knows"}
    source = write(
        tmp_path / "edges.jsonl",
        {**edge, "tail": "b", "where": "Porto"},
        {**edge, "tail": "c", "where": {"city": "Braga"}},
        {**edge, "tail": "d"},
    )
    rows, _ = facts(source)
    assert [row[3] for row in rows] == [{"where": "Porto"}, {"where.city": "Braga"}, {}]


def test_a_list_of_tails_is_a_fact_each(tmp_path: Path) -> None:
    edge = {"head": "a", "relation": "knows", "tail": ["b", "c"], "since": 1999}
    rows, skipped = facts(write(tmp_path / "edges.jsonl", edge))
    assert rows == [("a", "knows", "b", {"since": 1999}), ("a", "knows", "c", {"since": 1999})]
    assert skipped == []


@pytest.mark.parametrize(
    "nested",
    [
        {"head": {"id": "a"}},
        {"head": ["a", "b"]},
        {"tail": {"id": "b"}},
        {"tail": [["b"]]},
        {"relation": ["knows", "likes"]},
    ],
)
def test_another_nested_end_is_skipped_and_told(nested: dict[str, Any], tmp_path: Path) -> None:
    edge = {"head": "a", "relation": "knows", "tail": "b"}
    rows, (skipped,) = facts(write(tmp_path / "edges.jsonl", edge, {**edge, **nested}))
    assert rows == [("a", "knows", "b", {})]
    assert skipped.startswith("an object or a list instead of an id: ")


@pytest.mark.parametrize(
    ("value", "values"),
    [
        ([[1, 2], [3]], {("size", "1"), ("size", "2"), ("size", "3")}),
        (["x", ["y", "z"]], {("size", "x"), ("size", "y"), ("size", "z")}),
        ([{"n": {"m": 1}}], {("size.n.m", "1")}),
        ({"n": [{"m": 1}, {"m": 2}]}, {("size.n.m", "1"), ("size.n.m", "2")}),
    ],
)
def test_a_value_inside_a_node_has_its_path(
    value: Any, values: set[tuple[str, str]], tmp_path: Path
) -> None:
    write(tmp_path / "edges.jsonl", {"head": "a", "relation": "knows", "tail": "b"})
    write(tmp_path / "nodes.jsonl", {"id": "a", "size": value})
    with prepare(read_spec("jsonl"), tmp_path) as prepared:
        literals = {row["id"]: row["value"] for b in prepared.literals(100) for row in b}
        found = {
            (row["relation"], literals[row["tail"]])
            for batch in prepared.triples(100)
            for row in batch
            if row["tail"] in literals
        }
    assert found == values


def test_keys_that_are_data_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nested_values, "MAX_KEYS", 3)
    edge = {"head": "a", "relation": "r", "tail": "b", "by": {f"k{i}": i for i in range(4)}}
    with pytest.raises(LoadError, match="The objects in 'by' have more than 3 different keys"):
        facts(write(tmp_path / "edges.jsonl", edge))


def test_json_in_a_csv_is_a_text(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text('head,relation,tail,note\na,knows,"[""b""]","{""x"": 1}"\n')
    with prepare(read_spec("csv"), path) as prepared:
        (row,) = (row for batch in prepared.triples(100) for row in batch)
    assert (row["tail"], row["properties"]) == ('["b"]', {"note": '{"x": 1}'})
