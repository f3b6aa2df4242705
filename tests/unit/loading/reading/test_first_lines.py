"""The lines at the beginning of a table: skipped, empty, a header, or a poor one."""

from __future__ import annotations

import bz2
import gzip
from typing import Any

import pytest

from kgdb.errors import UsageError
from kgdb.loading.reading import Source

pytestmark = pytest.mark.unit

NAMES = ("a", "b")
ENDS = ("\n", "\r\n", "\r")


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
@pytest.mark.parametrize("form", ["csv", "delimited"])
@pytest.mark.parametrize("below", ENDS)
@pytest.mark.parametrize("above", ENDS)
def test_lines_are_skipped_whatever_they_hold(
    desk: Any, above: str, below: str, form: str, pack: Any
) -> None:
    comments = ['# from "X', '# on 1 January", 2,3', "#"]
    rows = ["a,b", "1,2", "3", "5,6"]
    text = above.join([*comments, ""]) + below.join([*rows, ""])
    skip = len(comments) + (form == "delimited")
    read = desk.read(Source("t", form, NAMES, ",", skip=skip), desk.file(pack(text.encode())))
    assert read == [("1", "2"), ("5", "6")]
    assert desk.rejected() == [(6, "missing columns")]


@pytest.mark.parametrize("end", ENDS)
def test_a_line_may_end_where_a_block_does(desk: Any, end: str) -> None:
    long = "#" * ((1 << 20) - len(end.encode()[:1]))
    text = f"{long}{end}# more{end}a,b{end}1,2{end}"
    assert desk.read(Source("t", "csv", NAMES, ",", skip=2), desk.file(text.encode())) == [
        ("1", "2")
    ]


def test_empty_lines_before_the_header_are_passed_over(desk: Any) -> None:
    for start in ("\n\n", "\r\n", "\ufeff\n"):
        read = desk.read(
            Source("t", "csv", NAMES, ","), desk.file(f"{start}a,b\n1,2\n3\n".encode())
        )
        assert read == [("1", "2")]
        assert desk.rejected() == [(start.count("\n") + 3, "missing columns")]


def test_columns_may_get_other_names(desk: Any) -> None:
    named = Source("t", "csv", ("id",), ",", names=("id", "{x}"))
    assert desk.read(named, desk.file(b',a\n1,"2\n3"\n')) == [("1", "2\n3")]
    assert desk.columns("t") == ["id", "{x}"]
    bare = Source("t", "csv", (), ",", names=NAMES, header=False)
    assert desk.read(bare, desk.file(b"1\n2,3\n")) == [("2", "3")]
    assert desk.rejected() == [(1, "missing columns")]
    with pytest.raises(UsageError, match="has 3 columns in its first line; the loader names"):
        desk.read(named, desk.file(b"a,b,c\n1,2,3\n"))
    with pytest.raises(UsageError, match="has no column 'key'"):
        desk.read(Source("t", "csv", ("key",), ",", names=NAMES), desk.file(b"x,y\n1,2\n"))


def test_the_second_of_two_files_is_skipped_likewise(desk: Any) -> None:
    first = desk.file(b"#\na,b\n1,2\n", "first")
    second = desk.file(b"#\r\na,b\n3,4\n", "second")
    rows = desk.read(Source("t", "csv", NAMES, ",", skip=1), first, second)
    assert rows == [("1", "2"), ("3", "4")]
