"""Productions of a lexicon file: which symbols make a category, and the action that joins them.

``S : W of S = related`` passes the meanings of all symbols to the action, in their order. Where a
language has another order, the action names them by their places, from 1 or from -1 at the end,
and actions may nest: ``S : S W what S = modified(4, gap(1, 2))``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from kgdb.errors import UsageError

_PART = re.compile(r"\s*(-?\d+|\w+|\S)")


@dataclass(frozen=True, slots=True)
class Step:
    """An action with its parts: places of symbols, from 0, or other steps."""

    action: str
    parts: tuple[Part, ...]

    def steps(self) -> Iterator[Step]:
        """The step and those inside."""
        yield self
        for part in self.parts:
            if isinstance(part, Step):
                yield from part.steps()


Part: TypeAlias = int | Step


@dataclass(frozen=True, slots=True)
class Production:
    """``category`` is made of ``symbols``; ``step`` joins their meanings."""

    category: str
    symbols: tuple[str, ...]
    step: Step


def productions_of(
    text: str, classes: Collection[str], actions: Collection[str], source: str
) -> tuple[Production, ...]:
    """The productions in lines of text; ``|`` parts ways to write the same.

    ``classes`` are the symbols that words have. Raises :class:`UsageError` with the line and what
    was expected where a line names what is not there.
    """
    lines = [line for line in text.splitlines() if line.strip() and line.strip()[0] != "#"]
    known = {*classes, *(line.partition(":")[0].strip() for line in lines)}
    found: list[Production] = []
    for line in lines:
        category, _, right = line.partition(":")
        ways, _, action = right.rpartition("=")
        for way in ways.split("|"):
            symbols = tuple(way.split())
            where = f"{source}: in {line.strip()!r}"
            if not (category.strip().isidentifier() and symbols):
                raise UsageError(f"{where} no production is found, such as 'S : W of S = related'")
            if unknown := [each for each in symbols if each not in known]:
                raise UsageError(
                    f"{where} {unknown[0]!r} is neither a category nor a class of words",
                    hint=f"Known are: {', '.join(sorted(known))}.",
                )
            step = _Reader(action, len(symbols), actions, where).step()
            found.append(Production(category.strip(), symbols, step))
    return tuple(found)


class _Reader:
    """Reads the action of one production."""

    def __init__(self, text: str, places: int, actions: Collection[str], where: str) -> None:
        self._left = _PART.findall(text)
        self._places, self._actions, self._where = places, actions, where

    def step(self) -> Step:
        """The whole action; a bare name takes all symbols."""
        if len(self._left) == 1:
            return Step(self._named(), tuple(range(self._places)))
        found = self._nested(self._named())
        if self._left:
            raise UsageError(f"{self._where} the action goes on with {self._left[0]!r}")
        return found

    def _named(self) -> str:
        name = self._left.pop(0) if self._left else ""
        if name not in self._actions:
            raise UsageError(
                f"{self._where} {name!r} is no action",
                hint=f"The actions are: {', '.join(sorted(self._actions))}.",
            )
        return name

    def _nested(self, action: str) -> Step:
        parts: list[Part] = []
        self._take("(")
        while self._left[:1] != [")"]:
            if parts:
                self._take(",")
            parts.append(self._part())
        self._take(")")
        return Step(action, tuple(parts))

    def _part(self) -> Part:
        if not self._left or not self._left[0].lstrip("-").isdigit():
            return self._nested(self._named())
        place = int(self._left.pop(0))
        if not 1 <= abs(place) <= self._places:
            raise UsageError(f"{self._where} there is no symbol {place}, only 1 to {self._places}")
        return place - 1 if place > 0 else self._places + place

    def _take(self, mark: str) -> None:
        if self._left[:1] != [mark]:
            at = repr(self._left[0]) if self._left else "the end"
            raise UsageError(f"{self._where} {mark!r} is expected at {at}")
        self._left.pop(0)
