"""How a service stands many clients at once: answers a second, waiting times, memory.

    python -m benchmarks.serving --clients 1 --clients 16 --clients 64 --clients 256

A service of its own answers questions over the demo graph without a language model. Each client
asks its next question when it has the answer to the last one. Every answer is held against the one
that the library gives to the question alone. Where the database is the local one, processor time
is told, too: that of the service and that of the database, in milliseconds an answer.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

import click
import httpx2
import psutil

import kgdb
from benchmarks.log import say, tell
from kgdb.runtime import LocalServer
from kgdb.settings import load_settings

_ASKED = (
    "Who directed {}?",
    "Who wrote {}?",
    "How many people starred in {}?",
    "When was {} released?",
)


@dataclass(slots=True)
class Load:
    """What came of the requests of some clients."""

    seconds: list[float] = field(default_factory=list)
    wrong: int = 0
    failed: int = 0


@click.command()
@click.option("--clients", multiple=True, type=int, default=(1, 16, 64, 256), show_default=True)
@click.option("--seconds", type=float, default=10.0, show_default=True, help="For each number.")
@click.option("--questions", type=int, default=0, help="So many more, to see the memory.")
def main(clients: Sequence[int], seconds: float, questions: int) -> None:
    """Print a row for each number of clients."""
    with kgdb.connect(report=tell) as connection:
        graph = connection.graph("demo")
        films = sorted({t.head.name for t in graph.facts() if t.relation == "directed_by"})
        asked = [form.format(film) for film in films for form in _ASKED]
        answers = graph.reasoner(llm="none").answers(asked)
    right = {each.question: _told(each.to_dict()) for each in answers}
    with served() as (url, process):
        pid = LocalServer(load_settings()).status().pid
        used = [process, *([psutil.Process(pid)] if pid else [])]
        click.echo(
            f"{'clients':>8}{'answers/s':>11}{'p50 ms':>9}{'p99 ms':>9}{'wrong':>7}{'failed':>8}"
            f"{'service ms':>12}{'database ms' if pid else '':>13}"
        )
        for number in clients:
            before = [_processor_s(each) for each in used]
            load = asyncio.run(_asked(url, number, right, seconds, None))
            times = sorted(load.seconds)
            took = [_processor_s(each) - begin for each, begin in zip(used, before, strict=True)]
            click.echo(
                f"{number:8}{len(times) / seconds:11.1f}{_at(times, 0.5):9.0f}"
                f"{_at(times, 0.99):9.0f}{load.wrong:7}{load.failed:8}"
                + "".join(f"{1000 * each / len(times):12.1f}" for each in took)
            )
        if questions:
            resident = process.memory_info().rss
            load = asyncio.run(_asked(url, 64, right, None, questions))
            after = process.memory_info().rss
            say(
                f"memory {resident / 2**20:.0f} MiB, after {questions:,} questions "
                f"{after / 2**20:.0f} MiB; wrong {load.wrong}, failed {load.failed}"
            )


@contextmanager
def served() -> Iterator[tuple[str, psutil.Process]]:
    """A service in a process of its own, warm."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kgdb", "serve", "--llm", "none", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        url = f"http://127.0.0.1:{port}"
        try:
            for _ in range(600):
                try:
                    ready = httpx2.get(f"{url}/ready", timeout=10).status_code == 200
                except httpx2.TransportError:
                    ready = False
                if ready:
                    break
                time.sleep(0.1)
            yield url, psutil.Process(process.pid)
        finally:
            process.terminate()


async def _asked(
    url: str,
    clients: int,
    right: Mapping[str, object],
    seconds: float | None,
    most: int | None,
) -> Load:
    load, numbers, texts = Load(), count(), list(right)
    end = None if seconds is None else time.monotonic() + seconds
    limits = httpx2.Limits(max_connections=clients, max_keepalive_connections=clients)
    async with httpx2.AsyncClient(base_url=url, timeout=120, limits=limits) as http:

        async def client() -> None:
            while end is None or time.monotonic() < end:
                number = next(numbers)
                if most is not None and number >= most:
                    return
                text, began = texts[number % len(texts)], time.perf_counter()
                found = await http.post("/v1/graphs/demo/answer", json={"question": text})
                load.seconds.append(time.perf_counter() - began)
                if found.status_code != 200:
                    load.failed += 1
                elif _told(found.json()) != right[text]:
                    load.wrong += 1

        await asyncio.gather(*(client() for _ in range(clients)))
    return load


def _told(answer: Mapping[str, object]) -> object:
    entities: Sequence[Mapping[str, Mapping[str, object]]]
    entities = answer["entities"]  # type: ignore[assignment]
    found = sorted(str(each["entity"]["id"]) for each in entities)
    return found, answer["value"], answer["reason"]


def _processor_s(process: psutil.Process) -> float:
    taken = process.cpu_times()
    return float(taken.user + taken.system)


def _at(times: Sequence[float], share: float) -> float:
    return 1000 * times[min(len(times) - 1, int(share * len(times)))] if times else 0.0


if __name__ == "__main__":
    main()
