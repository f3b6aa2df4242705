"""The record of a method's stages: what each produced, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kgdb.values import Stage, Usage


class StageRecord:
    """What a running stage has to say."""

    def __init__(self) -> None:
        self.output: dict[str, Any] = {}
        self.usage = Usage()

    def record(self, **output: Any) -> None:
        """Keep JSON-ready values in the trace."""
        self.output.update(output)


class Trace:
    """Collects the stages of one question in order."""

    def __init__(self) -> None:
        self._stages: list[Stage] = []
        self._open: StageRecord | None = None
        self.usage = Usage()

    @contextmanager
    def stage(self, name: str) -> Iterator[StageRecord]:
        """Run a stage inside the block: what is charged meanwhile is its own."""
        if self._open is not None:
            raise AssertionError(f"{name} begins inside another stage")
        record = self._open = StageRecord()
        try:
            yield record
        finally:
            self._open = None
            self._stages.append(Stage(name, record.output, record.usage))

    def charge(self, usage: Usage) -> None:
        """Add to the open stage, else to the last one that ended."""
        self.usage += usage
        if self._open is not None:
            self._open.usage += usage
        elif self._stages:
            last = self._stages[-1]
            self._stages[-1] = Stage(last.name, last.output, last.usage + usage)

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages that ended so far."""
        return tuple(self._stages)
