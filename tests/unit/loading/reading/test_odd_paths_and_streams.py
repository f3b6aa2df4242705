"""Folders whose names mean something to DuckDB, and compressed files as few programs write them."""

from __future__ import annotations

import bz2
import gzip
import struct
import zlib
from pathlib import Path
from typing import Any

import duckdb
import pytest

from kgdb.errors import LoadError, UsageError
from kgdb.loading.reading import Source, read

pytestmark = pytest.mark.unit

COLUMNS = ("head", "relation", "tail")
CONTENT = {
    "delimited": b"a\tr\tb\n",
    "csv": b"head\trelation\ttail\na\tr\tb\n",
    "jsonl": b'{"head": "a", "relation": "r", "tail": "b"}\n',
    "ntriples": b"<u:a> <u:r> <u:b> .\n",
    "turtle": b"<u:a> <u:r> <u:b> .\n",
}


def source(kind: str) -> Source:
    return Source("t", kind, () if kind in {"ntriples", "turtle"} else COLUMNS)


def some(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(str(part).removeprefix("u:") for part in row[:3])


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
@pytest.mark.parametrize("kind", CONTENT)
@pytest.mark.parametrize("folder", ["relation=knows", "head=zzz", "line=z", "x=1/y=2"])
def test_the_name_of_a_folder_is_no_column(desk: Any, kind: str, folder: str, pack: Any) -> None:
    (desk.folder / folder).mkdir(parents=True)
    path = desk.file(pack(CONTENT[kind]), f"{folder}/source")
    assert [some(row) for row in desk.read(source(kind), path)] == [("a", "r", "b")]
    assert set(desk.columns("t")) >= ({"subject"} if kind in {"ntriples", "turtle"} else {"head"})


def test_nor_is_it_one_of_parquet(desk: Any) -> None:
    (desk.folder / "head=zzz").mkdir()
    path = desk.folder / "head=zzz" / "edges.parquet"
    desk.connection.execute(
        f"COPY (SELECT 'a' AS head, 'r' AS relation, ['b'] AS tail) TO '{path}' (FORMAT parquet)"
    )
    assert desk.read(source("parquet"), path) == [("a", "r", ["b"])]
    assert desk.columns("t") == list(COLUMNS)


@pytest.mark.parametrize("content", [b"a\tr\tb\r\nb\tr\tc\nc\tr\td\r", bz2.compress(b"a\tr\tb\n")])
def test_the_folder_for_work_may_be_called_so_too(
    tmp_path: Path, connection: duckdb.DuckDBPyConnection, content: bytes
) -> None:
    work, path = tmp_path / "job=7", tmp_path / "source"
    work.mkdir()
    path.write_bytes(content)
    connection.execute("DROP TABLE IF EXISTS t")
    read(connection, source("delimited"), [path], work)
    assert connection.execute("SELECT head FROM t").fetchall()[0] == ("a",)


@pytest.mark.parametrize(
    "columns", ["1 AS head, 2 AS x, 3 AS HeaZ", "1 AS head, {'Head': 2} AS x, 3 AS year, 4 AS YeaZ"]
)
def test_columns_of_parquet_that_are_one_name_are_refused(
    desk: Any, connection: duckdb.DuckDBPyConnection, columns: str
) -> None:
    path = desk.folder / "edges.parquet"
    connection.execute(f"COPY (SELECT {columns}) TO '{path}' (FORMAT parquet)")
    # DuckDB writes no such file itself.
    path.write_bytes(path.read_bytes().replace(b"HeaZ", b"Head").replace(b"YeaZ", b"Year"))
    with pytest.raises(
        UsageError, match=r"the columns '(head|year)' and '(Head|Year)', which are the same"
    ):
        desk.read(Source("t", "parquet", ("head",)), path)


def test_a_key_that_an_object_has_twice_is_told(desk: Any) -> None:
    twice = b'{"head": "a", "head": "z", "relation": "r", "tail": "b"}\n'
    nested = b'{"head": {"x": 1}, "relation": "r", "tail": "b"}\n'
    rows = desk.read(source("jsonl"), desk.file(CONTENT["jsonl"] + twice + nested + b"[1, 1]\n"))
    assert [row[0] for row in rows] == ["a", '{"x":1}']
    assert desk.rejected() == [(2, "has a key twice"), (4, "is JSON, but not an object")]


STREAMS = bz2.compress(b"a\tr\tb\n") + bz2.compress(b"") + bz2.compress(b"c\tr\td\n" * 300_000)
SECOND = STREAMS.rfind(b"BZh")


def test_all_streams_of_bzip2_are_read(desk: Any) -> None:
    rows = desk.read(source("delimited"), desk.file(STREAMS))
    assert (len(rows), rows[0], rows[-1]) == (300_001, ("a", "r", "b"), ("c", "r", "d"))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (STREAMS[:SECOND] + b"\x00" + STREAMS[SECOND + 1 :], "extra bytes follow the end"),
        (STREAMS[:SECOND] + b"BZh9" + b"\x00" * 50, "is damaged: Invalid data stream"),
        (STREAMS + b"\x00" * 10, "extra bytes follow the end"),
        (STREAMS + b"e\tr\tf\n", "extra bytes follow the end"),
        (STREAMS + gzip.compress(b"e\tr\tf\n", mtime=0), "extra bytes follow the end"),
        (STREAMS[:-5], "is truncated"),
        (STREAMS + b"BZ", "is truncated"),
        (STREAMS[:-30] + b"\x00" * 30, "is damaged: Invalid data stream"),
    ],
)
def test_nothing_after_a_stream_of_bzip2_is_lost(desk: Any, content: bytes, problem: str) -> None:
    path = desk.file(content)
    with pytest.raises(LoadError, match=problem) as error:
        desk.read(source("delimited"), path)
    assert str(path) in error.value.message


def member(content: bytes, flags: int) -> bytes:
    """A gzip member with a comment (16) or a checksum of its header (2)."""
    head = b"\x1f\x8b\x08" + bytes([flags]) + b"\x00" * 4 + b"\x02\xff"
    if flags & 16:
        head += b"a comment\x00"
    if flags & 2:
        head += struct.pack("<H", zlib.crc32(head) & 0xFFFF)
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(content) + packer.flush()
    return head + packed + struct.pack("<II", zlib.crc32(content), len(content))


@pytest.mark.parametrize(
    "content",
    [
        member(b"a\tr\tb\n", 16),
        member(b"a\tr\tb\n", 2),
        member(b"a\tr\tb\n", 18),
        gzip.compress(b"a\tr\t", mtime=0) + member(b"b\n", 16),
        gzip.compress(b"a\tr\tb\n", mtime=0) + b"\x00" * 512,
    ],
    ids=["comment", "checksum", "both", "second member", "zeros"],
)
def test_gzip_that_duckdb_does_not_read_is_unpacked(desk: Any, content: bytes) -> None:
    assert desk.read(source("delimited"), desk.file(content)) == [("a", "r", "b")]
    assert desk.rejected() == []
