"""What long-running work says while it runs; the command line draws it, a program may ignore it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """One line for the user."""

    text: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage is: ``done`` of ``total`` (``None`` when unknown), counted in ``unit``."""

    stage: str
    done: int
    total: int | None
    unit: str


Event = Message | Progress
Report = Callable[[Event], None]
"""Takes events, from any thread."""


def silent(event: Event) -> None:
    """The report that drops every event."""
