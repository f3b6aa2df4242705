"""``python -m benchmarks``: measure everything, or with ``--quick`` a little of everything.

``python -m benchmarks peers`` compares with APOC, too.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks import cases, machine, retrieval, together
from benchmarks.against_gds import compare_pagerank
from benchmarks.cold_cache import compare_cold
from benchmarks.graphs import GRAPHS, GraphUnderTest, measured_server, server_facts
from benchmarks.in_memory import measure_in_memory
from benchmarks.log import say, tell
from benchmarks.misspelt import NAME as MISSPELT
from benchmarks.misspelt import compare_misspelt
from benchmarks.peers import command as peers
from benchmarks.powerlaw import FULL
from benchmarks.report import Report
from benchmarks.side_by_side import compare, compare_beam
from benchmarks.warm_up import WARM_UP_S, warm_up
from benchmarks.workloads import WORKLOADS
from kgdb.connection import Connection
from kgdb.errors import KgdbError
from kgdb.runtime import LocalServer
from kgdb.settings import load_settings

_SEED = 5
_PARTS = (
    "beam",
    "retrieval",
    "pagerank",
    "side-by-side",
    "cold-cache",
    "batches",
    "in-memory",
    "throughput",
)


def main() -> int:
    """Run the benchmarks that the command line asks for, and print what they gave."""
    if sys.argv[1:2] == ["peers"]:
        return peers.main(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the cases")
    parser.add_argument("--part", choices=_PARTS, action="append", help="only this part")
    parser.add_argument("--only", default="", help="only searches with this in their name")
    parser.add_argument("--graph", default="", help="only this graph: metaqa or powerlaw")
    parser.add_argument("--cases", type=int, help="cases of each search (default 100)")
    given = parser.parse_args()
    count = given.cases or (10 if given.quick else 100)
    try:
        report = Report(machine.facts())
        with measured_server(FULL, tell) as connection:
            report.machine |= server_facts()
            for graph in GRAPHS:
                if given.graph in ("", graph.name):
                    drawn = cases.draw(connection, graph, count, _SEED)
                    report.cases[graph.name] = len(drawn)
                    run = _Run(connection, graph, drawn, report, given.only)
                    say(f"{graph.name}: warm-up of {WARM_UP_S:g} s")
                    warm_up(connection, graph, drawn)
                    for part in given.part or _PARTS:
                        say(f"{graph.name}: {part}")
                        run.part(part, seconds=2 if given.quick else 10)
                        # What was measured stays, should a later part fail.
                        report.write()
    except KgdbError as error:
        print(error, file=sys.stderr)
        return 1
    print(report.markdown())
    print(f"\nKept in {report.write()}")
    return 0


class _Run:
    def __init__(
        self,
        connection: Connection,
        graph: GraphUnderTest,
        drawn: list[cases.Case],
        report: Report,
        only: str,
    ) -> None:
        self.connection = connection
        self.graph = graph
        self.drawn = drawn
        self.report = report
        self.only = only
        endpoint = LocalServer(load_settings(instance="benchmark")).status().endpoint
        self.password = endpoint.password if endpoint else ""

    def part(self, name: str, seconds: float) -> None:
        report, drawn = self.report, self.drawn
        where = (self.connection, self.graph)
        if name in ("side-by-side", "cold-cache"):
            measured = compare if name == "side-by-side" else compare_cold
            for workload in WORKLOADS:
                if self.graph.name in workload.graphs and self.only in workload.name:
                    say(f"  {workload.name}")
                    report.rows += measured(*where, workload, drawn)
                    report.write()
            if name == "side-by-side" and self.only in MISSPELT:
                say(f"  {MISSPELT}")
                report.rows += compare_misspelt(*where, drawn)
        elif name == "beam":
            loops, trips = compare_beam(*where, drawn)
            report.rows += loops
            report.round_trips[self.graph.name] = trips
        elif name == "pagerank":
            report.rows += compare_pagerank(*where, drawn[: max(5, len(drawn) // 5)])
        elif name == "retrieval":
            report.retrievals += retrieval.measure(*where, drawn, self.password)
        elif name == "batches":
            report.batches += together.batches(*where, drawn)
        elif name == "in-memory":
            rows, copied = measure_in_memory(*where, drawn, self.only)
            report.in_memory += rows
            report.copies.append(copied)
        elif name == "throughput":
            report.throughput += together.throughput(*where, drawn, self.password, seconds)


if __name__ == "__main__":
    sys.exit(main())
