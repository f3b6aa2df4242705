"""Ask many texts together, and hand on the results in the order of the texts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TextIO, TypeVar

from kgdb.cli.main import EXIT_FAILURE, EXIT_NO_ANSWER, EXIT_USAGE
from kgdb.cli.stages import Stages
from kgdb.errors import UsageError
from kgdb.methods import check_question
from kgdb.values import Answer, Verdict

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
