"""Turtle: as another parser reads it, and refused whole where it cannot be read."""

from __future__ import annotations

import bz2
import gzip
from typing import Any

import pytest

from kgdb.errors import LoadError
from kgdb.loading.reading import Source

pytestmark = pytest.mark.unit

TTL = Source("t", "turtle")
INTEGER = "http://www.w3.org/2001/XMLSchema#integer"
PREFIX = "@prefix e: <http://e/> .\n"


def turtle(desk: Any, text: str, compress: Any = bytes) -> list[Any]:
    rows: list[Any] = desk.read(TTL, desk.file(compress(text.encode())))
    return rows


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress])
def test_turtle(desk: Any, compress: Any) -> None:
    text = '@prefix e: <http://e/> .\ne:a e:p "x\\ty", """two\nlines"""@en, 1 ; e:q [ e:r (e:b) ] .'
    rows = turtle(desk, text, compress)
    assert rows[:3] == [
        ("http://e/a", "http://e/p", "x\ty", "literal", None, None),
        ("http://e/a", "http://e/p", "two\nlines", "literal", None, "en"),
        ("http://e/a", "http://e/p", "1", "literal", INTEGER, None),
    ]
    assert {row[0] for row in rows[3:]} == {"http://e/a", "_:b1", "_:b2"}
    assert turtle(desk, text, compress) == rows, "labels must be the same every time"


def test_mistakes_in_turtle_are_told_with_their_place(desk: Any) -> None:
    with pytest.raises(LoadError, match="source, line 2, column 9: this is not Turtle"):
        turtle(desk, "@prefix e: <http://e/> .\ne:a e:b ; .\n")
    with pytest.raises(LoadError, match="line 1"):
        turtle(desk, "<a> <b> <c> .")


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress])
def test_a_byte_order_mark_is_no_name(desk: Any, compress: Any) -> None:
    rows = turtle(desk, "\ufeff" + PREFIX + "e:a e:p e:b .\n", compress)
    assert rows == [("http://e/a", "http://e/p", "http://e/b", "iri", None, None)]
    assert turtle(desk, "\ufeff# nothing\n", compress) == []


@pytest.mark.parametrize(
    ("last", "value"),
    [("e:Inc\\..", "http://e/Inc."), ("e:\\(.", "http://e/("), ("e:x\\-y.", "http://e/x-y")],
)
def test_a_name_with_an_escape_may_end_the_file(desk: Any, last: str, value: str) -> None:
    assert [row[2] for row in turtle(desk, f"{PREFIX}e:a e:p {last}")] == [value]


def test_a_statement_without_its_full_stop_is_refused(desk: Any) -> None:
    with pytest.raises(LoadError, match=r"line 2.*this is not Turtle"):
        turtle(desk, f"{PREFIX}e:a e:p e:\\.")


@pytest.mark.parametrize(
    "statement", ["<< e:a e:p e:b >> e:since 1999 .", "e:a e:p e:b {| e:since 1999 |} ."]
)
def test_what_is_said_about_a_triple_is_an_annotation(desk: Any, statement: str) -> None:
    rows = turtle(desk, f"{PREFIX}e:a e:q e:c .\n{statement}\n")
    about = ("http://e/a", "http://e/p", "http://e/b", "iri", None, None)
    assert [row[2] for row in rows] == ["http://e/c", "http://e/b"][: len(rows)]
    assert len(rows) == 1 + ("{|" in statement)
    assert desk.rows("SELECT * FROM t_annotations") == [
        (*about, "http://e/since", "1999", "literal", INTEGER, None, "_:b1")
    ]


def test_the_direction_of_a_text_is_refused(desk: Any) -> None:
    with pytest.raises(LoadError, match="a text with a direction") as failure:
        turtle(desk, f'{PREFIX}e:a e:p "x"@en--ltr .\n')
    assert failure.value.hint


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('"""x .\n' + "e:a e:p e:b .\n" * 1_300_000, "a text of more than 16 MiB"),
        ('"""' + "x\n" * 6_000_000 + '""" .', "has a statement that is too long: <http://e/a>"),
    ],
    ids=["never closed", "too long as a line"],
)
def test_what_is_too_long_is_refused(desk: Any, text: str, problem: str) -> None:
    with pytest.raises(LoadError, match=problem) as failure:
        turtle(desk, f"{PREFIX}e:a e:q {text}")
    assert failure.value.hint
