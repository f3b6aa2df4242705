"""``python -m benchmarks peers``: the procedures beside APOC, Graph Data Science and Cypher.

All in one run on one server: benchmarks/peers/ says who is asked what. The first run loads the
graphs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks import machine
from benchmarks.graphs import METAQA, POWERLAW, GraphUnderTest, server_facts
from benchmarks.log import say, tell
from benchmarks.peers.peer_cases import peer_cases
from benchmarks.peers.peer_questions import draw_questions
from benchmarks.peers.peer_report import DATA_FILE, data_file, markdown, missed, write_results
from benchmarks.peers.peer_server import (
    FB15K,
    peer_graphs,
    peer_server,
    projected,
    settings_of_peers,
)
from benchmarks.peers.peer_timing import CaseTiming, PeerRow
from kgdb.connection import Connection
from kgdb.errors import KgdbError

WARM_UP_S = 3.0
"""For each side of a search; see benchmarks/warm_up.py."""


def main(arguments: Sequence[str]) -> int:
    """Compare what the command line asks for, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks peers", description=__doc__)
    parser.add_argument(
        "--graph", choices=(METAQA, FB15K, POWERLAW), action="append", help="only this graph"
    )
    parser.add_argument("--only", default="", help="only searches with this in their name")
    parser.add_argument("--questions", type=int, default=40, help="of each search (default 40)")
    parser.add_argument("--rounds", type=int, default=3, help="of which medians count (default 3)")
    parser.add_argument(
        "--millions", type=int, default=2, help="relationships of the power-law graph (default 2)"
    )
    parser.add_argument(
        "--record", metavar="MACHINE", help="write measurements/peers.toml, of this machine"
    )
    given = parser.parse_args(arguments)
    facts = machine.facts()
    rows: list[PeerRow] = []
    try:
        graphs = peer_graphs(given.graph or (), given.millions)
        with peer_server(graphs, tell) as connection:
            facts |= server_facts(settings_of_peers())
            for each in graphs:
                with projected(connection, each.graph):
                    rows += _compare(connection, each.graph, given)
                # What was measured stays, should a later graph fail.
                path = write_results(facts, rows)
    except KgdbError as error:
        print(error, file=sys.stderr)
        return 1
    print(markdown(rows))
    print("\nMissed:", *missed(rows), sep="\n- ")
    print(f"\nKept in {path}")
    if given.record:
        options = [each for each in arguments if each not in ("--record", given.record)]
        command = " ".join(["python -m benchmarks peers", *options])
        DATA_FILE.write_text(data_file(facts, rows, command, given.record), encoding="utf-8")
    return 0


def _compare(
    connection: Connection, graph: GraphUnderTest, given: argparse.Namespace
) -> list[PeerRow]:
    drawn = draw_questions(connection, graph, given.questions)
    is_large = graph.name.startswith(POWERLAW)
    with connection.driver.session(database=connection.name) as session:
        timings = [
            CaseTiming(session, graph, case.on_large_graphs() if is_large else case, drawn)
            for case in peer_cases(drawn)
            if given.only in case.name
        ]
        for timing in timings:
            say(f"{graph.name}: {timing.case.name}")
            timing.check()
        for timing in timings:
            timing.warm_up(WARM_UP_S)
        for number in range(given.rounds):
            say(f"{graph.name}: round {number + 1}")
            for timing in timings:
                timing.time()
    return [row for timing in timings for row in timing.rows()]
