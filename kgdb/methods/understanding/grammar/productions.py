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
from kgdb.wording import short

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
            where = f"{source}: in {short(line.strip())}"
            if not (category.strip().isidentifier() and symbols):
                raise UsageError(f"{where} no production is found, such as 'S : W of S = related'")
            if unknown := [each for each in symbols if each not in known]:
                raise UsageError(
                    f"{where} {short(unknown[0])} is neither a category nor a class of words",
                    hint=f"Known are: {', '.join(sorted(known))}.",
                )
            left = _PART.findall(action)
            step = _step(left, len(symbols), actions, where)
            if left:
                raise UsageError(f"{where} the action goes on with {short(left[0])}")
            found.append(Production(category.strip(), symbols, step))
    return tuple(found)


def _step(left: list[str], places: int, actions: Collection[str], where: str) -> Step:
    """The action at the front of what is ``left`` to read; a bare name takes all symbols."""
    action = left.pop(0) if left else ""
    if action not in actions:
        raise UsageError(
            f"{where} {short(action)} is no action",
            hint=f"The actions are: {', '.join(sorted(actions))}.",
        )
    if left[:1] != ["("]:
        return Step(action, tuple(range(places)))
    left.pop(0)
    parts: list[Part] = []
    while left[:1] != [")"]:
        if parts and (mark := left.pop(0) if left else "the end") != ",":
            raise UsageError(f"{where} ',' or ')' is expected at {short(mark)}")
        if not left or not left[0].lstrip("-").isdigit():
            parts.append(_step(left, places, actions, where))
            continue
        place = int(left.pop(0))
        if not 1 <= abs(place) <= places:
            raise UsageError(f"{where} there is no symbol {place}, only 1 to {places}")
        parts.append(place - 1 if place > 0 else places + place)
    left.pop(0)
    return Step(action, tuple(parts))
