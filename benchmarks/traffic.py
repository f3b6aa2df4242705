"""How many services and processors of the database a traffic needs, by simulation.

    python -m benchmarks.traffic --rate 1000 --service-ms 8 --database-ms 12

Questions come at random (Poisson) and go to the service that is free first, one process with one
processor, and then to the processor of the database that is free first. The milliseconds of
processor time are those that ``python -m benchmarks.serving`` measures.
"""

from __future__ import annotations

import heapq
import itertools
import math
import random
from collections.abc import Iterable, Iterator

import click

_QUESTIONS = 100_000


@click.command()
@click.option("--rate", type=float, required=True, help="Questions a second.")
@click.option("--service-ms", type=float, required=True, help="Of the service, for an answer.")
@click.option("--database-ms", type=float, required=True, help="Of the database, for an answer.")
def main(rate: float, service_ms: float, database_ms: float) -> None:
    """Print how long answers take with so many services and processors, from the fewest on."""
    fewest = [math.floor(rate * each / 1000) + 1 for each in (service_ms, database_ms)]
    click.echo(f"{'services':>9}{'processors':>12}{'p50 ms':>9}{'p99 ms':>9}")
    for more in (0, 1, 2, 4, 8):
        services, processors = (each + more for each in fewest)
        p50, p99 = simulated(rate, (services, service_ms), (processors, database_ms))
        click.echo(f"{services:9}{processors:12}{p50:9.0f}{p99:9.0f}")
    click.echo(f"needed at least: {fewest[0]} services, {fewest[1]} processors of the database")


def simulated(
    rate: float, *stations: tuple[int, float], questions: int = _QUESTIONS, seed: int = 7
) -> tuple[float, float]:
    """The milliseconds that answers take, p50 and p99, through stations one after another.

    Each has so many servers, whose work on a question takes so many milliseconds on average, at
    random (exponential). The first tenth does not count: the queues are still short.
    """
    chance = random.Random(seed)
    came = list(itertools.accumulate(chance.expovariate(rate) for _ in range(questions)))
    left: Iterable[tuple[int, float]] = enumerate(came)
    for servers, milliseconds in stations:
        left = sorted(_served(left, servers, milliseconds / 1000, chance), key=lambda each: each[1])
    took = sorted(1000 * (end - came[place]) for place, end in left if place >= questions // 10)
    return took[len(took) // 2], took[int(0.99 * len(took))]


def _served(
    coming: Iterable[tuple[int, float]], servers: int, seconds: float, chance: random.Random
) -> Iterator[tuple[int, float]]:
    """When each question leaves; the first that comes is served first."""
    free = [0.0] * servers
    for place, time in coming:
        end = max(time, free[0]) + chance.expovariate(1 / seconds)
        heapq.heapreplace(free, end)
        yield place, end


if __name__ == "__main__":
    main()
