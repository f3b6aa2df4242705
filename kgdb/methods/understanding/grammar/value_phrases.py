"""Actions that ask for values: *the budget of Heat*, *when was X born?*; and for places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kgdb.graph.forms.operators import Aggregate, Extreme, FindAll, Function, Property, Qualifier
from kgdb.methods.understanding.cues import Adjective
from kgdb.methods.understanding.grammar.actions import Actions, Ways
from kgdb.methods.understanding.grammar.meanings import (
    Conditional,
    Linked,
    Set,
    Values,
    Word,
)
from kgdb.methods.understanding.grammar.measuring import AMOUNTS, ORDERED

_PRICE = Adjective("max", "number", ("price", "cost", "fee"))


def aggregates(function: Function, values: Values) -> Iterator[Aggregate]:
    """The values made one, where their type allows it."""
    allowed = ORDERED if function in ("min", "max") else AMOUNTS
    if values.type in allowed and not isinstance(values.form, Aggregate):
        yield Aggregate(values.form, function)


class ValuePhrases(Actions):
    """Actions whose meanings are values, and sets of places (*where*)."""

    def _values(self, word: Word, of: Set) -> Ways:
        """*the budget of Heat*."""
        yield from self.measurer.values(of, word)

    def _values_of(self, of: Set, word: Word) -> Ways:
        """*Heat's budget*."""
        yield from self.measurer.values(of, word)

    def _values_asked(self, word: Word, of: Set) -> Ways:
        """*What colour is X?* asks for its colour."""
        yield from self.measurer.values(of, word)

    def _values_asked_by(self, word: Word, of: Set, verb: Word) -> Ways:
        """*What year was Heat released?*: one word or both name the property."""
        for found, features in self.measurer.values(of, verb):
            if word.text not in self.matcher.cues.dates:
                named = self.matcher.features(word, found.name, "property")
                yield found, (*features, *named)
            elif found.type == "date":
                yield found, (*features, ("value.dated", 1.0))

    def _values_between(self, word: Word, *more: Any) -> Ways:
        """*The fare from X to Y* is one of what joins them; a verb may tell the relation."""
        left, right = (each for each in more if isinstance(each, Set))
        verbs = [each for each in more if isinstance(each, Word)]
        for found, features in self.measurer.between(word, left, right):
            relation = found.form.relation if isinstance(found.form, Qualifier) else ""
            said = [f for verb in verbs for f in self.matcher.features(verb, relation, "relation")]
            yield found, (*features, *said)

    def _values_joined(self, word: Word, of: Set, condition: Conditional) -> Ways:
        """*Which role did X play in Y?* asks for a value of what joins them."""
        yield from self.joined_values(of, condition, word)

    def joined_values(self, of: Set, condition: Conditional, word: Word | None) -> Ways:
        """Values of the relationships between something named and what it is linked with."""
        is_link = isinstance(condition, Linked) and isinstance(condition.object, Set)
        if not is_link or of.kind != "name":
            return
        for held, features in self.composer.conditioned(of, condition):
            for found, more in self.measurer.values(held, word):
                if isinstance(found.form, Qualifier) and found.form.to is not None:
                    yield found, (*features, *more)

    # Dates.

    def _when(self, of: Set) -> Ways:
        """*When was X?*: without a word that names the date."""
        for found, features in self.measurer.values(of, None):
            if found.type == "date":
                yield found, features

    def _when_done(self, of: Set, word: Word) -> Ways:
        """*When was X born?* asks for a date of that name, or a year that is held as a number."""
        for found, features in self.measurer.values(of, word):
            if found.type in ("date", "integer"):
                dated = "value.dated" if found.type == "date" else "value.year"
                yield found, (*features, (dated, 1.0))

    def _when_joined(self, of: Set, condition: Conditional) -> Ways:
        """*When did X join Y?* asks for a date of what joins them."""
        for found, features in self.joined_values(of, condition, None):
            if found.type == "date":
                yield found, (*features, ("value.dated", 1.0))

    def _when_between(self, left: Set, word: Word, right: Set) -> Ways:
        """*When did X acquire Y?*, where a date of what joins them is called so."""
        for found, features in self.measurer.between(word, left, right):
            if found.type in ("date", "integer"):
                dated = "value.dated" if found.type == "date" else "value.year"
                yield found, (*features, (dated, 1.0))

    # Amounts.

    def _measure(self, adjective: Adjective, of: Set) -> Ways:
        """*How tall is X?*: the adjective hints at the property."""
        if of.label is not None and of.form is not None:
            for info, features in self.measurer.properties(of.label, None, adjective):
                yield Values(Property(of.form, info.name), info.name, info.type), features

    def _measure_unit(self, adjective: Adjective, of: Set, unit: Word) -> Ways:
        """*How big is X in kilobytes?*: the unit stands in the property's name."""
        for found, features in self._measure(adjective, of):
            named = self.matcher.features(unit, found.name, "property")
            yield found, (*features, *named)

    def _how_much(self, of: Set, word: Word) -> Ways:
        """*How much does X weigh?* asks for an amount of that name."""
        for found, features in self.measurer.values(of, word):
            if found.type in AMOUNTS:
                yield found, features

    def _how_much_is(self, of: Set) -> Ways:
        """*How much is X?* asks for its price."""
        yield from self._measure(_PRICE, of)

    def _extreme_value(self, extreme: Extreme, word: Word, of: Set) -> Ways:
        """*the highest rating of X's films*."""
        for found, features in self.measurer.values(of, word):
            for form in aggregates(extreme, found):
                yield Values(form, found.name, found.type), features

    def _extreme_value_all(self, extreme: Extreme, word: Word) -> Ways:
        """*the highest rating*: of whatever has one."""
        for label in self.matcher.schema.labels:
            yield from self._extreme_value(extreme, word, Set(FindAll(label), label))

    def _superlative_value(self, adjective: Adjective, word: Word, of: Set) -> Ways:
        """*the earliest release of X's films*."""
        yield from self._extreme_value(adjective.extreme, word, of)

    # Places.

    def _where(self, of: Set) -> Ways:
        """*Where is X?* asks for a property that tells a place."""
        if of.label is None or of.form is None:
            return
        for info in self.matcher.schema.of_label(of.label):
            if self.is_place(info.name):
                found = Values(Property(of.form, info.name), info.name, info.type)
                yield found, (("where.property", 1.0),)

    def _where_done(self, of: Set, word: Word) -> Ways:
        """*Where was X born?*: the verb names the property, too."""
        for found, features in self._where(of):
            yield found, (*self.matcher.features(word, found.name, "property"), *features)

    def _where_from(self, of: Set, word: Word | None = None) -> Ways:
        """*Where is X from?*: without or with a verb."""
        yield from self._where(of) if word is None else self._where_done(of, word)

    def is_place(self, name: str) -> bool:
        """Whether a name tells a place."""
        m = self.matcher
        return any(m.letters(place, name) in ("exact", "partial") for place in m.cues.places)

    def _where_set(self, of: Set, word: Word | None = None, preposition: str = "in") -> Ways:
        """*Where does X live?* asks for entities of a kind that is a place, or of a verb."""
        if of.form is None or of.label is None:
            return
        for label in self.matcher.schema.labels:
            place = self.is_place(label)
            if word is None and not place:
                continue
            noun = Set(FindAll(label), label, "noun")
            linked = Linked(word, preposition, of, "object" if word else None)
            for each, features in self.composer.conditioned(noun, linked):
                yield each, (*features, ("where.label" if place else "where.other", 1.0))

    def _where_set_to(self, of: Set, *more: Any) -> Ways:
        """*Where did X fly to?*: with a preposition behind."""
        *words, preposition = more
        yield from self._where_set(of, words[0] if words else None, preposition)
