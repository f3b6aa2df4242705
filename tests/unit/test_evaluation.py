"""Evaluation: strict measures, question files, and a run that goes on where it stopped."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgdb.errors import ModelError, UsageError
from kgdb.evaluation import SHOWN, Question, evaluate, read_metaqa
from kgdb.evaluation.metrics import f1, hit, hits_at_1
from kgdb.evaluation.runner import summarize
from kgdb.model import Answer, AnsweredEntity, Entity, Stage, Usage
from kgdb.progress import Event, Progress

pytestmark = pytest.mark.unit

NAMES = st.lists(st.sampled_from("abcdef"), max_size=6)


@pytest.mark.parametrize(
    ("answers", "gold", "first", "any_", "score"),
    [
        (["a"], {"a"}, True, True, 1.0),
        (["a", "b"], {"a"}, True, True, 2 / 3),
        (["b", "a"], {"a"}, False, True, 2 / 3),
        (["b"], {"a"}, False, False, 0.0),
        ([], {"a"}, False, False, 0.0),
        (["a"], set(), False, False, 0.0),
        ([], set(), False, False, 0.0),
        (["a"], {"a", "b", "c"}, True, True, 0.5),
        (["a", "a"], {"a"}, True, True, 1.0),
        (["A"], {"a"}, False, False, 0.0),
    ],
)
def test_the_measures_are_strict(
    answers: list[str], gold: set[str], first: bool, any_: bool, score: float
) -> None:
    assert hits_at_1(answers, gold) is first
    assert hit(answers, gold, 20) is any_
    assert f1(answers, gold) == pytest.approx(score)


def test_a_gold_answer_past_those_shown_is_no_hit() -> None:
    assert hit(["b", "a"], {"a"}, 2)
    assert not hit(["b", "a"], {"a"}, 1)
    assert not hit(["a"], {"a"}, 0)


@given(NAMES, st.sets(st.sampled_from("abcdef"), min_size=1))
def test_f1_is_the_harmonic_mean_of_precision_and_recall(
    answers: list[str], gold: set[str]
) -> None:
    common = set(answers) & gold
    if common:
        precision, recall = len(common) / len(set(answers)), len(common) / len(gold)
        assert f1(answers, gold) == pytest.approx(2 / (1 / precision + 1 / recall))
    else:
        assert f1(answers, gold) == 0
    assert (f1(answers, gold) == 1) == (set(answers) == gold)


class Canned:
    """A method that knows some answers, and may fail at one question."""

    def __init__(self, answers: dict[str, list[str]], fails_at: str | None = None) -> None:
        self._answers = answers
        self._fails_at = fails_at
        self.asked: list[str] = []

    def answer(self, question: str) -> Answer:
        if question == self._fails_at:
            raise ModelError("The model is gone.")
        self.asked.append(question)
        names = self._answers.get(question, [])
        return Answer(
            question,
            "test",
            "canned",
            entities=tuple(AnsweredEntity(Entity(name, name), (), 1) for name in names),
            reading="read" if names else None,
            reason=None if names else "nothing is known",
            trace=(
                Stage("all", {}, Usage(2, tokens_in=30, tokens_out=4, seconds=0.5, round_trips=3)),
            ),
        )


QUESTIONS = [
    Question("1", "one?", frozenset("a")),
    Question("2", "two – ä?", frozenset("ab")),
    Question("3", "three?", frozenset("c")),
]
ANSWERS = {"one?": ["a"], "two – ä?": ["x", "a"]}


def test_the_summary_is_the_mean_over_the_questions() -> None:
    summary = evaluate(Canned(ANSWERS), QUESTIONS)
    assert summary.questions == 3
    assert summary.hits_at_1 == pytest.approx(1 / 3, abs=1e-4)
    assert summary.hit == pytest.approx(2 / 3, abs=1e-4)
    assert summary.f1 == pytest.approx((1 + 0.5) / 3, abs=1e-4)
    assert summary.unanswered == pytest.approx(1 / 3, abs=1e-4)
    assert (summary.calls, summary.tokens_in) == (2, 30)
    assert (summary.seconds, summary.round_trips) == (0.5, 3)


def test_only_what_is_shown_counts_as_a_hit() -> None:
    wrong = [f"x{i}" for i in range(SHOWN)]
    summary = evaluate(Canned({"one?": [*wrong, "a"]}), QUESTIONS[:1])
    assert summary.hit == 0
    assert summary.f1 > 0


def test_no_questions_are_summarised_too() -> None:
    assert summarize([]).questions == 0
    assert summarize([]).f1 == 0
    assert evaluate(Canned({}), []).hits_at_1 == 0


def test_progress_is_told() -> None:
    events: list[Event] = []
    evaluate(Canned({}), QUESTIONS, report=events.append)
    assert events == [Progress("answering", done, 3, "questions") for done in (1, 2, 3)]


def test_a_row_for_each_question_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "rows.jsonl"
    evaluate(Canned(ANSWERS), QUESTIONS, path)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["1", "2", "3"]
    assert rows[1]["question"] == "two – ä?"
    assert (rows[1]["first"], rows[1]["answered"], rows[1]["reading"]) == ("x", 2, "read")
    assert (rows[1]["hits_at_1"], rows[1]["hit"], rows[1]["f1"]) == (False, True, 0.5)
    assert (rows[2]["first"], rows[2]["reason"]) == (None, "nothing is known")
    assert (rows[0]["calls"], rows[0]["tokens_out"], rows[0]["round_trips"]) == (2, 4, 3)


def test_questions_that_have_a_row_are_not_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    whole = evaluate(Canned(ANSWERS), QUESTIONS, path)
    again = Canned({})
    assert evaluate(again, QUESTIONS, path) == whole
    assert again.asked == []
    # Rows of other questions do not count.
    assert evaluate(again, QUESTIONS[:1], path).questions == 1


def test_a_run_that_failed_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    events: list[Event] = []
    with pytest.raises(ModelError):
        evaluate(Canned(ANSWERS, fails_at="three?"), QUESTIONS, path)
    method = Canned(ANSWERS)
    summary = evaluate(method, QUESTIONS, path, events.append)
    assert method.asked == ["three?"]
    assert events == [Progress("answering", 3, 3, "questions")]
    assert summary == evaluate(Canned(ANSWERS), QUESTIONS)


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
    whole = evaluate(Canned(ANSWERS), QUESTIONS, path)
    content = path.read_bytes()
    first, second, _ = content.splitlines(keepends=True)
    path.write_bytes(first + second[: cut(second)])
    method = Canned(ANSWERS)
    assert evaluate(method, QUESTIONS, path) == whole
    assert method.asked == ["two – ä?", "three?"]
    assert path.read_bytes() == content
    # And once more: what was left behind harms no later run either.
    assert evaluate(Canned({}), QUESTIONS, path) == whole


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
        evaluate(Canned({}), QUESTIONS, path)
    assert failure.value.hint
    assert path.read_bytes() == content


def metaqa(data: Path, content: bytes) -> Path:
    path = data / "metaqa" / "2-hop" / "vanilla" / "qa_dev.txt.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return data


LINES = "what films did [Ada Weir] write\tThe Salt Ledger|Snow Whale\nwhen was [1953] made\t1989\n"


def test_metaqa_questions_are_read(tmp_path: Path) -> None:
    questions = read_metaqa(metaqa(tmp_path, gzip.compress(LINES.encode())), 2)
    assert questions == [
        Question(
            "2-hop/dev/1",
            "what films did [Ada Weir] write",
            frozenset({"The Salt Ledger", "Snow Whale"}),
        ),
        Question("2-hop/dev/2", "when was [1953] made", frozenset({"1989"})),
    ]


def test_mentions_can_be_left_to_find(tmp_path: Path) -> None:
    data = metaqa(tmp_path, gzip.compress(LINES.encode()))
    texts = [question.text for question in read_metaqa(data, 2, mentions_given=False)]
    assert texts == ["what films did Ada Weir write", "when was 1953 made"]


def test_questions_that_are_not_there_are_refused_with_the_place(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"There is no .*3-hop.*qa_train\.txt\.gz") as failure:
        read_metaqa(tmp_path, 3, "train")
    assert "KGDB_DATA" in (failure.value.hint or "")


def test_a_line_that_is_no_question_is_refused_by_number(tmp_path: Path) -> None:
    data = metaqa(tmp_path, gzip.compress(f"{LINES}no tab\n".encode()))
    with pytest.raises(UsageError, match="line 3: expected QUESTION<TAB>ANSWER"):
        read_metaqa(data, 2)


@pytest.mark.parametrize(
    "content", [LINES.encode(), gzip.compress(LINES.encode())[:-9], gzip.compress(b"\xff\t\xff")]
)
def test_a_file_that_is_not_gzipped_text_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(UsageError, match=r"qa_dev\.txt\.gz is not gzipped UTF-8 text"):
        read_metaqa(metaqa(tmp_path, content), 2)


def test_rows_of_another_run_are_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    evaluate(Canned(ANSWERS), QUESTIONS, path, run="one")
    kept = path.read_bytes()
    with pytest.raises(UsageError, match="rows of another run: 'one', not 'two'"):
        evaluate(Canned(ANSWERS), QUESTIONS, path, run="two")
    assert path.read_bytes() == kept
