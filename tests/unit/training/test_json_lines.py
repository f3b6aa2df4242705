"""Both kinds of corpora are written as a whole, and read with errors that name lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from kgdb.errors import UsageError
from kgdb.lab.training.corpus import RelationRow, read_rows, write_rows
from kgdb.lab.training.corpus.conversations import (
    Conversation,
    Turn,
    read_conversations,
    write_conversations,
)

pytestmark = pytest.mark.unit

ROW = RelationRow(
    'who directed "this"\n{{ here }}',
    ("directed_by",),
    ("the director of this", "who directed this?"),
    (("the writer of this", "who wrote this?"),),
    "films",
    "mine",
    ("谁", "Ada"),
    "CC0",
)
CONVERSATION = Conversation("a", (Turn("user", "b"),), "c")

Read = Callable[[Path], Iterator[Any]]
Write = Callable[[Path, Any], int]

KINDS = pytest.mark.parametrize(
    ("row", "read", "write"),
    [
        pytest.param(ROW, read_rows, write_rows, id="rows"),
        pytest.param(CONVERSATION, read_conversations, write_conversations, id="conversations"),
    ],
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rows.jsonl"


@KINDS
def test_what_is_written_is_read(row: Any, read: Read, write: Write, file: Path) -> None:
    assert write(file, iter([row, row])) == 2
    assert list(read(file)) == [row, row]
    assert list(file.parent.iterdir()) == [file]


@KINDS
@pytest.mark.parametrize("was", [None, "what was there\n"])
def test_a_corpus_that_cannot_be_finished_is_not_left(
    row: Any, read: Read, write: Write, file: Path, was: str | None
) -> None:
    def broken() -> Iterator[Any]:
        yield row
        raise ZeroDivisionError

    if was is not None:
        file.write_text(was, encoding="utf-8")
    with pytest.raises(ZeroDivisionError):
        write(file, broken())
    left = {each.name: each.read_text("utf-8") for each in file.parent.iterdir()}
    assert left == ({} if was is None else {file.name: was})


@KINDS
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"task": "chai', "Unterminated string"),
        (b"[]", "a JSON object is expected"),
        (b"7", "a JSON object is expected"),
        (b"{}", "it lacks"),
        (b"who directed this", "Expecting value"),
        (b"\xff\xfe", "can't decode byte 0xff"),
        (b"[" * 100_000, "recursion"),
        (b"1" * 5000, "limit"),
    ],
)
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_line_that_is_no_row_is_named(
    row: Any, read: Read, write: Write, file: Path, line: bytes, reason: str, end: bytes
) -> None:
    write(file, [row])
    file.write_bytes(file.read_bytes() + b"\n" + line + end)
    with pytest.raises(UsageError, match=r"Line 3 of '.+' is no ") as failure:
        list(read(file))
    assert reason in failure.value.message
    assert ("cut off" in (failure.value.hint or "")) == (not end)


@KINDS
@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_an_empty_file_is_refused(
    row: Any, read: Read, write: Write, file: Path, content: bytes
) -> None:
    file.write_bytes(content)
    with pytest.raises(UsageError, match="is empty") as failure:
        list(read(file))
    assert "kgdb lab train" in (failure.value.hint or "")


@KINDS
def test_a_file_that_is_not_there_is_named(row: Any, read: Read, write: Write, file: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        list(read(file))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"question": 7}, "question is 7"),
        ({"question": " "}, "its question is empty"),
        ({"question": "half \udc80"}, "half of a character"),
        ({"chain": "directed_by"}, "chain is 'directed_by', where a list"),
        ({"chain": []}, "its chain is an empty list"),
        ({"wordings": [None]}, "wordings is None"),
        ({"negatives": "abc"}, "negatives is a list of lists"),
        ({"negatives": [[]]}, "one of its negatives has no wording"),
        ({"negatives": ["abc"]}, "negatives is 'abc', where a list"),
        ({"graph": None}, "graph is None"),
        ({"entities": {"a": 1}}, "entities is {'a': 1}"),
    ],
)
def test_a_row_with_a_wrong_value_is_named(
    file: Path, change: dict[str, object], reason: str
) -> None:
    lines = (json.dumps(asdict(ROW)), json.dumps(asdict(ROW) | change))
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"Line 2 of .* is no row of a relation corpus") as failure:
        list(read_rows(file))
    assert reason in failure.value.message


def test_what_a_row_may_leave_out_is_empty(file: Path) -> None:
    lines = {name: value for name, value in asdict(ROW).items() if name in ("question", "chain")}
    file.write_text(json.dumps(lines | {"wordings": ["the director of this"]}), encoding="utf-8")
    (row,) = read_rows(file)
    assert (row.negatives, row.graph, row.source, row.entities, row.licence) == ((), "", "", (), "")
