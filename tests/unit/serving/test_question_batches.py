"""Questions of several clients: asked together, told one by one, refused where too many wait."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from kgdb.errors import ConnectionFailed, UsageError
from kgdb.graph.connection.cancellation import current_cancellation
from kgdb.serving.access_keys import ASKER, AccessKey
from kgdb.serving.problem_details import Refused
from kgdb.serving.question_batches import Asking, QuestionBatches
from kgdb.serving.serve_options import ServeOptions
from kgdb.values import Answer

pytestmark = pytest.mark.unit

ASKING = Asking("films", "question")


class Scripted:
    """Answers each question by itself, once it may; what was asked together is noted."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.may_go = threading.Event()
        self.may_go.set()
        self.begun = threading.Event()

    def answers(
        self,
        questions: Sequence[str],
        done: Callable[[int, Answer], None] | None = None,
        wanted: Callable[[int], bool] | None = None,
    ) -> list[Answer]:
        self.batches.append(list(questions))
        self.begun.set()
        assert self.may_go.wait(10)
        self.wanted = [wanted is None or wanted(place) for place in range(len(questions))]
        self.is_cancelled = current_cancellation().is_cancelled  # type: ignore[union-attr]
        found = []
        for place, question in enumerate(questions):
            error = UsageError("no") if question == "bad" else None
            found.append(Answer(question, "films", "auto", text=question.upper(), error=error))
            if done is not None:
                done(place, found[-1])
        return found


def batches(reasoner: Any, **options: int) -> QuestionBatches:
    def made(asking: Asking, watch: object) -> Any:
        if asking.graph == "gone":
            raise ConnectionFailed("Nothing answers.")
        return reasoner

    return QuestionBatches(made, ServeOptions(**options), lambda key, outcome: None)


def test_what_waits_is_asked_together_and_answered_in_its_order() -> None:
    scripted = Scripted()
    scripted.may_go.clear()

    async def run() -> list[list[Any]]:
        asked = batches(scripted, workers=1)
        first = asyncio.create_task(asked.ask(ASKING, ["a"]))
        await asyncio.to_thread(scripted.begun.wait, 10)
        rest = [asyncio.create_task(asked.ask(ASKING, [text, text * 2])) for text in "bcd"]
        await asyncio.sleep(0)
        assert asked.waiting == 6
        scripted.may_go.set()
        return list(await asyncio.gather(first, *rest))

    found = asyncio.run(run())
    assert [[each.text for each in one] for one in found] == [
        ["A"], ["B", "BB"], ["C", "CC"], ["D", "DD"],
    ]  # fmt: skip
    assert scripted.batches == [["a"], ["b", "bb", "c", "cc", "d", "dd"]]


def test_one_that_fails_leaves_the_others_their_answers() -> None:
    found = asyncio.run(batches(Scripted()).ask(ASKING, ["a", "bad", "c"]))
    assert [each.error is None for each in found] == [True, False, True]


def test_what_cannot_be_asked_is_told_to_whoever_asked() -> None:
    with pytest.raises(ConnectionFailed):
        asyncio.run(batches(Scripted()).ask(Asking("gone", "question"), ["a", "b"]))


def test_too_many_that_wait_are_refused() -> None:
    scripted = Scripted()
    scripted.may_go.clear()

    async def run() -> None:
        asked = batches(scripted, workers=1, waiting=2)
        first = asyncio.create_task(asked.ask(ASKING, ["a"]))
        await asyncio.to_thread(scripted.begun.wait, 10)
        second = asyncio.create_task(asked.ask(ASKING, ["b", "c"]))
        await asyncio.sleep(0)
        with pytest.raises(Refused) as refused:
            await asked.ask(ASKING, ["d"])
        assert (refused.value.status, refused.value.retry_after) == (503, 1)
        scripted.may_go.set()
        await asyncio.gather(first, second)

    asyncio.run(run())


def test_nobody_asks_for_a_client_that_has_gone() -> None:
    scripted = Scripted()
    scripted.may_go.clear()

    async def run() -> None:
        asked = batches(scripted, workers=1)
        first = asyncio.create_task(asked.ask(ASKING, ["a"]))
        await asyncio.to_thread(scripted.begun.wait, 10)
        gone = asyncio.create_task(asked.ask(ASKING, ["b"]))
        await asyncio.sleep(0)
        gone.cancel()
        last = asyncio.create_task(asked.ask(ASKING, ["c"]))
        await asyncio.sleep(0)
        scripted.may_go.set()
        await asyncio.gather(first, last)

    asyncio.run(run())
    assert scripted.batches == [["a"], ["c"]]


def test_stopping_finishes_what_runs_and_refuses_what_waits() -> None:
    scripted = Scripted()
    scripted.may_go.clear()

    async def run() -> tuple[Any, Any]:
        asked = batches(scripted, workers=1)
        first = asyncio.create_task(asked.ask(ASKING, ["a"]))
        await asyncio.to_thread(scripted.begun.wait, 10)
        waits = asyncio.create_task(asked.ask(ASKING, ["b"]))
        await asyncio.sleep(0)
        closing = asyncio.create_task(asked.close())
        await asyncio.sleep(0)
        scripted.may_go.set()
        results = await asyncio.gather(first, waits, return_exceptions=True)
        await closing
        return results[0], results[1]

    finished, refused = asyncio.run(run())
    assert finished[0].text == "A"
    assert isinstance(refused, Refused)


def test_of_a_batch_whose_clients_go_one_by_one_the_last_calls_it_off() -> None:
    scripted = Scripted()

    async def run(leaving: Sequence[str]) -> None:
        scripted.begun.clear()
        scripted.may_go.clear()
        asked = batches(scripted, workers=1)
        first = asyncio.create_task(asked.ask(ASKING, ["first"]))
        await asyncio.to_thread(scripted.begun.wait, 10)
        scripted.begun.clear()
        tasks = {text: asyncio.create_task(asked.ask(ASKING, [text])) for text in "ab"}
        await asyncio.sleep(0)
        scripted.may_go.set()
        await first
        scripted.may_go.clear()
        await asyncio.to_thread(scripted.begun.wait, 10)
        for text in leaving:
            tasks[text].cancel()
        await asyncio.wait([tasks[text] for text in leaving])
        await asyncio.sleep(0.05)
        scripted.may_go.set()
        await asked.close()

    asyncio.run(run("b"))
    assert (scripted.wanted, scripted.is_cancelled) == ([True, False], False)
    asyncio.run(run("ab"))
    assert (scripted.wanted, scripted.is_cancelled) == ([False, False], True)


class Slow(Scripted):
    """Takes as long as it is told to for questions that are slow, and none for others."""

    def answers(
        self,
        questions: Sequence[str],
        done: Callable[[int, Answer], None] | None = None,
        wanted: Callable[[int], bool] | None = None,
    ) -> list[Answer]:
        self.batches.append(list(questions))
        if "slow" in questions:
            assert self.may_go.wait(10)
        found = [Answer(each, "films", "auto", text=each.upper()) for each in questions]
        for place, each in enumerate(found):
            if done is not None:
                done(place, each)
        return found


def test_a_key_that_fills_the_workers_with_slow_questions_holds_up_no_other() -> None:
    slow = Slow()
    slow.may_go.clear()

    async def ask(asked: QuestionBatches, name: str, texts: Sequence[str]) -> list[Any]:
        ASKER.set(AccessKey(name, name))  # of this task alone
        return await asked.ask(ASKING, texts)

    async def run() -> None:
        asked = batches(slow, workers=4, together=8, waiting=1000)
        hog = asyncio.create_task(ask(asked, "hog", ["slow"] * 400))
        await asyncio.sleep(0.05)
        for number in range(20):
            text = f"quick {number}"
            (found,) = await asyncio.wait_for(ask(asked, "bob", [text]), 5)
            assert found.text == text.upper()
        with pytest.raises(Refused, match="Too many questions wait"):
            await ask(asked, "hog", ["slow"] * 200)
        slow.may_go.set()
        assert len(await hog) == 400

    asyncio.run(run())


def test_keys_share_a_batch_in_turns_and_what_it_cost_is_told_of_each() -> None:
    scripted, spent = Scripted(), []
    scripted.may_go.clear()

    async def ask(asked: QuestionBatches, name: str, texts: Sequence[str]) -> list[Any]:
        ASKER.set(AccessKey(name, name))
        return await asked.ask(ASKING, texts)

    async def run() -> None:
        asked = QuestionBatches(
            lambda asking, watch: scripted,  # type: ignore[arg-type,return-value]
            ServeOptions(workers=1, together=4),
            lambda key, outcome: spent.append((key.name, outcome.text)),
        )
        tasks = [asyncio.create_task(ask(asked, "a", ["a0"]))]
        await asyncio.to_thread(scripted.begun.wait, 10)
        tasks += [
            asyncio.create_task(ask(asked, name, [f"{name}{n}" for n in (1, 2, 3)]))
            for name in "abc"
        ]
        await asyncio.sleep(0)
        scripted.may_go.set()
        await asyncio.gather(*tasks)

    asyncio.run(run())
    assert scripted.batches == [
        ["a0"], ["b1", "a1", "c1", "b2"], ["c2", "a2", "b3", "c3"], ["a3"],
    ]  # fmt: skip
    assert sorted(spent) == sorted((text[0], text.upper()) for b in scripted.batches for text in b)
