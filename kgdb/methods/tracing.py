"""The record of a method's stages: what each produced, and what it cost."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kgdb.graph.database import count_round_trips
from kgdb.language.base import Completion
from kgdb.model import Stage, Usage


class StageRecord:
    """What a running stage has to say."""

    def __init__(self) -> None:
        self.output: dict[str, Any] = {}
        self._calls = Usage()

    def say(self, **output: Any) -> None:
        """Keep JSON-ready values in the trace."""
        self.output.update(output)

    def spent(self, completions: Sequence[Completion]) -> None:
        """Count the prompts that a language model answered."""
        for completion in completions:
            self._calls += Usage(1, completion.tokens_in, completion.tokens_out)


class Trace:
    """Collects the stages of one question in order."""

    def __init__(self) -> None:
        self._stages: list[Stage] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[StageRecord]:
        """Run a stage inside the block: its time and round trips are measured."""
        record = StageRecord()
        started = time.perf_counter()
        with count_round_trips() as trips:
            try:
                yield record
            finally:
                seconds = time.perf_counter() - started
                usage = record._calls + Usage(seconds=seconds, round_trips=trips.count)
                self._stages.append(Stage(name, record.output, usage))

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages that ended so far."""
        return tuple(self._stages)
