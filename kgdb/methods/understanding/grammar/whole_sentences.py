"""Actions that make forms of whole sentences: questions, yes-no questions, claims, comparisons."""

from __future__ import annotations

from typing import Any

from kgdb.graph.forms.operators import And, Compare, FilterLabel, FindAll, Verify
from kgdb.methods.understanding.cues import Adjective
from kgdb.methods.understanding.grammar.actions import Actions, Ways
from kgdb.methods.understanding.grammar.meanings import (
    Bound,
    Conditional,
    Denied,
    Linked,
    Measured,
    Set,
    Several,
    Values,
    Whole,
    Word,
)
from kgdb.methods.understanding.grammar.measuring import ORDERED
from kgdb.methods.understanding.grammar.units import unproved


class WholeSentences(Actions):
    """Actions whose meanings are forms."""

    def _whole(self, of: Any) -> Ways:
        """*the films by X*: a set, values or a number asked for; a name alone asks nothing."""
        match of:
            case Set(form=form) if form is not None:
                is_anything = of.label is None and isinstance(form, FindAll)
                is_name = of.kind == "name" and of.value is None
                if not is_anything and not is_name:
                    yield Whole(form), ()
            case Set() | Several():
                return
            case Values(form=form):
                yield Whole(form), ()
            case Whole():
                yield of, ()
            case _:
                yield Whole(of), ()

    def _asked(self, *parts: Set) -> Ways:
        """*Who is the director of X?*, *what films are by X?*: the last set is asked for."""
        of = parts[-1]
        if of.form is not None and of.kind != "name":
            yield from self._whole(of)

    # Yes or no.

    def _claim(self, of: Set, condition: Conditional) -> Ways:
        """*Did X direct Y?*, *is X the oldest?* and so on."""
        if of.every or of.form is None or of.kind == "they":
            return  # of several some may be so, and others not
        denied = isinstance(condition, Denied)
        inner = condition.condition if isinstance(condition, Denied) else condition
        if isinstance(inner, Linked) and isinstance(inner.object, Set) and inner.object.every:
            return
        if denied and of.kind not in ("name", "other"):
            return
        for held, features in self.composer.stated(of, inner):
            if held.form is not None:
                yield Whole(Verify(held.form), denied), features

    def _exists(self, of: Set) -> Ways:
        """*Are there films by X?* asks whether the set has any."""
        if of.form is not None and of.label is not None and not of.every:
            yield Whole(Verify(of.form)), ()

    def _is_kind(self, of: Set, kind: Set) -> Ways:
        """*Is X a museum?* asks for a label."""
        if of.kind == "name" and of.form is not None and kind.kind == "noun" and kind.label:
            yield Whole(Verify(FilterLabel(of.form, kind.label))), ()

    def _is_one_of(self, of: Set, kind: Set) -> Ways:
        """*Is X a film by Y?* asks whether it is in the set."""
        if of.form is None or kind.form is None or of.label != kind.label:
            return
        if of.kind == "name" and kind.kind == "other":
            yield Whole(Verify(And(of.form, kind.form))), ()

    def _is_value(self, values: Values, bound: Bound) -> Ways:
        """*Is the budget of X above 20?* compares a value."""
        conditions = self.measurer.conditions(bound, values.name, values.type)
        if len(conditions) == 1:
            said = unproved(bound, values.name, self.measurer.matcher.units)
            yield Whole(Verify(values.form, conditions[0].op, conditions[0].value)), said

    def _claim_compared(self, of: Set, adjective: Adjective, *more: Any) -> Ways:
        """*Is X older than Y?* compares two; the last one is the other."""
        yield from self._claim(of, Measured(None, adjective, None, more[-1]))

    # Which of two.

    def _more(self, *parts: Any) -> Ways:
        """*Which is older, X or Y?*, *which has larger budget, X or Y?*: the last are compared."""
        *_, before, last, several = (None, *parts)
        word = last if isinstance(last, Word) else None
        adjective = before if word else last
        yield from self.compared(adjective, word, several)

    def _more_word(self, *parts: Any) -> Ways:
        """*Which has the higher budget, X or Y?*: a word names the property."""
        extreme, word, several = parts[-3:]
        yield from self.compared(Adjective(extreme, "number", (word.text,)), None, several)

    def _more_of(self, several: Several, adjective: Adjective) -> Ways:
        """*Which of X and Y is older?* compares them."""
        yield from self.compared(adjective, None, several)

    def compared(self, adjective: Adjective, word: Word | None, several: Several) -> Ways:
        """Of two sets that with the larger or smaller value."""
        if len(several.sets) != 2:
            return
        left, right = several.sets
        if left.form is None or right.form is None or left.label != right.label:
            return
        for info, features in self.measurer.properties(left.label, word, adjective):
            if info.type in ORDERED:
                yield Whole(Compare(left.form, right.form, info.name, adjective.extreme)), features
