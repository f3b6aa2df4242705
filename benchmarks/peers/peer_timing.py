"""Times the sides of a case in turn, after their answers were compared."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import neo4j
from neo4j.exceptions import Neo4jError

from benchmarks.graphs import GraphUnderTest
from benchmarks.peers.peer_cases import PeerCase
from benchmarks.peers.peer_questions import Question, Questions
from benchmarks.peers.peer_sides import Rows, Side
from benchmarks.side_by_side import Disagreement
from benchmarks.timing import Statement, Times, is_timeout, run_often

BATCH = 20
"""Questions of a batch."""

TIMEOUT_S, BATCH_TIMEOUT_S = 2.0, 10.0
MAX_TIMEOUTS = 3
"""A side that has reached the limit so often is asked no more."""

_SLOW = 0.1
"""What takes longer than this share of its limit is timed once."""

_REPETITIONS = 5
_QUICK_S = 0.02
"""Only what is quicker is repeated."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Times of the procedure and of a peer for the same questions."""

    kgdb: Times
    other: Times

    @property
    def ratio(self) -> tuple[float, float]:
        """How many times faster the procedure is at p50 and p95."""
        return self.other.p50 / self.kgdb.p50, self.other.p95 / self.kgdb.p95


@dataclass(frozen=True, slots=True)
class Batches:
    """Milliseconds of the procedure and of a peer for all batches."""

    kgdb_ms: float
    other_ms: float

    @property
    def ratio(self) -> float:
        """How many times faster the procedure is."""
        return self.other_ms / self.kgdb_ms


@dataclass(frozen=True, slots=True)
class PeerRow:
    """One line of the report: a case on a graph beside one peer.

    Both sides count with the ``questions`` that the peer was asked before it was given up. There
    are no batches of a peer that was.
    """

    graph: str
    case: str
    peer: str
    questions: int
    timeouts: int
    server: Compared
    client: Compared
    server_batches: Batches | None
    client_batches: Batches | None


class TooSlow(Exception):
    """A statement has reached its time limit."""


@dataclass(slots=True)
class _Taken:
    """The seconds of each round, in the server and as the client sees them."""

    server: list[float] = field(default_factory=list)
    client: list[float] = field(default_factory=list)

    def is_enough(self, limit_s: float) -> bool:
        """Whether another time would take long and differ little."""
        return any(seconds > _SLOW * limit_s for seconds in self.server)


@dataclass(slots=True)
class _Competitor:
    """One side of a case, with what its questions and batches took."""

    side: Side
    questions: dict[int, _Taken] = field(default_factory=dict)
    batches: dict[int, _Taken] = field(default_factory=dict)
    timeouts: int = 0
    is_out: bool = False


class CaseTiming:
    """One case on one graph."""

    def __init__(
        self, session: neo4j.Session, graph: GraphUnderTest, case: PeerCase, drawn: Questions
    ) -> None:
        self.session = session
        self.graph = graph
        self.case = case
        self.questions = case.questions(drawn)
        self.procedures = {name: _Competitor(side) for name, side in case.procedures.items()}
        self.peers = {name: _Competitor(side) for name, side in case.peers.items()}

    def check(self) -> None:
        """Ask all sides each question and the first batch, and compare what they answer.

        Raises :class:`Disagreement`.
        """
        first: dict[str, list[Rows | None]] = {way: [] for way in self.procedures}
        for place, question in enumerate(self.questions):
            found = {way: self._ask(ours, place) for way, ours in self.procedures.items()}
            for name, peer in self.peers.items():
                theirs = None if peer.is_out else self._ask(peer, place)
                for mine in found.values():
                    self._compare(name, question, mine, theirs)
            for way in self.procedures:
                first[way] += [found[way]] if place < BATCH else []
        for way, ours in self.procedures.items():
            if [*map(_by_text, self._batch(ours))] != [*map(_by_text, first[way])]:
                raise Disagreement(f"{self.case.name}: a batch of kgdb gives other rows")
        for name, peer in self.peers.items():
            alone = next(iter(first.values()))
            for place, theirs in enumerate(self._batch(peer)):
                self._compare(name, self.questions[place], alone[place], theirs)

    def warm_up(self, seconds: float) -> None:
        """Run each side for so long, alone and in batches, so that the server compiles it."""
        for each in (*self.procedures.values(), *self.peers.values()):
            statements = [each.side.one(self.graph, question) for question in self.questions]
            if not each.is_out:
                statements.insert(0, each.side.many(self.graph, self.questions[:BATCH]))
            began = time.perf_counter()
            for statement in statements:
                if time.perf_counter() - began > seconds:
                    break
                try:
                    run_often(self.session, statement, seconds / len(statements), TIMEOUT_S)
                except Neo4jError as error:
                    if not is_timeout(error):
                        raise

    def time(self) -> None:
        """One round: each question of each side in turn, then each batch."""
        sides = [*self.procedures.values(), *self.peers.values()]
        for place, question in enumerate(self.questions):
            for each in sides:
                if place in each.questions:
                    statement = each.side.one(self.graph, question)
                    self._time(statement, each.questions[place], TIMEOUT_S)
        for place in range(0, len(self.questions), BATCH):
            for each in sides:
                if not each.is_out:
                    batch = self.questions[place : place + BATCH]
                    statement = each.side.many(self.graph, batch)
                    taken = each.batches.setdefault(place, _Taken())
                    self._time(statement, taken, BATCH_TIMEOUT_S)

    def rows(self) -> list[PeerRow]:
        """The lines of the report."""
        return [
            PeerRow(
                graph=self.graph.name,
                case=f"{self.case.name}: {way}" if way else self.case.name,
                peer=name,
                questions=len(peer.questions),
                timeouts=peer.timeouts,
                server=_compared(ours, peer, "server"),
                client=_compared(ours, peer, "client"),
                server_batches=_batches(ours, peer, "server"),
                client_batches=_batches(ours, peer, "client"),
            )
            for way, ours in self.procedures.items()
            for name, peer in self.peers.items()
        ]

    def _ask(self, each: _Competitor, place: int) -> Rows | None:
        """The rows, or ``None`` if the side is too slow."""
        taken = each.questions[place] = _Taken()
        try:
            statement = each.side.one(self.graph, self.questions[place])
            return _rows(self.session, statement, TIMEOUT_S)
        except TooSlow:
            taken.server.append(TIMEOUT_S)
            taken.client.append(TIMEOUT_S)
            each.timeouts += 1
            each.is_out = each.timeouts >= MAX_TIMEOUTS
            return None

    def _batch(self, each: _Competitor) -> list[Rows]:
        """The rows of each question of the first batch; none of a side that is too slow."""
        if each.is_out:
            return []
        batch = self.questions[:BATCH]
        try:
            rows = _rows(self.session, each.side.many(self.graph, batch), BATCH_TIMEOUT_S)
        except TooSlow:
            each.is_out = True
            return []
        return [[row for number, *row in rows if number == place] for place in range(len(batch))]

    def _compare(
        self, name: str, question: Question, ours: Rows | None, theirs: Rows | None
    ) -> None:
        if ours is None or theirs is None:
            return
        if difference := self.case.same(question, ours, theirs):
            raise Disagreement(
                f"{self.case.name}: kgdb and {name} differ on {self.graph.name} for {question}: "
                f"{difference}"
            )

    def _time(self, statement: Statement, taken: _Taken, limit_s: float) -> None:
        if taken.is_enough(limit_s):
            return
        try:
            server = _server_s(self.session, statement, limit_s)
            began = time.perf_counter()
            _rows(self.session, statement, limit_s)
            client = time.perf_counter() - began
        except TooSlow:
            server = client = limit_s
        taken.server.append(server)
        taken.client.append(client)


def _run(session: neo4j.Session, text: str, parameters: Mapping[str, Any], limit_s: float) -> Rows:
    """The records of a statement. Raises :class:`TooSlow`."""
    try:
        result = session.run(neo4j.Query(text, timeout=limit_s), dict(parameters))
        return [list(record.values()) for record in result]
    except Neo4jError as error:
        if is_timeout(error):
            raise TooSlow from error
        raise


def _rows(session: neo4j.Session, statement: Statement, limit_s: float) -> Rows:
    """What the statement returns, in one record: the driver takes long for many."""
    text = (
        f"CALL () {{ {statement.body} }} RETURN collect([{', '.join(statement.columns)}]) AS rows"
    )
    ((rows,),) = _run(session, text, statement.parameters, limit_s)
    found: Rows = rows
    return found


def _server_s(session: neo4j.Session, statement: Statement, limit_s: float) -> float:
    """The median seconds of a few runs inside the server."""

    def run(repetitions: int) -> list[float]:
        parameters = {**statement.parameters, "__repetitions": repetitions}
        return [took / 1e9 for took, _ in _run(session, statement.timed(), parameters, limit_s)]

    (once,) = run(1)
    return statistics.median(run(_REPETITIONS)) if once < _QUICK_S else once


def _seconds(taken: Mapping[int, _Taken], place: int, where: str) -> float:
    times: list[float] = getattr(taken[place], where)
    return statistics.median(times)


def _compared(ours: _Competitor, peer: _Competitor, where: str) -> Compared:
    return Compared(
        *(
            Times.of([1e9 * _seconds(each.questions, place, where) for place in peer.questions])
            for each in (ours, peer)
        )
    )


def _batches(ours: _Competitor, peer: _Competitor, where: str) -> Batches | None:
    if ours.is_out or peer.is_out:
        return None
    return Batches(
        *(
            1e3 * sum(_seconds(each.batches, place, where) for place in each.batches)
            for each in (ours, peer)
        )
    )


def _by_text(rows: Rows | None) -> list[str]:
    """Comparable where any order will do."""
    return sorted(map(repr, rows or ()))
