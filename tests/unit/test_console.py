"""Progress on a terminal and elsewhere."""

from __future__ import annotations

import io
import time

import pytest
from rich.console import Console

from kgdb.cli import console
from kgdb.progress import Message, Progress

pytestmark = pytest.mark.unit


def shown(monkeypatch: pytest.MonkeyPatch, *, terminal: bool) -> str:
    screen = io.StringIO()
    monkeypatch.setattr(
        console, "err", Console(file=screen, force_terminal=terminal, color_system=None, width=160)
    )
    with console.reporting() as report:
        report(Message("Reading kb.nt …"))
        for done in (10, 30, 100):
            report(Progress("reading kb.nt", done << 20, 100 << 20, "bytes"))
            time.sleep(0.15)
        report(Progress("making the tables", 1, 5, "steps"))
    return screen.getvalue()


def test_a_terminal_shows_a_bar_with_its_rate_and_the_time_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = shown(monkeypatch, terminal=True)
    assert "Reading kb.nt …" in screen
    assert "30/100 MB" in screen
    assert "MB/s 0:00:0" in screen
    assert "1/5" in screen


def test_elsewhere_each_stage_is_a_line_when_it_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, terminal=False) == "Reading kb.nt …\nreading kb.nt: 100 MB\n"
