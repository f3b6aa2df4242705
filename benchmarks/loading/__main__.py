"""``python -m benchmarks.loading``: how fast graphs are loaded (``make bench-load``)."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from benchmarks import machine
from benchmarks.loading import bulk, online, small
from benchmarks.report import table
from kgdb.errors import KgdbError
from kgdb.progress import Event, Message

_PARTS = ("small", "online", "bulk", "spill")
_RESULTS = Path(__file__).parent.parent / "results"


def main() -> int:
    """Run the parts that the command line asks for, and print what they gave."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.loading", description=__doc__)
    parser.add_argument("--part", choices=_PARTS, action="append", help="only this part")
    parser.add_argument("--triples", type=int, default=10_000_000, help="of the bulk load")
    given = parser.parse_args()
    facts = machine.facts()
    found: dict[str, object] = {"machine": facts}
    try:
        for part in given.part or _PARTS:
            _say(f"loading: {part}")
            with tempfile.TemporaryDirectory(prefix="kgdb-bench-") as folder:
                rows = _run(part, Path(folder), given.triples)
            found[part] = rows
            print(f"\n### {part}\n")
            print(table(list(rows[0]), [list(map(_shown, row.values())) for row in rows]))
    except KgdbError as error:
        print(error, file=sys.stderr)
        return 1
    _RESULTS.mkdir(exist_ok=True)
    path = _RESULTS / f"loading-{str(facts['date']).replace(':', '')}.json"
    path.write_text(json.dumps(found, indent=1, default=str) + "\n", encoding="utf-8")
    print(f"\nKept in {path}")
    return 0


def _run(part: str, folder: Path, triples: int) -> list[dict[str, object]]:
    if part == "small":
        return [asdict(row) for row in small.measure(_tell)]
    if part == "online":
        return [asdict(row) for row in online.measure(folder, _tell)]
    size = triples if part == "bulk" else 5 * triples
    row = bulk.measure(size, folder, _tell)
    return [
        asdict(row)
        | {
            "total / plain import": _judged(row.total_ratio, bulk.TOTAL_TARGET),
            "prepare + import / tuned import": _judged(row.import_ratio, bulk.IMPORT_TARGET),
        }
    ]


def _judged(ratio: float, most: float) -> str:
    return f"{ratio:.2f} {'✓' if ratio <= most else '✗'} (≤ {most:g})"


def _shown(value: object) -> str:
    return f"{value:,.2f}" if isinstance(value, float) else str(value)


def _tell(event: Event) -> None:
    if isinstance(event, Message):
        _say(event.text)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
