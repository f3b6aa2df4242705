"""The figures as tables for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.retrieval import Retrieval
from benchmarks.side_by_side import Row
from benchmarks.together import BatchRow, Throughput
from kgdb.runtime.memory import format_size

_FOLDER = Path(__file__).parent / "results"


@dataclass(slots=True)
class Report:
    """All that a run measured."""

    machine: dict[str, object]
    rows: list[Row] = field(default_factory=list)
    round_trips: dict[str, Any] = field(default_factory=dict)
    retrievals: list[Retrieval] = field(default_factory=list)
    batches: list[BatchRow] = field(default_factory=list)
    throughput: list[Throughput] = field(default_factory=list)

    def write(self) -> Path:
        """Keep everything as JSON."""
        _FOLDER.mkdir(exist_ok=True)
        path = _FOLDER / f"{str(self.machine['date']).replace(':', '')}.json"
        content = asdict(self)
        for row, shown in zip(self.rows, content["rows"], strict=True):
            shown["ratio"] = row.ratio
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        return path

    def markdown(self) -> str:
        """The tables; times in milliseconds."""
        parts = [self._machine()]
        if self.rows:
            parts.append(self._side_by_side())
        if self.retrievals:
            parts.append(self._retrievals())
            parts.append(self._parts())
        if self.batches:
            parts.append(self._batches())
        if self.throughput:
            parts.append(self._throughput())
        return "\n\n".join(parts)

    def _machine(self) -> str:
        shown = dict(self.machine)
        for name in ("memory", "heap", "page_cache", "store"):
            if isinstance(size := shown.get(name), int):
                shown[name] = format_size(size)
        return "\n".join(f"- {name}: {value}" for name, value in shown.items())

    def _side_by_side(self) -> str:
        return _table(
            (
                "graph",
                "search",
                "beside",
                "seen by",
                "kgdb p50",
                "p95",
                "other p50",
                "p95",
                "ratio p50",
                "p95",
                "target",
            ),
            [
                (
                    row.graph,
                    row.workload,
                    row.rival,
                    row.where,
                    *(_ms(time) for time in (row.kgdb.p50, row.kgdb.p95)),
                    *(_ms(time) for time in (row.other.p50, row.other.p95)),
                    *(f"{ratio:.1f}" for ratio in row.ratio),
                    _target(row),
                )
                for row in self.rows
            ],
        )

    def _retrievals(self) -> str:
        return _table(
            (
                "graph",
                "statements",
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
                    *(_ms(time) for time in (each.server.p50, each.server.p95)),
                    *(_ms(time) for time in (each.client.p50, each.client.p95)),
                    *(f"{size:.0f}" for size in (each.sent.p50, each.sent.p95)),
                    *(f"{size:.0f}" for size in (each.received.p50, each.received.p95)),
                )
                for each in self.retrievals
            ],
        )

    def _parts(self) -> str:
        return _table(
            ("graph", "statement", "server p50", "p95"),
            [
                (each.graph, name, _ms(times.p50), _ms(times.p95))
                for each in self.retrievals
                for name, times in each.parts.items()
            ],
        )

    def _batches(self) -> str:
        return _table(
            (
                "graph",
                "procedure",
                "start sets",
                "one call",
                "a call each",
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
                    f"{each.batch_ms:.1f}",
                    f"{each.one_by_one_ms:.1f}",
                    f"{each.one_by_one_ms / each.batch_ms:.1f}",
                    f"{each.batch_server_ms:.1f}",
                    f"{each.one_by_one_server_ms:.1f}",
                    f"{each.one_by_one_server_ms / each.batch_server_ms:.1f}",
                )
                for each in self.batches
            ],
        )

    def _throughput(self) -> str:
        return _table(
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


def _target(row: Row) -> str:
    met = all(ratio >= least for ratio, least in zip(row.ratio, row.target, strict=True))
    least = " and ".join(f"{number:g}" for number in dict.fromkeys(row.target))
    return f"≥ {least}: {'met' if met else 'missed'}"


def _ms(microseconds: float) -> str:
    return f"{microseconds / 1000:.3g}"


def _table(head: Sequence[str], lines: Sequence[Sequence[object]]) -> str:
    texts = [" | ".join(str(cell) for cell in line) for line in (head, *lines)]
    texts.insert(1, " | ".join("---" for _ in head))
    return "\n".join(f"| {text} |" for text in texts)
