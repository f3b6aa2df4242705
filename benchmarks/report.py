"""The figures as tables for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.in_memory import CopyRow, InMemoryRow
from benchmarks.retrieval import Retrieval
from benchmarks.side_by_side import Row
from benchmarks.together import BatchRow, Throughput
from kgdb.runtime.machine.server_memory import format_size

_FOLDER = Path(__file__).parent / "results"
_REACHED, _MISSED = "✓", "✗"


@dataclass(slots=True)
class Report:
    """All that a run measured."""

    machine: dict[str, object]
    cases: dict[str, int] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    round_trips: dict[str, Any] = field(default_factory=dict)
    retrievals: list[Retrieval] = field(default_factory=list)
    batches: list[BatchRow] = field(default_factory=list)
    in_memory: list[InMemoryRow] = field(default_factory=list)
    copies: list[CopyRow] = field(default_factory=list)
    throughput: list[Throughput] = field(default_factory=list)

    def write(self) -> Path:
        """Keep everything as JSON."""
        _FOLDER.mkdir(exist_ok=True)
        path = _FOLDER / f"{str(self.machine['date']).replace(':', '')}.json"
        content = asdict(self)
        for row, shown in zip(self.rows, content["rows"], strict=True):
            reached = [one >= least for one, least in zip(row.ratio, row.target, strict=True)]
            shown |= {"ratio": row.ratio, "reached": reached}
        for each, shown in zip(self.retrievals, content["retrievals"], strict=True):
            pairs = zip(each.server_ms, each.target_ms, strict=True)
            reached = [took <= most for took, most in pairs if most is not None]
            shown |= {"target_ms": each.target_ms, "reached": reached}
        totals: dict[str, Sequence[BatchRow | InMemoryRow]] = {
            "batches": self.batches,
            "in_memory": self.in_memory,
        }
        for name, many in totals.items():
            for one, shown in zip(many, content[name], strict=True):
                shown |= {"ratio": one.ratio, "reached": one.ratio >= one.target}
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        return path

    def markdown(self) -> str:
        """The tables; times in milliseconds."""
        tables = (
            (self.rows, self._side_by_side),
            (self.retrievals, self._retrievals),
            (self.retrievals, self._parts),
            (self.batches, self._batches),
            (self.in_memory, self._in_memory),
            (self.copies, self._copies),
            (self.throughput, self._throughput),
        )
        return "\n\n".join([self._machine(), *(table() for rows, table in tables if rows)])

    def _machine(self) -> str:
        shown = dict(self.machine)
        for name in ("memory", "heap", "page_cache", "store"):
            if isinstance(size := shown.get(name), int):
                shown[name] = format_size(size)
        shown["cases"] = ", ".join(f"{name} {count}" for name, count in self.cases.items())
        shown["targets"] = f"{_REACHED} reached, {_MISSED} missed"
        return "\n".join(f"- {name}: {value}" for name, value in shown.items())

    def _side_by_side(self) -> str:
        return table(
            (
                "graph",
                "search",
                "beside",
                "seen by",
                "cases",
                "kgdb p50",
                "p95",
                "other p50",
                "p95",
                "target",
                "ratio p50",
                "p95",
            ),
            [
                (
                    row.graph,
                    row.workload,
                    row.rival,
                    row.where,
                    row.cases,
                    *(_ms(time) for time in (row.kgdb.p50, row.kgdb.p95)),
                    *(_ms(time) for time in (row.other.p50, row.other.p95)),
                    ", ".join(f"≥ {least:g}" for least in dict.fromkeys(row.target) if least),
                    *map(_ratio, row.ratio, row.target),
                )
                for row in self.rows
            ],
        )

    def _retrievals(self) -> str:
        return table(
            (
                "graph",
                "statements",
                "cases",
                "target",
                "server p50",
                "p95",
                "client p50",
                "p95",
                "bytes out p50",
                "p95",
                "bytes in p50",
                "p95",
            ),
            [
                (
                    each.graph,
                    each.statements,
                    each.cases,
                    "≤ " + ", ".join(f"{most:g}" for most in each.target_ms if most),
                    *map(_within, each.server_ms, each.target_ms),
                    *(_ms(time) for time in (each.client.p50, each.client.p95)),
                    *(f"{size:.0f}" for size in (each.sent.p50, each.sent.p95)),
                    *(f"{size:.0f}" for size in (each.received.p50, each.received.p95)),
                )
                for each in self.retrievals
            ],
        )

    def _parts(self) -> str:
        return table(
            ("graph", "statement", "server p50", "p95"),
            [
                (each.graph, name, _ms(times.p50), _ms(times.p95))
                for each in self.retrievals
                for name, times in each.parts.items()
            ],
        )

    def _batches(self) -> str:
        return table(
            (
                "graph",
                "procedure",
                "start sets",
                "one call",
                "a call each",
                "target",
                "ratio",
                "in the server: one call",
                "a call each",
                "ratio",
            ),
            [
                (
                    each.graph,
                    each.procedure,
                    each.sets,
                    _number(each.batch_ms),
                    _number(each.one_by_one_ms),
                    f"≥ {each.target:g}",
                    _ratio(each.ratio, each.target),
                    _number(each.batch_server_ms),
                    _number(each.one_by_one_server_ms),
                    _number(each.one_by_one_server_ms / each.batch_server_ms),
                )
                for each in self.batches
            ],
        )

    def _in_memory(self) -> str:
        return table(
            (
                "graph",
                "search",
                "start sets",
                "rows",
                "store, all",
                "copy, all",
                "store, a batch p50",
                "p95",
                "copy, a batch p50",
                "p95",
                "target",
                "ratio",
            ),
            [
                (
                    each.graph,
                    each.search,
                    f"{each.sets} in {each.sets_of_batch}s",
                    each.rows,
                    _number(each.store_ms),
                    _number(each.copy_ms),
                    *(_ms(time) for time in (each.store.p50, each.store.p95)),
                    *(_ms(time) for time in (each.copy.p50, each.copy.p95)),
                    f"≥ {each.target:g}",
                    _ratio(each.ratio, each.target),
                )
                for each in self.in_memory
            ],
        )

    def _copies(self) -> str:
        return table(
            ("graph", "first call, makes the copy", "second call"),
            [(each.graph, _number(each.first_ms), _number(each.again_ms)) for each in self.copies],
        )

    def _throughput(self) -> str:
        return table(
            ("graph", "beam", "clients", "searches a second", "p50 ms", "p95 ms"),
            [
                (
                    each.graph,
                    each.side,
                    each.clients,
                    each.per_second,
                    each.p50_ms,
                    each.p95_ms,
                )
                for each in self.throughput
            ],
        )


def _ratio(reached: float, least: float) -> str:
    if not least:
        return _number(reached)
    return f"{_number(reached)} {_REACHED if reached >= least else _MISSED}"


def _within(took_ms: float, most_ms: float | None) -> str:
    if most_ms is None:
        return _number(took_ms)
    return f"{_number(took_ms)} {_REACHED if took_ms <= most_ms else _MISSED}"


def _ms(microseconds: float) -> str:
    return _number(microseconds / 1000)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table(head: Sequence[str], lines: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    texts = [" | ".join(str(cell) for cell in line) for line in (head, *lines)]
    texts.insert(1, " | ".join("---" for _ in head))
    return "\n".join(f"| {text} |" for text in texts)
