"""Answers ranked by a judge: letters and methods, both orders, ties, and replies of no use."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from kgdb.errors import ModelError, TooManyErrors, UsageError
from kgdb.lab.ranking import Answered, Judge, Ranking, RankRow, rank_answers, summarize_ranks
from kgdb.lab.ranking.rank_prompt import ranks_in
from kgdb.lab.ranking.trust import trust
from kgdb.lab.texts import DialogueQuestion
from kgdb.language import Completion, CompletionRequest

pytestmark = pytest.mark.unit

Shown = dict[str, str]
METHODS = {"mindmap": "Take a test.", "tree": "Rest a while.", "poor": "Do nothing."}
BY_TEXT = {"Take a test.": 1, "Rest a while.": 2, "Do nothing.": 3}


class JudgeModel:
    """A judge that makes a reply of the texts by their letters, as it sees them."""

    name = "judge"
    context = 8192
    supports_grammar = False
    parameters = None

    def __init__(self, rank: Callable[[Shown], object]) -> None:
        self.rank = rank
        self.seen: list[Shown] = []
        self.prompts: list[str] = []

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        return [self._reply(request) for request in requests]

    def _reply(self, request: CompletionRequest) -> Completion | ModelError:
        self.prompts.append(request.prompt)
        shown = dict(re.findall(r"^(?:Answer |回答)([A-Z])(?:: |：)(.*)$", request.prompt, re.M))
        self.seen.append(shown)
        reply = self.rank(shown)
        if isinstance(reply, ModelError):
            return reply
        text = reply if isinstance(reply, str) else json.dumps(reply)
        return Completion(text, 100, 10)


def knowing(shown: Shown) -> dict[str, int]:
    """Ranks by what the texts say, whatever they are called."""
    order = sorted(shown.values(), key=BY_TEXT.__getitem__)
    return {letter: order.index(text) + 1 for letter, text in shown.items()}


def first_best(shown: Shown) -> dict[str, int]:
    """Ranks by the order alone."""
    return {letter: place for place, letter in enumerate(shown, 1)}


def all_equal(shown: Shown) -> dict[str, int]:
    return dict.fromkeys(shown, 1)


def questions(number: int, **texts: str | None) -> list[Answered]:
    return [
        Answered(
            DialogueQuestion(f"q{n}", f"What helps, {n}?", frozenset(), reference="A test."),
            texts or METHODS,
        )
        for n in range(number)
    ]


def ranked(
    rank: Callable[[Shown], object], answered: Sequence[Answered], rows: Path | None = None
) -> tuple[Ranking, list[RankRow], JudgeModel]:
    model = JudgeModel(rank)
    found = rank_answers(Judge(model, "stub"), answered, rows)
    return summarize_ranks("stub", found), found, model


def test_a_judge_that_knows_ranks_each_method_by_what_it_says() -> None:
    ranking, rows, model = ranked(knowing, questions(8))
    assert {method: each.rank.value for method, each in ranking.methods.items()} == {
        "mindmap": 1.0, "tree": 2.0, "poor": 3.0,
    }  # fmt: skip
    assert {method: each.wins.value for method, each in ranking.methods.items()} == {
        "mindmap": 1.0, "tree": 0.5, "poor": 0.0,
    }  # fmt: skip
    assert ranking.agreement is not None
    assert ranking.agreement.value == pytest.approx(1.0)
    assert (ranking.questions, ranking.judged, ranking.undecided) == (8, 8, 0)
    assert ranking.calls == 16
    assert (ranking.tokens_in, ranking.tokens_out) == (1600, 160)
    assert rows[0].first == rows[0].second == {"mindmap": 1.0, "tree": 2.0, "poor": 3.0}
    # The second order is the reverse of the first, and not all questions have the same.
    orders = [tuple(shown.values()) for shown in model.seen]
    assert all(
        second == first[::-1] for first, second in zip(orders[::2], orders[1::2], strict=True)
    )
    assert len(set(orders[::2])) > 1


def test_no_prompt_names_a_method_and_each_has_the_reference() -> None:
    _, _, model = ranked(knowing, questions(3))
    for text in model.prompts:
        assert not re.search(r"mindmap|tree|poor", text)
        assert "Reference answer: A test." in text
        assert text.endswith('{"A": rank, "B": rank, "C": rank}')


def test_a_chinese_question_is_judged_in_chinese() -> None:
    asked = DialogueQuestion("q", "头疼怎么办？", frozenset(), reference="检查。")
    ranking, _, model = ranked(knowing, [Answered(asked, METHODS)])
    assert "参考回答：检查。" in model.prompts[0]
    assert ranking.methods["mindmap"].rank.value == 1.0


def test_a_judge_that_goes_by_the_order_is_found_out() -> None:
    ranking, _, _ = ranked(first_best, questions(8))
    assert ranking.agreement is not None
    assert ranking.agreement.value == pytest.approx(-1.0)
    assert {each.rank.value for each in ranking.methods.values()} == {2.0}
    assert {each.wins.value for each in ranking.methods.values()} == {0.5}
    assert any("goes by the order" in line for line in trust(ranking))


def test_ties_share_the_mean_of_their_ranks() -> None:
    ranking, rows, _ = ranked(
        lambda shown: {letter: min(BY_TEXT[text], 2) for letter, text in shown.items()},
        questions(2),
    )
    assert rows[0].first == {"mindmap": 1.0, "tree": 2.5, "poor": 2.5}
    assert ranking.methods["tree"].wins.value == 0.25
    equal, _, _ = ranked(all_equal, questions(2))
    assert {each.rank.value for each in equal.methods.values()} == {2.0}
    assert equal.agreement is None
    assert (equal.judged, equal.undecided) == (2, 2)
    (told,) = trust(equal)
    assert told.startswith("Of 2 among 2 questions, the judge ranks all answers as equal")


def test_only_what_both_orders_say_is_won() -> None:
    """One order has the first two the other way round."""

    def half(shown: Shown) -> dict[str, int]:
        (last,) = (letter for letter, text in shown.items() if text == METHODS["poor"])
        others = [letter for letter in shown if letter != last]
        return {others[0]: 1, others[1]: 2, last: 3}

    ranking, _, _ = ranked(half, questions(4))
    wins = {method: each.wins.value for method, each in ranking.methods.items()}
    assert wins == {"mindmap": 0.75, "tree": 0.75, "poor": 0.0}
    assert ranking.agreement is not None
    assert ranking.agreement.value == pytest.approx(1 / 3, abs=1e-3)


def test_what_says_nothing_is_last_and_what_says_the_same_is_shown_once() -> None:
    texts = {
        "mindmap": "Take a  test [1].", "same": "Take a test.", "poor": "Do nothing.",
        "silent": None, "empty": " [2]",
    }  # fmt: skip
    ranking, rows, model = ranked(knowing, questions(2, **texts))
    assert {method: each.silent for method, each in ranking.methods.items() if each.silent} == {
        "silent": 2, "empty": 2,
    }  # fmt: skip
    assert sorted(model.seen[0].values()) == ["Do nothing.", "Take a test."]
    assert rows[0].first == {
        "mindmap": 1.5, "same": 1.5, "poor": 3.0, "silent": 4.5, "empty": 4.5,
    }  # fmt: skip
    assert rows[0].shown == 2


def test_without_two_different_texts_the_judge_is_not_asked() -> None:
    ranking, rows, model = ranked(knowing, questions(2, mindmap="Yes.", same="Yes.", silent=None))
    assert model.prompts == []
    assert rows[0].first == {"mindmap": 1.5, "same": 1.5, "silent": 3.0}
    assert (ranking.questions, ranking.judged, ranking.agreement) == (2, 0, None)
    assert list(trust(ranking)) == [
        "The judge was not asked about 2 questions without two different texts."
    ]
    _, rows, _ = ranked(knowing, questions(1, a=None, b=None))
    assert rows[0].first == {"a": 1.5, "b": 1.5}


@pytest.mark.parametrize(
    "reply",
    [
        "A is the best.",
        '{"A": 1, "B": 2}',
        '{"A": 1, "B": 2, "D": 3}',
        '{"A": 1, "B": 2, "C": 3, "D": 4}',
        '{"A": 1, "B": 2, "C": 4}',
        '{"A": 0, "B": 1, "C": 2}',
        '{"A": 1, "B": 2, "C": true}',
        '{"A": 1, "B": 2, "C": "3"}',
        '{"A": 1, "B": 2, "C": 3, "A": 2}',
        '{"A": 1, "B": 2, "C": 3} or {"A": 3, "B": 2, "C": 1}',
        '<think>{"A": 1, "B": 2, "C": 3}',
        "{" * 5000,
        "",
    ],
)
def test_a_reply_that_cannot_be_read_is_counted_and_named(reply: str) -> None:
    assert ranks_in(Completion(reply, 1, 1), 3) is None

    def sometimes(shown: Shown) -> object:
        return reply if shown["A"] == METHODS["poor"] else knowing(shown)

    ranking, rows, _ = ranked(sometimes, questions(6))
    unread = [row for row in rows if row.unreadable is not None]
    assert 0 < len(unread) < 6
    assert all((row.first is None) != (row.second is None) for row in unread)
    assert ranking.unreadable == tuple(row.id for row in unread)
    assert ranking.questions == 6 - len(unread)
    assert ranking.methods["mindmap"].rank.value == 1.0
    assert ranking.errors == 0
    (told,) = (line for line in trust(ranking) if "could not be read" in line)
    assert unread[0].id in told


@pytest.mark.parametrize(
    "reply",
    [
        '{"A": 1, "B": 2, "C": 2}',
        '```json\n{"C": 2, "A": 1, "B": 2}\n```',
        '<think>{"A": 3, "B": 3, "C": 3}</think>The ranks: {"A": 1, "B": 2, "C": 2}.',
        'All {of} them: {"A": 1, "B": 2, "C": 2}, so {"A": 1, "B": 2, "C": 2}',
    ],
)
def test_a_reply_with_one_ranking_is_read(reply: str) -> None:
    assert ranks_in(Completion(reply, 1, 1), 3) == (1, 2, 2)
    assert ranks_in(Completion(reply, 1, 1, finish="length"), 3) is None


def test_a_judge_that_fails_is_asked_again_and_only_then(tmp_path: Path) -> None:
    rows = tmp_path / "ranks.jsonl"

    def failing(shown: Shown) -> object:
        return ModelError("rate limit reached") if len(model.prompts) == 3 else knowing(shown)

    model = JudgeModel(failing)
    judge = Judge(model, "stub")
    found = rank_answers(judge, questions(4), rows)
    assert [row.error for row in found] == [None, "ModelError: rate limit reached", None, None]
    ranking = summarize_ranks("stub", found)
    assert (ranking.questions, ranking.errors) == (3, 1)
    assert any("rate limit reached" in line for line in trust(ranking))
    model.prompts.clear()
    model.rank = knowing
    again = rank_answers(judge, questions(4), rows)
    assert len(model.prompts) == 2
    assert all("What helps, 1?" in text for text in model.prompts)
    assert again == rank_answers(judge, questions(4), rows)
    assert len(model.prompts) == 2
    # Another text of one method is judged anew, and that question alone.
    changed = [*questions(3), *questions(4, **METHODS | {"mindmap": "Do nothing."})[3:]]
    assert rank_answers(judge, changed, rows)[:3] == again[:3]
    assert all("What helps, 3?" in text for text in model.prompts[2:])
    assert len(model.prompts) == 4


def test_too_many_failures_stop_it_and_what_was_ranked_stays(tmp_path: Path) -> None:
    rows = tmp_path / "ranks.jsonl"
    model = JudgeModel(
        lambda shown: knowing(shown) if len(model.prompts) <= 40 else ModelError("it is down")
    )
    with pytest.raises(TooManyErrors, match=r"judge stub failed on 4 questions.*it is down"):
        rank_answers(Judge(model, "stub", max_errors=3), questions(60), rows)
    kept = [json.loads(line) for line in rows.read_text().splitlines()]
    assert [bool(row["error"]) for row in kept] == [False] * 20 + [True] * 4


def test_rows_of_another_judge_or_seed_or_of_other_methods_are_apart(tmp_path: Path) -> None:
    rows = tmp_path / "answers.jsonl"
    model = JudgeModel(knowing)
    files = {
        judge.rows_beside(rows, methods)
        for judge in (Judge(model, "stub"), Judge(model, "other"), Judge(model, "stub", seed=1))
        for methods in (["mindmap", "tree"], ["mindmap", "poor"])
    }
    assert len(files) == 6
    judge = Judge(model, "stub")
    assert judge.rows_beside(rows, ["a", "b"]) == judge.rows_beside(rows, ["b", "a"])
    rank_answers(judge, questions(1), rows)
    with pytest.raises(UsageError, match="rows of another run"):
        rank_answers(Judge(model, "other"), questions(1), rows)


def test_a_seed_draws_the_same_orders_whatever_order_methods_are_named_in() -> None:
    _, _, first = ranked(knowing, questions(5))
    _, _, turned = ranked(knowing, questions(5, **dict(reversed(METHODS.items()))))
    assert first.prompts == turned.prompts


def test_more_texts_than_letters_are_refused() -> None:
    many = {f"m{n}": f"text {n}" for n in range(27)}
    with pytest.raises(UsageError, match="27 answers are to be ranked; expected 26 at most"):
        rank_answers(Judge(JudgeModel(all_equal), "stub"), questions(1, **many))
