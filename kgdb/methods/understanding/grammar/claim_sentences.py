"""Actions that make claims: one statement, or several that must all hold.

*All films by X are dramas* says that there are such films, and that there is none without. What a
claim says of something unnamed, as of *X's films*, it may say of all or of some: that it holds of
all is only implied.
"""

from __future__ import annotations

from dataclasses import replace

from kgdb.graph.forms.operators import (
    And,
    Count,
    EntityForm,
    Except,
    Filter,
    FilterLabel,
    Find,
    FindAll,
    Property,
    Relate,
    Verify,
    replaced,
    subforms,
)
from kgdb.methods.understanding.grammar.actions import Actions, Ways
from kgdb.methods.understanding.grammar.meanings import (
    Bound,
    Conditional,
    Denied,
    Joined,
    Linked,
    Measured,
    Quantity,
    Set,
    Several,
    Values,
    Whole,
)


class ClaimSentences(Actions):
    """Actions whose meanings are what claims say."""

    def _claimed(self, of: Set, condition: Conditional) -> Ways:
        """*X directed Y*, *X is not the oldest*, *all films by X are subtitled*."""
        denied = isinstance(condition, Denied)
        inner = condition.condition if isinstance(condition, Denied) else condition
        if isinstance(inner, Linked) and isinstance(inner.object, Set) and inner.object.every:
            yield from self.of_every(of, inner, inner.object, denied=denied)
            return
        for held, features in self.composer.stated(replace(of, every=False), inner):
            if held.form is not None:
                for whole in _said_of(of, held.form, denied=denied):
                    yield whole, features

    def of_every(self, of: Set, linked: Linked, every: Set, *, denied: bool) -> Ways:
        """*X directed every film by Y*: there is none of these without what X directed."""
        if not _is_individual(of):
            return
        for held, features in self.composer.conditioned(
            replace(every, every=False), linked.turned(of)
        ):
            if held.form is not None and every.form is not None:
                if denied:
                    without = Whole(Verify(Except(every.form, held.form)))
                    yield without, features
                else:
                    for whole in _said_of(every, held.form, denied=False):
                        yield whole, features

    def _claimed_at(self, of: Set, condition: Conditional, bound: Bound) -> Ways:
        """*X has played for Y since 2021*: a date of what joins them, and no other one."""
        if not bound.dated or not isinstance(condition, Linked):
            return
        exact = replace(bound, op="=") if bound.op in (">=", "<=") else bound
        dated = Joined("and", condition, Measured(None, None, exact))
        for whole, features in self._claimed(of, dated):
            if any(isinstance(each, Relate) and each.where for each in subforms(whole.form)):
                yield whole, features

    def _claimed_each(self, of: Several, condition: Conditional) -> Ways:
        """*X and Y directed Z* says the same of both."""
        first, *rest = of.sets
        if of.op != "and" or not all(map(_is_individual, of.sets)):
            return
        for whole, features in self._claimed(first, condition):
            more = [replaced(whole.form, first.form, each.form) for each in rest]
            also = tuple(Whole(form, whole.denied) for form in more)
            yield replace(whole, also=(*whole.also, *also)), features

    def _claimed_of_none(self, *parts: Set | Conditional) -> Ways:
        """*No film by X is subtitled*, *nobody directed X*."""
        *subjects, condition = parts
        of = subjects[0] if subjects else Set(FindAll(), None, "who")
        if not isinstance(of, Set) or isinstance(condition, Set) or _is_individual(of):
            return
        for held, features in self.composer.stated(of, condition):
            if held.form is not None and of.form is not None:
                yield _none(of.form, held.form), features

    def _claimed_only(self, of: Set, condition: Conditional) -> Ways:
        """*Only X directed Y* says it of X, and of no other of its kind."""
        if of.label is not None:
            alike = Set(FindAll(of.label), of.label, "noun")
            for held, features in self.composer.conditioned(alike, condition):
                for whole in _only(of, held):
                    yield whole, features

    def _is_only(self, of: Set, kind: Set) -> Ways:
        """*X is the only film by Y*."""
        if _is_individual(of) and of.label == kind.label and not _is_individual(kind):
            for whole in _only(of, kind):
                yield whole, ()

    def _claimed_number(self, quantity: Quantity, condition: Conditional) -> Ways:
        """*Three people directed X*."""
        if isinstance(quantity.of, Set):
            for held, features in self.composer.conditioned(quantity.of, condition):
                for whole in _so_many(held, quantity.bound):
                    yield whole, features

    def _is_claimed(self, of: Set, kind: Set) -> Ways:
        """*X is a museum*, *X is a film by Y*, *the director of X is Y*, *X is the oldest film*."""
        yield from self.classed(of, kind, denied=False)

    def _is_denied(self, of: Set, kind: Set) -> Ways:
        """*X is not a museum*."""
        yield from self.classed(of, kind, denied=True)

    def classed(self, of: Set, kind: Set, *, denied: bool) -> Ways:
        """That something is what a noun phrase says, or what it names."""
        if of.form is None or kind.form is None or "who" in (of.kind, kind.kind) or kind.every:
            return
        if kind.kind == "noun" and kind.label is not None:
            if _is_individual(of) and isinstance(kind.form, FindAll):
                yield Whole(Verify(FilterLabel(of.form, kind.label)), denied), ()
            return
        if of.label != kind.label:
            if _is_individual(kind):
                link = Linked(None, None, kind)
                yield from self._claimed(of, Denied(link) if denied else link)
            return
        if _is_individual(kind) and not of.every:
            of, kind = kind, of
        if of.form is not None and kind.form is not None and not _is_individual(kind):
            for whole in _said_of(of, And(of.form, kind.form), denied=denied):
                yield whole, ()

    def _are_claimed(self, of: Set, several: Several) -> Ways:
        """*The films by X are Y and Z*."""
        if several.op != "and" or not all(map(_is_individual, several.sets)):
            return
        first, *rest = [self.classed(each, of, denied=False) for each in several.sets]
        for whole, features in first:
            also = tuple(other for ways in rest for other, _ in ways)
            if also:
                yield replace(whole, also=also), features

    def _is_value_named(self, values: Values, name: Set) -> Ways:
        """*The colour of X is red*."""
        is_property = isinstance(values.form, Property) and name.value is not None
        if is_property and name.value and name.value.property == values.name:
            yield Whole(Verify(values.form, "=", name.value.value)), ()

    def _there_is(self, of: Set | Quantity) -> Ways:
        """*There are films by X*, *there are three films by X*."""
        if isinstance(of, Set):
            if of.form is not None and of.label is not None and not _is_individual(of):
                yield Whole(Verify(of.form)), ()
        elif isinstance(of.of, Set):
            for whole in _so_many(of.of, of.bound):
                yield whole, ()

    def _there_is_none(self, of: Set) -> Ways:
        """*There is no film by X*."""
        for whole, features in self._there_is(of):
            yield replace(whole, denied=True), features

    def _all_who(self, condition: Conditional) -> Ways:
        """*everyone in X*."""
        for held, features in self.composer.conditioned(Set(FindAll(), None, "who"), condition):
            yield replace(held, every=True), features


def _is_individual(of: Set) -> bool:
    """Whether it is something named; what has a value in common are many."""
    return of.kind == "name" and isinstance(of.form, Find)


def _said_of(of: Set, held: EntityForm, *, denied: bool) -> list[Whole]:
    """What is said of a subject, if the condition holds of ``held`` among it."""
    if of.form in (None, held) or of.kind in ("who", "what", "where"):
        return []  # what is said must tell more than that there is such a thing
    if _is_individual(of):
        whole = Whole(Verify(held), denied)
        return [whole if denied else replace(whole, also=_exactly(held))]
    if of.every and denied:
        return []  # *all are not*: none, or not all?
    if denied:
        return [_none(of.form, held)]
    without = Whole(Verify(Except(of.form, held)), denied=True, implied=not of.every)
    return [Whole(Verify(held), also=(without,))]


def _exactly(held: EntityForm) -> tuple[Whole, ...]:
    """*Since 2000* is surely so if it was in 2000; later than that it may be another thing."""
    if isinstance(held, Filter) and held.op in (">=", "<=") and isinstance(held.value, str):
        return (Whole(Verify(replace(held, op="=")), implied=True),)
    return ()


def _none(of: EntityForm, held: EntityForm) -> Whole:
    """That there are some, and none of them that the condition holds of."""
    return Whole(Verify(of), also=(Whole(Verify(held), denied=True),))


def _only(of: Set, held: Set) -> list[Whole]:
    if of.form is None or held.form is None:
        return []
    others = Whole(Verify(Except(held.form, of.form)), denied=True)
    return [Whole(Verify(And(of.form, held.form)), also=(others,))]


def _so_many(of: Set, bound: Bound) -> list[Whole]:
    is_number = isinstance(bound.value, int) and not bound.dated and bound.also is None
    if of.form is None or of.label is None or not is_number:
        return []
    return [Whole(Verify(Count(of.form), bound.op, bound.value))]
