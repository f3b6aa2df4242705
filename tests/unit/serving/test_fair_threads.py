"""Keys take turns at the threads of a service, and none of them takes all."""

from __future__ import annotations

import asyncio
import threading

import pytest

from kgdb.serving.access_keys import ANYBODY, ASKER, AccessKey
from kgdb.serving.fair_threads import FairThreads, Turns
from kgdb.serving.problem_details import Refused

pytestmark = pytest.mark.unit

HOG, BOB, EVE = (AccessKey(name, name) for name in ("hog", "bob", "eve"))


def test_keys_take_turns_however_much_each_asks() -> None:
    turns, taken = Turns(1), []
    for _ in range(6):
        taken.append(turns.take([HOG, BOB, EVE]))
        turns.give_back(taken[-1])
    assert taken == [HOG, BOB, EVE] * 2


@pytest.mark.parametrize("slots", [1, 2, 3, 4, 7])
def test_while_others_wait_a_key_has_at_most_half_and_no_slot_stays_free(slots: int) -> None:
    turns = Turns(slots)
    taken = [turns.take([HOG, BOB]) for _ in range(slots)]
    assert turns.take([HOG, BOB]) is None
    assert turns.free == 0
    assert None not in taken
    assert max(taken.count(HOG), taken.count(BOB)) <= (slots + 1) // 2


def test_alone_a_key_leaves_a_slot_for_whoever_comes_and_this_machine_takes_all() -> None:
    turns = Turns(4)
    assert [turns.take([HOG]) for _ in range(4)] == [HOG, HOG, HOG, None]
    assert turns.take([HOG, BOB]) == BOB
    mine = Turns(4)
    assert [mine.take([ANYBODY]) for _ in range(5)] == [*[ANYBODY] * 4, None]


def test_a_slot_that_keys_share_counts_for_each_of_them() -> None:
    turns = Turns(2)
    assert turns.take([HOG, BOB]) == HOG
    assert turns.join(BOB, [HOG, BOB])
    assert not turns.join(BOB, [HOG, BOB])
    turns.give_back(HOG, BOB)
    assert turns.free == 2
    assert turns.take([BOB]) == BOB


async def run_as(key: AccessKey, threads: FairThreads, work: object) -> object:
    ASKER.set(key)  # of this task alone
    return await threads.run(work)  # type: ignore[arg-type]


def test_one_key_that_fills_the_threads_holds_up_no_other() -> None:
    may_go = threading.Event()

    async def go() -> object:
        threads = FairThreads(2, 100, "test")
        slow = [asyncio.create_task(run_as(HOG, threads, lambda: may_go.wait(10))) for _ in "12345"]
        await asyncio.sleep(0.05)
        quick = await asyncio.wait_for(run_as(BOB, threads, lambda: "done"), 5)
        may_go.set()
        assert all(await asyncio.gather(*slow))
        threads.shutdown()
        return quick

    assert asyncio.run(go()) == "done"


def test_one_key_that_fills_the_queue_is_refused_and_others_get_in() -> None:
    may_go = threading.Event()

    async def go() -> None:
        threads = FairThreads(1, 10, "test")

        def asked(key: AccessKey, times: int) -> list[asyncio.Task[object]]:
            tasks = (run_as(key, threads, lambda: may_go.wait(10)) for _ in range(times))
            return list(map(asyncio.create_task, tasks))

        mine = asked(HOG, 7)  # one runs, five wait
        await asyncio.sleep(0.05)
        others = [*asked(BOB, 3), *asked(EVE, 3)]
        await asyncio.sleep(0.05)
        may_go.set()
        found = await asyncio.gather(*mine, return_exceptions=True)
        assert [type(each) for each in found] == [bool] * 6 + [Refused]
        found = await asyncio.gather(*others, return_exceptions=True)
        assert [type(each) for each in found] == [bool] * 5 + [Refused]
        threads.shutdown()

    asyncio.run(go())


def test_who_goes_while_waiting_takes_no_turn() -> None:
    may_go = threading.Event()

    async def go() -> object:
        threads = FairThreads(1, 10, "test")
        first = asyncio.create_task(run_as(HOG, threads, lambda: may_go.wait(10)))
        await asyncio.sleep(0.05)
        gone = asyncio.create_task(run_as(BOB, threads, lambda: "never"))
        last = asyncio.create_task(run_as(EVE, threads, lambda: "done"))
        await asyncio.sleep(0.05)
        gone.cancel()
        may_go.set()
        await first
        found = await asyncio.wait_for(last, 5)
        # The slot is free again.
        assert await asyncio.wait_for(run_as(BOB, threads, lambda: "again"), 5) == "again"
        threads.shutdown()
        return found

    assert asyncio.run(go()) == "done"
