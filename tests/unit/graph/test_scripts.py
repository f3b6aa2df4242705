"""Scripts of a language model, and thoughts as patterns: what is sent, what becomes of the rows."""

from __future__ import annotations

from typing import Any

import pytest
from fakes import MemoryDriver, memory_graph

from kgdb.errors import UsageError
from kgdb.graph import Match, MatchedEdge, ScriptError, thought
from kgdb.values import Entity, Step

pytestmark = pytest.mark.unit

Row = dict[str, Any]

OK_ROW: Row = {
    "status": "ok",
    "message": None,
    "line": None,
    "column": None,
    "triples": [["film", "BY", "Ken"]],
    "nodes": [
        {"variable": "f", "name": "film", "labels": ["Film"], "properties": {"id": "film"}},
        {"variable": None, "name": "Ken", "labels": [], "properties": {"name": "Ken"}},
    ],
    "relationships": [{"source": 0, "type": "BY", "target": 1, "properties": {}}],
    "executed": True,
}
REFUSED: Row = {
    "status": "FORBIDDEN_CLAUSE",
    "message": "write CREATE or MERGE only, found 'MATCH'",
    "line": 2,
    "column": 5,
    "triples": [],
    "nodes": [],
    "relationships": [],
    "executed": False,
}
MATCHED: Row = {
    "batch": 0,
    "id": "ken",
    "name": "Ken",
    "score": 1.5,
    "ids": {"f": "f1", "_1": "ken", "l": None},
    "names": {"f": "The Salt Ledger", "_1": "Ken", "l": None},
    "relations": [["^directed"], []],
    "similarities": [1.5, 0.0],
    "triples": [["ken", "directed", "f1"]],
    "count": 2,
    "cut": ["limit"],
}


class ScriptedDriver(MemoryDriver):
    """Answers every script by the rows it is given."""

    def __init__(self, *rows: Row) -> None:
        super().__init__([])
        self.rows = rows

    def _got_run(self, **_: Any) -> Any:
        yield from self.rows

    _got_match = _cypher_read = _got_run


def test_a_thought_comes_back_with_its_nodes_and_edges() -> None:
    run = memory_graph(ScriptedDriver(OK_ROW)).run_thought("CREATE …")
    assert run.thought is not None
    assert run.thought.triples == (("film", "BY", "Ken"),)
    assert [node.variable for node in run.thought.nodes] == ["f", None]
    assert (run.executed, run.error) == (True, None)


def test_a_refused_script_is_an_error_to_show_not_to_raise() -> None:
    run = memory_graph(ScriptedDriver(REFUSED)).run_thought("MATCH …", max_nodes=7)
    assert run.thought is None
    assert run.error == ScriptError("FORBIDDEN_CLAUSE", REFUSED["message"], 2, 5)
    assert str(run.error) == "line 2, column 5: write CREATE or MERGE only, found 'MATCH'"


def test_options_of_a_script_are_checked_before_it_is_sent() -> None:
    driver = ScriptedDriver(OK_ROW)
    with pytest.raises(UsageError, match="max_nodes is 501; expected a whole number from 1 to 500"):
        memory_graph(driver).run_thought("CREATE …", max_nodes=501)
    with pytest.raises(UsageError, match="timeout_ms is 0"):
        memory_graph(driver).read_cypher("RETURN 1", timeout_ms=0)
    assert driver.sent == []


def test_a_match_is_typed() -> None:
    driver = ScriptedDriver(MATCHED)
    found = memory_graph(driver).match(
        thought(("f", "by", "who"), ("f", "in", "l"), optional=[1]),
        {"f": ["f1"], "who": {"ken": 0.5}},
        {"by": {"^directed": 1.5}, "in": {Step("lang", reverse=True): 1}},
        answer="who",
        limit=1,
    )
    ken = Entity("ken", "Ken")
    assert found == (
        Match(
            ken,
            1.5,
            {"f": Entity("f1", "The Salt Ledger"), "_1": ken, "l": None},
            (MatchedEdge((Step("directed", reverse=True),), 1.5), MatchedEdge((), 0.0)),
            (("ken", "directed", "f1"),),
            2,
        ),
    )
    assert found.cut == ("limit",)
    ((_, sent),) = driver.sent
    assert sent["thoughts"][0]["relationships"] == [
        {"source": 0, "type": "by", "target": 1, "optional": False},
        {"source": 0, "type": "in", "target": 2, "optional": True},
    ]
    assert sent["groundings"] == [
        {
            "nodes": {"f": ["f1"], "who": {"ken": 0.5}},
            "relations": {"by": {"^directed": 1.5}, "in": {"^lang": 1.0}},
        }
    ]
    assert sent["config"] == {"kg": "test", "answer": "who", "limit": 1}


def test_a_match_that_only_tells_what_was_cut_has_no_rows() -> None:
    row = dict.fromkeys(MATCHED) | {"batch": 0, "cut": ["maxDegree: f1"]}
    found = memory_graph(ScriptedDriver(row)).match(
        thought(("a", "t", "b")), {"a": ["f1"]}, {"t": {"r": 1}}
    )
    assert (found, found.cut) == ((), ("maxDegree: f1",))


def test_an_id_alone_is_no_grounding() -> None:
    with pytest.raises(UsageError, match="expected a list of entity ids") as failure:
        memory_graph(ScriptedDriver()).match(
            thought(("a", "t", "b")), {"a": "f1"}, {"t": {"r": 1.0}}
        )
    assert failure.value.hint == "Write ['f1']."


def test_a_query_that_reads_gives_its_rows() -> None:
    row: Row = {
        **dict.fromkeys(("message", "line", "column")),
        "status": "ok",
        "columns": ["n", "c"],
        "rows": [["x", 1], ["y", 2]],
        "truncated": True,
    }
    answer = memory_graph(ScriptedDriver(row)).read_cypher("MATCH … RETURN …", max_rows=2)
    assert (answer.columns, answer.rows) == (("n", "c"), (("x", 1), ("y", 2)))
    assert (answer.truncated, answer.error) == (True, None)


def test_a_query_that_is_refused_says_why() -> None:
    row: Row = {**REFUSED, "status": "UNKNOWN_NAME", "columns": [], "rows": [], "truncated": False}
    answer = memory_graph(ScriptedDriver(row)).read_cypher("MATCH …")
    assert answer.error is not None
    assert answer.error.code == "UNKNOWN_NAME"
    assert answer.rows == ()
