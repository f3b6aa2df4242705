"""Joins sets with conditions: here what words left open meets the kinds of things.

Each function gives the ways in which parts may go together, each with the features by which it is
weighed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kgdb.graph.forms.operators import (
    And,
    EntityForm,
    Except,
    Or,
    Select,
    SelectByCount,
    SelectByQualifier,
)
from kgdb.methods.understanding.grammar.chart import Features, weighed
from kgdb.methods.understanding.grammar.form_edits import relations_of
from kgdb.methods.understanding.grammar.meanings import (
    Conditional,
    Denied,
    Joined,
    Linked,
    Measured,
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

    def conditioned(self, of: Set, condition: Conditional) -> SetWays:
        """A set with a condition, in each way that it may be meant."""
        if of.every:
            return
        again: Features = ()
        if isinstance(of.form, Select | SelectByCount | SelectByQualifier):
            again = (("modified.rank", 1.0),)
        elif of.kind == "other" and not isinstance(condition, Ranked):
            again = (("modified.again", 1.0),)
        ways = [(held, (*features, *again)) for held, features in self._ways(of, condition)]
        if len(ways) > MOST_WAYS:
            ways.sort(key=lambda way: -weighed(way[1], self.weights))
        yield from ways[:MOST_WAYS]

    def _ways(self, of: Set, condition: Conditional) -> SetWays:
        match condition:
            case Linked(object=Several() as several):
                yield from self._several(of, condition, several)
            case Linked():
                yield from self.linker.linked(of, condition)
            case Measured():
                yield from self.measurer.measured(of, condition)
            case Ranked():
                yield from self.measurer.ranked(of, condition)
            case Denied(condition=inner):
                yield from self._denied(of, inner)
            case Joined(op="and", left=left, right=right):
                yield from self._both(of, left, right)
            case Joined(left=left, right=right):
                yield from self._either(of, left, right)

    def _denied(self, of: Set, inner: Conditional) -> SetWays:
        for held, features in self._ways(of, inner):
            if of.form is not None and held.form is not None:
                others = replace(held, form=_without(of.form, held.form), kind="other")
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
        for one, features in self._ways(of, beside):
            found = [(one, features)]
            for other in rest:
                again = replace(condition, object=other)
                found = [
                    (combined, (*before, *more))
                    for held, before in found
                    for other_held, more in self._ways(held if several.op == "and" else of, again)
                    if (combined := _combined(several.op, held, other_held)) is not None
                    and relations_of(combined.form)[:1] == relations_of(one.form)[:1]
                ]
            yield from found


def _without(form: EntityForm, held: EntityForm) -> EntityForm:
    """A set without those of it that a condition holds of."""
    beyond = held.right if isinstance(held, And) and held.left == form else held
    return Except(form, beyond)


def _combined(op: str, held: Set, other: Set) -> Set | None:
    if held.form is None or other.form is None or held.label != other.label:
        return None
    return other if op == "and" else replace(held, form=Or(held.form, other.form))
