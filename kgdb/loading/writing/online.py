"""Writes a prepared source into a running database over Bolt, in parallel batches.

Rows come in the same order each time, so a batch has the same number in every attempt: after a
load was stopped, what is in is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from typing import Any

from kgdb.errors import LoadError
from kgdb.loading.writing.disk_guard import DiskGuard
from kgdb.loading.writing.load_job import BATCH, Attempt, Place
from kgdb.progress import Progress, Report
from kgdb.wording import in_units, short

SESSIONS = 2
"""Parallel writers: the second nearly doubles the rate, more gain little."""

_WINDOW = 2 * SESSIONS

_Rows = Iterator[list[dict[str, Any]]]


def write(attempt: Attempt, place: Place, guard: DiskGuard, report: Report) -> None:
    """Write all that is not in yet, from ``place`` on; ``guard`` may stop it between batches."""
    prepared = attempt.prepared
    counts = prepared.counts
    stages: list[tuple[str, Callable[[int, int], _Rows], int]] = [
        ("entities", prepared.entities, counts.entities),
        ("literals", prepared.literals, counts.literals),
        ("triples", prepared.triples, counts.triples),
    ]
    names = [name for name, _, _ in stages]
    reached = names.index(place.stage) if place.stage in names else 0
    for number, (name, rows, total) in enumerate(stages):
        if number < reached:
            continue
        at = place if name == place.stage else Place(name)
        _write_stage(attempt, at, rows(BATCH, at.complete * BATCH), total, guard, report)


def _write_stage(
    attempt: Attempt, at: Place, batches: _Rows, total: int, guard: DiskGuard, report: Report
) -> None:
    """Write the batches over parallel sessions, holding only a few in memory at a time."""
    done = min(at.complete * BATCH, total)
    report(Progress(f"loading {at.stage}", done, total, at.stage))
    with ThreadPoolExecutor(SESSIONS) as pool, closing(batches):  # type: ignore[type-var]
        window = at
        while some := list(islice(batches, _WINDOW)):
            guard.rows(row for rows in some for row in rows)

            def put(numbered: tuple[int, list[dict[str, Any]]], window: Place = window) -> int:
                number, rows = numbered
                if number in at.beyond:
                    return len(rows)
                return attempt.write_batch(window, number, rows)

            for written in pool.map(put, enumerate(some, window.complete)):
                done += written
                report(Progress(f"loading {at.stage}", done, total, at.stage))
            window = Place(at.stage, window.complete + len(some))
    if done != total:
        raise LoadError(
            f"Loading {short(attempt.spec.name)} wrote {done:,} of {in_units(total, at.stage)}; "
            "the graph stays marked as incomplete.",
            hint="Remove it with kgdb unload, and load it again.",
        )
