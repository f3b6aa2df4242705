"""A running service: its graphs, its keys, its limits, and who asks what at the moment."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from kgdb.methods import Conversation, Watch
from kgdb.serving import stage_spans
from kgdb.serving.access_keys import KeyRing
from kgdb.serving.graph_access import GraphAccess
from kgdb.serving.problem_details import Refused
from kgdb.serving.question_batches import Asking, Outcome, QuestionBatches
from kgdb.serving.serve_options import ServeOptions
from kgdb.values import Answer
from kgdb.worker_threads import in_thread

_R = TypeVar("_R")


class Service:
    """What all routes share. Whatever asks the database runs in threads, and ends in time."""

    def __init__(self, access: GraphAccess, keys: KeyRing, options: ServeOptions) -> None:
        self.access = access
        self.keys = keys
        self.options = options
        self.batches = QuestionBatches(access.reasoner, options)
        self._threads = ThreadPoolExecutor(options.workers, thread_name_prefix="kgdb-read")
        self._quick = ThreadPoolExecutor(options.workers, thread_name_prefix="kgdb-quick")

    @property
    def milliseconds(self) -> int:
        """The longest that one statement may take."""
        return int(self.options.seconds * 1000)

    async def run(self, work: Callable[..., _R], *arguments: Any) -> _R:
        """Run what asks the database in a thread; raises :class:`Refused` where it takes long.

        What took too long, or whose client has gone, is ended in the database as well.
        """
        return await self._in_time(in_thread(self._threads, work, *arguments))

    async def look_up(self, work: Callable[..., _R], *arguments: Any) -> _R:
        """Run what is over at once, such as which graphs there are, beside all that takes long."""
        return await self._in_time(in_thread(self._quick, work, *arguments))

    async def ask(self, asking: Asking, texts: Sequence[str]) -> list[Outcome]:
        """The answers or verdicts, asked together with those of other clients."""
        began = time.time_ns()
        found = await self._in_time(self.batches.ask(asking, texts))
        stage_spans.told(found, began)
        return found

    async def after(self, asking: Asking, questions: Sequence[str]) -> Answer:
        """The answer to the last of several questions, each of which may go on from others."""

        def run() -> Answer:
            conversation = Conversation(self.access.reasoner(asking, None))
            return conversation.answers(questions)[-1]

        began = time.time_ns()
        answer = await self.run(run)
        stage_spans.told([answer], began)
        return answer

    async def alone(self, asking: Asking, text: str, watch: Watch) -> Outcome:
        """One answer or verdict whose stages are told."""
        began = time.time_ns()
        outcome = await self._in_time(self.batches.alone(asking, text, watch))
        stage_spans.told([outcome], began)
        return outcome

    async def close(self) -> None:
        """Finish what runs, then let go of the database."""
        await self.batches.close()
        self._threads.shutdown()
        self._quick.shutdown()
        self.access.close()

    async def _in_time(self, work: Awaitable[_R]) -> _R:
        try:
            return await asyncio.wait_for(work, self.options.seconds)
        except TimeoutError as error:
            raise Refused(
                504,
                "Too slow",
                f"There is no answer after {self.options.seconds:g} s.",
                "Ask something simpler, or have the service wait longer: --seconds.",
            ) from error
