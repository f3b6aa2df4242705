"""Progress on a terminal and elsewhere."""

from __future__ import annotations

import io
import json
import time

import pytest
from rich.console import Console

from kgdb.cli import console
from kgdb.progress import Message, Progress

pytestmark = pytest.mark.unit


def shown(monkeypatch: pytest.MonkeyPatch, *, terminal: bool, file: str = "kb.nt") -> str:
    screen = io.StringIO()
    monkeypatch.setattr(
        console, "err", Console(file=screen, force_terminal=terminal, color_system=None, width=160)
    )
    with console.reporting() as report:
        report(Message(f"Reading {file} …"))
        for done in (10, 30, 100):
            report(Progress(f"reading {file}", done << 20, 100 << 20, "bytes"))
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


@pytest.mark.parametrize("terminal", [True, False])
def test_the_name_of_a_file_cannot_steer_the_terminal(
    monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    screen = shown(monkeypatch, terminal=terminal, file="[red]\x1b[2Jkb\u202e.nt")
    assert "\x1b[2J" not in screen
    assert "\u202e" not in screen
    assert "Reading [red]\ufffd[2Jkb\ufffd.nt …" in screen
    assert "reading [red]\ufffd[2Jkb\ufffd.nt" in screen


def test_json_cannot_steer_the_terminal_and_says_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    texts = ["\x1b[2J", "\x9b2J", "\u202eesrever", "half \ud800", "渡口 ä 👩\u200d🚀", "a\u3000b"]
    for lines in (True, False):
        console.print_json({"texts": texts}, lines=lines)
        printed = capsys.readouterr().out
        assert not set(printed) & set("\x1b\x9b\u202e\ud800")
        assert "渡口 ä 👩\u200d🚀" in printed
        assert json.loads(printed) == {"texts": texts}


def test_the_lines_of_a_text_stay_lines() -> None:
    assert console.each_line("one\x1b[2J\n  two\u202e\n") == "one\ufffd[2J\n  two\ufffd"
