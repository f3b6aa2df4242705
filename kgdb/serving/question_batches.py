"""Questions of many clients, asked of the database together."""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

from kgdb.methods import Reasoner, Watch
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


ReasonerFor = Callable[[Asking, Watch | None], Reasoner]


@dataclass(slots=True)
class _Waiting:
    text: str
    future: asyncio.Future[Outcome]


class QuestionBatches:
    """Gathers what waits while the workers are busy, and hands it to the next free one.

    A batch takes few more round trips than one question. Each answer is told when it is there: a
    slow question holds up none of the others.
    """

    def __init__(self, reasoner_for: ReasonerFor, options: ServeOptions) -> None:
        self._reasoner_for = reasoner_for
        self._options = options
        self._workers = ThreadPoolExecutor(options.workers, thread_name_prefix="kgdb-ask")
        # Who watches stages and goes leaves its thread busy: others must not wait for it.
        self._watched = ThreadPoolExecutor(options.workers, thread_name_prefix="kgdb-watched")
        self._free = options.workers
        self._queues: dict[Asking, deque[_Waiting]] = defaultdict(deque)
        self._running: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        """The questions that no worker has taken yet."""
        return sum(map(len, self._queues.values()))

    async def ask(self, asking: Asking, texts: Sequence[str]) -> list[Outcome]:
        """The outcomes in the order of the texts; what fails has its ``error`` set.

        Raises :class:`Refused` where too many wait, and :class:`KgdbError` where none of them can
        be asked, as when there is no such graph.
        """
        if self.waiting + len(texts) > self._options.waiting:
            raise Refused(
                503, "Busy", "Too many questions wait.", "Ask again in a moment.", retry_after=1
            )
        loop = asyncio.get_running_loop()
        mine = [_Waiting(text, loop.create_future()) for text in texts]
        self._queues[asking].extend(mine)
        self._start()
        # Where a client goes, its questions are cancelled, and no worker takes them.
        return await asyncio.gather(*(each.future for each in mine))

    async def alone(self, asking: Asking, text: str, watch: Watch) -> Outcome:
        """The outcome of one text, whose stages are told as they end."""

        def run() -> Outcome:
            return _asked(self._reasoner_for(asking, watch), asking, [text])[0]

        return await in_thread(self._watched, run)

    async def close(self) -> None:
        """Finish what runs; what waits is refused."""
        for queue in self._queues.values():
            for each in queue:
                if not each.future.done():
                    each.future.set_exception(Refused(503, "Stopping", "The service stops."))
            queue.clear()
        await asyncio.gather(*self._running, return_exceptions=True)
        self._workers.shutdown()
        self._watched.shutdown()

    def _start(self) -> None:
        """Give free workers what waits, the longest queue first."""
        while self._free > 0 and (asking := max(self._queues, key=self._length, default=None)):
            queue = self._queues[asking]
            batch = [queue.popleft() for _ in range(min(len(queue), self._options.together))]
            if not queue:
                del self._queues[asking]
            if batch := [each for each in batch if not each.future.done()]:
                self._free -= 1
                task = asyncio.create_task(self._run(asking, batch))
                self._running.add(task)
                task.add_done_callback(self._running.discard)

    def _length(self, asking: Asking) -> int:
        return len(self._queues[asking])

    async def _run(self, asking: Asking, batch: Sequence[_Waiting]) -> None:
        loop = asyncio.get_running_loop()

        def told(place: int, outcome: Outcome) -> None:
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
            self._free += 1
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
