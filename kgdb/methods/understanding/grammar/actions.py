"""What actions of productions share: each joins the meanings of its symbols.

An action gets one meaning for each symbol and gives the meanings of the whole, with features.
Marks such as *of* or *that* pass nothing; prepositions pass themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from kgdb.methods.understanding.grammar.chart import Action, Features
from kgdb.methods.understanding.grammar.composition import Composer

Ways: TypeAlias = Iterator[tuple[Any, Features]]
"""Meanings that words may have, each with the features by which it is weighed."""

_PLAIN = frozenset({"same", "whole", "noun", "modified"})
"""Actions of almost every sentence: that they took part tells nothing."""


class Actions:
    """Actions over one sentence and one schema.

    Each private method of a subclass is one: ``_active`` is the action ``active``.
    """

    def __init__(self, composer: Composer) -> None:
        self.composer = composer
        self.linker = composer.linker
        self.measurer = composer.measurer
        self.matcher = composer.linker.matcher

    @classmethod
    def names(cls) -> list[str]:
        """The names of the actions, as productions give them."""
        return [name[1:] for name in vars(cls) if name[0] == "_" and name[1] != "_"]

    def by_name(self) -> dict[str, Action]:
        """The actions by their names; what one gives tells which it was, as a feature."""
        return {
            name: action if name in _PLAIN else _telling(name, action)
            for name in self.names()
            if (action := getattr(self, f"_{name}"))
        }


def _telling(name: str, action: Action) -> Action:
    rule = (f"rule.{name}", 1.0)

    def told(*meanings: Any) -> Iterable[tuple[Any, Features]]:
        for meaning, features in action(*meanings):
            yield meaning, (*features, rule)

    return told
