"""A bottom-up chart parser over productions whose actions build meanings.

Every cell keeps the best items of each category. Small words without a meaning of their own pass
nothing to the actions that join meanings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from kgdb.methods.understanding.grammar.productions import Production, Step

Features: TypeAlias = tuple[tuple[str, float], ...]
"""Names of features with their values; a name may stand more than once."""

Action: TypeAlias = Callable[..., Iterable[tuple[Any, Features]]]

WHOLE = frozenset({"Q", "T", "CLAIM"})
"""Categories of whole sentences."""


def weighed(features: Features, weights: Mapping[str, float]) -> float:
    """What features score; those without a weight count for nothing."""
    return sum(weights.get(name, 0.0) * value for name, value in features)


@dataclass(frozen=True, slots=True)
class Item:
    """A meaning of some tokens, with its score and the features that it comes from."""

    meaning: Any
    score: float
    features: Features = ()


@dataclass(slots=True)
class _Dotted:
    """A production of which the first symbols are found."""

    production: Production
    items: tuple[Item, ...]
    score: float


class Chart:
    """Parses one sentence."""

    def __init__(
        self,
        productions: Sequence[Production],
        actions: Mapping[str, Action],
        weights: Mapping[str, float],
        width: int,
    ) -> None:
        self._starts: dict[str, list[Production]] = defaultdict(list)
        for each in productions:
            self._starts[each.symbols[0]].append(each)
        self._actions = actions
        self._weights = weights
        self._width = width

    def parse(
        self, length: int, leaves: Iterable[tuple[int, int, str, Item]], root: str
    ) -> list[Item]:
        """The meanings of all ``length`` tokens as ``root``, the best first."""
        cells: dict[tuple[int, int], dict[str, list[Item]]] = defaultdict(dict)
        dotted: dict[tuple[int, int], list[_Dotted]] = defaultdict(list)
        known: dict[tuple[int, int], list[tuple[str, Item]]] = defaultdict(list)
        for start, end, category, item in leaves:
            known[start, end].append((category, item))
        for end in range(1, length + 1):
            for start in range(end - 1, -1, -1):
                found = list(known[start, end])
                for middle in range(start + 1, end):
                    right = cells.get((middle, end))
                    if not right:
                        continue
                    for begun in dotted[start, middle]:
                        symbol = begun.production.symbols[len(begun.items)]
                        is_last = len(begun.items) + 1 == len(begun.production.symbols)
                        is_part = start > 0 or end < length
                        if is_last and is_part and begun.production.category in WHOLE:
                            continue
                        for item in right.get(symbol, ()):
                            self._advance(begun, item, found, dotted[start, end])
                cell = self._closed(found, whole=(start, end) == (0, length))
                if cell:
                    cells[start, end] = cell
                    self._begin(cell, dotted[start, end])
                dotted[start, end] = self._best(dotted[start, end])
        return cells.get((0, length), {}).get(root, [])

    def _advance(
        self, begun: _Dotted, item: Item, found: list[tuple[str, Item]], open_: list[_Dotted]
    ) -> None:
        items = (*begun.items, item)
        if len(items) == len(begun.production.symbols):
            found += self._made(begun.production, items)
        else:
            open_.append(_Dotted(begun.production, items, begun.score + item.score))

    def _made(self, production: Production, items: Sequence[Item]) -> Iterable[tuple[str, Item]]:
        features = tuple(feature for item in items for feature in item.features)
        score = sum(item.score for item in items)
        for meaning, more in self._meanings(production.step, items):
            own = weighed(more, self._weights)
            yield production.category, Item(meaning, score + own, (*features, *more))

    def _meanings(self, step: Step, items: Sequence[Item]) -> Iterable[tuple[Any, Features]]:
        """What a step makes of the items, with the features of all steps inside."""
        ways = [
            [(items[part].meaning, ())] if isinstance(part, int) else self._meanings(part, items)
            for part in step.parts
        ]
        for parts in product(*ways):
            inner = tuple(feature for _, features in parts for feature in features)
            told = (meaning for meaning, _ in parts if meaning is not None)
            for meaning, features in self._actions[step.action](*told):
                yield meaning, (*inner, *features) if inner else features

    def _closed(self, found: list[tuple[str, Item]], *, whole: bool) -> dict[str, list[Item]]:
        """The items of a cell with all that productions of one symbol make of them."""
        cell: dict[str, dict[Any, Item]] = defaultdict(dict)
        queue = found
        while queue:
            changed: set[str] = set()
            for category, item in queue:
                before = cell[category].get(item.meaning)
                if before is None or before.score < item.score:
                    cell[category][item.meaning] = item
                    changed.add(category)
            fresh = [(c, i) for c, i in queue if cell[c].get(i.meaning) is i]
            queue = [
                made
                for category, item in fresh
                for production in self._starts[category]
                if len(production.symbols) == 1 and (whole or production.category not in WHOLE)
                for made in self._made(production, (item,))
            ]
        return {
            category: sorted(items.values(), key=lambda item: -item.score)[: self._width]
            for category, items in cell.items()
        }

    def _begin(self, cell: Mapping[str, Sequence[Item]], open_: list[_Dotted]) -> None:
        for category, items in cell.items():
            for production in self._starts[category]:
                if len(production.symbols) > 1:
                    open_ += [_Dotted(production, (item,), item.score) for item in items]

    def _best(self, open_: list[_Dotted]) -> list[_Dotted]:
        kept: dict[tuple[int, int], list[_Dotted]] = defaultdict(list)
        for each in sorted(open_, key=lambda one: -one.score):
            same = kept[id(each.production), len(each.items)]
            if len(same) < self._width:
                same.append(each)
        return [each for same in kept.values() for each in same]
