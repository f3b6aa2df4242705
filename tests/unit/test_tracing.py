"""The trace of a question: stages in order, with what they said and what they cost."""

from __future__ import annotations

import time

import pytest
from fakes import MemoryDriver, memory_graph

from kgdb.language import Completion
from kgdb.methods.tracing import Trace
from kgdb.model import Usage

pytestmark = pytest.mark.unit


def test_stages_are_kept_in_order_with_what_they_said() -> None:
    trace = Trace()
    with trace.stage("one") as stage:
        stage.say(a=1, b=2)
        stage.say(b=3)
    with trace.stage("two"):
        pass
    assert [(stage.name, dict(stage.output)) for stage in trace.stages] == [
        ("one", {"a": 1, "b": 3}),
        ("two", {}),
    ]


def test_calls_tokens_and_time_are_counted_by_stage() -> None:
    trace = Trace()
    with trace.stage("one") as stage:
        stage.spent([Completion("a", 10, 1), Completion("b", 20, 2)])
        stage.spent([Completion("c", 5, 0)])
        time.sleep(0.02)
    with trace.stage("two"):
        pass
    one, two = (stage.usage for stage in trace.stages)
    assert (one.calls, one.tokens_in, one.tokens_out) == (3, 35, 3)
    assert 0.02 <= one.seconds < 1
    assert two == Usage(seconds=two.seconds)


def test_round_trips_are_counted_by_stage() -> None:
    graph = memory_graph(MemoryDriver([("a", "r", "b")]))
    trace = Trace()
    graph.neighbors(["a"])  # in no stage
    with trace.stage("one"):
        graph.neighbors(["a"])
        graph.follow(["a"], ["r"])
        with trace.stage("inside"):
            graph.neighbors(["b"])
    with trace.stage("two"):
        pass
    assert {stage.name: stage.usage.round_trips for stage in trace.stages} == {
        "inside": 1,
        "one": 3,
        "two": 0,
    }


def test_a_stage_that_fails_is_kept_too_and_its_error_goes_on() -> None:
    trace = Trace()

    def fail() -> None:
        with trace.stage("one") as stage:
            stage.say(a=1)
            raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        fail()
    assert [(stage.name, stage.output["a"]) for stage in trace.stages] == [("one", 1)]


def test_a_stage_that_runs_is_not_among_those_that_ended() -> None:
    trace = Trace()
    with trace.stage("one"):
        assert trace.stages == ()
