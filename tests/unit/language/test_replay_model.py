"""Recordings of what a language model replied."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from kgdb.errors import ModelError, UsageError
from kgdb.language import Completion, CompletionRequest, load_llm
from kgdb.language.recording.replay_model import RecordingModel, ReplayModel
from kgdb.language.text.prompt_fit import tokens_at_most
from kgdb.settings import Settings

pytestmark = pytest.mark.unit


class Echo:
    """A model that says the prompt backwards, and keeps how often it was asked."""

    name = "Echo 1"
    context = 100
    supports_grammar = False
    parameters: int | None = None

    def __init__(self) -> None:
        self.asked: list[CompletionRequest] = []

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        self.asked += requests
        return [
            ModelError("busy")
            if ask.prompt == "fail"
            else Completion(ask.choices[-1], 3, 0, (-1.5, -0.25))
            if ask.choices
            else Completion(ask.prompt[::-1], len(ask.prompt), 2, finish="length")
            for ask in requests
        ]


ASKS = [
    CompletionRequest("谁导演了 {x}?\n“…” 🎬"),
    CompletionRequest("which", choices=("a", "b")),
    CompletionRequest("which", choices=("b", "a")),
    CompletionRequest("which", max_tokens=7, stop=("\n",), continues=True),
    CompletionRequest(
        "json", schema={"type": "object", "properties": {"b": {}, "a": {"enum": ["é"]}}}
    ),
    CompletionRequest("text", grammar='start: "a"'),
]


def test_what_was_recorded_is_replayed(tmp_path: Path) -> None:
    file = tmp_path / "new" / "echo.jsonl"
    echo = Echo()
    recording = RecordingModel(file, "echo", echo)
    replies = recording.complete(ASKS)
    counts = recording.count(["some", "words"])
    replay = ReplayModel(file)
    again = replay.complete(ASKS[::-1])[::-1]
    assert len(set(map(str, replies))) == len(ASKS)
    for reply, other in zip(replies, again, strict=True):
        assert isinstance(reply, Completion)
        assert isinstance(other, Completion)
        assert (other.text, other.scores, other.finish) == (reply.text, reply.scores, reply.finish)
        assert (other.tokens_in, other.tokens_out) == (reply.tokens_in, reply.tokens_out)
        assert (reply.cached, other.cached) == (False, True)
    assert replay.count(["words", "some"]) == counts[::-1] == [5, 4]
    assert (replay.name, replay.context) == ("echo (replayed)", 100)


def test_any_separator_of_lines_may_stand_in_a_reply(tmp_path: Path) -> None:
    file = tmp_path / "echo.jsonl"
    requests = [CompletionRequest("one\u2028two"), CompletionRequest("one\x85two\r\nthree")]
    replies = RecordingModel(file, "echo", Echo()).complete(requests)
    for reply, other in zip(replies, ReplayModel(file).complete(requests), strict=True):
        assert isinstance(reply, Completion)
        assert isinstance(other, Completion)
        assert other.text == reply.text


def test_what_was_not_recorded_is_an_error_that_says_how_to_record_it(tmp_path: Path) -> None:
    file = tmp_path / "echo.jsonl"
    RecordingModel(file, "echo", Echo()).complete(ASKS[:2])
    known, unknown, other = ReplayModel(file).complete(
        [
            ASKS[0],
            CompletionRequest("x" * 500),
            CompletionRequest("which", choices=("a", "b"), continues=True),
        ]
    )
    assert isinstance(known, Completion)
    assert isinstance(other, ModelError)
    assert isinstance(unknown, ModelError)
    assert f"has no reply to '{'x' * 80}…'" in unknown.message
    assert f"--llm record:{file}=echo" in (unknown.hint or "")
    assert ReplayModel(file).count(["unknown"]) == [tokens_at_most("unknown")]


def test_a_recording_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "echo.jsonl"
    RecordingModel(file, "echo", Echo()).complete(ASKS[:3])
    echo = Echo()
    second = RecordingModel(file, "echo", echo)
    replies = second.complete(ASKS)
    assert echo.asked == ASKS[3:]
    cached = [isinstance(reply, Completion) and reply.cached for reply in replies]
    assert cached == [True] * 3 + [False] * 3
    assert len(file.read_text().splitlines()) == 1 + len(ASKS)


def test_errors_are_not_recorded(tmp_path: Path) -> None:
    file = tmp_path / "echo.jsonl"
    echo = Echo()
    recording = RecordingModel(file, "echo", echo)
    results = [recording.complete([CompletionRequest("fail"), ASKS[0]]) for _ in range(2)]
    for failed, fine in results:
        assert isinstance(failed, ModelError)
        assert isinstance(fine, Completion)
    assert echo.asked == [CompletionRequest("fail"), ASKS[0], CompletionRequest("fail")]


def test_a_recording_may_be_written_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "hand.jsonl"
    file.write_text(
        '{"model": "me", "context": 4096}\n'
        '{"ask": {"prompt": "who?"}, "completion": {"text": "Ada"}}\n',
        encoding="utf-8",
    )
    model = load_llm(Settings(llm=f"replay:{file}"))
    assert model is not None
    assert model.complete([CompletionRequest("who?")]) == [Completion("Ada", 0, 0, cached=True)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("nonsense\n", 1),
        ('{"model": "m"}\n', 1),
        ('{"model": "m", "context": 9}\n[]\n', 2),
        ('{"model": "m", "context": 9}\n{"ask": {"question": 1}, "completion": {"text": "a"}}', 2),
        ('{"model": "m", "context": 9}\n{"ask": {"prompt": "a"}}', 2),
    ],
)
def test_a_line_that_is_none_is_named(tmp_path: Path, text: str, line: int) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=f"broken.jsonl, line {line}, is no line") as failure:
        ReplayModel(file)
    assert '{"ask": {"prompt"' in (failure.value.hint or "")


def test_a_file_that_is_not_there_or_empty_says_how_to_record(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    for name, told in (("absent", "cannot be read: No such file"), ("empty", "is empty")):
        with pytest.raises(UsageError, match=told) as failure:
            ReplayModel(tmp_path / name)
        assert f"record:{tmp_path / name}=smollm2" in (failure.value.hint or "")


def test_a_file_holds_one_model(tmp_path: Path) -> None:
    file = tmp_path / "echo.jsonl"
    RecordingModel(file, "echo", Echo())
    with pytest.raises(UsageError, match="recording of 'echo', not of 'other'"):
        RecordingModel(file, "other", Echo())


@pytest.mark.parametrize(("grammars", "parameters"), [(True, 135_000_000), (False, None)])
def test_what_was_recorded_is_asked_for_in_the_same_way(
    tmp_path: Path, grammars: bool, parameters: int | None
) -> None:
    file = tmp_path / "echo.jsonl"
    echo = Echo()
    echo.supports_grammar, echo.parameters = grammars, parameters
    for model in (RecordingModel(file, "echo", echo), ReplayModel(file)):
        assert model.supports_grammar == grammars
        assert model.parameters == parameters


def test_lines_are_readable(tmp_path: Path) -> None:
    file = tmp_path / "echo.jsonl"
    RecordingModel(file, "echo", Echo()).complete(ASKS[:1])
    first, second = file.read_text(encoding="utf-8").splitlines()
    assert json.loads(first) == {"model": "echo", "context": 100}
    assert json.loads(second)["ask"] == {"prompt": ASKS[0].prompt}
    assert "谁导演了" in second
