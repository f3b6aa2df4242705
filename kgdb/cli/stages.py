"""The stages of a method while it runs: drawn on a terminal, told as plain lines elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.spinner import Spinner
from rich.table import Table

from kgdb.cli.console import err
from kgdb.values import Stage, Usage
from kgdb.wording import counted


class Stages:
    """What a :class:`kgdb.methods.Reasoner` tells of the stages that end: its ``watch``.

    On a terminal they are drawn on standard error, below what is printed, until the run ends.
    Elsewhere each is one line there with ``verbose``, and nothing without.
    """

    def __init__(self, *, verbose: bool = False, console: Console = err) -> None:
        self._verbose = verbose
        self._console = console
        self._live: Live | None = None
        self._begin(0)

    def _begin(self, total: int) -> None:
        self._total = total
        self._ended: Counter[str] = Counter()
        self._used: dict[str, Usage] = {}
        self._spinner = Spinner("dots")
        self._started = time.monotonic()

    @contextmanager
    def running(self, total: int) -> Iterator[None]:
        """Draw while ``total`` questions are being answered inside the block."""
        self._begin(total)
        if not self._console.is_terminal:
            yield
            return
        self._draw()
        try:
            yield
        finally:
            self._undraw()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take the drawing away while the block prints."""
        if self._live is None:
            yield
            return
        self._undraw()
        try:
            yield
        finally:
            self._draw()

    def _draw(self) -> None:
        # Each time a new one: one that is started again would draw over what was printed since.
        self._live = Live(
            get_renderable=self._drawing,
            console=self._console,
            transient=True,
            refresh_per_second=8,
        )
        self._live.start()

    def _undraw(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            live.stop()

    def __call__(self, question: str, stage: Stage) -> None:  # noqa: ARG002 (all count alike)
        """Count a stage that ended, and what it cost."""
        self._ended[stage.name] += 1
        self._used[stage.name] = self._used.get(stage.name, Usage()) + stage.usage
        if self._live is not None:
            self._live.refresh()
        elif self._verbose:
            self._console.print(f"{stage.name}: {_brief(stage.usage)}", markup=False)

    def _drawing(self) -> RenderableType:
        ended = Table.grid(padding=(0, 2))
        for name, count in self._ended.items():
            of_all = f"{count}/{self._total}" if self._total > 1 else ""
            used = self._used[name]
            if self._total > 1:
                # Questions share round trips: their sum would count each many times.
                used = replace(used, round_trips=0)
            ended.add_row(f"[green]✓[/green] {escape(name)}", of_all, _brief(used))
        self._spinner.update(text=f"{time.monotonic() - self._started:.0f} s")
        return Group(ended, self._spinner)


def _brief(usage: Usage) -> str:
    """What a stage cost, without what it did not use."""
    parts = [f"{usage.seconds:.2f} s"]
    if usage.calls:
        parts.append(counted(usage.calls, "LLM call"))
    if usage.round_trips:
        parts.append(counted(usage.round_trips, "round trip"))
    return ", ".join(parts)
