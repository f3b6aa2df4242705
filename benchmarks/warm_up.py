"""Runs all that will be measured before anything is timed.

A server compiles its code while it runs: the same search takes several times as long among the
first thousand. Whatever is timed first would look slow, and its rivals, timed later, fast.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle

import neo4j
from neo4j.exceptions import Neo4jError

from benchmarks.against_gds import forget, gds, pagerank
from benchmarks.cases import Case
from benchmarks.client_loop import ClientLoop
from benchmarks.graphs import GraphUnderTest
from benchmarks.retrieval import steps
from benchmarks.timing import is_timeout, run_often
from benchmarks.workloads import WORKLOADS
from benchmarks.workloads.beam_search import RELATIONS_PER_NODE, WIDTH, beam
from benchmarks.workloads.search import Maker
from kgdb.connection import Connection

WARM_UP_S = 60.0
"""At least so long, for each graph: after 20 s searches still took twice as long as after 60."""

_TURN_S = 0.03
_SLOW_S = 1.0
_SLOW_CASES = 3


@dataclass(slots=True)
class _Turn:
    """One side's work on a case; slow where it took longer than a second."""

    take: Callable[[Case], None]
    slow_cases: int = 0

    def run(self, case: Case) -> None:
        began = time.perf_counter()
        try:
            self.take(case)
        except Neo4jError as error:
            if not is_timeout(error):
                raise
        self.slow_cases += time.perf_counter() - began > _SLOW_S


def warm_up(connection: Connection, graph: GraphUnderTest, cases: Sequence[Case]) -> None:
    """Give every side its turn, case by case.

    Who was slow on a few cases sits out from then on: it would leave the others no time.
    """
    with connection.driver.session(database=connection.name) as session:
        turns = _turns(session, graph)
        end = time.perf_counter() + WARM_UP_S
        for case in cycle(cases):
            for turn in turns:
                if turn.slow_cases < _SLOW_CASES:
                    turn.run(case)
            if time.perf_counter() > end:
                return


def _turns(session: neo4j.Session, graph: GraphUnderTest) -> list[_Turn]:
    forget(session)
    makers: list[Maker] = [pagerank, beam(RELATIONS_PER_NODE)]
    for workload in WORKLOADS:
        if graph.name in workload.graphs:
            makers += [workload.plugin, *workload.rivals.values()]

    def often(make: Maker) -> Callable[[Case], None]:
        return lambda case: run_often(session, make(graph, case), _TURN_S, _SLOW_S)

    def ranks(case: Case) -> None:
        gds(session, graph, case)

    def retrieval(case: Case) -> None:
        for in_one in (False, True):
            for statement in steps(session, graph, case, in_one):
                run_often(session, statement, _TURN_S, _SLOW_S)

    loop = ClientLoop(session, graph.label)

    def relation_by_relation(case: Case) -> None:
        loop.query_for_each_relation(case.start, case.hops, WIDTH, RELATIONS_PER_NODE)

    def node_by_node(case: Case) -> None:
        loop.query_for_each_node(case.start, case.hops, WIDTH)

    works = (*map(often, makers), ranks, retrieval, relation_by_relation, node_by_node)
    return [_Turn(work) for work in works]
