"""Many questions at once: each is a coroutine, and what they ask for at one time goes out together.

A method is written for one question, as its paper describes it, and waits (``await``) for whatever
it asks of a model or of the database. Here all questions run until each waits; calls of one
group are then made as one batch. So a hundred questions share the model's batches and the
database's round trips, and each gets what it would get alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Generator, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from kgdb.errors import Cancelled, ConnectionFailed, KgdbError
from kgdb.graph.connection.cancellation import check_cancelled
from kgdb.graph.connection.round_trips import count_round_trips
from kgdb.values import Usage

_T = TypeVar("_T")
_R = TypeVar("_R")

Charge = Callable[[Usage], None]


@dataclass(frozen=True, slots=True)
class BatchedCall(Generic[_R]):
    """What one question asks for.

    ``run`` takes what several calls of the same ``group`` are given and returns, for each, its
    result or the error that it alone has. ``charge`` is told the call's share of the time, and the
    round trips it took part in.
    """

    group: Hashable
    arguments: Any
    run: Callable[[Sequence[Any]], Sequence[_R | KgdbError]]
    charge: Charge

    def __await__(self) -> Generator[BatchedCall[Any], Any, _R]:
        result: _R = yield self
        return result


@dataclass(slots=True)
class _Running:
    """A question on its way: what it waits for, and what it goes on with."""

    index: int
    coroutine: Coroutine[BatchedCall[Any], Any, Any]
    charge: Charge
    waits: BatchedCall[Any] | None = None
    result: Any = None


def run_batched(
    tasks: Sequence[tuple[Coroutine[BatchedCall[Any], Any, _T], Charge]],
    done: Callable[[int, _T | Exception], None] | None = None,
    wanted: Callable[[int], bool] | None = None,
) -> list[_T | Exception]:
    """Run all coroutines to their ends; whatever one raises is its own result.

    Each comes with what is charged for its own work, between two calls. ``done`` is told of each
    end (its place and result) when it is there. Before each call ``wanted`` says whether the one at
    a place is still waited for; if it is not, it ends there, by :class:`kgdb.errors.Cancelled`.
    """
    results: list[Any] = [None] * len(tasks)
    running = [_Running(index, *task) for index, task in enumerate(tasks)]
    while running:
        going = []
        for task in running:
            try:
                if wanted is not None and not wanted(task.index):
                    task.waits = None
                    task.coroutine.close()
                    raise Cancelled("Nobody waits for it any more.")
                _advance(task)
                going.append(task)
            except StopIteration as end:
                results[task.index] = end.value
            except Exception as error:
                # One question never takes down the others.
                results[task.index] = error
            if task.waits is None and done:
                done(task.index, results[task.index])
        running = going
        groups: dict[Hashable, list[_Running]] = {}
        for task in running:
            groups.setdefault(task.waits and task.waits.group, []).append(task)
        for waiting in groups.values():
            _run_group(waiting)
    return results


def _advance(task: _Running) -> None:
    """Go on until the next call; :class:`StopIteration` carries what the coroutine returns."""
    result, task.result, task.waits = task.result, None, None
    started = time.perf_counter()
    with count_round_trips() as trips:
        try:
            if isinstance(result, Exception):
                task.waits = task.coroutine.throw(result)
            else:
                task.waits = task.coroutine.send(result)
        finally:
            seconds = time.perf_counter() - started
            task.charge(Usage(seconds=seconds, round_trips=trips.count))


def _run_group(waiting: Sequence[_Running]) -> None:
    """Make the calls of one group as one; where that fails, each alone.

    Where the database is gone, none is tried again: each try would wait for its return.
    """
    calls = [task.waits for task in waiting if task.waits]
    started = time.perf_counter()
    results: Sequence[Any]
    with count_round_trips() as trips:
        try:
            check_cancelled()
            results = calls[0].run([call.arguments for call in calls])
        except Exception as error:
            results = [error] * len(calls)
            lasting = isinstance(error, ConnectionFailed | Cancelled)
            retry_each = len(calls) > 1 and not lasting
        else:
            retry_each = False
    share = Usage(seconds=(time.perf_counter() - started) / len(calls), round_trips=trips.count)
    for call in calls:
        call.charge(share)
    if retry_each:
        _run_each(waiting)
        return
    for task, result in zip(waiting, results, strict=True):
        task.result = result


def _run_each(waiting: Sequence[_Running]) -> None:
    """Make each call alone, until the database is lost: the others get that error as well."""
    lost: ConnectionFailed | None = None
    for task in waiting:
        if lost:
            task.result = lost
            continue
        _run_group([task])
        if isinstance(task.result, ConnectionFailed):
            lost = task.result


def split_like(flat: Sequence[_R], sizes: Sequence[Sequence[Any]]) -> list[list[_R]]:
    """The results of several calls, which were made as one, apart again."""
    remaining = iter(flat)
    return [[next(remaining) for _ in each] for each in sizes]
