"""The stages of questions as spans of OpenTelemetry, inside the span of their request.

Without an exporter that somebody sets up nothing is made.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from opentelemetry import trace

from kgdb.serving.question_batches import Outcome

_TRACER = trace.get_tracer("kgdb")
_NANOSECONDS = 1_000_000_000


def told(outcomes: Iterable[Outcome], began: int) -> None:
    """Make a span of each stage, one after the other; ``began`` is a time in nanoseconds.

    What questions do together is shared out among them, so the stages end no later than they did.
    """
    if not trace.get_current_span().is_recording():
        return
    for outcome in outcomes:
        at = began
        for stage in outcome.trace:
            usage = stage.usage
            span = _TRACER.start_span(
                f"kgdb {stage.name}",
                start_time=at,
                attributes={
                    "kgdb.graph": outcome.graph,
                    "kgdb.method": outcome.method,
                    "kgdb.round_trips": usage.round_trips,
                    "kgdb.llm.calls": usage.calls,
                    "kgdb.llm.tokens": usage.tokens_in + usage.tokens_out,
                },
            )
            at = min(at + int(usage.seconds * _NANOSECONDS), time.time_ns())
            span.end(at)
