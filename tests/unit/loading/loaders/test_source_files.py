"""Files as people have them: line ends, names, compression."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from three_fields import SPEC, counts, triples

from kgdb.loading import Counts, prepare

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "content",
    [
        b"a|r|b\r\nb|r|c\r\n",
        b"\xef\xbb\xbfa|r|b\nb|r|c\n",
        b"a|r|b\nb|r|c",
        b"\na|r|b\n\n\nb|r|c\n\n",
    ],
    ids=["crlf", "bom", "no newline at the end", "blank lines"],
)
def test_how_lines_end_does_not_matter(source: Path, content: bytes) -> None:
    source.write_bytes(content)
    with prepare(SPEC, source) as prepared:
        assert prepared.counts == Counts(2, 2, 0, 0, entities=3, relations=1)
        assert triples(prepared) == [("a", "r", "b"), ("b", "r", "c")]


def test_quotation_marks_and_spaces_are_part_of_a_name(source: Path) -> None:
    source.write_text('"a|r|b"\n a |r|it\'s\nNULL|r|\\N\n')
    with prepare(SPEC, source) as prepared:
        assert sorted(triples(prepared)) == [
            (" a ", "r", "it's"),
            ('"a', "r", 'b"'),
            ("NULL", "r", "\\N"),
        ]


def test_gzip_is_read_as_it_is(tmp_path: Path) -> None:
    plain, zipped = tmp_path / "kb.txt", tmp_path / "kb.txt.gz"
    assert counts(plain, "a|r|b\na|r\n") == counts(zipped, gzip.compress(b"a|r|b\na|r\n"))


def test_a_loader_may_come_with_its_data(source: Path, tmp_path: Path) -> None:
    source.write_text("a|r|b\n")
    other = tmp_path / "other.txt"
    other.write_text("a|r|b\nb|r|c\n")
    own = replace(SPEC, sources=(replace(SPEC.sources[0], shipped=source),))
    with prepare(own) as prepared:
        assert (prepared.source, prepared.counts.triples) == (source, 1)
    with prepare(own, other) as prepared:
        assert (prepared.source, prepared.counts.triples) == (other, 2)


@pytest.mark.parametrize("name", ["kb[1].txt", "kb*.txt", "kb?.txt", "it's.txt", "a|b.txt", "電.x"])
def test_a_file_name_is_no_pattern(tmp_path: Path, name: str) -> None:
    for decoy in ("kb1.txt", "kb2.txt", "kbx.txt"):
        (tmp_path / decoy).write_text("decoy|r|decoy\n")
    assert counts(tmp_path / name, "a|r|b\n").records == 1


def test_copies_that_editors_and_downloads_leave_are_no_sources(tmp_path: Path) -> None:
    spec = replace(SPEC, sources=(replace(SPEC.sources[0], file="kb.txt*"),))
    (tmp_path / "kb.txt").write_text("a|r|b\n")
    (tmp_path / "kb.txt.2").write_text("b|r|c\n")
    for ending in ("~", ".bak", ".BAK", ".orig", ".swp", ".tmp", ".part"):
        (tmp_path / f"kb.txt{ending}").write_text(f"a|r|from {ending}\n")
    with prepare(spec, tmp_path) as prepared:
        assert triples(prepared) == [("a", "r", "b"), ("b", "r", "c")]
    named = replace(SPEC, sources=(replace(SPEC.sources[0], file="kb.txt.bak"),))
    with prepare(named, tmp_path) as prepared:
        assert triples(prepared) == [("a", "r", "from .bak")]
