"""Actions that make conditions of verb phrases and modifiers; what they name is open as yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from kgdb.graph.forms.operators import Aggregate, Comparator, Extreme, FindAll, Function
from kgdb.methods.understanding.cues import Adjective
from kgdb.methods.understanding.grammar.actions import Actions, Ways
from kgdb.methods.understanding.grammar.meanings import (
    Average,
    Bound,
    Conditional,
    Denied,
    Joined,
    Linked,
    Measured,
    Most,
    Quantity,
    Ranked,
    Set,
    Several,
    Values,
    Word,
)

Object: TypeAlias = Set | Several | Quantity | Most
Amount: TypeAlias = Values | Aggregate | Average


class Links(Actions):
    """Actions whose meanings are conditions that a relation leads to something."""

    def _valued(self, name: Set) -> Ways:
        """*are critical*: a value stands for those that have it."""
        if name.value is not None:
            yield Linked(None, None, name), ()

    def _active(self, word: Word, of: Object) -> Ways:
        """*directed Heat*."""
        yield Linked(word, None, of, "subject"), ()

    def _active_to(self, word: Word, preposition: str, of: Object) -> Ways:
        """*acted in Heat*."""
        if preposition != "by":  # *needed by X*: X needs
            yield Linked(word, preposition, of, "subject"), ()

    def _passive(self, word: Word, of: Object) -> Ways:
        """*directed by X*."""
        yield Linked(word, "by", of, "object"), ()

    def _bare(self, word: Word) -> Ways:
        """*who directed*: it leads to anything."""
        yield Linked(word, None, None, "subject"), ()

    def _bare_passive(self, word: Word) -> Ways:
        """*which films were reviewed*: by anyone."""
        yield Linked(word, None, None, "object"), ()

    def _gap(self, of: Object, word: Word) -> Ways:
        """*that X directed*."""
        if _acts(of):
            yield Linked(word, None, of, "object"), ()

    def _gap_to(self, of: Object, word: Word, preposition: str) -> Ways:
        """*that X acted in*."""
        if _acts(of):
            yield Linked(word, preposition, of, "object"), ()

    def _gap_denied(self, of: Set, word: Word) -> Ways:
        """*that X did not direct*."""
        yield Denied(Linked(word, None, of, "object")), ()

    def _gap_denied_to(self, of: Set, word: Word, preposition: str) -> Ways:
        """*that X did not act in*."""
        yield Denied(Linked(word, preposition, of, "object")), ()

    def _verbs_and(self, *parts: Word | str) -> Ways:
        yield _Verbs("and", _with_prepositions(parts)), ()

    def _verbs_or(self, *parts: Word | str) -> Ways:
        yield _Verbs("or", _with_prepositions(parts)), ()

    def _verbs_but_not(self, *parts: Word | str) -> Ways:
        yield _Verbs("not", _with_prepositions(parts)), ()

    def _gap_both(self, of: Set, verbs: _Verbs) -> Ways:
        """*that X acted in but did not direct*."""
        yield verbs.joined(of, "object"), ()

    def _active_both(self, verbs: _Verbs, of: Object) -> Ways:
        """*wrote and directed Heat*."""
        yield verbs.joined(of, "subject"), ()

    def _passive_both(self, verbs: _Verbs, of: Object) -> Ways:
        """*written and directed by X*."""
        yield verbs.joined(of, "object"), ()

    def _active_measured(self, word: Word, bound: Bound, unit: Word, of: Set) -> Ways:
        """*contain more than 60 units of Chai*: a condition on what joins them."""
        linked = Linked(word, None, of, "subject")
        yield Joined("and", linked, Measured(unit, None, bound)), ()

    def _beside(self, preposition: str, of: Object) -> Ways:
        """*in Paris*."""
        yield Linked(None, preposition, of), ()

    def _beside_word(self, preposition: str, word: Word, of: Set) -> Ways:
        """*with director X*."""
        yield Linked(word, preposition, of), ()

    def _having(self, of: Object) -> Ways:
        """*have the most members*."""
        yield Linked(None, None, of), ()

    def _whose(self, word: Word, of: Set) -> Ways:
        """*whose director is X*."""
        yield Linked(word, None, of), ()

    def _quantity(self, bound: Bound, of: Set | Word) -> Ways:
        """*more than two films*."""
        if not bound.dated and (isinstance(of, Word) or of.kind != "name"):
            yield Quantity(bound, of), ()

    def _quantity_of_people(self, bound: Bound) -> Ways:
        """*by more than two people*."""
        yield from self._quantity(bound, Set(FindAll(), None, "who"))

    def _most(self, extreme: Extreme, of: Set | Word) -> Ways:
        """*the most films*."""
        if isinstance(of, Word) or of.kind != "name":
            yield Most(extreme, of), ()

    def _nth_most(self, k: int, extreme: Extreme, of: Set | Word) -> Ways:
        """*the second most films*."""
        for most, features in self._most(extreme, of):
            yield replace(most, k=k, last=True), features

    # Denials, and conditions joined.

    def _denied(self, condition: Conditional) -> Ways:
        if isinstance(condition, Denied | Ranked):
            return
        match condition:
            case Linked(object=Several(op="not") as several):  # *not by X and not by Y*
                neither = replace(condition, object=replace(several, op="or"))
                yield Denied(neither), ()
            case _:
                yield Denied(condition), ()

    def _gap_none(self, of: Set, word: Word) -> Ways:
        """*that nobody directed*, *that no actor directed*."""
        yield from self._gap_none_to(of, word, None)

    def _gap_none_to(self, of: Set, word: Word, preposition: str | None) -> Ways:
        """*that no actor appeared in*."""
        is_anyone = of.form == FindAll()
        yield Denied(Linked(word, preposition, None if is_anyone else of, "object")), ()

    def _lacking(self, of: Set) -> Ways:
        """*without members*."""
        yield Denied(Linked(None, None, of)), ()

    def _doing_none(self, word: Word, of: Set) -> Ways:
        """*directed no films*."""
        yield Denied(Linked(word, None, of, "subject")), ()

    def _doing_none_to(self, word: Word, preposition: str, of: Set) -> Ways:
        """*acted in no films*."""
        yield Denied(Linked(word, preposition, of, "subject")), ()

    def _neither(self, left: Conditional, right: Conditional) -> Ways:
        yield Joined("and", Denied(left), Denied(right)), ()

    def _and(self, left: Conditional, right: Conditional) -> Ways:
        if not isinstance(right, Joined):
            yield Joined("and", left, right), ()

    def _or(self, left: Conditional, right: Conditional) -> Ways:
        if not isinstance(right, Joined):
            yield Joined("or", left, right), ()


class Measures(Actions):
    """Actions whose meanings are bounds, conditions on values, and ranks by values."""

    def _times(self, number: Bound, factor: int) -> Ways:
        """*2.5 million*."""
        if isinstance(number.value, int | float):
            product = number.value * factor
            whole = int(product) if product == int(product) else product
            yield replace(number, value=whole), ()

    def _multiple(self, number: int) -> Ways:
        """*a million*."""
        yield Bound("=", number, dated=False), ()

    def _in_unit(self, number: Bound, *unit: str) -> Ways:
        """*two hours*."""
        yield replace(number, unit=unit[0] if unit else None), ()

    def _one_unit(self, *unit: str) -> Ways:
        """*more than a metre*."""
        for each in unit:
            yield Bound("=", 1, dated=False, unit=each), ()

    def _bound(self, op: Comparator, value: Bound) -> Ways:
        """*more than 20*."""
        yield replace(value, op=op), ()

    def _bound_behind(self, value: Bound, op: Comparator) -> Ways:
        """*20 or more*."""
        yield replace(value, op=op), ()

    def _range(self, low: Bound, high: Bound) -> Ways:
        """*between 10 and 20*."""
        if low.dated == high.dated:
            yield replace(low, op=">=", also=replace(high, op="<=")), ()

    def _adjective(self, word: Word) -> Ways:
        """*tenured professors*: a property that is true or false."""
        yield Measured(word, None, None), ()

    def _measured(self, word: Word, bound: Bound) -> Ways:
        """*born after 1970*."""
        yield Measured(word, None, bound), ()

    def _whose_measured(self, word: Word, bound: Bound) -> Ways:
        """*whose budget is above 20*."""
        yield Measured(word, None, bound), ()

    def _dated(self, bound: Bound) -> Ways:
        """*films after 1970*."""
        if bound.dated:
            yield Measured(None, None, bound), ()

    def _of_unit(self, bound: Bound, word: Word) -> Ways:
        """*more than 20 seats*."""
        if not bound.dated:
            yield Measured(word, None, bound, unit=True), ()

    def _measured_by(self, adjective: Adjective, bound: Bound) -> Ways:
        """*older than 30*."""
        yield Measured(None, adjective, bound), ()

    def _compared(self, adjective: Adjective, of: Set) -> Ways:
        """*taller than Ann*."""
        yield Measured(None, adjective, None, of), ()

    def _compared_word(self, extreme: Extreme, word: Word, of: Set) -> Ways:
        """*with a higher rating than Heat*."""
        yield Measured(word, Adjective(extreme, "number", (word.text,)), None, of), ()

    def _compared_at(self, word: Word, op: Comparator, of: Set) -> Ways:
        """*hired before Ann*."""
        if op in ("<", ">"):
            adjective = Adjective("min" if op == "<" else "max", "date", (word.text,))
            yield Measured(word, adjective, None, of), ()

    def _compared_behind(self, word: Word, extreme: Extreme, of: Set) -> Ways:
        """*whose rating is higher than Heat's*."""
        yield from self._compared_word(extreme, word, of)

    def _compared_value(self, *parts: Any) -> Ways:
        """*taller than the average*, *above the average rating*."""
        by, other = parts
        if isinstance(by, Adjective):
            yield Measured(None, by, None, other), ()
        elif not isinstance(other, Average):
            yield from _beside_amount(None, by, other)

    def _measured_value(self, word: Word, op: Comparator, other: Amount) -> Ways:
        """*whose rating is above the average*."""
        yield from _beside_amount(word, op, other)

    def _compared_word_value(self, extreme: Extreme, word: Word, other: Amount) -> Ways:
        """*more stars than the average package*."""
        yield Measured(word, Adjective(extreme, "number", ()), None, other), ()

    def _same_value(self, word: Word, of: Set) -> Ways:
        """*of the same nationality as X*."""
        yield Measured(word, None, None, of), ()

    def _whole_amount(self, of: Any) -> Ways:
        """*the average rating of films*, as what others are compared with."""
        if isinstance(of, Aggregate):
            yield of, ()

    def _average(self, *of: Set) -> Ways:
        """*than average*, *than the average film*: of the same property."""
        yield Average(*of), ()

    def _superlative(self, adjective: Adjective) -> Ways:
        """*oldest*."""
        yield Ranked(adjective.extreme, adjective, None), ()

    def _superlatives(self, k: Bound, adjective: Adjective) -> Ways:
        """*three oldest*."""
        if isinstance(k.value, int):
            yield Ranked(adjective.extreme, adjective, None, k.value), ()

    def _nth(self, k: int, adjective: Adjective) -> Ways:
        """*second oldest*."""
        yield Ranked(adjective.extreme, adjective, None, k, last=True), ()

    def _nth_word(self, k: int, extreme: Extreme, word: Word) -> Ways:
        """*the second highest rating*."""
        yield Ranked(extreme, None, word, k, last=True), ()

    def _most_adjective(self, extreme: Extreme, word: Word) -> Ways:
        """*with the highest rating*."""
        yield Ranked(extreme, None, word), ()

    def _most_function(self, extreme: Extreme, function: Function, word: Word) -> Ways:
        """*with the highest average rating*."""
        yield Ranked(extreme, None, word, 1, function), ()

    def _with_superlative(self, adjective: Adjective, word: Word) -> Ways:
        """*with the largest budget*; only of a date *the first* is the earliest."""
        yield Ranked(adjective.extreme, adjective if adjective.type == "date" else None, word), ()

    def _ranked_behind_so(self, word: Word, adjective: Adjective) -> Ways:
        """*that joined most recently*."""
        yield Ranked(adjective.extreme, None, word), ()

    def _ranked_behind(self, word: Word, extreme: Extreme) -> Ways:
        """*that X rated highest*."""
        yield Ranked(extreme, None, word), ()


@dataclass(frozen=True, slots=True)
class _Verbs:
    """Verbs that share what they are about: *acted in but did not direct*."""

    op: Literal["and", "or", "not"]
    verbs: tuple[tuple[Word, str | None], ...]

    def joined(self, of: Object, role: Literal["subject", "object"]) -> Conditional:
        """The condition that they make together."""
        first, second = (Linked(verb, preposition, of, role) for verb, preposition in self.verbs)
        if self.op == "not":
            return Joined("and", first, Denied(second))
        return Joined(self.op, first, second)


def _with_prepositions(parts: Sequence[Word | str]) -> tuple[tuple[Word, str | None], ...]:
    """Each verb with the preposition behind it."""
    behind = (*parts[1:], None)
    return tuple(
        (part, after if isinstance(after, str) else None)
        for part, after in zip(parts, behind, strict=True)
        if isinstance(part, Word)
    )


def _beside_amount(word: Word | None, op: Comparator, other: Amount) -> Ways:
    if op in ("<", ">"):
        adjective = Adjective("max" if op == ">" else "min", "number", ())
        yield Measured(word, adjective, None, other), ()


def _acts(of: Object) -> bool:
    """Whether a subject is no question word."""
    return not isinstance(of, Set) or of.kind != "who"
