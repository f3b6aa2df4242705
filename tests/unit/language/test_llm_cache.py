"""The cache of replies: what is asked again, what is not, and what becomes of a broken file."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from counting import Counting

from kgdb.errors import ModelError
from kgdb.language import Cached, Completion, CompletionRequest, load_cached_llm, model_catalog
from kgdb.language.recording import reply_cache
from kgdb.language.recording.reply_cache import FILE, clear
from kgdb.language.revisions import revision_of
from kgdb.progress import Event, Message, Report
from kgdb.settings import Settings

pytestmark = pytest.mark.unit


def texts(replies: Sequence[Completion | ModelError]) -> list[tuple[str, bool]]:
    return [(r.text, r.cached) for r in replies if isinstance(r, Completion)]


def test_what_was_asked_is_not_asked_again_not_even_by_another_process(tmp_path: Path) -> None:
    model = Counting()
    cached = Cached(model, tmp_path)
    (first,) = cached.complete([CompletionRequest("a")])
    assert first == Completion("a 1", 7, 2, finish="length")
    (again,) = Cached(Counting(), tmp_path).complete([CompletionRequest("a")])
    assert again == Completion("a 1", 7, 2, finish="length", cached=True)
    assert cached.complete([CompletionRequest("a")]) == [again]
    assert model.asked == [["a"], []]


def test_of_a_batch_only_what_is_missing_is_asked_and_equal_asks_once(tmp_path: Path) -> None:
    model = Counting()
    cached = Cached(model, tmp_path)
    cached.complete([CompletionRequest("b")])
    found = cached.complete(
        [
            CompletionRequest("a"),
            CompletionRequest("b"),
            CompletionRequest("c"),
            CompletionRequest("a"),
        ]
    )
    assert texts(found) == [("a 2", False), ("b 1", True), ("c 2", False), ("a 2", True)]
    assert model.asked == [["b"], ["a", "c"]]


@pytest.mark.parametrize(
    "other",
    [
        CompletionRequest("b", schema={"type": "object"}),
        CompletionRequest("a", max_tokens=9),
        CompletionRequest("a", choices=("x",)),
        CompletionRequest("a", schema={"type": "object", "required": ["x"]}),
        CompletionRequest("a", schema={"type": "object"}, best_effort=True),
        CompletionRequest("a", grammar="start: x"),
        CompletionRequest("a", stop=("x",)),
        CompletionRequest("a", continues=True),
        CompletionRequest("a "),
    ],
)
def test_every_part_of_an_ask_counts(tmp_path: Path, other: CompletionRequest) -> None:
    model = Counting()
    cached = Cached(model, tmp_path)
    cached.complete([CompletionRequest("a"), CompletionRequest("a", schema={"type": "object"})])
    cached.complete([other])
    assert len(model.asked[1]) == 1


def test_the_order_of_a_schema_does_not_count_but_that_of_choices_does(tmp_path: Path) -> None:
    model = Counting()
    cached = Cached(model, tmp_path)
    cached.complete(
        [
            CompletionRequest("a", schema={"a": 1, "b": 2}),
            CompletionRequest("a", choices=("x", "y")),
        ]
    )
    cached.complete([CompletionRequest("a", schema={"b": 2, "a": 1})])
    cached.complete([CompletionRequest("a", choices=("y", "x"))])
    assert [len(asked) for asked in model.asked] == [2, 0, 1]


def test_models_and_revisions_do_not_share_replies(tmp_path: Path) -> None:
    model, other = Counting(), Counting()
    other.name = "other"
    Cached(model, tmp_path, "r1").complete([CompletionRequest("a")])
    Cached(model, tmp_path, "r2").complete([CompletionRequest("a")])
    Cached(other, tmp_path, "r1").complete([CompletionRequest("a")])
    Cached(model, tmp_path, "r1").complete([CompletionRequest("a")])
    assert (model.asked, other.asked) == ([["a"], ["a"], []], [["a"]])


def test_scores_come_back_as_they_were(tmp_path: Path) -> None:
    ask = CompletionRequest("a", choices=("x", "y"))
    for was_cached in (False, True):
        found = Cached(Counting(), tmp_path).complete([ask])
        assert found == [Completion("x", 7, 2, (-1.5, -1.5), cached=was_cached)]


def test_errors_are_not_kept_and_leave_the_others_alone(tmp_path: Path) -> None:
    model = Counting()
    cached = Cached(model, tmp_path)
    for _ in range(2):
        first, second, third = cached.complete(
            [CompletionRequest("a"), CompletionRequest("bad"), CompletionRequest("bad")]
        )
        assert isinstance(first, Completion)
        assert isinstance(second, ModelError)
        assert isinstance(third, ModelError)
    assert model.asked == [["a", "bad"], ["bad"]]


class Telling(Counting):
    """A model that replies what it is told to."""

    def __init__(self, reply: Completion) -> None:
        super().__init__()
        self.reply = reply

    def _reply(self, ask: CompletionRequest) -> Completion:
        return self.reply


def test_what_was_cut_off_before_it_began_is_asked_again(tmp_path: Path) -> None:
    """The model may have thought all the time; the next time it may have been told not to."""
    model = Telling(Completion("", 7, 2, finish="length"))
    cached = Cached(model, tmp_path)
    for _ in range(2):
        assert cached.complete([CompletionRequest("a")]) == [model.reply]
    assert model.asked == [["a"], ["a"]]
    model.reply = Completion("", 7, 2)
    for was_cached in (False, True):
        assert texts(cached.complete([CompletionRequest("a")])) == [("", was_cached)]


def test_what_was_kept_of_such_replies_is_not_read(tmp_path: Path) -> None:
    Cached(Counting(), tmp_path).complete([CompletionRequest("a")])
    rewritten(tmp_path, json.dumps(FINE | {"text": "", "finish": "length"}))
    assert texts(Cached(Counting(), tmp_path).complete([CompletionRequest("a")])) == [
        ("a 1", False)
    ]


def test_how_many_requests_it_took_is_kept_as_tokens_are(tmp_path: Path) -> None:
    reply = Completion("x", 21, 6, requests=3)
    assert Cached(Telling(reply), tmp_path).complete([CompletionRequest("a")]) == [reply]
    (kept,) = Cached(Counting(), tmp_path).complete([CompletionRequest("a")])
    assert kept == replace(reply, cached=True)


def test_it_is_the_model_in_all_else(tmp_path: Path) -> None:
    cached = Cached(Counting(), tmp_path)
    assert (cached.name, cached.context, cached.count(["abc"])) == ("counting", 77, [3])
    assert cached.complete([]) == []


@pytest.mark.parametrize("text", ["a\ud800b", "名\n\0", "é😀", "x" * 100_000])
def test_any_text_is_kept(tmp_path: Path, text: str) -> None:
    for was_cached in (False, True):
        assert texts(Cached(Counting(), tmp_path).complete([CompletionRequest(text)])) == [
            (f"{text} 1", was_cached)
        ]


def test_the_oldest_are_dropped_where_there_are_too_many(tmp_path: Path) -> None:
    requests = [CompletionRequest(f"a{number:02}", choices=("x",)) for number in range(11)]
    size = len(reply_cache._written(Completion("x", 7, 2, (-1.5,))))
    cached = Cached(Counting(), tmp_path, limit=10 * size)
    for ask in requests:
        cached.complete([ask])
        time.sleep(0.002)
    assert [was_cached for _, was_cached in texts(cached.complete(requests))] == [False] * 3 + [
        True
    ] * 8


def rewritten(folder: Path, reply: Any) -> None:
    """What is kept, as somebody else might write it."""
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        database.execute("UPDATE replies SET reply = ?", [reply])


FINE: dict[str, Any] = {
    "text": "x",
    "tokens_in": 1,
    "tokens_out": 1,
    "scores": None,
    "finish": "stop",
    "cached": False,
    "requests": 1,
}


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "{",
        "7",
        "null",
        "[]",
        b"\x80\x04K\x07.",
        "[" * 100_000,
        json.dumps(FINE | {"text": 7}),
        json.dumps(FINE | {"text": "not a choice"}),
        json.dumps(FINE | {"scores": "ab"}),
        json.dumps(FINE | {"scores": [-1]}),
        json.dumps(FINE | {"tokens_in": "many"}),
        json.dumps(FINE | {"requests": "many"}),
        json.dumps(FINE | {"finish": "never"}),
        json.dumps(FINE | {"more": 1}),
        json.dumps({"text": "x"}),
    ],
)
def test_what_cannot_be_a_reply_counts_as_not_there(tmp_path: Path, reply: Any) -> None:
    ask = CompletionRequest("a", choices=("x", "y"))
    Cached(Counting(), tmp_path).complete([ask])
    rewritten(tmp_path, reply)
    model = Counting()
    (found,) = Cached(model, tmp_path).complete([ask])
    assert found == Completion("x", 7, 2, (-1.5, -1.5))
    assert model.asked == [["a"]]


def test_a_file_that_is_no_cache_is_set_aside_once_and_a_new_one_begun(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"something else" * 1000)
    said: list[Event] = []
    cached = Cached(Counting(), tmp_path, report=said.append)
    assert texts(cached.complete([CompletionRequest("a")])) == [("a 1", False)]
    assert texts(cached.complete([CompletionRequest("a")])) == [("a 1", True)]
    (message,) = said
    assert isinstance(message, Message)
    assert "damaged" in message.text
    assert "set aside" in message.text
    assert (tmp_path / f"{FILE}.damaged").read_bytes() == b"something else" * 1000
    assert clear(tmp_path) > 14_000
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kept", [100, 4096, 5000])
def test_so_is_one_that_was_damaged(tmp_path: Path, kept: int) -> None:
    Cached(Counting(), tmp_path).complete([CompletionRequest(f"ask {i}") for i in range(100)])
    file = tmp_path / FILE
    file.write_bytes(file.read_bytes()[:kept] + b"?" * (file.stat().st_size - kept))
    said: list[Event] = []
    cached = Cached(Counting(), tmp_path, report=said.append)
    cached.complete([CompletionRequest("a")])
    assert texts(cached.complete([CompletionRequest("a")]))[0][1] is True
    (message,) = said
    assert isinstance(message, Message)
    assert "--replies" in message.text


def test_of_two_that_find_it_damaged_one_sets_it_aside(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"something else" * 1000)
    caches = [Cached(Counting(), tmp_path) for _ in range(8)]
    threads = [
        Thread(target=cached.complete, args=([CompletionRequest(f"ask {number}")],))
        for number, cached in enumerate(caches)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    requests = [CompletionRequest(f"ask {number}") for number in range(8)]
    assert all(kept for _, kept in texts(Cached(Counting(), tmp_path).complete(requests)))


def test_a_clock_that_is_put_back_does_not_keep_what_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [2_000_000_000.0]
    monkeypatch.setattr(reply_cache.time, "time", lambda: clock[0])
    Cached(Counting(), tmp_path).complete([CompletionRequest("a")])
    clock[0] = 1_000_000_000.0
    assert texts(Cached(Counting(), tmp_path).complete([CompletionRequest("a")])) == [("a 1", True)]
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        assert database.execute("SELECT used FROM replies").fetchall() == [(clock[0],)]


def test_a_folder_that_cannot_be_made_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said: list[Event] = []
    cached = Cached(Counting(), tmp_path / "file" / "folder", report=said.append)
    assert texts(cached.complete([CompletionRequest("a")])) == [("a 1", False)]
    (message,) = said
    assert isinstance(message, Message)
    assert "--replies" not in message.text


@pytest.mark.parametrize("there", [False, True], ids=["new", "there"])
def test_a_file_that_is_locked_is_waited_for(tmp_path: Path, there: bool) -> None:
    if there:
        Cached(Counting(), tmp_path).complete([CompletionRequest("b")])
    said: list[Event] = []
    cached = Cached(Counting(), tmp_path, report=said.append)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")
        if not there:
            database.execute("CREATE TABLE other (x)")
        waiting = Thread(target=cached.complete, args=([CompletionRequest("a")],))
        waiting.start()
        time.sleep(0.2)
        database.execute("COMMIT")
        waiting.join()
    assert said == []
    assert texts(cached.complete([CompletionRequest("a")])) == [("a 1", True)]


def test_one_that_stays_locked_is_told_of_and_is_not_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply_cache, "_WAIT", 0.1)
    said: list[Event] = []
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")
        cached = Cached(Counting(), tmp_path, report=said.append)
        for _ in range(2):
            assert texts(cached.complete([CompletionRequest("a")]))[0][1] is False
    (message,) = said
    assert isinstance(message, Message)
    assert "is locked" in message.text
    assert "--replies" not in message.text


def test_weights_in_a_folder_are_told_apart_by_their_files(tmp_path: Path) -> None:
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(b"1")
    os.utime(weights, (1, 1))
    first = revision_of(str(tmp_path))
    assert first == revision_of(str(tmp_path))
    os.utime(weights, (2, 2))
    second = revision_of(str(tmp_path))
    (tmp_path / "adapter.safetensors").write_bytes(b"")
    assert len({first, second, revision_of(str(tmp_path)), revision_of(str(weights))}) == 4


def test_what_is_kept_depends_on_where_the_model_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings choose the folder, and whether there is one at all."""
    made: list[Counting] = []

    def load(settings: Settings, report: Report) -> Counting | None:
        if settings.llm == "none":
            return None
        made.append(Counting())
        return made[-1]

    monkeypatch.setattr(model_catalog, "load_llm", load)
    home = Settings(home=tmp_path)
    weights = tmp_path / "weights"
    weights.mkdir()

    def requests(llm: str, kept: bool = True, settings: Settings = home) -> bool:
        """Whether the model itself was asked."""
        model = load_cached_llm(replace(settings, llm=llm, cache=kept))
        assert model is not None
        model.complete([CompletionRequest("a")])
        return made[-1].asked == [["a"]]

    names = ["openai:m@http://a/v1", "openai:m@http://b/v1", f"hf:{weights}", "smollm2"]
    assert [requests(name) for name in names] == [True] * 4
    assert [requests(name) for name in names] == [False] * 4
    assert requests(names[0], kept=False)
    assert [requests("replay:file") for _ in range(2)] == [True, True]
    (weights / "model.safetensors").write_bytes(b"1")
    assert requests(f"hf:{weights}")
    narrow = replace(home, llm_dtype="bfloat16")
    assert [requests("smollm2", settings=each) for each in (narrow, narrow, home)] == [
        True,
        False,
        False,
    ]
    assert load_cached_llm(replace(home, llm="none")) is None
    assert (tmp_path / "llm-cache" / FILE).is_file()


def test_a_reply_is_never_marked_as_cached_on_disk() -> None:
    reply = Completion("a", 1, 1)
    assert reply_cache._written(replace(reply, cached=True)) == reply_cache._written(reply)
