"""Joins sets with properties: conditions on their values, ranks by them, the values themselves.

The property may be one of the entities, or one of their relationships.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from kgdb.graph.forms.operators import (
    Aggregate,
    And,
    Comparator,
    Condition,
    Direction,
    EntityForm,
    Except,
    Extreme,
    Filter,
    FindAll,
    Property,
    Qualifier,
    Relate,
    Select,
    SelectByQualifier,
)
from kgdb.graph.schema import PropertyInfo, RelationEnds
from kgdb.graph.value_types import ValueType
from kgdb.methods.understanding.cues import Adjective
from kgdb.methods.understanding.grammar.chart import Features
from kgdb.methods.understanding.grammar.form_edits import (
    of_label,
    opposite,
    relations_of,
    with_condition,
)
from kgdb.methods.understanding.grammar.meanings import (
    Average,
    Bound,
    Measured,
    Ranked,
    Set,
    Values,
    Word,
)
from kgdb.methods.understanding.grammar.schema_matching import Matcher
from kgdb.methods.understanding.grammar.units import in_unit_of, unproved

AMOUNTS = ("integer", "float", "mixed", "duration")
"""Types of values that can be added up."""

ORDERED = ("date", *AMOUNTS)
"""Types of values of which some are larger."""

SetWays: TypeAlias = Iterator[tuple[Set, Features]]
"""Sets that words may mean, each with the features by which it is weighed."""

Side: TypeAlias = tuple[Mapping[str, int], Mapping[str, int], Direction]


def sides(ends: RelationEnds) -> tuple[Side, Side]:
    """Both ways along a relation: the labels that it leads from and to, and the direction."""
    return (ends.heads, ends.tails, "out"), (ends.tails, ends.heads, "in")


def _value_for(bound: Bound, kind: ValueType) -> int | float | str:
    """What values of that type are compared with: a year of a date, or as a number."""
    if kind == "date":
        return str(bound.value)
    if isinstance(bound.value, str) and bound.value[:4].isdigit():
        return int(bound.value[:4])
    return bound.value


@dataclass(frozen=True, slots=True)
class Measurer:
    """Finds the properties of one schema that the words of one sentence may mean."""

    matcher: Matcher

    def properties(
        self, label: str | None, word: Word | None, adjective: Adjective | None
    ) -> Iterator[tuple[PropertyInfo, Features]]:
        """The properties of a label that a word, an adjective or both may name."""
        for info in self.matcher.schema.of_label(label):
            features = self._named(info, word, adjective)
            if features is not None:
                yield info, features

    def _named(
        self, info: PropertyInfo, word: Word | None, adjective: Adjective | None
    ) -> Features | None:
        said = self.matcher.features(word, info.name, "property") if word is not None else ()
        if adjective is not None:
            hinted = self._hinted(info, adjective, said)
            is_blind = self.matcher.by_letters and adjective.type != "date"
            if hinted is None or (is_blind and ("hint.near", 1.0) in hinted):
                return None
            return *said, *hinted
        if word is None and info.type != "date":
            return None
        return said or (("property.unsaid", 1.0),)

    def _hinted(self, info: PropertyInfo, adjective: Adjective, said: Features) -> Features | None:
        """How well an adjective goes with a property; ``None`` where its type does not fit."""
        m = self.matcher
        if not _compares(adjective, info, m.cues.ages):
            return None
        letters = [m.letters(hint, info.name) for hint in adjective.hints]
        if "exact" in letters:
            return (("hint.exact", 1.0), ("hint.place", float(letters[0] != "exact")))
        if "partial" in letters:
            return (("hint.partial", 1.0),)
        if said and said[0][0] in ("property.exact", "property.partial"):
            return (("hint.said", 1.0),)
        unnamed: Features = () if "modifier" in letters else (("hint.unnamed", 1.0),)
        if adjective.type == "date":
            return (("hint.dated", 1.0), *unnamed)
        hint = adjective.hints[0]
        cosine = m.cosine(hint, info.name) if hint in m.texts else 0.0
        return (("hint.near", 1.0), ("hint.cosine", cosine), *unnamed)

    # Conditions.

    def measured(self, of: Set, by: Measured) -> SetWays:
        """Those of a set with such values: *born after 1970*, *taller than Ann*, *tenured*."""
        if of.form is None:
            return
        for label in [of.label] if of.label else sorted(self.matcher.schema.labels):
            if by.other is not None:
                yield from self._compared(of.form, label, by)
            elif by.bound is None:
                yield from self._true(of.form, label, by)
            else:
                yield from self._bounded(of.form, label, by, by.bound)
        if by.bound is not None:
            yield from self._bounded_hop(of, of.form, by, by.bound)

    def _bounded(self, form: EntityForm, label: str, by: Measured, bound: Bound) -> SetWays:
        for info, features in self.properties(label, by.word, by.adjective):
            fits, held = self._fits(bound, info), of_label(form, label)
            conditions = self.conditions(bound, info.name, info.type, by.adjective)
            if fits is None or not conditions:
                continue
            for each in conditions:
                held = Filter(held, each.property, each.op, each.value)
            yield Set(held, label), (*features, *fits)

    def _bounded_hop(self, of: Set, form: EntityForm, by: Measured, bound: Bound) -> SetWays:
        """A condition on the relationships of a hop that is there: *that she joined in 1999*."""
        for relation in dict.fromkeys(relations_of(form)):
            for info in self.matcher.schema.relations[relation].properties:
                features, fits = self._named(info, by.word, by.adjective), self._fits(bound, info)
                conditions = self.conditions(bound, info.name, info.type, by.adjective)
                if features is None or fits is None or not conditions:
                    continue
                held: EntityForm | None = form
                for condition in conditions:
                    held = held and with_condition(held, relation, condition)
                if held is not None:
                    yield Set(held, of.label), (*features, *fits, ("qualifier.bound", 1.0))

    def conditions(
        self, bound: Bound, name: str, kind: ValueType, adjective: Adjective | None = None
    ) -> list[Condition]:
        """What a bound asks of a property, in its unit; nothing where the units do not go together.

        An adjective tells on which side of the first end of a range values are.
        """
        held = in_unit_of(bound, name, self.matcher.units)
        if held is None:
            return []
        op = held.op if adjective is None else _comparator(adjective, kind)
        first = Condition(name, op, _value_for(held, kind))
        if held.also is None:
            return [first]
        also = self.conditions(held.also, name, kind)
        return [first, *also] if also else []

    def _fits(self, bound: Bound, info: PropertyInfo) -> Features | None:
        """Whether a value may be compared with a property's; a year is also a number."""
        if info.type == "date":
            is_date = bound.dated or (isinstance(bound.value, int) and 999 < bound.value < 3000)
            return () if is_date else None
        if info.type not in AMOUNTS:
            return None
        as_number: Features = (("year.as_number", 1.0),) if bound.dated else ()
        return (*as_number, *unproved(bound, info.name, self.matcher.units))

    def _true(self, form: EntityForm, label: str, by: Measured) -> SetWays:
        """Those of which a property holds that is true or false: *tenured professors*."""
        for info in self.matcher.schema.of_label(label):
            features = self.matcher.features(by.word, info.name, "property")
            # An encoder finds *open* near *closed*: letters alone tell what is true.
            if info.type == "boolean" and features[0][0] != "property.near":
                held = Filter(of_label(form, label), info.name, "=", True)
                yield Set(held, label), (*features, ("flag", 1.0))

    def _compared(self, form: EntityForm, label: str, by: Measured) -> SetWays:
        """*taller than Ann*: the other's value is what is compared with; *than the average*."""
        of = of_label(form, label)
        hinting = by.adjective if by.adjective and by.adjective.hints else None
        for info in self.matcher.schema.of_label(label):
            value = _other_value(by, info, label)
            op: Comparator = "=" if by.adjective is None else _comparator(by.adjective, info.type)
            features = self._named(info, by.word, hinting) if by.word or hinting else ()
            if value is None or features is None or (op != "=" and info.type not in ORDERED):
                continue
            held: EntityForm = Filter(of, info.name, op, value)
            if op == "=" and isinstance(by.other, Set) and by.other.form is not None:
                held = Except(held, by.other.form)  # nobody is of the same age as himself
            yield Set(held, label), features

    # Ranks.

    def ranked(self, of: Set, by: Ranked) -> SetWays:
        """Those of a set that come first by a property, or by one of their relationships."""
        if of.form is None or (of.kind == "name" and of.value is None):
            return
        if of.label is None:
            for label in self.matcher.schema.labels:
                yield from self.ranked(replace(of, form=of_label(of.form, label), label=label), by)
            return
        if by.function is None:
            for info, features in self.properties(of.label, by.word, by.adjective):
                if info.type in ORDERED:
                    form = Select(
                        of.form, info.name, _extreme(by.extreme, by.adjective, info.type), by.k
                    )
                    yield Set(form, of.label), (*features, ("ranked", 1.0))
        yield from self._ranked_by_hop(of.form, of.label, by)

    def _ranked_by_hop(self, form: EntityForm, label: str, by: Ranked) -> SetWays:
        for name, ends in self.matcher.schema.relations.items():
            for info in ends.properties:
                features = self._named(info, by.word, by.adjective)
                if info.type not in ORDERED or features is None:
                    continue
                for own, _, direction in sides(ends):
                    if label in own:
                        first = SelectByQualifier(
                            form, name, info.name, by.extreme, direction, by.function, k=by.k
                        )
                        more = (("ranked", 1.0), ("qualifier.ranked", 1.0))
                        yield Set(first, label), (*features, *more)

    # Values.

    def values(self, of: Set, word: Word | None) -> Iterator[tuple[Values, Features]]:
        """The values of a property that words name, or of relationships of the set."""
        m = self.matcher
        if of.form is None or of.label is None:
            return
        for info in m.schema.of_label(of.label):
            if info.type != "boolean" and not (of.value and of.value.property == info.name):
                found = Values(Property(of.form, info.name), info.name, info.type, of.label)
                yield found, m.features(word, info.name, "property")
        for name, ends in m.schema.relations.items():
            for info in ends.properties:
                features = m.features(word, info.name, "property")
                for own, _, direction in sides(ends):
                    if of.label in own:
                        values = Qualifier(of.form, name, info.name, direction)
                        more = ("value.relation", 1.0)
                        yield Values(values, info.name, info.type), (*features, more)
                of_hop = _of_last_hop(of.form, name, info)
                if of_hop is not None:
                    yield Values(of_hop, info.name, info.type), (*features, ("value.hop", 1.0))

    def values_of_all(self, word: Word) -> Iterator[tuple[Values, Features]]:
        """The values that a word names, of all entities of each label."""
        for label in self.matcher.schema.labels:
            yield from self.values(Set(FindAll(label), label), word)

    def amounts_of_relations(self) -> Iterator[tuple[str, RelationEnds, PropertyInfo]]:
        """The properties of relationships that can be added up, each with its relation."""
        for name, ends in self.matcher.schema.relations.items():
            for info in ends.properties:
                if info.type in AMOUNTS:
                    yield name, ends, info

    def between(
        self, word: Word, left: Set, right: Set, only: str | None = None
    ) -> Iterator[tuple[Values, Features]]:
        """The values of what joins two sets, perhaps ``only`` along one relation."""
        m = self.matcher
        if left.form is None or right.form is None:
            return
        for name, ends in m.schema.relations.items():
            if only not in (None, name):
                continue
            for own, far, direction in sides(ends):
                if left.label not in own or right.label not in far:
                    continue
                for info in ends.properties:
                    form = Qualifier(left.form, name, info.name, direction, right.form)
                    features = m.features(word, info.name, "property")
                    more = ("value.between", 1.0)
                    yield Values(form, info.name, info.type), (*features, more)


def _of_last_hop(form: EntityForm, relation: str, info: PropertyInfo) -> Qualifier | None:
    """*The units of Chai that X ordered* are those of the relationships of that hop."""
    match form:
        case Relate(where=()) if form.relation == relation:
            return Qualifier(form.form, relation, info.name, form.direction)
        case And(right=Relate() as hop) if hop.relation == relation:
            back = opposite(hop.direction)
            return Qualifier(form.left, relation, info.name, back, hop.form)
    return None


def _other_value(by: Measured, info: PropertyInfo, label: str) -> Property | Aggregate | None:
    """The value of a property that others are compared with."""
    match by.other:
        case Set(form=form, label=other) if form is not None and other in info.labels:
            return Property(form, info.name)
        case Values(form=Property() | Aggregate() as form, name=info.name):
            return form
        case Aggregate(values=Property(property=info.name)) as form:
            return form
        case Average(of=None) if info.type in AMOUNTS:
            return Aggregate(Property(FindAll(label), info.name), "mean")
        case Average(of=Set(form=form, label=of)) if info.type in AMOUNTS:
            if form is not None and of in info.labels:
                return Aggregate(Property(form, info.name), "mean")
    return None


def _compares(adjective: Adjective, info: PropertyInfo, ages: Iterable[str]) -> bool:
    """Whether an adjective may be about a property's values; an age tells of a date."""
    if adjective.type == "date":
        return info.type == "date" or any(age in info.name.lower() for age in ages)
    return info.type in AMOUNTS


def _extreme(extreme: Extreme, adjective: Adjective | None, kind: ValueType) -> Extreme:
    if adjective and adjective.type == "date" and kind != "date":
        return "min" if extreme == "max" else "max"  # the oldest has the largest age
    return extreme


def _comparator(adjective: Adjective, kind: ValueType) -> Literal["<", ">"]:
    return ">" if _extreme(adjective.extreme, adjective, kind) == "max" else "<"
