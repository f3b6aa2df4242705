"""Writes a prepared source into a running database over Bolt, in parallel batches.

The order of the rows is fixed, so a batch has the same number in every job: a resumed load skips
the batches that an earlier job has committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from typing import Any

from kgdb.errors import LoadError
from kgdb.loading.writing.disk_guard import DiskGuard
from kgdb.loading.writing.load_job import BATCH, LoadJob, ResumePoint
from kgdb.progress import Progress, Report
from kgdb.wording import in_units, short

SESSIONS = 2
"""Parallel writers: two nearly double the rate of one; more gain little."""

_WINDOW = 2 * SESSIONS

_Rows = Iterator[list[dict[str, Any]]]


def write(job: LoadJob, start: ResumePoint, guard: DiskGuard, report: Report) -> None:
    """Write the missing batches, from ``start`` on; ``guard`` may stop it between batches."""
    prepared = job.prepared
    counts = prepared.counts
    stages: list[tuple[str, Callable[[int, int], _Rows], int]] = [
        ("entities", prepared.entities, counts.entities),
        ("literals", prepared.literals, counts.literals),
        ("triples", prepared.triples, counts.triples),
    ]
    names = [name for name, _, _ in stages]
    reached = names.index(start.stage) if start.stage in names else 0
    for number, (name, rows, total) in enumerate(stages):
        if number < reached:
            continue
        at = start if name == start.stage else ResumePoint(name)
        _write_stage(job, at, rows(BATCH, at.complete * BATCH), total, guard, report)


def _write_stage(
    job: LoadJob, at: ResumePoint, batches: _Rows, total: int, guard: DiskGuard, report: Report
) -> None:
    """Write the batches over parallel sessions, with only a few in memory at a time."""
    done = min(at.complete * BATCH, total)
    report(Progress(f"loading {at.stage}", done, total, at.stage))
    with ThreadPoolExecutor(SESSIONS) as pool, closing(batches):  # type: ignore[type-var]
        window = at
        while chunk := list(islice(batches, _WINDOW)):
            guard.require_for_rows(row for rows in chunk for row in rows)

            def put(
                numbered: tuple[int, list[dict[str, Any]]], window: ResumePoint = window
            ) -> int:
                number, rows = numbered
                if number in at.beyond:
                    return len(rows)
                return job.write_batch(window, number, rows)

            for written in pool.map(put, enumerate(chunk, window.complete)):
                done += written
                report(Progress(f"loading {at.stage}", done, total, at.stage))
            window = ResumePoint(at.stage, window.complete + len(chunk))
    if done != total:
        raise LoadError(
            f"Loading {short(job.spec.name)} wrote {done:,} of {in_units(total, at.stage)}; "
            "the graph stays marked as incomplete.",
            hint="Remove it with kgdb remove, then load it again.",
        )
