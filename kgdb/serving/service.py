"""A running service: its graphs, its keys, its limits, and who asks what at the moment."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from kgdb.methods import Conversation, Watch
from kgdb.methods.claims_of_text import judge_text, sentences_with_claims
from kgdb.serving import stage_spans
from kgdb.serving.access_keys import ASKER, AccessKey, KeyRing
from kgdb.serving.fair_threads import FairThreads
from kgdb.serving.graph_access import GraphAccess
from kgdb.serving.key_limits import KeyLimits
from kgdb.serving.problem_details import Refused
from kgdb.serving.question_batches import Asking, Outcome, QuestionBatches
from kgdb.serving.serve_options import ServeOptions
from kgdb.values import Answer, TextVerdict
from kgdb.worker_threads import in_thread

_R = TypeVar("_R")


class Service:
    """What all routes share. Whatever asks the database runs in threads, and ends in time."""

    def __init__(self, access: GraphAccess, keys: KeyRing, options: ServeOptions) -> None:
        self.access = access
        self.keys = keys
        self.options = options
        self.limits = KeyLimits(options.open_requests)
        self.batches = QuestionBatches(access.reasoner, options, self._spent)
        self._threads = FairThreads(options.workers, options.waiting, "kgdb-read")
        self._quick = ThreadPoolExecutor(options.workers, thread_name_prefix="kgdb-quick")

    @property
    def milliseconds(self) -> int:
        """The longest that one statement may take."""
        return int(self.options.seconds * 1000)

    async def run(self, work: Callable[..., _R], *arguments: Any) -> _R:
        """Run what asks the database in a thread; raises :class:`Refused` where it takes long.

        What took too long, or whose client has gone, is ended in the database as well.
        """
        return await self._in_time(self._threads.run(work, *arguments))

    async def look_up(self, work: Callable[..., _R], *arguments: Any) -> _R:
        """Run what is over at once, such as which graphs there are, beside all that takes long."""
        return await self._in_time(in_thread(self._quick, work, *arguments))

    def admit(self, asking: Asking, questions: int) -> None:
        """Count the questions of one request for its key, which has counted one already.

        Raises :class:`Refused` where the key has used up what it may.
        """
        key = ASKER.get()
        if asking.llm != "none":
            self.limits.check_day(key)
        self.limits.ask(key, questions - 1)

    async def ask(self, asking: Asking, texts: Sequence[str]) -> list[Outcome]:
        """The answers or verdicts, asked together with those of other clients."""
        self.admit(asking, len(texts))
        began = time.time_ns()
        found = await self._in_time(self.batches.ask(asking, texts))
        stage_spans.told(found, began)
        return found

    async def after(self, asking: Asking, questions: Sequence[str]) -> Answer:
        """The answer to the last of several questions, each of which may go on from others."""
        self.admit(asking, len(questions))

        def run() -> Answer:
            conversation = Conversation(self.access.reasoner(asking, None))
            return conversation.answers(questions, self._told)[-1]

        began = time.time_ns()
        answer = await self.run(run)
        stage_spans.told([answer], began)
        return answer

    async def alone(self, asking: Asking, text: str, watch: Watch) -> Outcome:
        """One answer or verdict whose stages are told, after :meth:`admit`."""
        began = time.time_ns()
        outcome = await self._in_time(self.batches.alone(asking, text, watch))
        stage_spans.told([outcome], began)
        return outcome

    async def text(self, asking: Asking, text: str) -> TextVerdict:
        """The verdicts on the claims of a text."""
        sentences = await self.run(sentences_with_claims, text)
        self.admit(asking, sum(sentence.is_claim for sentence in sentences))

        def judge() -> TextVerdict:
            found = judge_text(self.access.reasoner(asking, None), text, sentences)
            for claim in found.claims:
                self._spent(ASKER.get(), claim.verdict)
            return found

        return await self.run(judge)

    async def close(self) -> None:
        """Finish what runs, then let go of the database."""
        await self.batches.close()
        self._threads.shutdown()
        self._quick.shutdown()
        self.access.close()

    def _told(self, _: int, answer: Answer) -> None:
        self._spent(ASKER.get(), answer)

    def _spent(self, key: AccessKey, outcome: Outcome) -> None:
        self.limits.spend(key, outcome.usage)

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
