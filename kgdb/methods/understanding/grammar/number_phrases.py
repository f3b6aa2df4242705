"""Actions that make numbers of many: counts, sums and other aggregates, and such by groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kgdb.graph.forms.operators import (
    Aggregate,
    Count,
    Direction,
    FilterLabel,
    FindAll,
    Function,
    GroupBy,
    Property,
    Qualifier,
    Relate,
)
from kgdb.graph.schema import RelationEnds
from kgdb.methods.understanding.grammar.actions import Actions, Ways
from kgdb.methods.understanding.grammar.chart import Features
from kgdb.methods.understanding.grammar.form_edits import opposite
from kgdb.methods.understanding.grammar.meanings import Conditional, Set, Values, Word
from kgdb.methods.understanding.grammar.measuring import AMOUNTS, sides
from kgdb.methods.understanding.grammar.schema_matching import misfit
from kgdb.methods.understanding.grammar.value_phrases import aggregates


class NumberPhrases(Actions):
    """Actions whose meanings are single numbers."""

    def _count(self, of: Set) -> Ways:
        """*how many films by X*."""
        if of.form is not None and of.label is not None:
            yield Count(of.form), ()

    def _number_of(self, word: Word, of: Set, *_verb: Word) -> Ways:
        """*How many seats does X have?*: a property that is a number."""
        for found, features in self.measurer.values(of, word):
            if found.type not in AMOUNTS:
                continue
            if of.kind == "name" and isinstance(found.form, Property):
                yield found, features
            else:
                for total in aggregates("sum", found):
                    yield total, features

    def _number_done(self, word: Word, *more: Any) -> Ways:
        """*How many credits is X worth?*, *how many tickets were sold at X?*: the verb counts."""
        of, verb = more if isinstance(more[0], Set) else more[::-1]
        for found, features in self._number_of(word, of):
            of_values = found.values if isinstance(found, Aggregate) else found.form
            said = self.matcher.features(verb, of_values.property, "property")
            yield found, (*features, *said)

    def _number_split(self, word: Word, of: Set, rest: Word) -> Ways:
        """*How many units of X are in stock?*: a name with something inside."""
        name = f"{word.text} {rest.text}"
        if of.form is None:
            return
        for info in self.matcher.schema.of_label(of.label):
            if info.type in AMOUNTS and self.matcher.letters(name, info.name) == "exact":
                values = Values(Property(of.form, info.name), info.name, info.type)
                yield values, (("property.exact", 1.0),)

    def _number_between(self, word: Word, of: Set, condition: Conditional) -> Ways:
        """*How many units of Chai did X order?*: of what joins Chai with X's orders."""
        for name, ends in self.matcher.schema.relations.items():
            if not any(info.type in AMOUNTS for info in ends.properties):
                continue
            far_labels = [label for own, far, _ in sides(ends) if of.label in own for label in far]
            for label in far_labels:
                noun = Set(FindAll(label), label, "noun")
                for held, features in self.composer.conditioned(noun, condition):
                    for found, more in self.measurer.between(word, of, held, name):
                        for total in aggregates("sum", found):
                            yield total, (*features, *more)

    def _number_joined(self, word: Word, of: Set, by: Set, verb: Word) -> Ways:
        """*How many sessions of X does Y take?*: of what joins them; the verb may name it."""
        for found, features in self.measurer.between(word, of, by):
            relation = found.form.relation if isinstance(found.form, Qualifier) else ""
            said = self.matcher.features(verb, relation, "relation")
            for total in aggregates("sum", found):
                yield total, (*features, *said)

    def _number_among(self, word: Word, condition: Conditional) -> Ways:
        """*How many units did X order?*: of all relationships of what the condition holds of."""
        for name, ends, info in self.measurer.amounts_of_relations():
            said = self.matcher.features(word, info.name, "property")
            for own, _, direction in sides(ends):
                for label in own:
                    noun = Set(FindAll(label), label, "noun")
                    for held, features in self.composer.conditioned(noun, condition):
                        if held.form is not None:
                            values = Qualifier(held.form, name, info.name, direction)
                            more = ("value.relation", 1.0)
                            yield Aggregate(values, "sum"), (*said, *features, more)

    def _aggregate(self, function: Function, values: Values) -> Ways:
        """*the average rating of X's films*."""
        for form in aggregates(function, values):
            yield form, ()

    def _aggregate_all(self, function: Function, word: Word) -> Ways:
        """*the average rating*: of whatever has one."""
        for found, features in self.measurer.values_of_all(word):
            for form in aggregates(function, found):
                yield form, features


class GroupPhrases(Actions):
    """Actions whose meanings are a number for each group."""

    def _group_count(self, of: Set, by: Word) -> Ways:
        """*how many films of each genre*."""
        yield from self.groups(of, by)

    def _group_count_done(self, of: Set, by: Word, verb: Word) -> Ways:
        """*How many films did each person direct?*: the verb names the relation."""
        for form, features in self.groups(of, by):
            if form.relation is not None:
                said = self.matcher.features(verb, form.relation, "relation")
                yield form, (*features, *said)

    def _each_group_count(self, by: Word, of: Set) -> Ways:
        """*For each genre, how many films are there?*."""
        yield from self.groups(of, by)

    def _each_group_count_done(self, by: Word, of: Set, verb: Word) -> Ways:
        """*For each person, how many films did they direct?*."""
        yield from self._group_count_done(of, by, verb)

    def _group_values(self, function: Function, values: Values, by: Word) -> Ways:
        """*the average rating of films by genre*."""
        inner = values.form
        if isinstance(inner, Property) and values.type in AMOUNTS:
            yield from self.groups(Set(inner.form, values.label), by, function, values.name)

    def _group_all(self, function: Function, word: Word, by: Word) -> Ways:
        """*the average rating by genre*: of whatever has one."""
        for found, features in self.measurer.values_of_all(word):
            for each, more in self._group_values(function, found, by):
                yield each, (*features, *more)

    def _group_qualifiers(self, function: Function, word: Word, by: Word) -> Ways:
        """*The average rating of each film*, where ratings are of reviews."""
        for name, ends, info in self.measurer.amounts_of_relations():
            said = self.matcher.features(word, info.name, "property")
            for group, of, direction in _grouped(ends):
                found = self.matcher.features(by, group, "label")
                form = GroupBy(FindAll(of), name, direction, function=function, qualifier=info.name)
                yield form, (*found, *said, ("value.relation", 1.0))

    def _group_qualifier(self, word: Word, by: Word, verb: Word) -> Ways:
        """*How many goals did each player score?* adds them up for each player."""
        for label, found in self.labels_named(by):
            for name, ends, info in self.measurer.amounts_of_relations():
                said = self.matcher.features(word, info.name, "property")
                done = self.matcher.features(verb, name, "relation")
                for group, of, direction in _grouped(ends):
                    if group == label:
                        form = GroupBy(
                            FindAll(of), name, direction, function="sum", qualifier=info.name
                        )
                        yield form, (*found, *said, *done)

    def _group_related(self, word: Word, by: Word) -> Ways:
        """*How many members does each club have?* counts those whom the noun names."""
        for label, found in self.labels_named(by):
            for each, features in self.linker.related(word, Set(FindAll(label), label)):
                form = each.form.form if isinstance(each.form, FilterLabel) else each.form
                if isinstance(form, Relate):
                    back = opposite(form.direction)
                    yield GroupBy(FindAll(each.label), form.relation, back), (*found, *features)

    def labels_named(self, word: Word) -> Iterator[tuple[str, Features]]:
        """The labels that a word names by its letters."""
        for label in self.matcher.schema.labels:
            found = self.matcher.features(word, label, "label")
            if _is_named(found):
                yield label, found

    def groups(
        self, of: Set, by: Word, function: Function | None = None, name: str | None = None
    ) -> Iterator[tuple[GroupBy, Features]]:
        """Those of a set by a property, or by what a relation leads to, as far as a word names it.

        ``function`` is that of the property ``name``; without it they are counted.
        """
        m = self.matcher
        if of.form is None or of.label is None:
            return
        for info in m.schema.of_label(of.label):
            found = m.features(by, info.name, "property")
            if by.text in m.cues.dates and info.type == "date":
                found = (("property.exact", 1.0),)
            if _is_named(found):
                yield GroupBy(of.form, property=info.name, function=function, of=name), found
        for (hop,) in m.chains(of.label, None, 1):
            by_label = m.features(by, hop.label, "label")
            found = min(by_label, m.features(by, hop.relation, "relation"), key=misfit)
            if _is_named(found):
                form = GroupBy(of.form, hop.relation, hop.direction, function=function, of=name)
                yield form, found


def _grouped(ends: RelationEnds) -> Iterator[tuple[str, str, Direction]]:
    """The label of groups, that of what is in them, and the direction, both ways."""
    for head, tail in ends.usual_pairs:
        yield head, tail, "in"
    for head, tail in ends.usual_pairs:
        yield tail, head, "out"


def _is_named(features: Features) -> bool:
    """Whether letters tell the name, or some of it."""
    return features[0][0].endswith((".exact", ".partial"))
