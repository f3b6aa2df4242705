"""How the command line speaks: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bars
from rich.table import Table
from rich.text import Text

from kgdb.cli.wrapping import fitted, wrapped
from kgdb.progress import Event, Message, Progress, Report
from kgdb.wording import each_line, in_units, is_letter, one_line, unit


class _Rate(ProgressColumn):
    """How many of the unit a second, of late."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        unit = task.fields["unit"]
        if not speed or unit == "%":
            return Text("")
        return Text(f"{speed:,.0f} {unit}/s" if speed >= 10 else f"{speed:.1f} {unit}/s")


_COLUMNS = (
    SpinnerColumn(),
    TextColumn("{task.description}", markup=False),
    BarColumn(),
    MofNCompleteColumn(),
    TextColumn("{task.fields[unit]}"),
    _Rate(),
    TimeRemainingColumn(),
)


class Terminal(Console):
    """Where texts are broken between words, where there is a terminal to fit.

    Its reader may have seen enough: then the command ends, as the command line says.
    """

    def print(self, *objects: Any, **named: Any) -> None:
        """As rich prints; a line of a text or a table is broken between words alone."""
        if self.is_terminal and len(objects) == 1:
            (shown,) = objects
            if isinstance(shown, str):
                shown = self.render_str(shown, markup=named.get("markup"), highlight=False)
            if isinstance(shown, Text):
                objects = (wrapped(shown, self.width),)
            elif isinstance(shown, Table):
                objects = (fitted(shown, self),)
        super().print(*objects, **named)

    def on_broken_pipe(self) -> None:
        """Leave it to who runs the command, where rich would end it with an exit code."""
        raise BrokenPipeError


# Where there is no terminal to fit, tables and trees are as wide as they need.
out = Terminal(
    highlight=False,
    emoji=False,
    soft_wrap=True,
    width=None if sys.stdout.isatty() else 10_000,
)
err = Terminal(stderr=True, highlight=False, emoji=False, soft_wrap=True)


def plain_table(*columns: str, show_header: bool = True) -> Table:
    """A table of these columns with a line below its head, and none around it."""
    return Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False, show_header=show_header)


_NO_ASCII = re.compile(r"[^\n -~]")


def print_json(value: Any, *, lines: bool = False) -> None:
    """One JSON document on standard output; ``lines``: on a single line.

    What is no letter is written as an escape of JSON, for the output may be a terminal.
    """
    text = json.dumps(value, ensure_ascii=False, indent=None if lines else 2, default=str)
    sys.stdout.write(_NO_ASCII.sub(_letter_or_escape, text) + "\n")
    sys.stdout.flush()


def _letter_or_escape(found: re.Match[str]) -> str:
    letter = found[0]
    return letter if is_letter(letter) else json.dumps(letter)[1:-1]


@contextmanager
def reporting() -> Iterator[Report]:
    """A report that draws bars on a terminal, and prints plain lines elsewhere."""
    if not err.is_terminal:
        yield _plain()
        return
    drawing = _Drawing()
    try:
        yield drawing.report
    finally:
        drawing.stop()


class _Drawing:
    """Bars that are on the screen only while a stage is under way; any thread may report."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bars: Bars | None = None
        self._tasks: dict[str, TaskID] = {}

    def report(self, event: Event) -> None:
        with self._lock:
            self._show(event)

    def _show(self, event: Event) -> None:
        if isinstance(event, Message):
            err.print(each_line(event.text), style="dim", markup=False)
            return
        if self._bars is None:
            self._bars = Bars(*_COLUMNS, console=err, transient=True)
            self._bars.start()
        if event.stage not in self._tasks:
            title = one_line(event.stage)
            self._tasks[event.stage] = self._bars.add_task(title, total=None, unit="")
        done, total, units = _scaled(event)
        units = unit(total, units)
        self._bars.update(self._tasks[event.stage], completed=done, total=total, unit=units)
        if self._bars.finished:
            self.stop()

    def stop(self) -> None:
        if self._bars is not None:
            self._bars.stop()
            self._bars, self._tasks = None, {}


def _plain() -> Report:
    """A report that prints messages, and one line for each stage when it ends."""
    ended: set[str] = set()

    def report(event: Event) -> None:
        if isinstance(event, Message):
            err.print(each_line(event.text), markup=False)
        elif event.done == event.total and event.stage not in ended:
            ended.add(event.stage)
            done, _, units = _scaled(event)
            err.print(f"{one_line(event.stage)}: {in_units(done, units)}", markup=False)

    return report


def _scaled(progress: Progress) -> tuple[int, int | None, str]:
    """Done, total and unit as people read them."""
    if progress.unit != "bytes":
        return progress.done, progress.total, progress.unit
    return progress.done >> 20, progress.total and progress.total >> 20, "MB"
