"""Many clients at once, while graphs are loaded and removed beside the one they ask."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from reference import CASES
from sources import demo_facts, write_facts, write_loader

import kgdb
from kgdb import loading
from kgdb.graph import thought

pytestmark = pytest.mark.integration

CLIENTS = 16
SECONDS = 30
CALLS = 60

Call = Callable[[], Any]


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """A graph of 20,000 triples whose entities have the names and relations of the demo graph."""
    facts = [
        (f"{head} {copy}", relation, f"{tail} {copy}")
        for copy in range(11)
        for head, relation, tail in sorted(demo_facts())
    ]
    write_facts(tmp_path / "beside.tsv", facts)
    write_loader(tmp_path, "beside")
    return tmp_path


def calls(graph: kgdb.KnowledgeGraph) -> Iterator[Call]:
    """Endless different calls of every procedure."""
    draw = random.Random(0)
    people = sorted({tail for _, relation, tail in demo_facts() if relation == "starred_actors"})

    def search(method: str) -> Callable[[list[str]], Call]:
        arguments = CASES[method].arguments("^starred_actors")
        return lambda some: lambda: getattr(graph, method)(some, *arguments)

    kinds: list[Callable[[list[str]], Call]] = [
        *map(search, CASES),
        lambda some: (
            lambda: graph.match(
                thought(("film", "with", "a"), ("film", "with", "b")),
                {"a": some[:1], "b": some[1:]},
                {"with": {"starred_actors": 1}},
            )
        ),
        lambda some: lambda: graph.run_thought(f"CREATE (:P {{name: 'p'}})-[:R]->(:Q {some[0]!r})"),
        lambda some: lambda: graph.read_cypher("MATCH (n:Demo) RETURN count(n) AS all"),
    ]
    for kind in itertools.cycle(kinds):
        yield kind(draw.sample(people, 3))


def test_clients_get_the_same_rows_whatever_runs_beside_them(
    demo: kgdb.KnowledgeGraph, clean: kgdb.Connection, beside: Path
) -> None:
    asked = [(call, call()) for call in itertools.islice(calls(demo), CALLS)]
    end = Event()

    def client(number: int) -> int:
        draw, done = random.Random(number), 0
        while not end.is_set():
            call, expected = draw.choice(asked)
            assert call() == expected
            done += 1
        return done

    loads = 0
    with ThreadPoolExecutor(CLIENTS) as pool:
        clients = [pool.submit(client, number) for number in range(CLIENTS)]
        try:
            begin = time.monotonic()
            while time.monotonic() - begin < SECONDS and not any(c.done() for c in clients):
                with loading.prepare(
                    loading.read_spec(str(beside / "beside.toml")), beside / "beside.tsv"
                ) as prepared:
                    loads += loading.load(prepared, clean).loaded
                loading.unload(clean, clean.graph("beside").info)
        finally:
            end.set()
        done = [c.result() for c in clients]
    assert loads > 0
    assert min(done) > 0
    with clean.driver.session(database=clean.name) as session:
        open_transactions = session.run("SHOW TRANSACTIONS YIELD currentQuery").values()
    assert len(open_transactions) == 1
