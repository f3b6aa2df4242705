"""Names that differ only in how they are written: counted, and merged on request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgdb.loading import prepare, read_spec
from kgdb.loading.preparing import near_duplicates

pytestmark = pytest.mark.unit

FACTS = [
    ("St. John", "patron_of", "Malta"),
    ("St. John", "born_in", "Galilee"),
    ("St John", "patron_of", "Malta"),
    ("st  john", "writes", "letters"),
    ("Caf\u00e9", "in", "Porto"),
    ("Cafe\u0301", "in", "Lisbon"),
]
DIFFERENT = [
    ("1.5", "2"),
    ("15", "C++"),
    ("C", "C#"),
    ("Jose", "Jos\u00e9"),
    ("Ann Lee", "Annlee"),
]


def write(folder: Path, facts: list[tuple[str, str, str]]) -> Path:
    path = folder / "facts.tsv"
    path.write_text("".join("\t".join(fact) + "\n" for fact in facts), encoding="utf-8")
    return path


def load(path: Path, loader: str = "tsv", **options: str) -> tuple[list[str], list[str], int]:
    """The notes, the names of the entities, and the number of triples."""
    with prepare(read_spec(loader), path, options=options) as prepared:
        names = [row["name"] for rows in prepared.entities(100) for row in rows]
        return list(prepared.notes), sorted(names), prepared.counts.triples


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("St. John", "St John"),
        ("Jean-Paul", "Jean Paul"),
        ("Ann Lee", "ann LEE"),
        ("Ann  Lee", "Ann Lee"),
        ("Ann\u00a0Lee", "Ann Lee"),
        ("Don\u2019t", "Don't"),
        ("Caf\u00e9", "Cafe\u0301"),
        ("\u00d6ST", "\u00f6st"),
        ("Ann, Lee", "Ann Lee"),
    ],
)
def test_names_that_are_one_are_told(first: str, other: str, tmp_path: Path) -> None:
    (note,), names, _ = load(
        write(tmp_path, [(first, "r", "x"), (first, "s", "x"), (other, "r", "y")])
    )
    assert note == (
        "1 name differs from another only in spaces, case, punctuation or Unicode form, such as "
        f"{first!r} and {other!r}; --set merge_names=yes merges them"
    )
    assert {first, other} <= set(names)


@pytest.mark.parametrize(("first", "other"), DIFFERENT)
def test_names_that_are_not_one_are_left_alone(first: str, other: str, tmp_path: Path) -> None:
    path = write(tmp_path, [(first, "r", "x"), (other, "r", "y")])
    assert load(path)[0] == []
    assert load(path, merge_names="yes")[1:] == (sorted([first, other, "x", "y"]), 2)


def test_they_are_merged_on_request_only(tmp_path: Path) -> None:
    path = write(tmp_path, FACTS)
    notes, names, triples = load(path)
    assert (len(names), triples) == (10, 6)
    assert notes[0].startswith("3 names differ from others only in ")
    notes, names, triples = load(path, merge_names="yes")
    assert names == ["Cafe\u0301", "Galilee", "Lisbon", "Malta", "Porto", "St. John", "letters"]
    assert triples == 5  # two facts became one
    assert notes[0].startswith("3 names were merged with others that differ only in ")


def test_the_other_ways_of_writing_become_aliases(tmp_path: Path) -> None:
    with prepare(
        read_spec("tsv"), write(tmp_path, FACTS), options={"merge_names": "yes"}
    ) as prepared:
        aliases = {row["id"]: row["aliases"] for rows in prepared.entities(100) for row in rows}
        assert aliases["St. John"] == ["St John", "st  john"]
        assert aliases["Malta"] is None
        assert prepared.counts.duplicates == 1


def test_an_id_that_is_no_name_is_never_merged(tmp_path: Path) -> None:
    """Many things may have one name: these have ids to tell them apart."""
    (tmp_path / "edges.jsonl").write_text('{"head": "q1", "relation": "r", "tail": "Q-1"}\n')
    nodes = [{"id": "q1", "name": "Depot"}, {"id": "Q-1", "name": "Depot"}]
    (tmp_path / "nodes.jsonl").write_text("".join(json.dumps(node) + "\n" for node in nodes))
    notes, names, _ = load(tmp_path, "jsonl", merge_names="yes")
    assert (notes, names) == ([], ["Depot", "Depot"])
    assert load(tmp_path, "jsonl")[0] == []


def test_labels_and_values_go_with_a_merged_name(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text(
        "head,relation,tail\nAnn Lee,knows,Bo\nann lee,likes,Bo\n"
        "Bo,knows,Ann Lee\nBo,likes,Ann Lee\n"
    )
    (tmp_path / "nodes.csv").write_text("id,labels,born\nAnn Lee,Person,\nann lee,Painter,1960\n")
    with prepare(read_spec("csv"), tmp_path, options={"merge_names": "yes"}) as prepared:
        rows = {row["id"]: row for rows in prepared.entities(100) for row in rows}
        assert rows["Ann Lee"]["labels"] == ["Painter", "Person"]
        assert set(rows) == {"Ann Lee", "Bo"}
        triples = [row for rows in prepared.triples(100) for row in rows]
        assert {(row["head"], row["relation"]) for row in triples if row["head"] != "Bo"} == {
            ("Ann Lee", "knows"),
            ("Ann Lee", "likes"),
            ("Ann Lee", "born"),
        }


def test_very_many_entities_are_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(near_duplicates, "MOST_COUNTED", 3)
    assert load(write(tmp_path, FACTS))[0] == []
