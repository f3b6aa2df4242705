"""Stages of a question as spans of its request."""

from __future__ import annotations

import time

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from kgdb.serving import stage_spans
from kgdb.values import Answer, Stage, Usage

pytestmark = pytest.mark.unit

ANSWER = Answer(
    "Who?",
    "films",
    "auto",
    trace=(
        Stage("link", {}, Usage(seconds=0.25, round_trips=1)),
        Stage("infer", {}, Usage(seconds=0.5, calls=2)),
    ),
)


def test_each_stage_is_a_span_after_the_one_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("test")
    monkeypatch.setattr(stage_spans, "_TRACER", tracer)
    with tracer.start_as_current_span("request") as request:
        stage_spans.told([ANSWER], time.time_ns() - 2_000_000_000)
    link, infer, _ = exporter.get_finished_spans()
    assert [link.name, infer.name] == ["kgdb link", "kgdb infer"]
    assert link.end_time == infer.start_time
    assert link.end_time - link.start_time == 250_000_000
    assert link.parent.span_id == request.get_span_context().span_id
    assert infer.attributes["kgdb.llm.calls"] == 2


def test_nothing_is_made_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage_spans, "_TRACER", None)
    stage_spans.told([ANSWER], time.time_ns())
