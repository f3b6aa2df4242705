"""Corpora of conversations: what is written is read, and what is no row is named by its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgdb.errors import UsageError
from kgdb.lab.training.corpus.conversations import (
    Conversation,
    Turn,
    read_conversations,
    write_conversations,
)

pytestmark = pytest.mark.unit

ROW = {
    "task": "inference",
    "messages": [{"role": "user", "content": "Who directed Heat?"}],
    "reply": "Michael Mann",
}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    rows = [
        Conversation(
            "chains",
            (Turn("user", 'a "line"\nand {{ another }}'),),
            "the director of this",
            "films",
            "made up",
            "CC0",
            ("the director of this", "the writer of this"),
            continues=True,
            group="谁",
        ),
        Conversation("evidence", (Turn("system", "Be brief."), Turn("user", "…")), "so"),
    ]
    file = tmp_path / "rows.jsonl"
    assert write_conversations(file, iter(rows)) == 2
    assert list(read_conversations(file)) == rows
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


def test_what_may_be_left_out_is_empty(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(ROW) + "\n\n", encoding="utf-8")
    (row,) = read_conversations(file)
    assert (row.graph, row.source, row.licence, row.choices, row.continues) == (
        "",
        "",
        "",
        (),
        False,
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"task": " "}, "task is empty"),
        ({"task": 7}, "task is 7"),
        ({"messages": []}, "at least one message"),
        ({"messages": "Who?"}, "at least one message"),
        ({"messages": ["Who?"]}, "a message is a JSON object"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "'tool' is none of"),
        ({"messages": [{"role": "user"}]}, "lacks 'content'"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, "that is the reply"),
        ({"reply": None}, "reply is None"),
        ({"reply": "half \udc80"}, "half of a character"),
        ({"choices": "abc"}, "choices is 'abc', where a list"),
        ({"choices": [1]}, "choices is 1"),
        ({"continues": 1}, "continues is true or false"),
        ({"licence": ["MIT"]}, "licence is"),
    ],
)
def test_a_line_that_is_no_conversation_is_named(
    tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(f"{json.dumps(ROW)}\n{json.dumps(ROW | change)}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"Line 2 of .*no conversation") as failure:
        list(read_conversations(file))
    assert reason in failure.value.message
