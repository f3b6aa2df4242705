"""Actions that make sets of noun phrases: *films by X*, *X's oldest sister*, *X, Y and Z*."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kgdb.graph.forms.operators import FindAll, Select, SelectByCount, SelectByQualifier
from kgdb.methods.understanding.grammar.actions import Actions, Ways
from kgdb.methods.understanding.grammar.meanings import (
    Bound,
    Conditional,
    Linked,
    Ranked,
    Set,
    Several,
    Word,
)


class NounPhrases(Actions):
    """Actions whose meanings are sets."""

    def _same(self, meaning: Any) -> Ways:
        yield meaning, ()

    def _noun(self, word: Word) -> Ways:
        yield from self.linker.named_by(word)

    def _anyone(self) -> Ways:
        yield Set(FindAll(), None, "who"), ()

    def _every(self, of: Set) -> Ways:
        if of.kind != "name" or of.value is not None:
            yield replace(of, every=True), ()

    def _modified(self, of: Set, condition: Conditional) -> Ways:
        if of.kind not in ("name", "they") or of.value is not None:
            yield from self.composer.modified(of, condition)

    def _premodified(self, condition: Conditional, of: Set) -> Ways:
        yield from self._modified(of, condition)

    def _adjectival(self, name: Set, of: Set) -> Ways:
        """*French films*: a name stands before what it is linked with."""
        is_noun = of.kind == "agent" or (of.kind == "noun" and isinstance(of.form, FindAll))
        if name.kind == "name" and is_noun:  # not *and Ada?* of earlier films
            yield from self.composer.conditioned(of, Linked(None, None, name))

    def _apposed(self, noun: Set, name: Set) -> Ways:
        """*the film Heat*: the name as the noun tells it."""
        if noun.kind == "noun" and name.kind == "name" and name.label == noun.label:
            yield name, (("apposition", 1.0),)

    def _apposed_before(self, name: Set, noun: Set) -> Ways:
        """*the Orsay museum*."""
        yield from self._apposed(noun, name)

    def _situated(self, noun: Set, of: Set) -> Ways:
        """*In which town is X?*: what a relation joins X with."""
        if noun.kind == "noun":
            yield from self.composer.conditioned(noun, Linked(None, "in", of))

    def _of_whom(self, of: Set, condition: Conditional) -> Ways:
        """*Of the people in Paris, who is the oldest?*."""
        yield from self._modified(of, condition)

    def _same_as(self, word: Word, of: Set) -> Ways:
        """*the same office as X*: the office that X is linked with."""
        for noun, features in self.linker.named_by(word):
            if noun.kind == "noun":
                for found, more in self.composer.conditioned(noun, Linked(None, None, of)):
                    yield replace(found, besides=of.form), (*features, *more)

    def _related(self, word: Word, of: Set) -> Ways:
        """*the director of Heat*."""
        yield from self.linker.related(word, of)

    def _possessed(self, of: Set, word: Word) -> Ways:
        """*Heat's director*."""
        yield from self.linker.related(word, of)

    def _possessed_ranked(self, of: Set, rank: Ranked, word: Word) -> Ways:
        """*X's oldest sister*."""
        for found, features in self.linker.related(word, of):
            for ranked, more in self.composer.conditioned(found, rank):
                yield ranked, (*features, *more)

    def _first(self, k: Bound, of: Set) -> Ways:
        """*the three oldest films*: more of what ranks first."""
        best = of.form
        if not isinstance(k.value, int) or k.value <= 1:
            return
        if isinstance(best, Select | SelectByCount | SelectByQualifier) and best.k == 1:
            yield replace(of, form=replace(best, k=k.value)), ()

    def _top_by(self, k: Bound, of: Set, word: Word) -> Ways:
        """*top 3 films by rating*."""
        if isinstance(k.value, int):
            yield from self.composer.conditioned(of, Ranked("max", None, word, k.value))

    def _both(self, left: Set, right: Set) -> Ways:
        if _are_alike(left, right):
            yield Several("and", (left, right)), ()

    def _either(self, left: Set, right: Set) -> Ways:
        if _are_alike(left, right):
            yield Several("or", (left, right)), ()

    def _excepted(self, left: Set, right: Set) -> Ways:
        """*in X but not in Y*."""
        if _are_alike(left, right):
            yield Several("not", (left, right)), ()

    def _several(self, left: Set, right: Several) -> Ways:
        yield replace(right, sets=(left, *right.sets)), ()


def _are_alike(left: Set, right: Set) -> bool:
    """Whether two sets are of one kind: of a role and a film *and* joins none."""
    kinds = [(each.label, each.relation, each.value is None) for each in (left, right)]
    return kinds[0] == kinds[1]
