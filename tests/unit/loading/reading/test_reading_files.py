"""Files that are not what was expected: refused by name, with what they are and what to do."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import pytest

from kgdb.errors import KgdbError, LoadError, UsageError
from kgdb.loading.reading import FORMATS, Source
from kgdb.loading.reading.files import File
from kgdb.progress import silent

pytestmark = pytest.mark.unit


def zstd(content: bytes) -> bytes:
    """Packed by Python's own module, or by the package for older Pythons."""
    try:
        from backports.zstd import ZstdCompressor
    except ModuleNotFoundError:
        from compression.zstd import ZstdCompressor
    packer = ZstdCompressor(options={201: 1})  # with a checksum
    return bytes(packer.compress(content) + packer.flush())


HAS_ZSTD = any(map(find_spec, ("backports", "compression")))
ZSTD = pytest.param(zstd, marks=pytest.mark.skipif(not HAS_ZSTD, reason="no zstd"))

TEXTS = [format for format in FORMATS if format != "parquet"]
LINES = Source("triples", "delimited", ("head", "tail"))
NOISE = random.Random(1)
MANY = "".join(f"{NOISE.random()}\t{i}\n" for i in range(30_000)).encode()
"""Lines that do not compress to next to nothing."""


def source(format: str) -> Source:
    return Source("t", format, ("a", "b") if format in {"delimited", "csv"} else ())


@pytest.mark.parametrize("format", TEXTS)
@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "is empty"),
        (b"<!DOCTYPE html>\n<html>Not found</html>\n", "a web page"),
        (b"\n  <html lang='en'>", "a web page"),
        (b"PK\x03\x04\x14\x00\x00\x00", "a ZIP archive"),
        (b"\xfd7zXZ\x00\x00", "is truncated"),
        (lzma.compress(gzip.compress(b"a\tb\n", mtime=0)), "compressed twice"),
        (gzip.compress(gzip.compress(b"a\tb\n", mtime=0), mtime=0), "compressed twice"),
        (b"PAR1\x15\x04\x15", "a Parquet file"),
        (bytes(range(256)) * 20, "binary"),
        ("a\tb\nc\td\n".encode("utf-16"), "UTF-16"),
        ("a\tb\nc\td\n".encode("utf-16-le"), "UTF-16"),
        (b"a/b.txt".ljust(257, b"\x00") + b"ustar" + b"\x00" * 250, "a tar archive"),
    ],
)
def test_another_kind_of_file(desk: Any, format: str, content: bytes, found: str) -> None:
    path = desk.file(content)
    if found == "UTF-16" and format in {"graphml", "gexf", "rdfxml"}:
        found = "is not|UTF-16"  # well-formed XML may be UTF-16
    with pytest.raises(LoadError, match=found) as error:
        desk.read(source(format), path)
    assert str(path) in error.value.message
    assert error.value.hint


@pytest.mark.parametrize("format", [each for each in TEXTS if each != "jsonl"])
def test_json_lines_are_told_with_their_loader(desk: Any, format: str) -> None:
    path = desk.file(b'\xef\xbb\xbf{"a": "x", "b": 2}\n{"a": "y"}\n')
    with pytest.raises(LoadError, match="is JSON lines") as error:
        desk.read(source(format), path)
    assert "kgdb load jsonl" in (error.value.hint or "")


@pytest.mark.parametrize("line", [b"{a,b\n", b'{"a"}\tb\n', b"{" * 70_000 + b"\tb\n"])
def test_a_brace_alone_is_no_json(desk: Any, line: bytes) -> None:
    with suppress(KgdbError):
        desk.read(source("delimited"), desk.file(line))
    assert desk.rejected() or desk.rows("SELECT * FROM t")


@pytest.mark.parametrize(
    "content", [b"", b"a,b\n1,2\n", gzip.compress(b"PAR1", mtime=0), b"PAR1 and no end"]
)
def test_what_is_not_parquet(desk: Any, content: bytes) -> None:
    path = desk.file(content)
    with pytest.raises(LoadError, match="Parquet") as error:
        desk.read(Source("t", "parquet"), path)
    assert str(path) in error.value.message


@pytest.mark.parametrize("format", FORMATS)
def test_no_file(desk: Any, format: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"There is no file .*nowhere"):
        desk.read(source(format), tmp_path / "nowhere")


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress, ZSTD])
@pytest.mark.parametrize("format", ["delimited", "ntriples", "jsonl", "turtle"])
def test_a_truncated_file_is_never_half_a_source(desk: Any, compress: Any, format: str) -> None:
    triple = '<http://e/a> <http://e/b> "{}" .\n'
    content = "".join(triple.format(NOISE.random()) for _ in range(5_000)).encode()
    whole = compress(content if format == "turtle" else MANY)
    for kept in (len(whole) // 2, len(whole) - 6):
        with pytest.raises(LoadError, match="truncated"):
            desk.read(source(format), desk.file(whole[:kept]))


@pytest.mark.parametrize("extra", [b"\n", b"more", b"more " * 1_000])
@pytest.mark.parametrize("content", [b"a\tb\n", MANY])
def test_bytes_after_the_end_of_gzip_data_are_told_as_such(
    desk: Any, content: bytes, extra: bytes
) -> None:
    with pytest.raises(LoadError, match="extra bytes follow the end of its compressed data"):
        desk.read(LINES, desk.file(gzip.compress(content) + extra))


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress, ZSTD])
def test_damaged_data_are_noticed(desk: Any, compress: Any) -> None:
    # DuckDB itself ends silently at such a place.
    whole = bytearray(compress(MANY))
    whole[len(whole) // 2] ^= 0xFF
    with pytest.raises(LoadError, match="damaged"):
        desk.read(LINES, desk.file(bytes(whole)))


@pytest.mark.parametrize("name", ["lines.txt", "lines.gz", "lines.bz2", "lines [1].tsv", "l'*?.x"])
@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress, lzma.compress, ZSTD])
def test_the_content_tells_the_compression_not_the_name(
    desk: Any, name: str, compress: Any
) -> None:
    assert desk.read(LINES, desk.file(compress(b"a\tb\nc\td\n"), name)) == [("a", "b"), ("c", "d")]


def test_gzip_of_several_parts(desk: Any) -> None:
    path = desk.file(gzip.compress(b"a\tb\n") + gzip.compress(b"c\td\n"))
    assert desk.read(LINES, path) == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize("format", ["delimited", "jsonl", "ntriples"])
def test_another_encoding_is_named_when_it_is_everywhere(desk: Any, format: str) -> None:
    with pytest.raises(LoadError, match="not UTF-8: 50 of its 50 lines") as error:
        desk.read(source(format), desk.file("café\tthé\n".encode("latin-1") * 50))
    assert "iconv" in str(error.value.hint)


def test_a_source_that_cannot_be(desk: Any) -> None:
    with pytest.raises(UsageError, match="names a column twice"):
        desk.read(Source("t", "csv", ("a", "A")), desk.file(b"a\n"))


def test_the_connection_keeps_its_setting(desk: Any) -> None:
    desk.connection.execute("SET preserve_insertion_order = false")
    desk.read(LINES, desk.file(b"a\tb\n"))
    with pytest.raises(KgdbError):
        desk.read(LINES, desk.file(b""))
    assert desk.rows("SELECT current_setting('preserve_insertion_order')") == [(False,)]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("Query interrupted")])
def test_nobody_waits_for_the_rest_of_a_file_after_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    class Long(io.RawIOBase):
        blocks = 0

        def read(self, size: int = -1) -> bytes:
            self.blocks += 1
            time.sleep(0.01)
            return b"x" if self.blocks < 500 else b""

    long = Long()
    file = File(tmp_path, tmp_path, "gzip", tmp_path, b"", silent)
    monkeypatch.setattr(File, "open", lambda self: long)
    with (
        duckdb.connect() as connection,
        pytest.raises(KeyboardInterrupt),
        file.for_duckdb(connection),
    ):
        raise error
    assert long.blocks < 100
