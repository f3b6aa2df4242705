"""Progress events of long-running work: the command line draws them, a program may ignore them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """A message of one line for the user."""

    text: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a stage: ``done`` of ``total`` (``None``: unknown), counted in ``unit``."""

    stage: str
    done: int
    total: int | None
    unit: str


Event = Message | Progress
Report = Callable[[Event], None]
"""A receiver of events, called from any thread."""


def silent(event: Event) -> None:
    """The report that ignores every event."""
