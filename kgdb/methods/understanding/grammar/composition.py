"""Joins sets with conditions: here what words left open meets the kinds of things.

Each function gives the ways in which parts may go together, each with the features by which it is
weighed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kgdb.graph.forms.operators import (
    And,
    EntityForm,
    Except,
    FindAll,
    Or,
    Relate,
    Select,
    SelectByCount,
    SelectByQualifier,
)
from kgdb.methods.understanding.grammar.chart import Features, weighed
from kgdb.methods.understanding.grammar.form_edits import of_label, relations_of
from kgdb.methods.understanding.grammar.meanings import (
    Conditional,
    Denied,
    Joined,
    Linked,
    Measured,
    Most,
    Ranked,
    Set,
    Several,
)
from kgdb.methods.understanding.grammar.measuring import Measurer, SetWays
from kgdb.methods.understanding.grammar.relation_linking import MOST_WAYS, Linker


@dataclass(frozen=True, slots=True)
class Composer:
    """Joins the parts of one sentence over one schema; ``weights`` tell the likeliest ways."""

    linker: Linker
    measurer: Measurer
    weights: Mapping[str, float]
    _known: dict[tuple[Set, Conditional], list[tuple[Set, Features]]] = field(default_factory=dict)

    def conditioned(self, of: Set, condition: Conditional) -> SetWays:
        """A set with a condition, in each way that it may be meant; the likeliest first."""
        key = of, condition
        if key not in self._known:
            self._known[key] = self._likeliest(of, condition)
        yield from self._known[key]

    def modified(self, of: Set, condition: Conditional) -> SetWays:
        """A set of which words tell more: a rank is among all that they tell.

        The tallest player of a club is the tallest of its players, and not the tallest of all.
        """
        rank = of.form
        if isinstance(rank, Select | SelectByCount | SelectByQualifier) and not is_rank(condition):
            for held, features in self.conditioned(replace(of, form=rank.form), condition):
                if held.form is not None and held.label == of.label:
                    yield replace(held, form=_ranked_among(rank, held.form)), features
        else:
            yield from self.conditioned(of, condition)

    def _likeliest(self, of: Set, condition: Conditional) -> list[tuple[Set, Features]]:
        if of.every:
            return []
        again: Features = ()
        if of.kind == "other" and not isinstance(condition, Ranked):
            again = (("modified.again", 1.0),)
        ways = [(held, (*features, *again)) for held, features in self._ways(of, condition)]
        ways.sort(key=lambda way: -weighed(way[1], self.weights))
        return ways[:MOST_WAYS]

    def stated(self, of: Set, condition: Conditional) -> SetWays:
        """Those of a subject that a condition holds of; something named ranks among its kind."""
        if not is_rank(condition):
            if not ranks_inside(condition):
                subject = replace(of, kind="noun") if of.kind == "other" else of
                yield from self.conditioned(subject, condition)
        elif of.kind == "name" and of.form is not None and of.label is not None:
            alike = Set(FindAll(of.label), of.label, "noun")
            for best, features in self.conditioned(alike, condition):
                if best.form is not None:
                    yield replace(best, form=And(of.form, best.form), kind="other"), features

    def _ways(self, of: Set, condition: Conditional) -> SetWays:
        match condition:
            case Linked(object=Several() as several):
                yield from self._several(of, condition, several)
            case Linked(object=Most(last=True)):
                for held, features in self.linker.linked(of, condition):
                    yield only_last(held), features
            case Linked():
                yield from self.linker.linked(of, condition)
            case Measured():
                yield from self.measurer.measured(of, condition)
            case Ranked():
                for held, features in self.measurer.ranked(of, condition):
                    yield only_last(held) if condition.last else held, features
            case Denied(condition=inner):
                yield from self._denied(of, inner)
            case Joined(op="and", left=left, right=right):
                yield from self._both(of, left, right)
            case Joined(left=left, right=right):
                yield from self._either(of, left, right)

    def _denied(self, of: Set, inner: Conditional) -> SetWays:
        for held, features in self._ways(of, inner):
            if of.form is not None and held.form is not None:
                all_ = of_label(of.form, held.label)  # who did not act: no films
                without = Except(all_, _beyond(of.form, held.form))
                others = replace(held, form=without, kind="other")
                yield others, (*features, ("denied", 1.0))

    def _both(self, of: Set, left: Conditional, right: Conditional) -> SetWays:
        for one, features in self._ways(of, left):
            for both, more in self._ways(one, right):
                yield both, (*features, *more)

    def _either(self, of: Set, left: Conditional, right: Conditional) -> SetWays:
        for one, features in self._ways(of, left):
            for other, more in self._ways(of, right):
                if one.label == other.label and one.form and other.form:
                    either = replace(one, form=Or(one.form, other.form), kind="other")
                    yield either, (*features, *more)

    def _several(self, of: Set, condition: Linked, several: Several) -> SetWays:
        """*acted in X and Y*: the same relations lead from all of them."""
        first, *rest = several.sets
        beside = replace(condition, object=first)
        if several.op == "not":
            denied = Denied(replace(condition, object=rest[0]))
            yield from self._both(of, beside, denied)
            return
        others = [list(self._ways(of, replace(condition, object=each))) for each in rest]
        for one, features in self._ways(of, beside):
            found = [(one, features)]
            for ways in others:
                found = [
                    (combined, (*before, *more))
                    for held, before in found
                    for other, more in ways
                    if other.form and relations_of(other.form) == relations_of(one.form)
                    if (combined := _combined(several.op, of, held, other)) is not None
                ]
            yield from found


def _ranked_among(
    rank: Select | SelectByCount | SelectByQualifier, of: EntityForm
) -> Select | SelectByCount | SelectByQualifier:
    """The rank among a set; by relationships to what its last hop comes from, where these rank.

    The largest quantity of Chai is none of what is ordered beside it.
    """
    if isinstance(rank, SelectByQualifier) and isinstance(of, Relate) and rank.to is None:
        to = of.form if rank.relation == of.relation else None
        return replace(rank, form=of, to=to)
    return replace(rank, form=of)


def only_last(ranked: Set) -> Set:
    """Of those that rank first the last: the second of two."""
    form = ranked.form
    if not isinstance(form, Select | SelectByCount | SelectByQualifier):
        return ranked
    return replace(ranked, form=Except(form, replace(form, k=form.k - 1)))


def is_rank(condition: Conditional) -> bool:
    """Whether a condition holds of those that come first among many."""
    return isinstance(condition, Ranked) or (
        isinstance(condition, Linked) and isinstance(condition.object, Most)
    )


def ranks_inside(condition: Conditional) -> bool:
    """Whether such a condition is part of another."""
    match condition:
        case Denied(condition=inner):
            return is_rank(inner) or ranks_inside(inner)
        case Joined(left=left, right=right):
            return any(is_rank(each) or ranks_inside(each) for each in (left, right))
    return False


def _beyond(form: EntityForm, held: EntityForm) -> EntityForm:
    """What a condition asks of a set, without that it is of the set."""
    return held.right if isinstance(held, And) and held.left == form else held


def _combined(op: str, of: Set, held: Set, other: Set) -> Set | None:
    if of.form is None or held.form is None or other.form is None or held.label != other.label:
        return None
    form = (
        And(held.form, _beyond(of.form, other.form)) if op == "and" else Or(held.form, other.form)
    )
    return replace(held, form=form)
