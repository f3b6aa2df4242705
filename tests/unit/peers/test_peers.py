"""The parts of ``python -m benchmarks peers``: statements, comparisons, timing and the report."""

from __future__ import annotations

import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import neo4j
import pytest
from neo4j.exceptions import ClientError

from benchmarks.graphs import GraphUnderTest
from benchmarks.peers import apoc
from benchmarks.peers.comparing import (
    as_many_paths,
    same_others,
    same_paths,
    same_rows,
    same_values,
)
from benchmarks.peers.peer_cases import PeerCase, peer_cases
from benchmarks.peers.peer_questions import Question, Questions
from benchmarks.peers.peer_report import data_file, markdown, missed
from benchmarks.peers.peer_server import peer_graphs, scaled
from benchmarks.peers.peer_sides import Peer, Procedure
from benchmarks.peers.peer_timing import (
    MAX_TIMEOUTS,
    TIMEOUT_S,
    Batches,
    CaseTiming,
    Compared,
    PeerRow,
)
from benchmarks.side_by_side import Disagreement
from benchmarks.timing import Times
from kgdb.errors import UsageError
from kgdb.runtime.jars import lock_file

pytestmark = pytest.mark.unit

GRAPH = GraphUnderTest("films", "Films")
ASKED = Question("a", "z", "directed by")
OURS = [[["a", "b"], ["^r"], 2], [["a", "c", "b"], ["r", "s"], 1]]
THEIRS = [[["a", "b"], ["r"]], [["a", "c", "b"], ["r", "s"]], [["a", "b"], ["r"]]]


def test_parallel_paths_count_once_for_each() -> None:
    assert same_paths(ASKED, OURS, THEIRS) is None
    assert "1 more and 0 fewer" in (same_paths(ASKED, OURS, THEIRS[:2]) or "")


def test_paths_that_a_limit_cut_only_have_to_be_as_many() -> None:
    other = [[["a", "d", "b"], ["r", "r"]], *THEIRS[:2]]
    assert as_many_paths(3, max_hops=2)(ASKED, OURS, other) is None
    assert as_many_paths(4, max_hops=2)(ASKED, OURS, other) is not None
    assert as_many_paths(4, max_hops=2)(ASKED, OURS, THEIRS) is None


@pytest.mark.parametrize(
    ("ours", "wrong"),
    [
        ([[["a", "c", "a"], ["r", "r"], 1]], "no simple path"),
        ([[["a", "c", "d", "b"], ["r", "r", "r"], 1]], "at most 2 hops"),
        ([OURS[0], OURS[0]], "twice"),
    ],
)
def test_what_is_no_path_is_told(ours: list[list[Any]], wrong: str) -> None:
    assert wrong in (as_many_paths(1, max_hops=2)(ASKED, ours, THEIRS[:1]) or "")


def test_rows_have_an_order_and_values_have_none() -> None:
    assert same_rows(ASKED, [[1], [2]], [[2], [1]]) is not None
    assert same_values(ASKED, [[1], [2], [1]], [[2], [1]]) is None
    assert same_values(ASKED, [[1]], [[2]]) is not None


def test_a_self_loop_is_left_out_of_neighbors() -> None:
    assert same_others(ASKED, [["a"], ["b"]], [["b"]]) is None


def test_a_procedure_takes_many_sets_in_one_call() -> None:
    side = Procedure("kgdb.paths.all", ("ids", "count"), {"maxHops": 3})
    assert side.one(GRAPH, ASKED).parameters["nodes"] == ["a", "z"]
    many = side.many(GRAPH, [ASKED, ASKED])
    assert many.parameters["nodes"] == [["a", "z"], ["a", "z"]]
    assert many.parameters["config"] == {"kg": "films", "maxHops": 3}
    assert many.columns == ("batch", "ids", "count")
    assert "CALL kgdb.paths.all($nodes, $config) YIELD batch, ids, count" in many.body


def test_a_peer_gets_the_relation_as_a_type() -> None:
    side = Peer("MATCH (s)-[{types}]->(n) RETURN n.id AS id", ("id",), pair=False)
    assert "MATCH (s)-[:`directed by`]->(n)" in side.one(GRAPH, ASKED).body
    assert "(t:" not in side.one(GRAPH, ASKED).body
    many = side.many(GRAPH, [ASKED])
    assert "MATCH (s)-[:$(asked.relation)]->(n)" in many.body
    assert many.parameters["all"] == [{"start": "a", "end": "z", "relation": "directed by"}]


def test_every_peer_returns_what_its_case_compares() -> None:
    drawn = Questions((ASKED,), (ASKED,), ("r", "s"))
    cases = peer_cases(drawn)
    assert len({case.name for case in cases}) == len(cases)
    for case in cases:
        for peer in case.peers.values():
            for column in peer.columns:
                assert (
                    f"AS {column}" in peer.body or f"RETURN {', '.join(peer.columns)}" in peer.body
                )
            assert peer.one(GRAPH, ASKED).columns == peer.columns
    assert {"APOC", "GDS", "Cypher"} <= {name.split()[0] for case in cases for name in case.peers}


# --- timing


class Session:
    """Answers by the text of a statement: rows, or ``None`` for a time limit reached."""

    def __init__(self, answer: Callable[[str, Mapping[str, Any]], list[Any] | None]) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def run(self, query: neo4j.Query, parameters: Mapping[str, Any]) -> Iterator[Any]:
        text = str(query.text)
        self.asked.append(text)
        rows = self.answer(text, parameters)
        if rows is None:
            error = ClientError("too slow")
            error._neo4j_code = "Neo.ClientError.Transaction.TransactionTimedOut"
            raise error
        if "__repetitions" in text:
            values = [[2_000_000, len(rows)]] * parameters["__repetitions"]
        else:
            values = [[rows]]
        return iter([_Record(each) for each in values])


class _Record:
    def __init__(self, values: list[Any]) -> None:
        self._values = values

    def values(self) -> list[Any]:
        return self._values

    def __getitem__(self, name: str) -> Any:
        assert name == "took"
        return self._values[0]


CASE = PeerCase(
    "names",
    {"": Procedure("kgdb.neighbors", ("id",))},
    {"Cypher": Peer("MATCH (s)--(n) RETURN n.id AS id", ("id",))},
    same_values,
)
QUESTIONS = Questions(tuple(Question(f"a{i}", "z", "r") for i in range(25)), (), ())


def timing(answer: Callable[[str, Mapping[str, Any]], list[Any] | None]) -> CaseTiming:
    return CaseTiming(Session(answer), GRAPH, CASE, QUESTIONS)  # type: ignore[arg-type]


def found(_: str, parameters: Mapping[str, Any]) -> list[Any]:
    """One name for each question."""
    asked = parameters.get("all") or parameters.get("nodes") or ["a"]
    return [["n"]] if isinstance(asked[0], str) else [[i, "n"] for i, _ in enumerate(asked)]


def test_a_case_is_compared_and_then_timed() -> None:
    timed = timing(found)
    timed.check()
    timed.warm_up(0.01)
    timed.time()
    (row,) = timed.rows()
    assert (row.graph, row.case, row.peer) == ("films", "names", "Cypher")
    assert (row.questions, row.timeouts) == (25, 0)
    assert row.server.kgdb == row.server.other == Times(2000.0, 2000.0)
    assert row.server_batches == Batches(4.0, 4.0)


def test_other_rows_end_the_comparison() -> None:
    def differs(text: str, parameters: Mapping[str, Any]) -> list[Any]:
        return [["x"]] if "MATCH" in text else found(text, parameters)

    with pytest.raises(Disagreement, match="kgdb and Cypher differ on films"):
        timing(differs).check()


def test_a_batch_of_ours_has_to_give_the_rows_of_its_questions() -> None:
    def lost(text: str, parameters: Mapping[str, Any]) -> list[Any]:
        return [] if "YIELD batch" in text else found(text, parameters)

    with pytest.raises(Disagreement, match="a batch of kgdb gives other rows"):
        timing(lost).check()


def test_a_peer_that_is_too_slow_is_given_up() -> None:
    def slow(text: str, parameters: Mapping[str, Any]) -> list[Any] | None:
        return None if "MATCH" in text else found(text, parameters)

    timed = timing(slow)
    timed.check()
    timed.time()
    (row,) = timed.rows()
    assert (row.questions, row.timeouts) == (MAX_TIMEOUTS, MAX_TIMEOUTS)
    assert row.server.other.p50 == TIMEOUT_S * 1e6
    assert row.server_batches is None


# --- report

ROW = PeerRow(
    graph="films",
    case="all paths ≤ 3",
    peer="APOC",
    questions=40,
    timeouts=0,
    server=Compared(Times(1000.0, 4000.0), Times(3000.0, 2000.0)),
    client=Compared(Times(2000.0, 4000.0), Times(4000.0, 8000.0)),
    server_batches=Batches(10.0, 25.0),
    client_batches=Batches(10.0, 40.0),
)
FACTS = {"commit": "abc1234", "date": "2026-11-29T10:00:00+00:00"}


def test_the_table_marks_what_is_missed() -> None:
    line = markdown([ROW]).splitlines()[-1]
    assert line == (
        "| films | all paths ≤ 3 | APOC | 1 / 4 | 3 / 2 | 3 / 0.5 ✗ | 10, 25, 2.5 ✗ | 2 / 2, 4 |"
    )
    assert missed([ROW]) == [
        "films, all paths ≤ 3, beside APOC: 0.5 times as fast in the server at p95, "
        "2.5 times as fast in batches."
    ]


def test_the_data_file_is_one_of_measurements() -> None:
    written = tomllib.loads(data_file(FACTS, [ROW], "python -m benchmarks peers", "xeon"))
    assert written["runs"]["peers"]["commit"] == "abc1234"
    table = written["tables"]["kernels"]
    assert len(table["rows"][0]) == len(table["columns"]) == len(table["formats"])
    assert len(written["lists"]["missed"]["is"]) == 1


# --- the server


def test_the_parts_of_a_plugin_become_one_jar(tmp_path: Path) -> None:
    parts = []
    for name, content in (("one", "first"), ("two", "second")):
        parts.append(tmp_path / f"{name}.jar")
        with zipfile.ZipFile(parts[-1], "w") as jar:
            jar.writestr("META-INF/", "")
            jar.writestr("META-INF/MANIFEST.MF", content)
            jar.writestr(f"{name}.class", content)
    with zipfile.ZipFile(apoc.merge(parts, tmp_path / "all.jar")) as jar:
        assert sorted(jar.namelist()) == ["META-INF/MANIFEST.MF", "one.class", "two.class"]
        assert jar.read("META-INF/MANIFEST.MF") == b"first"


def test_apoc_is_locked_for_the_line_of_the_server() -> None:
    lock = lock_file.parse(apoc.LOCK.read_text(encoding="utf-8"))
    version = lock.version_of("org.neo4j.procedure:apoc-core")
    server = lock_file.shipped().version_of("org.neo4j:neo4j")
    assert version.split(".")[:2] == server.split(".")[:2]
    assert {jar.artifact for jar in lock.jars} == {"apoc-core", "apoc-common", "RoaringBitmap"}


def test_the_generated_graph_grows_with_its_hubs() -> None:
    small, large = scaled(2), scaled(10)
    assert large.relationships == 5 * small.relationships == 10_000_000
    assert large.hubs[0] == 5 * small.hubs[0]


def test_a_missing_data_set_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGDB_DATA", str(tmp_path))
    with pytest.raises(UsageError, match=r"kb\.txt\.gz does not exist"):
        peer_graphs(["metaqa"], 2)
    assert [each.graph.name for each in peer_graphs(["powerlaw"], 3)] == ["powerlaw-3m"]
