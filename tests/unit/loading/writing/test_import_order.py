"""The files that are written for the importer: in which order, and which hold line breaks."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from three_fields import SPEC

from kgdb.loading import prepare
from kgdb.loading.writing.import_files import write_files
from kgdb.progress import silent

pytestmark = pytest.mark.unit

HUB = [
    f"hub|{relation}|of {relation} {i}" for relation, n in (("a", 40), ("b", 30)) for i in range(n)
]
INTO = [f"from {i}|c|sink" for i in range(60)]
LITERALS = "SELECT head, 'r' AS relation, 'v' AS value"
SPARSE = [f"x{i}|{relation}|y{i}" for i in range(20) for relation in "abcd"]


def written(source: Path, lines: list[str]) -> list[tuple[str, str, str]]:
    source.write_text("".join(f"{line}\n" for line in lines))
    with prepare(SPEC, source) as prepared:
        files = write_files(prepared, ranked=False, report=silent)
        (((_, triples),), ((_, entities), *_)) = files.relationships, files.nodes
        names = {row[0]: row[1] for row in csv.reader(entities.open())}
        return [(names[head], kind, names[tail]) for head, tail, kind in csv.reader(triples.open())]


def test_one_of_each_type_of_a_dense_node_comes_first_then_all_by_type(source: Path) -> None:
    rows = written(source, [*SPARSE, *INTO, *HUB])
    ahead, rest = rows[:3], rows[3:]
    assert [kind for head, kind, _ in ahead if head == "hub"] == ["a", "b"]
    assert [kind for _, kind, tail in ahead if tail == "sink"] == ["c"]
    # 80 of c, 60 of a, 50 of b, 20 of d, of which three came first.
    kinds = [kind for _, kind, _ in rest]
    assert kinds == ["c"] * 79 + ["a"] * 59 + ["b"] * 49 + ["d"] * 20


def test_every_triple_is_written_once(source: Path) -> None:
    lines = [*SPARSE, *HUB, "hub|a|hub", *INTO]
    rows = written(source, lines)
    assert sorted("|".join(row) for row in rows) == sorted(lines)


def test_without_a_dense_node_all_are_by_type(source: Path) -> None:
    kinds = [kind for _, kind, _ in written(source, [*SPARSE, "x|d|y"])]
    assert kinds == ["d"] * 21 + ["a"] * 20 + ["b"] * 20 + ["c"] * 20


def test_nobody_is_an_end_more_often_than_mentioned(source: Path) -> None:
    source.write_text("".join(f"{line}\n" for line in [*HUB, *HUB[:9], "hub|a|hub", *INTO]))
    literals = f"{LITERALS}, '' AS datatype, '' AS language FROM source"
    spec = replace(SPEC, tables=replace(SPEC.tables, literals=literals))
    with prepare(spec, source) as prepared:
        rows = prepared.tables.execute(
            "SELECT id, mentions, count(*) FROM entities JOIN (SELECT head AS number FROM triples "
            "UNION ALL SELECT tail FROM triples) USING (number) GROUP BY ALL"
        ).fetchall()
    counted = {id: (mentions, ends) for id, mentions, ends in rows}
    assert all(mentions >= ends for mentions, ends in counted.values())
    # 70 once and 9 twice, and a loop's two ends; a literal of each of the 80 rows, one of them new.
    assert counted["hub"] == (70 + 9 + 2 + 80, 70 + 2 + 1)
    assert counted["sink"] == (60, 60)


@pytest.mark.parametrize(
    ("tables", "files"),
    [
        ({}, set()),
        ({"triples": "SELECT head, 'of' || chr(10) || 'what' AS relation, tail FROM source"}, {1}),
        (
            {"entities": "SELECT head AS id, ['two' || chr(10) || 'lines'] AS labels FROM source"},
            {0},
        ),
        ({"entities": "SELECT head AS id, ['two' || chr(13)] AS aliases FROM source"}, {0}),
        ({"literals": f"{LITERALS}, 'd' || chr(10) AS datatype, 'l' AS language FROM source"}, {2}),
        ({"literals": f"{LITERALS}, 'd' AS datatype, 'l' || chr(10) AS language FROM source"}, {2}),
    ],
)
def test_files_with_a_line_break_in_a_text_are_named(
    source: Path, tables: dict[str, str], files: set[int]
) -> None:
    source.write_text("a|r|b\n")
    spec = replace(SPEC, tables=replace(SPEC.tables, **tables))
    with prepare(spec, source) as prepared:
        found = write_files(prepared, ranked=False, report=silent)
    names = ["entities.csv", "triples.csv", "literals.csv"]
    assert {path.name for path in found.multiline} == {names[each] for each in files}


def test_a_title_may_have_a_line_break(source: Path) -> None:
    source.write_text("a|r|b\n")
    with prepare(replace(SPEC, title="one\ntwo"), source) as prepared:
        found = write_files(prepared, ranked=False, report=silent)
    assert [path.name for path in found.multiline] == ["graph.csv"]
