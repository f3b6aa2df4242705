"""What nobody waits for any more ends in the database: of a task, of a client that went."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from served_graphs import Served, serving

import kgdb
from kgdb.async_connection import AsyncConnection, AsyncKnowledgeGraph
from kgdb.graph import Graph

pytestmark = pytest.mark.integration

SLOW = "UNWIND range(1, 100000000) AS a UNWIND range(1, 1000) AS b RETURN sum(a * b) AS slow"
# The sandbox allows no range(), and runs a statement in a transaction of its own.
READ = "MATCH (a), (b), (c), (d) WHERE a.name < b.name AND c.name < d.name RETURN count(*) AS slow"
RUNNING = (
    "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS 'AS slow' "
    "AND NOT currentQuery CONTAINS 'SHOW TRANSACTIONS' RETURN count(*) AS running"
)


def running(connection: kgdb.Connection) -> int:
    (row,) = connection.query(RUNNING)
    number: int = row["running"]
    return number


def wait_for(connection: kgdb.Connection, number: int) -> None:
    end = time.monotonic() + 60
    while running(connection) != number:
        assert time.monotonic() < end, connection.query("SHOW TRANSACTIONS YIELD *")
        time.sleep(0.05)


@asynccontextmanager
async def connected() -> AsyncIterator[AsyncConnection]:
    async with kgdb.connect_async(threads=4) as db:
        yield db


def test_a_task_that_is_cancelled_ends_its_statement(connection: kgdb.Connection) -> None:
    async def run() -> None:
        async with connected() as db:
            tasks = [asyncio.create_task(db.query(SLOW)) for _ in range(2)]
            await asyncio.to_thread(wait_for, connection, 2)
            tasks[0].cancel()
            with pytest.raises(asyncio.CancelledError):
                await tasks[0]
            assert await asyncio.to_thread(running, connection) == 1
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await tasks[1]
            assert await asyncio.to_thread(running, connection) == 0
            (row,) = await db.query("RETURN 1 AS one")
            assert row["one"] == 1

    asyncio.run(run())


def test_the_asynchronous_interface_answers_as_the_blocking_one(
    demo: kgdb.KnowledgeGraph,
) -> None:
    question, claim = "Who wrote The Tuesday Engine?", "Ada Weir directed The Tuesday Engine."

    async def run() -> None:
        async with connected() as db:
            kg = await db.graph("demo")
            answers = await asyncio.gather(*(kg.answer(question, llm="none") for _ in range(8)))
            expected = demo.answer(question, llm="none").entities
            assert all(answer.entities == expected for answer in answers)
            assert (await kg.verify(claim, llm="none")).label == "REFUTED"
            ids = [expected[0].entity.id]
            assert await kg.neighbors(ids) == demo.neighbors(ids)
            assert await kg.relations() == demo.relations
            assert {fact async for fact in kg.facts()} == set(demo.facts())
            talk = await kg.conversation(llm="none")
            await talk.answer("Which films did Ada Weir act in?")
            follow_up = await talk.answer("Which of them did Ruben Okonjo-Hale direct?")
            assert "A Small Apocalypse in Norbury" in {
                each.entity.name for each in follow_up.entities
            }
            reasoner = await kg.reasoner(llm="none")
            assert len(await reasoner.answers([question] * 3)) == 3
            with pytest.raises(kgdb.KgdbError, match="nothing"):
                await db.graph("nothing")

    asyncio.run(run())


def test_every_method_of_a_graph_is_there(demo: kgdb.KnowledgeGraph) -> None:
    # What gives its results inside a block, or is of use to other parts of kgdb only.
    others = {"project", "cheapest", "batch", "identified", "database", "to_py2neo", "named"}
    others |= {"named_in_text", "relation_vectors"}
    public = {name for name in dir(kgdb.KnowledgeGraph) if not name.startswith("_")}
    assert public - set(dir(AsyncKnowledgeGraph)) == others - {"database"}
    assert {name for name in dir(Graph) if not name.startswith("_")} <= public


@pytest.fixture
def served(demo: kgdb.KnowledgeGraph, tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as found:
        yield found


def test_a_client_that_goes_ends_what_it_asked(served: Served, connection: kgdb.Connection) -> None:
    async def ask_and_go() -> None:
        host, port = served.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        body = json.dumps({"query": READ}).encode()
        head = f"POST /v1/graphs/demo/cypher HTTP/1.1\r\nHost: {host}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        answered = asyncio.create_task(reader.readline())
        started = asyncio.create_task(asyncio.to_thread(wait_for, connection, 1))
        await asyncio.wait([answered, started], return_when=asyncio.FIRST_COMPLETED)
        assert not answered.done(), answered.result()
        await started
        answered.cancel()
        writer.close()
        began = time.monotonic()
        await asyncio.to_thread(wait_for, connection, 0)
        # By itself the statement would end with the service's limit of time.
        assert time.monotonic() - began < 1.5

    asyncio.run(ask_and_go())
