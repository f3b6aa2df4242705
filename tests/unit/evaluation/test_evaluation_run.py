"""Running an evaluation: many questions at a time, a row for each, and going on after a stop."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from evaluated import ANSWERS, QUESTIONS, RUN, Canned, Stopped, asking

from kgdb.errors import TooManyErrors, UsageError
from kgdb.evaluation import (
    SHOWN,
    Asking,
    Question,
    evaluate,
)
from kgdb.evaluation.row_means import summarize_answers, summarize_claims
from kgdb.progress import Event, Progress
from kgdb.values import (
    Answer,
    AnsweredEntity,
    Entity,
    Step,
)
from kgdb.values import (
    Path as Walk,
)

pytestmark = pytest.mark.unit


def test_the_summary_is_the_mean_over_the_questions() -> None:
    summary = evaluate(asking(Canned(ANSWERS)), QUESTIONS)
    assert summary.questions == 3
    assert summary.hits_at_1 == pytest.approx(1 / 3, abs=1e-4)
    assert summary.hit == pytest.approx(2 / 3, abs=1e-4)
    assert summary.exact == pytest.approx(1 / 3, abs=1e-4)
    assert summary.f1 == pytest.approx((1 + 0.5) / 3, abs=1e-4)
    assert summary.unanswered == pytest.approx(1 / 3, abs=1e-4)
    assert (summary.calls, summary.most_calls, summary.cached) == (2, 2, 1)
    assert (summary.tokens_in, summary.tokens_out) == (30, 4)
    assert (summary.seconds, summary.round_trips, summary.most_round_trips) == (0.5, 3, 3)
    assert (summary.errors, summary.first_error) == (0, None)


def test_the_cost_is_kept_and_its_mean_told(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    method = Canned(ANSWERS, cost=0.00003)
    first = evaluate(asking(method, path), QUESTIONS)
    assert first.cost == first.by_type["long"].cost == 0.00003
    assert [json.loads(line)["cost"] for line in path.read_text().splitlines()] == [0.00003] * 3
    # Rows of before it was kept are rows still.
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines[:2]:
        del line["cost"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    method.asked.clear()
    assert evaluate(asking(method, path), QUESTIONS).cost == 0.00001
    assert method.asked == []


@pytest.mark.parametrize("text", ["half \ud800 – ä", "two\u2028lines", "a\x85b\x1b[2J"])
def test_any_text_is_a_row_of_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "rows.jsonl"
    questions = [Question("1", text, frozenset("a")), Question("2", "one?", frozenset("a"))]
    whole = evaluate(asking(Canned({text: [text]}), path), questions)
    first, second, rest = path.read_bytes().split(b"\n")
    assert (json.loads(first)["question"], json.loads(first)["first"], rest) == (text, text, b"")
    assert json.loads(second)["question"] == "one?"
    again = Canned()
    assert evaluate(asking(again, path), questions) == whole
    assert again.asked == []


def test_each_kind_of_question_is_summarised_too() -> None:
    summary = evaluate(asking(Canned(ANSWERS)), QUESTIONS)
    assert {type_: (s.questions, s.hit) for type_, s in summary.by_type.items()} == {
        "long": (1, 1.0),
        "short": (2, 0.5),
    }


def test_only_what_is_shown_counts_as_a_hit() -> None:
    wrong = [f"x{i}" for i in range(SHOWN)]
    summary = evaluate(asking(Canned({"one?": [*wrong, "a"]})), QUESTIONS[:1])
    assert summary.hit == 0
    assert summary.f1 > 0


def test_no_questions_are_summarised_too() -> None:
    assert summarize_answers([]).f1 == summarize_claims([]).accuracy == 0
    assert evaluate(asking(Canned()), []).questions == 0


def test_questions_are_asked_in_batches_and_progress_is_told() -> None:
    method, events = Canned(), list[Event]()
    evaluate(asking(method), QUESTIONS, events.append)
    assert method.asked == [["one?", "two – ä?"], ["three?"]]
    assert events == [Progress("answering", done, 3, "questions") for done in (1, 2, 3)]


def test_answers_without_proof_count_after_those_with_it() -> None:
    class Unsupported(Canned):
        def _answer(self, question: str) -> Answer:
            return Answer(question, "test", "canned", unsupported=("c", "d"))

    summary = evaluate(asking(Unsupported()), QUESTIONS)
    assert summary.hits_at_1 == pytest.approx(1 / 3, abs=1e-4)
    assert summary.unanswered == summary.evidence == 0


def test_evidence_is_measured_apart_from_the_answer() -> None:
    class Retrieving(Canned):
        def _answer(self, question: str) -> Answer:
            a, b, z = (Entity(f"id of {name}", name) for name in "abz")
            away, back = Walk((z, a), (Step("r"),)), Walk((z, b), (Step("r"),))
            proved = AnsweredEntity(z, (away,), 1)
            return Answer(question, "test", "canned", (proved,), retrieved=(back, away))

    questions = [*QUESTIONS, Question("4", "four?", frozenset("bc"))]
    summary = evaluate(asking(Retrieving()), questions)
    assert summary.hits_at_1 == 0
    assert summary.evidence_hit == pytest.approx(3 / 4)
    assert summary.evidence == pytest.approx((1 + 1 + 0 + 0.5) / 4)
    assert summary.paths == 2


def test_answers_that_a_cap_left_out_are_told(tmp_path: Path) -> None:
    class Capped(Canned):
        def _answer(self, question: str) -> Answer:
            return replace(super()._answer(question), truncated=question == "one?")

    path = tmp_path / "rows.jsonl"
    summary = evaluate(asking(Capped(ANSWERS), path), QUESTIONS)
    assert summary.truncated == pytest.approx(1 / 3, abs=1e-4)
    assert summary.by_type["long"].truncated == 0
    assert [json.loads(line)["truncated"] for line in path.open()] == [True, False, False]


def test_a_row_for_each_question_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "rows.jsonl"
    evaluate(asking(Canned(ANSWERS), path), QUESTIONS)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["1", "2", "3"]
    assert rows[1]["question"] == "two – ä?"
    assert (rows[1]["first"], rows[1]["answered"], rows[1]["interpretation"]) == ("x", 2, "read")
    assert (rows[1]["hits_at_1"], rows[1]["hit"], rows[1]["f1"]) == (False, True, 0.5)
    assert (rows[2]["first"], rows[2]["reason"]) == (None, "nothing is known")
    assert (rows[0]["calls"], rows[0]["tokens_out"], rows[0]["round_trips"]) == (2, 4, 3)
    assert (rows[0]["type"], rows[0]["run"], rows[0]["error"]) == ("short", RUN, None)


def test_questions_that_have_a_row_are_not_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    whole = evaluate(asking(Canned(ANSWERS), path), QUESTIONS)
    again = Canned()
    assert evaluate(asking(again, path), QUESTIONS) == whole
    assert again.asked == []
    # Rows of other questions do not count.
    assert evaluate(asking(again, path), QUESTIONS[:1]).questions == 1


@pytest.mark.parametrize("batch", [1, 2, 3])
@pytest.mark.parametrize("stop", [question.text for question in QUESTIONS])
def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path, stop: str, batch: int) -> None:
    path = tmp_path / "rows.jsonl"
    with pytest.raises(Stopped):
        evaluate(asking(Canned(ANSWERS, stops_at=stop), path, batch), QUESTIONS)
    method, events = Canned(ANSWERS), list[Event]()
    summary = evaluate(asking(method, path, batch), QUESTIONS, events.append)
    texts = [question.text for question in QUESTIONS]
    assert [text for together in method.asked for text in together] == texts[texts.index(stop) :]
    assert events[-1] == Progress("answering", 3, 3, "questions")
    assert summary == evaluate(asking(Canned(ANSWERS)), QUESTIONS)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 3


def test_a_question_that_fails_is_a_row_and_not_the_end(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    summary = evaluate(asking(Canned(ANSWERS, fails_at=["one?"]), path, errors=1), QUESTIONS)
    assert (summary.questions, summary.errors) == (3, 1)
    assert summary.first_error == "ModelError: The model is gone."
    assert summary.hits_at_1 == 0
    # It is asked again by a later run, and then counts as what it is.
    method = Canned(ANSWERS)
    assert evaluate(asking(method, path), QUESTIONS).errors == 0
    assert method.asked == [["one?"]]
    assert evaluate(asking(Canned(), path), QUESTIONS).hits_at_1 == pytest.approx(1 / 3, abs=1e-4)


def test_too_many_errors_stop_the_run_after_their_batch(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    method = Canned(ANSWERS, fails_at=["two – ä?"])
    with pytest.raises(TooManyErrors, match=r"1 of 2 questions .* The model is gone") as failure:
        evaluate(asking(method, path), QUESTIONS)
    assert "--max-errors" in (failure.value.hint or "")
    assert method.asked == [["one?", "two – ä?"]]
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2


def test_a_mistake_that_every_question_meets_is_told_as_it_is() -> None:
    mistake = UsageError("The method does not do that.")
    method = Canned(fails_at=[question.text for question in QUESTIONS], error=mistake)
    with pytest.raises(UsageError, match="The method does not do that"):
        evaluate(asking(method), QUESTIONS)


CUTS: dict[str, Callable[[bytes], int]] = {
    "at once": lambda line: 1,
    "in the middle of a letter": lambda line: line.index("ä".encode()) + 1,
    "before the newline": lambda line: len(line) - 1,
}


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
def test_a_row_that_was_only_half_written_is_written_anew(
    tmp_path: Path, cut: Callable[[bytes], int]
) -> None:
    path = tmp_path / "rows.jsonl"
    whole = evaluate(asking(Canned(ANSWERS), path), QUESTIONS)
    content = path.read_bytes()
    first, second, _ = content.splitlines(keepends=True)
    path.write_bytes(first + second[: cut(second)])
    method = Canned(ANSWERS)
    assert evaluate(asking(method, path), QUESTIONS) == whole
    assert method.asked == [["two – ä?", "three?"]]
    assert path.read_bytes() == content
    # And once more: what was left behind harms no later run either.
    assert evaluate(asking(Canned(), path), QUESTIONS) == whole


@pytest.mark.parametrize(
    "content",
    [
        b"not json\n",
        b'{"id": "1"}\n',
        b"[]\n",
        b"3\n",
        b"\n",
        b"\xff\xfe\n",
        b"notes without a newline",
        b'{"id": "1", "colour": "red"}\n',
    ],
)
def test_another_file_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"notes\.txt, line 1, is not a row") as failure:
        evaluate(asking(Canned(), path), QUESTIONS)
    assert failure.value.hint
    assert path.read_bytes() == content


def test_rows_of_another_run_are_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    evaluate(Asking(Canned(ANSWERS), path, "one"), QUESTIONS)
    # The end of a stopped run of somebody else's is left alone as well.
    path.write_bytes(path.read_bytes() + b'{"id": "')
    kept = path.read_bytes()
    with pytest.raises(UsageError, match="rows of another run: 'one', not 'two'"):
        evaluate(Asking(Canned(ANSWERS), path, "two"), QUESTIONS)
    assert path.read_bytes() == kept
