"""Ask many texts together, and show the stages meanwhile."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol, TextIO, TypeVar

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.spinner import Spinner
from rich.table import Table

from kgdb.cli.console import err
from kgdb.cli.main import EXIT_FAILURE, EXIT_NO_ANSWER, EXIT_USAGE
from kgdb.errors import UsageError
from kgdb.methods import check_question
from kgdb.values import Answer, Stage, Usage, Verdict
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


TOGETHER = 100
"""Texts that share batches and round trips; more are asked after them."""

_R = TypeVar("_R", bound=Answer | Verdict)
_R_co = TypeVar("_R_co", bound=Answer | Verdict, covariant=True)


class AskAll(Protocol[_R_co]):
    """``Reasoner.answers`` or ``Reasoner.verdicts``."""

    def __call__(
        self, texts: Sequence[str], done: Callable[[int, _R_co], None], /
    ) -> Sequence[_R_co]:
        """The results of all texts; ``done`` gets the index and result of each when it is ready."""


def texts_to_ask(given: Sequence[str], file: TextIO | None, what: str) -> list[str]:
    """The arguments, and then the lines of a file; empty lines are skipped.

    One alone is checked before anything starts. Of several, an invalid one fails by itself.
    """
    texts = [*given]
    if file is not None:
        try:
            texts += [line.strip() for line in file if line.strip()]
        except UnicodeDecodeError as error:
            raise UsageError(f"{file.name} is not UTF-8 text: {error.reason}.") from error
    if not texts:
        raise UsageError(
            f"No {what} is given.",
            hint=f"Write it in quotation marks, or name a file of {what}s, one a line.",
        )
    if len(texts) == 1:
        check_question(texts[0], what)
    return texts


def ask_all(
    ask: AskAll[_R], texts: Sequence[str], stages: Stages, tell: Callable[[_R], None]
) -> list[_R]:
    """The results of all texts; ``tell`` gets each as soon as it had all before it."""
    results: list[_R] = []
    for start in range(0, len(texts), TOGETHER):
        some = texts[start : start + TOGETHER]
        ready: dict[int, _R] = {}

        def done(index: int, result: _R, ready: dict[int, _R] = ready, start: int = start) -> None:
            ready[index] = result
            with stages.aside():
                while (following := len(results) - start) in ready:
                    results.append(ready[following])
                    tell(ready[following])

        with stages.running(len(some)):
            ask(some, done)
    return results


def end(results: Iterable[Answer | Verdict]) -> None:
    """End the command with the exit code that says how the results are, unless all is well."""
    codes = {_code(result) for result in results}
    for code in (EXIT_FAILURE, EXIT_USAGE, EXIT_NO_ANSWER):
        if code in codes:
            sys.exit(code)


def _code(result: Answer | Verdict) -> int:
    if result.error:
        return EXIT_USAGE if isinstance(result.error, UsageError) else EXIT_FAILURE
    if isinstance(result, Answer):
        return EXIT_NO_ANSWER if result.is_empty else 0
    return EXIT_NO_ANSWER if result.label == "NOT ENOUGH EVIDENCE" else 0
