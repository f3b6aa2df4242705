"""Many questions at once: shared calls, each question for itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from fakes import MemoryDriver, Record, Row, memory_graph, reasoner
from films import FILMS, TEXTS
from neo4j.exceptions import ServiceUnavailable
from scripted import ScriptedModel

from kgdb.errors import Cancelled, ConnectionFailed, DatabaseError
from kgdb.graph.connection.cancellation import Cancellation
from kgdb.methods import all_methods
from kgdb.methods.context.batching import BatchedCall, run_batched
from kgdb.values import Usage

pytestmark = [pytest.mark.unit, pytest.mark.slow]


class Doubler:
    """Doubles numbers, and keeps what it was asked together.

    It fails on 13, breaks on 14, and on 15 the database is gone.
    """

    def __init__(self) -> None:
        self.batches: list[list[int]] = []

    def call(self, number: int, group: str = "double") -> BatchedCall[int]:
        return BatchedCall(group, number, self.run, lambda usage: None)

    def run(self, numbers: Sequence[Any]) -> list[int | DatabaseError]:
        self.batches.append(list(numbers))
        if 14 in numbers:
            raise ValueError("14 breaks the whole batch")
        if 15 in numbers:
            raise ConnectionFailed("gone")
        return [DatabaseError("13") if number == 13 else 2 * number for number in numbers]


def free(usage: Usage) -> None:
    """Charges nothing."""


async def twice(doubler: Doubler, number: int) -> int:
    return await doubler.call(await doubler.call(number))


def test_calls_of_one_time_go_out_together() -> None:
    doubler = Doubler()
    assert run_batched([(twice(doubler, n), free) for n in (1, 2, 3)]) == [4, 8, 12]
    assert doubler.batches == [[1, 2, 3], [2, 4, 6]]


def test_what_does_not_belong_together_goes_out_apart() -> None:
    doubler = Doubler()

    async def other() -> int:
        return await doubler.call(5, "other")

    assert run_batched([(twice(doubler, 1), free), (other(), free)]) == [4, 10]
    assert doubler.batches == [[1], [5], [2]]


def test_what_nobody_waits_for_any_more_asks_nothing_further() -> None:
    doubler = Doubler()
    told: list[int] = []
    results = run_batched(
        [(twice(doubler, n), free) for n in (1, 2, 3)],
        lambda place, _: told.append(place),
        lambda place: place != 1 or not doubler.batches,
    )
    assert (results[0], results[2]) == (4, 12)
    assert isinstance(results[1], Cancelled)
    assert doubler.batches == [[1, 2, 3], [2, 6]]


def test_work_that_is_cancelled_ends_before_its_next_call() -> None:
    doubler, cancellation = Doubler(), Cancellation()

    async def cancelled_midway(number: int) -> int:
        found = await doubler.call(number)
        cancellation.cancel()
        return await doubler.call(found)

    with cancellation.covering():
        results = run_batched([(cancelled_midway(n), free) for n in (1, 2)])
    assert all(isinstance(result, Cancelled) for result in results)
    assert doubler.batches == [[1, 2]]


def test_an_error_belongs_to_its_own_question() -> None:
    doubler = Doubler()
    results = run_batched([(twice(doubler, n), free) for n in (1, 13, 3)])
    assert (results[0], results[2]) == (4, 12)
    assert isinstance(results[1], DatabaseError)


def test_a_batch_that_breaks_is_tried_again_one_by_one() -> None:
    doubler = Doubler()
    results = run_batched([(twice(doubler, n), free) for n in (1, 14, 3)])
    assert (results[0], results[2]) == (4, 12)
    assert isinstance(results[1], ValueError)
    assert doubler.batches[:4] == [[1, 14, 3], [1], [14], [3]]


def test_where_the_database_is_gone_nothing_is_tried_again() -> None:
    doubler = Doubler()
    results = run_batched([(twice(doubler, n), free) for n in (1, 15, 3)])
    assert [str(result) for result in results] == ["gone"] * 3
    assert doubler.batches == [[1, 15, 3]]


def test_one_by_one_ends_where_the_database_goes() -> None:
    doubler = Doubler()
    results = run_batched([(twice(doubler, n), free) for n in (1, 14, 15, 3, 4)])
    assert results[0] == 4
    assert isinstance(results[1], ValueError)
    assert [str(result) for result in results[2:]] == ["gone"] * 3
    assert doubler.batches == [[1, 14, 15, 3, 4], [1], [14], [15], [2]]


class Leaving(MemoryDriver):
    """A server that answers a few statements and is gone then."""

    def __init__(self, statements: int) -> None:
        super().__init__(FILMS, TEXTS)
        self._left = statements
        self.missed = 0

    def execute_query(
        self, text: str, parameters: Row | None, **given: Any
    ) -> tuple[list[Record], None, None]:
        if not self._left:
            self.missed += 1
            raise ServiceUnavailable("gone")
        self._left -= 1
        return super().execute_query(text, parameters, **given)


@pytest.mark.parametrize("llm", [False, True], ids=["without a model", "with a model"])
@pytest.mark.parametrize("statements", [0, 1, 2])
@pytest.mark.parametrize("method", [name for name in all_methods() if name not in ("llm", "cot")])
def test_a_server_that_goes_is_missed_once_by_a_hundred_questions(
    method: str, statements: int, llm: bool
) -> None:
    if method == "text2cypher" and not llm:
        pytest.skip("asks nothing of the database without a model")
    driver, model = Leaving(statements), ScriptedModel() if llm else None
    options = {"corpus": "neighborhood"} if method in ("bm25", "embedding") else {}
    asked = [f"who directed [The Salt Ledger] in {year}?" for year in range(1900, 2000)]
    answers = reasoner(method, memory_graph(driver), model, **options).answers(asked)
    for answer in answers:
        assert isinstance(answer.error, ConnectionFailed)
        assert "went away: gone" in answer.error.message
        assert "run the command again" in (answer.error.hint or "")
    assert driver.missed == 1


def test_an_error_can_be_caught_where_it_was_asked_for() -> None:
    async def careful() -> str:
        try:
            await Doubler().call(13)
        except DatabaseError as error:
            return f"without {error.message}"
        return "with"

    assert run_batched([(careful(), free)]) == ["without 13"]


def test_each_end_is_told_when_it_is_there() -> None:
    doubler = Doubler()

    async def run_for_batch() -> int:
        return 0

    told: list[tuple[int, Any]] = []
    run_batched(
        [(twice(doubler, 1), free), (run_for_batch(), free)],
        lambda place, result: told.append((place, result)),
    )
    assert told == [(1, 0), (0, 4)]


def test_time_is_shared_out_and_own_work_is_charged() -> None:
    spent: list[list[Usage]] = [[], []]
    doubler = Doubler()

    async def one(place: int) -> int:
        return await BatchedCall("double", 1, doubler.run, spent[place].append)

    run_batched([(one(place), spent[place].append) for place in (0, 1)])
    (first, shared, last), (_, shared_too, _) = spent
    assert shared == shared_too
    assert first.seconds > 0 < last.seconds


def test_no_questions_are_fine() -> None:
    assert run_batched([]) == []
