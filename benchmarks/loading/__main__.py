"""``python -m benchmarks.loading``: how fast graphs are loaded (``make bench-load``)."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from benchmarks import machine
from benchmarks.loading import bulk, freebase, on_spark, online, qualifiers, small
from benchmarks.log import say, tell
from benchmarks.report import table
from kgdb.errors import KgdbError

_PARTS = ("small", "online", "bulk", "qualifiers", "spill", "freebase")
_BY_NAME_ONLY = ("spark",)
"""Parts that need an extra: they run where the command line names them."""

Rows = list[dict[str, object]]

_RESULTS = Path(__file__).parent.parent / "results"


def main() -> int:
    """Run the parts that the command line asks for, and print what they gave."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.loading", description=__doc__)
    parser.add_argument(
        "--part", choices=(*_PARTS, *_BY_NAME_ONLY), action="append", help="only this part"
    )
    parser.add_argument("--triples", type=int, default=10_000_000, help="of the bulk load")
    parser.add_argument("--lines", type=int, default=20_000_000, help="of the Freebase dump")
    parser.add_argument("--memory", help="of DuckDB on the Freebase dump: 1GB")
    given = parser.parse_args()
    facts = machine.facts()
    found: dict[str, object] = {"machine": facts}
    try:
        for part in given.part or _PARTS:
            say(f"loading: {part}")
            with tempfile.TemporaryDirectory(prefix="kgdb-bench-") as folder:
                tables = _run(part, Path(folder), given)
            for name, rows in tables.items():
                found[name] = rows
                print(f"\n### {name}\n")
                print(table(list(rows[0]), [list(map(_shown, row.values())) for row in rows]))
    except KgdbError as error:
        print(error, file=sys.stderr)
        return 1
    _RESULTS.mkdir(exist_ok=True)
    path = _RESULTS / f"loading-{str(facts['date']).replace(':', '')}.json"
    path.write_text(json.dumps(found, indent=1, default=str) + "\n", encoding="utf-8")
    print(f"\nKept in {path}")
    return 0


def _run(part: str, folder: Path, given: argparse.Namespace) -> dict[str, Rows]:
    if part == "small":
        return {part: [asdict(row) for row in small.measure(folder, tell)]}
    if part == "online":
        return {part: [asdict(row) for row in online.measure(folder, tell)]}
    if part == "spark":
        prepared = on_spark.measure(given.triples, folder, tell)
        return {
            part: [asdict(row) for row in prepared],
            "spark, whole dumps": [asdict(row) for row in on_spark.project(prepared[-1])],
        }
    if part == "qualifiers":
        return {part: [asdict(row) for row in qualifiers.measure(given.triples, folder, tell)]}
    if part == "freebase":
        read = freebase.measure(given.lines, folder, given.memory, tell)
        return {
            part: [
                asdict(read)
                | {
                    "lines a second, reading": read.lines / (read.hashing + read.reading),
                    "lines a second, SQL": read.lines / read.sql,
                    "memory / cap": _judged(read.memory / freebase.CAP, 1.0),
                }
            ],
            "freebase, the whole dump": [asdict(row) for row in freebase.project(read)],
        }
    size = given.triples if part == "bulk" else 5 * given.triples
    row = bulk.measure(size, folder, tell)
    ratios = {
        "total / plain import": _judged(row.total_ratio, bulk.TOTAL_TARGET),
        "prepare + import / tuned import": _judged(row.import_ratio, bulk.IMPORT_TARGET),
        "prepare + import / import of kgdb's files": f"{row.own_ratio:.2f}",
    }
    return {part: [asdict(row) | ratios]}


def _judged(ratio: float, most: float) -> str:
    return f"{ratio:.2f} {'✓' if ratio <= most else '✗'} (≤ {most:g})"


def _shown(value: object) -> str:
    return f"{value:,.2f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.exit(main())
