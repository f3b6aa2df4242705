"""The interface of :mod:`kgdb.connection` for programs on asyncio.

To understand a question is to compute, and threads may share a connection: so the blocking objects
do the work, in threads, and nothing is written twice. What is asynchronous is the waiting: it
blocks no other task, and to cancel it ends the work, in the database too.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from itertools import islice
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from kgdb.connection import Connection, KnowledgeGraph
from kgdb.graph import GraphInfo
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.graph.schema import Schema
from kgdb.methods import Conversation, Reasoner
from kgdb.values import Answer, Triple
from kgdb.worker_threads import in_thread

_B = TypeVar("_B")
_P = ParamSpec("_P")
_R = TypeVar("_R")

_STREAMED = 1000
"""Facts that a thread reads before the task has the next."""


class _Asynchronous(Generic[_B]):
    """An object whose methods block, and the threads in which they run.

    ``blocking`` is the object itself.
    """

    def __init__(self, blocking: _B, threads: ThreadPoolExecutor) -> None:
        self.blocking = blocking
        self._threads = threads

    async def in_thread(
        self, work: Callable[Concatenate[_B, _P], _R], *args: _P.args, **kwargs: _P.kwargs
    ) -> _R:
        """Run any function of the blocking object in a thread, as the methods do.

        >>> await kg.in_thread(lambda kg: kg.batch.neighbors([["a"], ["b"]]))   # doctest: +SKIP
        """
        return await in_thread(self._threads, work, self.blocking, *args, **kwargs)


def _awaited(
    method: Callable[Concatenate[_B, _P], _R],
) -> Callable[Concatenate[Any, _P], Coroutine[Any, Any, _R]]:
    """The method, to be awaited."""

    @functools.wraps(method)
    async def run(self: _Asynchronous[_B], /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        return await self.in_thread(method, *args, **kwargs)

    return run


class AsyncConnection(_Asynchronous[Connection]):
    """:class:`kgdb.Connection` for asyncio, as :func:`kgdb.connect_async` gives it.

    Tasks may share it: up to ``threads`` of their calls run at the same time.
    """

    run = _awaited(Connection.run)
    query = _awaited(Connection.query)
    write = _awaited(Connection.write)
    call = _awaited(Connection.call)
    graphs = _awaited(Connection.graphs)

    async def graph(self, name: str | None = None) -> AsyncKnowledgeGraph:
        """The loaded graph of that name, or the only one there is."""
        return AsyncKnowledgeGraph(await self.in_thread(Connection.graph, name), self._threads)

    @functools.wraps(Connection.adopt)
    async def adopt(self, *args: Any, **kwargs: Any) -> AsyncKnowledgeGraph:
        """See :meth:`kgdb.Connection.adopt`."""
        graph = await self.in_thread(Connection.adopt, *args, **kwargs)
        return AsyncKnowledgeGraph(graph, self._threads)


class AsyncReasoner(_Asynchronous[Reasoner]):
    """:class:`kgdb.methods.Reasoner` for asyncio; its callbacks are called in other threads."""

    answer = _awaited(Reasoner.answer)
    answers = _awaited(Reasoner.answers)
    verify = _awaited(Reasoner.verify)
    verdicts = _awaited(Reasoner.verdicts)


class AsyncConversation(_Asynchronous[Conversation]):
    """:class:`kgdb.methods.Conversation` for asyncio: ask one question after the other."""

    answer = _awaited(Conversation.answer)
    answers = _awaited(Conversation.answers)
    verdicts = _awaited(Conversation.verdicts)

    @property
    def last(self) -> Answer | None:
        """The answer that the next question may go on from."""
        return self.blocking.last

    def forget(self) -> None:
        """Begin anew: the next question stands alone."""
        self.blocking.forget()


class AsyncKnowledgeGraph(_Asynchronous[KnowledgeGraph]):
    """:class:`kgdb.KnowledgeGraph` for asyncio: the same methods, to be awaited.

    What gives its results inside a block (``project``, ``cheapest``) is done by :meth:`in_thread`.
    """

    @property
    def name(self) -> str:
        """The name the graph was loaded under."""
        return self.blocking.name

    @property
    def info(self) -> GraphInfo:
        """What the database keeps about the graph."""
        return self.blocking.info

    answer = _awaited(KnowledgeGraph.answer)
    verify = _awaited(KnowledgeGraph.verify)
    verify_text = _awaited(KnowledgeGraph.verify_text)

    link = _awaited(KnowledgeGraph.link)
    neighbors = _awaited(KnowledgeGraph.neighbors)
    relations_around = _awaited(KnowledgeGraph.relations_around)
    candidate_relations = _awaited(KnowledgeGraph.candidate_relations)
    follow = _awaited(KnowledgeGraph.follow)
    all_paths = _awaited(KnowledgeGraph.all_paths)
    properties = _awaited(KnowledgeGraph.properties)
    shortest_paths = _awaited(KnowledgeGraph.shortest_paths)
    shortest_weighted = _awaited(KnowledgeGraph.shortest_weighted)
    beam = _awaited(KnowledgeGraph.beam)
    pagerank = _awaited(KnowledgeGraph.pagerank)
    fulltext = _awaited(KnowledgeGraph.fulltext)

    query = _awaited(KnowledgeGraph.query)
    read_cypher = _awaited(KnowledgeGraph.read_cypher)
    run_thought = _awaited(KnowledgeGraph.run_thought)
    ground_thoughts = _awaited(KnowledgeGraph.ground_thoughts)
    match = _awaited(KnowledgeGraph.match)

    async def schema(self) -> Schema:
        """Its labels, properties and relations, from statistics and samples; read once."""
        return await self.in_thread(lambda graph: graph.schema)

    async def relations(self) -> Mapping[str, RelationInfo]:
        """Every relation of the graph with its texts, read once."""
        return await self.in_thread(lambda graph: graph.relations)

    async def facts(self) -> AsyncIterator[Triple]:
        """Every fact of the graph, literals included, in no order: streamed, as there are many."""
        found = self.blocking.facts()
        while batch := await self.in_thread(lambda _: list(islice(found, _STREAMED))):
            for fact in batch:
                yield fact

    @functools.wraps(KnowledgeGraph.reasoner)
    async def reasoner(self, *args: Any, **kwargs: Any) -> AsyncReasoner:
        """See :meth:`kgdb.KnowledgeGraph.reasoner`."""
        made = await self.in_thread(KnowledgeGraph.reasoner, *args, **kwargs)
        return AsyncReasoner(made, self._threads)

    @functools.wraps(KnowledgeGraph.conversation)
    async def conversation(self, *args: Any, **kwargs: Any) -> AsyncConversation:
        """See :meth:`kgdb.KnowledgeGraph.conversation`."""
        made = await self.in_thread(KnowledgeGraph.conversation, *args, **kwargs)
        return AsyncConversation(made, self._threads)


@asynccontextmanager
async def opened_in_thread(
    connect: Callable[[], Connection], threads: int
) -> AsyncIterator[AsyncConnection]:
    """The connection that ``connect`` gives, open in the block."""
    pool = ThreadPoolExecutor(threads, thread_name_prefix="kgdb-async")
    try:
        connection = await in_thread(pool, connect)
        try:
            yield AsyncConnection(connection, pool)
        finally:
            await asyncio.shield(in_thread(pool, connection.close))
    finally:
        # What was called off may still compute; nobody needs to wait for it.
        pool.shutdown(wait=False, cancel_futures=True)
