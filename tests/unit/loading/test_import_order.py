"""The order in which relationships are written for the importer."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from three_fields import SPEC

from kgdb.loading import prepare
from kgdb.loading.offline import write_files
from kgdb.progress import silent

pytestmark = pytest.mark.unit

HUB = [
    f"hub|{relation}|of {relation} {i}" for relation, n in (("a", 40), ("b", 30)) for i in range(n)
]
INTO = [f"from {i}|c|sink" for i in range(60)]
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
