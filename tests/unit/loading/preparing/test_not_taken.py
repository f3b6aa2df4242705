"""What a loader leaves in its source is told, with numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgdb.loading import prepare, read_spec

pytestmark = pytest.mark.unit

LOADER = """
name = "mine"
label = "Mine"
[source]
format = "{format}"
delimiter = ","
[tables]
triples = '''{triples}'''
"""
LIKES = "SELECT who AS head, 'likes' AS relation, likes AS tail FROM source"
ROWS = [
    {"who": "Ada", "likes": "Bo", "age": "5", "home town": "Porto"},
    {"who": "Bo", "likes": "Cy", "age": "6"},
]


def notes(folder: Path, triples: str, format: str = "csv") -> list[str]:
    """What is told of the rows, loaded by a loader of one's own."""
    loader = folder / "mine.toml"
    loader.write_text(LOADER.format(format=format, triples=triples))
    source = folder / f"rows.{format}"
    if format == "csv":
        lines = [",".join(ROWS[0]), *(",".join(r.get(key, "") for key in ROWS[0]) for r in ROWS)]
        source.write_text("\n".join(lines) + "\n")
    else:
        source.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    with prepare(read_spec(str(loader)), source) as prepared:
        return list(prepared.notes)


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_columns_that_no_query_mentions(format: str, tmp_path: Path) -> None:
    assert notes(tmp_path, LIKES, format) == [
        "Not taken, because the loader does not mention it: age (2 values), home town (1 value) of "
        f"rows.{format}"
    ]


@pytest.mark.parametrize(
    ("triples", "left"),
    [
        (LIKES.replace(" FROM", ', age, "home town" FROM'), None),
        (LIKES.replace(" FROM", ", AGE FROM"), "home town (1 value)"),
        (f"SELECT *, count(*) OVER () AS n FROM ({LIKES})", None),
        (f"{LIKES} WHERE (SELECT count(*) FROM source) > 0", "age (2 values), home town (1 value)"),
        (f"{LIKES} WHERE likes <> 'a*'", "age (2 values), home town (1 value)"),  # no such star
        (
            f"{LIKES} AND 'pages' <> ''".replace(" AND", " WHERE"),
            "age (2 values), home town (1 value)",
        ),
    ],
)
def test_columns_that_some_query_reads(triples: str, left: str | None, tmp_path: Path) -> None:
    told = [note for note in notes(tmp_path, triples) if note.startswith("Not taken")]
    assert [f"it: {left} of" in note for note in told] == ([] if left is None else [True])


def test_an_empty_column_is_not_missed(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("who,likes,age\nAda,Bo,\n")
    (tmp_path / "mine.toml").write_text(LOADER.format(format="csv", triples=LIKES))
    with prepare(read_spec(str(tmp_path / "mine.toml")), path) as prepared:
        assert prepared.notes == ()


@pytest.mark.parametrize("kind", ["csv", "jsonl", "tsv", "demo"])
def test_loaders_of_kgdb_take_every_column(kind: str, tmp_path: Path) -> None:
    rows = {
        "csv": "head,relation,tail,since,by whom\na,knows,b,1999,c\n",
        "jsonl": '{"head": "a", "relation": "knows", "tail": "b", "by whom": "c"}\n',
        "tsv": "a\tknows\tb\n",
    }
    source = tmp_path / "edges"
    source.write_text(rows.get(kind, ""))
    with prepare(read_spec(kind), None if kind == "demo" else source) as prepared:
        assert not [note for note in prepared.notes if note.startswith("Not")]


def test_files_of_the_folder_that_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("head,relation,tail\na,knows,b\n")
    for name in ("people.csv", "more.jsonl.gz", "README.md", ".x.csv", "edges.csv.bak", "a.toml"):
        (tmp_path / name).write_text("x")
    with prepare(read_spec("csv"), tmp_path) as prepared:
        assert prepared.notes == ("Not read in the folder: more.jsonl.gz, people.csv",)
    with prepare(read_spec("csv"), tmp_path / "edges.csv") as prepared:
        assert prepared.notes == ()
