"""The trace of a question: stages in order, with what they said and what they cost."""

from __future__ import annotations

import pytest

from kgdb.methods.context.trace import Trace
from kgdb.values import Usage

pytestmark = pytest.mark.unit


def test_stages_are_kept_in_order_with_what_they_said() -> None:
    trace = Trace()
    with trace.stage("one") as stage:
        stage.record(a=1, b=2)
        stage.record(b=3)
    with trace.stage("two"):
        pass
    assert [(stage.name, dict(stage.output)) for stage in trace.stages] == [
        ("one", {"a": 1, "b": 3}),
        ("two", {}),
    ]


def test_what_is_charged_belongs_to_the_open_stage_or_else_the_last() -> None:
    trace = Trace()
    trace.charge(Usage(9))  # before the first stage there is nothing to charge
    with trace.stage("one"):
        trace.charge(Usage(3, tokens_in=35, tokens_out=3))
        trace.charge(Usage(round_trips=1))
    trace.charge(Usage(seconds=0.5))
    with trace.stage("two"):
        pass
    one, two = (stage.usage for stage in trace.stages)
    assert one == Usage(3, tokens_in=35, tokens_out=3, seconds=0.5, round_trips=1)
    assert two == Usage()


def test_a_stage_that_fails_is_kept_too_and_its_error_goes_on() -> None:
    trace = Trace()

    def fail() -> None:
        with trace.stage("one") as stage:
            stage.record(a=1)
            raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        fail()
    assert [(stage.name, stage.output["a"]) for stage in trace.stages] == [("one", 1)]


def test_a_stage_that_runs_is_not_among_those_that_ended() -> None:
    trace = Trace()
    with trace.stage("one"):
        assert trace.stages == ()
