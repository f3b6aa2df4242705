"""Questions of many clients, asked of the database together."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

from kgdb.methods import Reasoner, Watch
from kgdb.serving.access_keys import ASKER, AccessKey
from kgdb.serving.fair_threads import FairThreads, Turns, check_share
from kgdb.serving.problem_details import Refused
from kgdb.serving.serve_options import ServeOptions
from kgdb.values import Answer, Verdict
from kgdb.worker_threads import in_thread

Outcome = Answer | Verdict


@dataclass(frozen=True, slots=True)
class Asking:
    """How something is asked; questions that are asked alike are asked together."""

    graph: str
    kind: Literal["question", "claim"]
    method: str = "auto"
    llm: str | None = None
    options: tuple[tuple[str, Any], ...] = ()


Spent = Callable[[AccessKey, Outcome], None]
ReasonerFor = Callable[[Asking, Watch | None], Reasoner]


@dataclass(slots=True)
class _Waiting:
    key: AccessKey
    text: str
    future: asyncio.Future[Outcome]


_Queue = dict[AccessKey, deque[_Waiting]]


class QuestionBatches:
    """Gathers what waits while the workers are busy, and hands it to the next free one.

    A batch takes few more round trips than one question. Each answer is told when it is there: a
    slow question holds up none of the others. Keys take turns, in batches and at workers.
    ``spent`` is told, in a worker, which key each outcome was for.
    """

    def __init__(self, reasoner_for: ReasonerFor, options: ServeOptions, spent: Spent) -> None:
        self._reasoner_for = reasoner_for
        self._options = options
        self._spent = spent
        self._workers = ThreadPoolExecutor(options.workers, thread_name_prefix="kgdb-ask")
        # Who watches stages and goes leaves its thread busy: others must not wait for it.
        self._watched = FairThreads(options.workers, options.waiting, "kgdb-watched")
        self._turns = Turns(options.workers)
        self._queues: dict[Asking, _Queue] = {}
        self._running: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        """The questions that no worker has taken yet."""
        return sum(len(each) for queue in self._queues.values() for each in queue.values())

    async def ask(self, asking: Asking, texts: Sequence[str]) -> list[Outcome]:
        """The outcomes in the order of the texts; what fails has its ``error`` set.

        Raises :class:`Refused` where too many wait, and :class:`KgdbError` where none of them can
        be asked, as when there is no such graph.
        """
        key, new = ASKER.get(), len(texts)
        of_key = sum(len(queue.get(key, ())) for queue in self._queues.values())
        check_share(key, of_key + new, self.waiting + new, self._options.waiting)
        loop = asyncio.get_running_loop()
        mine = [_Waiting(key, text, loop.create_future()) for text in texts]
        self._queues.setdefault(asking, {}).setdefault(key, deque()).extend(mine)
        self._start()
        # Where a client goes, its questions are cancelled, and no worker takes them.
        return await asyncio.gather(*(each.future for each in mine))

    async def alone(self, asking: Asking, text: str, watch: Watch) -> Outcome:
        """The outcome of one text, whose stages are told as they end."""

        def run() -> Outcome:
            outcome = _asked(self._reasoner_for(asking, watch), asking, [text])[0]
            self._spent(ASKER.get(), outcome)
            return outcome

        return await self._watched.run(run)

    async def close(self) -> None:
        """Finish what runs; what waits is refused."""
        for queue in self._queues.values():
            for each in itertools.chain.from_iterable(queue.values()):
                if not each.future.done():
                    each.future.set_exception(Refused(503, "Stopping", "The service stops."))
        self._queues.clear()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._workers.shutdown()
        self._watched.shutdown()

    def _start(self) -> None:
        """Give free workers what waits."""
        while key := self._turns.take(self._keys()):
            asking = max(self._queues, key=lambda each: self._length(each, key))
            keys = [key, *(each for each in self._queues[asking] if each != key)]
            keys = [each for each in keys if each == key or self._turns.join(each, self._keys())]
            if batch := [each for each in self._batch(asking, keys) if not each.future.done()]:
                task = asyncio.create_task(self._run(keys, asking, batch))
                self._running.add(task)
                task.add_done_callback(self._running.discard)
            else:
                self._turns.give_back(*keys)

    def _keys(self) -> dict[AccessKey, None]:
        """Those that wait, in the order in which they came."""
        return dict.fromkeys(key for queue in self._queues.values() for key in queue)

    def _length(self, asking: Asking, key: AccessKey) -> int:
        """How many wait to be asked together with the key's own."""
        queue = self._queues[asking]
        return sum(map(len, queue.values())) if key in queue else 0

    def _batch(self, asking: Asking, keys: Sequence[AccessKey]) -> list[_Waiting]:
        """What is asked together, of these keys in turns."""
        queue, order = self._queues[asking], deque(keys)
        batch: list[_Waiting] = []
        while order and len(batch) < self._options.together:
            batch.append(queue[order[0]].popleft())
            if queue[order[0]]:
                order.rotate(-1)
            else:
                del queue[order.popleft()]
        if not queue:
            del self._queues[asking]
        return batch

    async def _run(
        self, keys: Sequence[AccessKey], asking: Asking, batch: Sequence[_Waiting]
    ) -> None:
        loop = asyncio.get_running_loop()

        def told(place: int, outcome: Outcome) -> None:
            self._spent(batch[place].key, outcome)
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(_settle, batch[place].future, outcome)

        def wanted(place: int) -> bool:
            return not batch[place].future.done()

        def run() -> None:
            texts = [each.text for each in batch]
            _asked(self._reasoner_for(asking, None), asking, texts, told, wanted)

        work = asyncio.ensure_future(in_thread(self._workers, run))

        def gone(future: asyncio.Future[Outcome]) -> None:
            # While any client of the batch waits, its statements go on: they are for all.
            if future.cancelled() and all(each.future.done() for each in batch):
                work.cancel()

        for each in batch:
            each.future.add_done_callback(gone)
        try:
            await work
        except asyncio.CancelledError:
            pass  # nobody waits
        except Exception as error:
            for each in batch:
                if not each.future.done():
                    each.future.set_exception(error)
        finally:
            self._turns.give_back(*keys)
            self._start()


def _asked(
    reasoner: Reasoner,
    asking: Asking,
    texts: Sequence[str],
    told: Callable[[int, Any], None] | None = None,
    wanted: Callable[[int], bool] | None = None,
) -> Sequence[Outcome]:
    ask = reasoner.answers if asking.kind == "question" else reasoner.verdicts
    return ask(texts, told, wanted)


def _settle(future: asyncio.Future[Outcome], outcome: Outcome) -> None:
    if not future.done():
        future.set_result(outcome)
