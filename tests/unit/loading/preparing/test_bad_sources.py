"""Sources with mistakes in them, of another kind, or not there: told, and never half read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from three_fields import SPEC, counts, refusal

from kgdb.errors import LoadError, UsageError
from kgdb.loading import Counts, SkippedRecord, prepare

pytestmark = pytest.mark.unit


def test_malformed_lines_are_counted_and_shown(source: Path) -> None:
    content = b"a|r|b\na|r\nx\na|r|b|c|d\n\nb|r|caf\xe9\n|r|b\na||b\na|r|\na|r|b\n"
    source.write_bytes(content)
    with prepare(SPEC, source) as prepared:
        assert prepared.counts == Counts(
            records=9, triples=1, duplicates=1, skipped=7, entities=2, relations=1
        )
        assert [line.line for line in prepared.malformed] == [2, 3, 4, 6]
        assert prepared.malformed[0] == SkippedRecord(source.name, 2, "missing columns", "a|r")
        assert prepared.malformed[2].problem == "too many columns"


def test_a_first_and_a_last_line_may_be_malformed_too(source: Path) -> None:
    assert counts(source, "a\na|r|b\nb|r").skipped == 2


def test_a_broken_gzip_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "kb.gz"
    whole = gzip.compress("".join(f"a{i}|r|b\n" for i in range(5000)).encode())
    assert "truncated" in refusal(source, whole[:-900]).message


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n\n",
        "a,r,b\nb,r,c\n",
        "a\tr\tb\n",
        "<html>\n<body>\n",
        "a|r|b\nb|r|c\n".encode("utf-16"),
        "a|r|b\nb|r|c\n".encode("utf-32"),
        bytes(range(256)) * 40,
        b"\0" * 5000,
        b"\x89PNG\r\n\x1a\n" + bytes(range(250, 0, -1)) * 40,
    ],
    ids=["empty", "blank", "comma", "tab", "html", "utf-16", "utf-32", "binary", "zeros", "png"],
)
def test_another_format_is_refused_with_what_is_expected(
    source: Path, content: str | bytes
) -> None:
    error = refusal(source, content)
    assert str(source) in error.message
    assert "(head, relation, tail)" in error.message + (error.hint or "")


def test_too_many_malformed_lines_are_refused_and_shown(source: Path) -> None:
    content = "a|r|b\n" + "a|r\n" * 8
    assert counts(source, content, max_errors=8).skipped == 8
    with pytest.raises(LoadError, match="8 of 9 records are malformed; the limit is 7") as failure:
        counts(source, content, max_errors=7)
    assert "line 2: missing columns: 'a|r'" in failure.value.message
    assert "--max-errors" in (failure.value.hint or "")
    with pytest.raises(LoadError):
        counts(source, "a|r|b\na|r|\n", max_errors=0)


def test_a_source_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(UsageError, match=r"none\.txt does not exist"),
        prepare(SPEC, tmp_path / "none.txt"),
    ):
        pass
    with pytest.raises(UsageError, match="is a folder"), prepare(SPEC, tmp_path):
        pass


def test_a_loader_without_data_asks_for_a_file() -> None:
    with pytest.raises(UsageError, match="ships without data") as failure, prepare(SPEC):
        pass
    assert failure.value.hint == "Name the file to load: kgdb load mine SOURCE"
