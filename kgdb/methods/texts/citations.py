"""The numbers by which a text cites its facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kgdb.values import Triple

CITATION = re.compile(r"\s*\[\d+(?:[–,-]\s*\d+)*\]")
"""A citation as :func:`marks` writes it, or as a language model does."""

_RANGE = 3
"""Numbers in a row from which their first and last are written."""


class Citations:
    """Facts by their numbers, counted from one in the order in which they are first cited."""

    def __init__(self) -> None:
        self._numbers: dict[Triple, int] = {}

    def cite(self, triples: Iterable[Triple]) -> str:
        """The marks of these facts, which get numbers if they have none."""
        return marks([self.number(triple) for triple in triples])

    def number(self, triple: Triple) -> int:
        """The number of a fact."""
        return self._numbers.setdefault(triple, len(self._numbers) + 1)

    @property
    def facts(self) -> tuple[Triple, ...]:
        """The cited facts in the order of their numbers."""
        return tuple(self._numbers)


def marks(numbers: Sequence[int]) -> str:
    """``[1][2]``, or ``[3–7]`` for many in a row."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return "".join(
        f"[{run[0]}–{run[-1]}]" if len(run) >= _RANGE else "".join(f"[{n}]" for n in run)
        for run in runs
    )


def without_citations(text: str) -> str:
    """The text alone."""
    return CITATION.sub("", text)
