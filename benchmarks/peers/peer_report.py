"""The comparison as a table for people, as JSON, and as the data file of the measurements."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.peers.peer_timing import Batches, Compared, PeerRow
from benchmarks.report import table
from benchmarks.timing import Times

DATA_FILE = Path(__file__).parents[2] / "measurements" / "peers.toml"

_RESULTS = Path(__file__).parents[1] / "results"
_SINGLE_TARGET, _BATCH_TARGET = 1.0, 3.0
_MISSED = " ✗"
_COLUMNS = (
    "graph",
    "search",
    "beside",
    "kgdb p50 / p95",
    "other p50 / p95",
    "ratio p50 / p95",
    "batches: kgdb, other, ratio",
    "client: ratio p50 / p95, batches",
)
_NAMES = 3


def markdown(rows: Sequence[PeerRow]) -> str:
    """The table; times in milliseconds."""
    return table(_COLUMNS, list(map(_cells, rows)))


def write_results(facts: Mapping[str, object], rows: Sequence[PeerRow]) -> Path:
    """Keep everything as JSON."""
    _RESULTS.mkdir(exist_ok=True)
    path = _RESULTS / f"peers-{str(facts['date']).replace(':', '')}.json"
    content = {"machine": facts, "rows": list(map(asdict, rows))}
    path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    return path


def data_file(
    facts: Mapping[str, object], rows: Sequence[PeerRow], command: str, machine: str
) -> str:
    """The data file that the page of the measurements takes its table from.

    ``machine`` is a key of measurements/machines.toml.
    """
    lines = [
        f"# The procedures beside their peers. Written by: {command} --record {machine}",
        "",
        "[runs.peers]",
        f"command = {_text(command)}",
        f"commit = {_text(str(facts['commit']))}",
        f"machine = {_text(machine)}",
        f"date = {str(facts['date'])[:10]}",
        "",
        "[tables.kernels]",
        'run = "peers"',
        f"names = {_NAMES}",
        f"columns = [{', '.join(map(_text, _COLUMNS))}]",
        f"formats = [{', '.join(_text('{}') for _ in _COLUMNS)}]",
        "rows = [",
        *(f"  [{', '.join(map(_text, _cells(row)))}]," for row in rows),
        "]",
        "",
        "[lists.missed]",
        'run = "peers"',
        "is = [",
        *(f"  {_text(line)}," for line in missed(rows)),
        "]",
    ]
    return "\n".join(lines) + "\n"


def missed(rows: Sequence[PeerRow]) -> list[str]:
    """Where the procedure is behind its aim, a sentence each."""
    found = []
    for row in rows:
        behind = [
            f"{_number(ratio)} times as fast {where} at {name}"
            for where, compared in (("in the server", row.server), ("for the client", row.client))
            for name, ratio in zip(("p50", "p95"), compared.ratio, strict=True)
            if ratio < _SINGLE_TARGET
        ]
        if row.server_batches and row.server_batches.ratio < _BATCH_TARGET:
            behind.append(f"{_number(row.server_batches.ratio)} times as fast in batches")
        if behind:
            found.append(f"{row.graph}, {row.case}, beside {row.peer}: {', '.join(behind)}.")
    return found or ["None."]


def _cells(row: PeerRow) -> list[str]:
    given_up = f" ({row.timeouts} of {row.questions} given up)" if row.timeouts else ""
    return [
        row.graph,
        row.case,
        row.peer,
        _times(row.server.kgdb),
        _times(row.server.other) + given_up,
        _ratios(row.server),
        _batches(row.server_batches),
        _ratios(row.client) + _batch_ratio(row.client_batches),
    ]


def _times(times: Times) -> str:
    return f"{_number(times.p50 / 1000)} / {_number(times.p95 / 1000)}"


def _ratios(compared: Compared) -> str:
    return " / ".join(_ratio(ratio, _SINGLE_TARGET) for ratio in compared.ratio)


def _batches(batches: Batches | None) -> str:
    if batches is None:
        return "given up"
    ratio = _ratio(batches.ratio, _BATCH_TARGET)
    return f"{_number(batches.kgdb_ms)}, {_number(batches.other_ms)}, {ratio}"


def _batch_ratio(batches: Batches | None) -> str:
    return "" if batches is None else f", {_number(batches.ratio)}"


def _ratio(ratio: float, target: float) -> str:
    return _number(ratio) + ("" if ratio >= target else _MISSED)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
