"""Archives, and files in xz and zstd, read as if their content lay there."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from kgdb.errors import KgdbError, LoadError, UsageError
from kgdb.loading import prepare, read_spec
from kgdb.loading.drafting.draft_writer import draft
from kgdb.loading.reading import Source, unpacked_archive
from kgdb.loading.reading.archives import archive_kind
from kgdb.optional_packages import installation

pytestmark = pytest.mark.unit

FACTS = "head,relation,tail\nOsprey,eats,Roach\nRoach,lives_in,Loch Leven\n"
NODES = "id,name\nOsprey,Fish hawk\n"


def zipped(members: Mapping[str, str]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return content.getvalue()


def tarred(members: Mapping[str, str], mode: Any = "w") -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode=mode) as archive:
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return content.getvalue()


def triples(source: Path, loader: str = "csv") -> int:
    with prepare(read_spec(loader), source) as prepared:
        return prepared.counts.triples


@pytest.mark.parametrize(
    "pack",
    [
        zipped,
        tarred,
        lambda members: tarred(members, "w:gz"),
        lambda members: tarred(members, "w:xz"),
        lambda members: bz2.compress(tarred(members)),
    ],
)
def test_one_file_in_an_archive(tmp_path: Path, pack: Any) -> None:
    source = tmp_path / "any name"
    source.write_bytes(pack({"deep/er/facts.csv": FACTS, "__MACOSX/x": "x", "deep/.DS_Store": "x"}))
    assert triples(source) == 2
    assert "column" not in draft("birds", source)
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_edges_and_nodes_in_an_archive(tmp_path: Path, pack: Any) -> None:
    source = tmp_path / "birds.zip"
    source.write_bytes(pack({"birds/edges.csv": FACTS, "birds/nodes.csv": NODES}))
    with prepare(read_spec("csv"), source) as prepared:
        names = {row["id"]: row["name"] for rows in prepared.entities(9) for row in rows}
        assert prepared.source == source
    assert names["Osprey"] == "Fish hawk"


def test_a_graph_file_and_packed_files_in_an_archive(tmp_path: Path) -> None:
    source = tmp_path / "g.zip"
    graph = '{"nodes": [{"id": "ü"}], "links": [{"source": "ü", "target": "ü", "label": "r"}]}'
    source.write_bytes(zipped({"graph ü.json": graph}))
    assert triples(source, "node-link") == 1
    with zipfile.ZipFile(source, "w") as archive:
        archive.writestr("facts.csv.gz", gzip.compress(FACTS.encode()))
    assert triples(source) == 2


def test_several_files_are_listed(tmp_path: Path) -> None:
    source = tmp_path / "many.zip"
    source.write_bytes(zipped({"a.tsv": "x", "b/c.tsv": "y"}))
    with pytest.raises(UsageError, match=r"several files.*a\.tsv, b/c\.tsv") as failure:
        triples(source, "tsv")
    assert "Unpack it" in str(failure.value.hint)
    with pytest.raises(UsageError, match="several files"):
        draft("many", source)
    with pytest.raises(UsageError, match=r"edges\.csv"):
        triples(source)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (zipped({"f.csv": FACTS})[:-20], "damaged or truncated"),
        (tarred({"f.csv": FACTS * 50})[:1000], "damaged or truncated"),
        (tarred({"f.csv": FACTS}, "w:gz")[:-12], "truncated"),
        (zipped({"../../evil.csv": FACTS}), "would lie outside its folder"),
        (tarred({"/etc/evil.csv": FACTS}), "would lie outside its folder"),
        (zipped({}), "has no file"),
        (zipped({"xl/workbook.xml": "<x/>", "[Content_Types].xml": ""}), "an Excel workbook"),
    ],
)
def test_bad_archives(tmp_path: Path, content: bytes, problem: str) -> None:
    source = tmp_path / "bad"
    source.write_bytes(content)
    with pytest.raises(KgdbError, match=problem) as failure:
        triples(source)
    assert str(source) in failure.value.message
    assert failure.value.hint
    assert not list(tmp_path.glob("*evil*"))


def test_a_damaged_member_is_noticed(tmp_path: Path) -> None:
    content = bytearray(zipped({"f.csv": FACTS * 500}))
    content[len(content) // 2] ^= 0xFF
    source = tmp_path / "bad.zip"
    source.write_bytes(content)
    with pytest.raises(LoadError, match="damaged"):
        triples(source)


def test_the_unpacked_files_are_deleted(tmp_path: Path) -> None:
    source = tmp_path / "f.zip"
    source.write_bytes(zipped({"f.csv": FACTS}))
    with unpacked_archive(source, tmp_path) as unpacked:
        assert unpacked
        assert unpacked.read_text() == FACTS
    assert list(tmp_path.iterdir()) == [source]


def test_other_files_are_no_archives(tmp_path: Path) -> None:
    for content in (b"", b"a,b\n", gzip.compress(b"a"), b"\x1f\x8b broken", lzma.compress(b"x")):
        path = tmp_path / "plain"
        path.write_bytes(content)
        assert archive_kind(path) is None


XZ = lzma.compress(b"a\tb\n") + b"\0" * 8 + lzma.compress(b"c\td\n" * 300_000)
TABLE = Source("t", "delimited", ("head", "tail"))


def test_all_streams_of_xz_are_read(desk: Any) -> None:
    rows = desk.read(TABLE, desk.file(XZ))
    assert (len(rows), rows[0], rows[-1]) == (300_001, ("a", "b"), ("c", "d"))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (XZ[:-5], "is truncated"),
        (XZ + b"\0" * 3, "extra bytes follow"),
        (XZ + b"more", "extra bytes follow"),
        (XZ[: XZ.rfind(b"\xfd7zXZ")] + b"\xfd7zXZ\0" + b"\0" * 60, "is damaged"),
    ],
)
def test_nothing_after_a_stream_of_xz_is_lost(desk: Any, content: bytes, problem: str) -> None:
    with pytest.raises(LoadError, match=problem):
        desk.read(TABLE, desk.file(content))


def test_zstd_needs_its_package(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("backports", "backports.zstd", "compression.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError) as failure:
        desk.read(TABLE, desk.file(b"\x28\xb5\x2f\xfd\x00"))
    assert failure.value.hint == installation("zstd")
