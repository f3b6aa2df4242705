"""The actions of productions: each joins the meanings of its symbols.

An action gets one meaning for each symbol and gives the meanings of the whole, with features.
Marks such as *of* or *that* pass what their lexicon entry holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kgdb.graph.forms.operators import (
    Aggregate,
    And,
    Compare,
    Count,
    Extreme,
    FilterLabel,
    FindAll,
    Function,
    GroupBy,
    Property,
    Qualifier,
    Relate,
    Select,
    SelectByCount,
    SelectByQualifier,
    Verify,
)
from kgdb.methods.understanding.grammar.chart import Action, Features
from kgdb.methods.understanding.grammar.composition import NUMBERS, Composer, _value
from kgdb.methods.understanding.grammar.meanings import (
    Adjective,
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
    Whole,
    Word,
)

Ways = Iterator[tuple[Any, Features]]
_AMOUNTS = (*NUMBERS, "duration")


@dataclass(frozen=True, slots=True)
class Combinators:
    """The actions over one sentence and one schema."""

    composer: Composer

    def actions(self) -> dict[str, Action]:
        """The actions by their names in the productions."""
        own = {
            name.removeprefix("do_"): self._with_rule(name, getattr(self, name))
            for name in dir(self)
            if name.startswith("do_")
        }
        return own

    def _with_rule(self, name: str, action: Action) -> Action:
        rule = (f"rule.{name.removeprefix('do_')}", 1.0)

        def acted(*meanings: Any) -> Iterable[tuple[Any, Features]]:
            for meaning, features in action(*meanings):
                yield meaning, (*features, rule)

        return acted

    # Noun phrases.

    def do_noun(self, word: Word) -> Ways:
        yield from self.composer.named_by(word)

    def do_same(self, meaning: Any) -> Ways:
        yield meaning, ()

    def do_second(self, _: Any, meaning: Any) -> Ways:
        yield meaning, ()

    def do_anyone(self) -> Ways:
        yield Set(FindAll(), None, "who"), ()

    def do_every(self, of: Set) -> Ways:
        if of.kind != "name" or of.value is not None:
            yield replace(of, every=True), ()

    def do_modified(self, of: Set, condition: Conditional) -> Ways:
        if of.kind != "name":
            yield from self.composer.conditioned(of, condition)

    def do_premodified(self, condition: Conditional, of: Set) -> Ways:
        if of.kind != "name":
            yield from self.composer.conditioned(of, condition)

    def do_adjectival(self, name: Set, of: Set) -> Ways:
        if name.kind == "name" and of.kind in ("noun", "agent"):
            yield from self.composer.conditioned(of, Linked(None, None, name))

    def do_apposed(self, noun: Set, name: Set) -> Ways:
        yield from self.composer.apposed(noun, name)

    def do_apposed_before(self, name: Set, noun: Set) -> Ways:
        yield from self.composer.apposed(noun, name)

    def do_related(self, word: Word, of: Set) -> Ways:
        yield from self.composer.related(word, of)

    def do_possessed(self, of: Set, word: Word) -> Ways:
        yield from self.composer.related(word, of)

    def do_possessed_ranked(self, of: Set, rank: Ranked, word: Word) -> Ways:
        for found, features in self.composer.related(word, of):
            for ranked, more in self.composer.conditioned(found, rank):
                yield ranked, (*features, *more)

    def do_first(self, k: Bound, of: Set) -> Ways:
        best = of.form
        if isinstance(best, Select | SelectByCount | SelectByQualifier) and best.k == 1:
            if isinstance(k.value, int) and k.value > 1:
                yield replace(of, form=replace(best, k=k.value)), ()

    def do_top_by(self, k: Bound, of: Set, word: Word) -> Ways:
        if isinstance(k.value, int):
            yield from self.composer.conditioned(of, Ranked("max", None, word, k.value))

    def do_both(self, left: Set, right: Set) -> Ways:
        yield Several("and", (left, right)), ()

    def do_either(self, left: Set, right: Set) -> Ways:
        yield Several("or", (left, right)), ()

    def do_excepted(self, left: Set, right: Set) -> Ways:
        yield Several("not", (left, right)), ()

    def do_several(self, left: Set, right: Several) -> Ways:
        yield replace(right, sets=(left, *right.sets)), ()

    # Conditions.

    def do_valued(self, name: Set) -> Ways:
        """*are critical*: a value stands for those that have it."""
        if name.value is not None:
            yield Linked(None, None, name), ()

    def do_adjective(self, word: Word) -> Ways:
        """*tenured professors*: a property that is true or false."""
        yield Measured(word, None, None), ()

    def do_active(self, word: Word, of: Any) -> Ways:
        yield Linked(word, None, of, "subject"), ()

    def do_active_to(self, word: Word, preposition: str, of: Any) -> Ways:
        yield Linked(word, preposition, of, "subject"), ()

    def do_passive(self, word: Word, of: Any) -> Ways:
        yield Linked(word, "by", of, "object"), ()

    def do_bare(self, word: Word) -> Ways:
        yield Linked(word, None, None, "subject"), ()

    def do_gap(self, of: Any, word: Word) -> Ways:
        if _acts(of):
            yield Linked(word, None, of, "object"), ()

    def do_gap_to(self, of: Any, word: Word, preposition: str) -> Ways:
        if _acts(of):
            yield Linked(word, preposition, of, "object"), ()

    def do_gap_denied(self, of: Set, word: Word) -> Ways:
        yield Denied(Linked(word, None, of, "object")), ()

    def do_gap_denied_to(self, of: Set, word: Word, preposition: str) -> Ways:
        yield Denied(Linked(word, preposition, of, "object")), ()

    def do_verbs_and(self, *parts: Any) -> Ways:
        yield _Verbs("and", _with_prepositions(parts)), ()

    def do_verbs_or(self, *parts: Any) -> Ways:
        yield _Verbs("or", _with_prepositions(parts)), ()

    def do_verbs_but_not(self, *parts: Any) -> Ways:
        yield _Verbs("not", _with_prepositions(parts)), ()

    def do_gap_both(self, of: Set, verbs: _Verbs) -> Ways:
        yield verbs.joined(of, "object"), ()

    def do_active_both(self, verbs: _Verbs, of: Any) -> Ways:
        yield verbs.joined(of, "subject"), ()

    def do_passive_both(self, verbs: _Verbs, of: Any) -> Ways:
        yield verbs.joined(of, "object"), ()

    def do_active_measured(self, word: Word, bound: Bound, unit: Word, of: Set) -> Ways:
        """*contain more than 60 units of Chai*: a condition on what joins them."""
        linked = Linked(word, None, of, "subject")
        yield Joined("and", linked, Measured(unit, None, bound)), ()

    def do_neither(self, left: Conditional, right: Conditional) -> Ways:
        yield Joined("and", Denied(left), Denied(right)), ()

    def do_nobody(self, word: Word) -> Ways:
        yield Denied(Linked(word, None, None, "object")), ()

    def do_beside(self, preposition: str, of: Any) -> Ways:
        yield Linked(None, preposition, of), ()

    def do_having(self, of: Any) -> Ways:
        yield Linked(None, None, of), ()

    def do_beside_word(self, preposition: str, word: Word, of: Set) -> Ways:
        yield Linked(word, preposition, of), ()

    def do_whose(self, word: Word, of: Set) -> Ways:
        yield Linked(word, None, of), ()

    def do_whose_measured(self, word: Word, bound: Bound) -> Ways:
        yield Measured(word, None, bound), ()

    def do_denied(self, condition: Conditional) -> Ways:
        if not isinstance(condition, Denied | Ranked):
            yield Denied(condition), ()

    def do_lacking(self, of: Set) -> Ways:
        yield Denied(Linked(None, None, of)), ()

    def do_doing_none(self, word: Word, of: Set) -> Ways:
        yield Denied(Linked(word, None, of, "subject")), ()

    def do_doing_none_to(self, word: Word, preposition: str, of: Set) -> Ways:
        yield Denied(Linked(word, preposition, of, "subject")), ()

    def do_and(self, left: Conditional, right: Conditional) -> Ways:
        if not isinstance(right, Joined):
            yield Joined("and", left, right), ()

    def do_or(self, left: Conditional, right: Conditional) -> Ways:
        if not isinstance(right, Joined):
            yield Joined("or", left, right), ()

    # Values in conditions.

    def do_bound(self, op: Any, value: Bound) -> Ways:
        yield replace(value, op=op), ()

    def do_bound_behind(self, value: Bound, op: Any) -> Ways:
        yield replace(value, op=op), ()

    def do_range(self, low: Bound, high: Bound) -> Ways:
        if low.dated == high.dated:
            yield replace(low, op=">=", also=replace(high, op="<=")), ()

    def do_measured(self, word: Word, bound: Bound) -> Ways:
        yield Measured(word, None, bound), ()

    def do_dated(self, bound: Bound) -> Ways:
        if bound.dated:
            yield Measured(None, None, bound), ()

    def do_of_unit(self, bound: Bound, word: Word) -> Ways:
        if not bound.dated:
            yield Measured(word, None, bound, unit=True), ()

    def do_measured_by(self, adjective: Adjective, bound: Bound) -> Ways:
        yield Measured(None, adjective, bound), ()

    def do_compared(self, adjective: Adjective, of: Set) -> Ways:
        yield Measured(None, adjective, None, of), ()

    def do_compared_word(self, extreme: Extreme, word: Word, of: Set) -> Ways:
        yield Measured(word, Adjective(extreme, "number", (word.text,)), None, of), ()

    def do_quantity(self, bound: Bound, of: Any) -> Ways:
        if not bound.dated and (isinstance(of, Word) or of.kind != "name"):
            yield Quantity(bound, of), ()

    def do_most(self, extreme: Extreme, of: Any) -> Ways:
        if isinstance(of, Word) or of.kind != "name":
            yield Most(extreme, of), ()

    def do_times(self, number: Bound, *_: Any) -> Ways:
        yield number, ()

    def do_compared_behind(self, word: Word, extreme: Extreme, of: Set) -> Ways:
        yield from self.do_compared_word(extreme, word, of)

    def do_ranked_behind(self, word: Word, extreme: Extreme) -> Ways:
        yield Ranked(extreme, None, word), ()

    # Ranks.

    def do_superlative(self, adjective: Adjective) -> Ways:
        yield Ranked(adjective.extreme, adjective, None), ()

    def do_superlatives(self, *parts: Any) -> Ways:
        k, adjective = parts[-2:]
        if isinstance(k.value, int):
            yield Ranked(adjective.extreme, adjective, None, k.value), ()

    def do_most_adjective(self, extreme: Extreme, word: Word) -> Ways:
        yield Ranked(extreme, None, word), ()

    def do_most_function(self, extreme: Extreme, function: Function, word: Word) -> Ways:
        yield Ranked(extreme, None, word, 1, function), ()

    # Values.

    def do_values_between(self, word: Word, *more: Any) -> Ways:
        """*The fare from X to Y* is one of what joins them."""
        *verbs, left, right = more
        for found, features in self.composer.between(word, left, right):
            for verb in verbs:
                said = self.composer.matcher.features(verb, found.form.relation, "relation")  # type: ignore[union-attr]
                features = (*features, *said)
            yield found, features

    def do_values(self, word: Word, of: Set) -> Ways:
        yield from self.composer.values(of, word)

    def do_values_of(self, of: Set, word: Word) -> Ways:
        yield from self.composer.values(of, word)

    def do_values_asked(self, word: Word, of: Set) -> Ways:
        yield from self.composer.values(of, word)

    def do_values_asked_by(self, word: Word, of: Set, verb: Word) -> Ways:
        """*What year was Heat released?*: one word or both name the property."""
        for found, features in self.composer.values(of, verb):
            if word.text in self.composer.matcher.cues.dates:
                if found.type == "date":
                    yield found, (*features, ("value.dated", 1.0))
            else:
                named = self.composer.matcher.features(word, found.name, "property")
                yield found, (*features, *named)

    def do_when(self, of: Set) -> Ways:
        for found, features in self.composer.values(of, None):
            if found.type == "date":
                yield found, features

    def do_when_done(self, of: Set, word: Word) -> Ways:
        for found, features in self.composer.values(of, word):
            if found.type == "date":
                yield found, (*features, ("value.dated", 1.0))

    def do_when_joined(self, of: Set, condition: Conditional) -> Ways:
        """*When did X join Y?* asks for a date of what joins them."""
        for found, features in self._joined_values(of, condition, None):
            if found.type == "date":
                yield found, (*features, ("value.dated", 1.0))

    def do_values_joined(self, word: Word, of: Set, condition: Conditional) -> Ways:
        """*Which role did X play in Y?* asks for a value of what joins them."""
        yield from self._joined_values(of, condition, word)

    def _joined_values(self, of: Set, condition: Conditional, word: Word | None) -> Ways:
        if not isinstance(condition, Linked) or not isinstance(condition.object, Set):
            return
        if of.kind != "name":
            return
        for held, features in self.composer.conditioned(of, condition):
            for found, more in self.composer.values(held, word):
                if isinstance(found.form, Qualifier) and found.form.to is not None:
                    yield found, (*features, *more)

    def do_measure(self, adjective: Adjective, of: Set) -> Ways:
        if of.label is None or of.form is None:
            return
        for info, features in self.composer._properties(of.label, None, adjective):
            yield Values(Property(of.form, info.name), info.name, info.type), features

    def do_how_much(self, of: Set, word: Word) -> Ways:
        for found, features in self.composer.values(of, word):
            if found.type in _AMOUNTS:
                yield found, features

    def do_where(self, of: Set) -> Ways:
        m = self.composer.matcher
        if of.label is None or of.form is None:
            return
        for info in m.schema.of_label(of.label):
            if any(m.letters(place, info.name) in ("exact", "partial") for place in m.cues.places):
                yield (
                    Values(Property(of.form, info.name), info.name, info.type),
                    (("where.property", 1.0),),
                )

    def do_where_done(self, of: Set, word: Word) -> Ways:
        m = self.composer.matcher
        if of.label is None or of.form is None:
            return
        for info in m.schema.of_label(of.label):
            if any(m.letters(place, info.name) in ("exact", "partial") for place in m.cues.places):
                features = m.features(word, info.name, "property")
                yield (
                    Values(Property(of.form, info.name), info.name, info.type),
                    (*features, ("where.property", 1.0)),
                )

    def _where_sets(self, of: Set, word: Word | None, preposition: str = "in") -> Ways:
        m = self.composer.matcher
        if of.form is None or of.label is None:
            return
        for label in m.schema.labels:
            place = any(m.letters(p, label) in ("exact", "partial") for p in m.cues.places)
            if word is None and not place:
                continue
            noun = Set(FindAll(label), label, "noun")
            linked = Linked(word, preposition, of, "object" if word else None)
            for each, features in self.composer.conditioned(noun, linked):
                yield each, (*features, ("where.label" if place else "where.other", 1.0))

    # Numbers made of many.

    def do_count(self, of: Set) -> Ways:
        if of.form is not None and of.label is not None:
            yield Count(of.form), ()

    def do_number_of(self, word: Word, of: Set, *_: Word) -> Ways:
        """*How many seats does X have?*: a property that is a number."""
        for found, features in self.composer.values(of, word):
            if found.type not in _AMOUNTS:
                continue
            if of.kind == "name" and isinstance(found.form, Property):
                yield found, features
            else:
                yield Aggregate(_plain(found), "sum"), features

    def do_number_done(self, word: Word, *more: Any) -> Ways:
        """*How many credits is X worth?*, *how many tickets were sold at X?*"""
        of, verb = (more[0], more[1]) if isinstance(more[0], Set) else (more[1], more[0])
        for found, features in self.do_number_of(word, of):
            name = found.values if isinstance(found, Aggregate) else found.form
            said = self.composer.matcher.features(verb, name.property, "property")
            yield found, (*features, *said)

    def do_number_split(self, word: Word, of: Set, rest: Word) -> Ways:
        """*How many units of X are in stock?*: a name with something inside."""
        m = self.composer.matcher
        for info in m.schema.of_label(of.label):
            name = f"{word.text} {rest.text}"
            if (
                of.form is not None
                and info.type in _AMOUNTS
                and m.letters(name, info.name) == "exact"
            ):
                values = Values(Property(of.form, info.name), info.name, info.type)
                yield values, (("property.exact", 1.0),)

    def do_number_between(self, word: Word, of: Set, condition: Conditional) -> Ways:
        """*How many units of Chai did X order?*: of what joins Chai with X's orders."""
        m = self.composer.matcher
        for name, ends in m.schema.relations.items():
            if not any(info.type in _AMOUNTS for info in ends.properties):
                continue
            for own, far in ((ends.heads, ends.tails), (ends.tails, ends.heads)):
                if of.label not in own:
                    continue
                for label in far:
                    noun = Set(FindAll(label), label, "noun")
                    for held, features in self.composer.conditioned(noun, condition):
                        for found, more in self.composer.between(word, of, held, name):
                            if found.type in _AMOUNTS:
                                yield Aggregate(_plain(found), "sum"), (*features, *more)

    def do_number_among(self, word: Word, condition: Conditional) -> Ways:
        """*How many units did X order?*"""
        m = self.composer.matcher
        for name, ends in m.schema.relations.items():
            for info in ends.properties:
                if info.type not in _AMOUNTS:
                    continue
                said = m.features(word, info.name, "property")
                for own, direction in ((ends.heads, "out"), (ends.tails, "in")):
                    for label in own:
                        noun = Set(FindAll(label), label, "noun")
                        for held, features in self.composer.conditioned(noun, condition):
                            values = Qualifier(held.form, name, info.name, direction)  # type: ignore[arg-type]
                            more = ("value.relation", 1.0)
                            yield Aggregate(values, "sum"), (*said, *features, more)

    def do_group_qualifiers(self, function: Function, word: Word, by: Word) -> Ways:
        """*The average rating of each film*, where ratings are of reviews."""
        m = self.composer.matcher
        for name, ends in m.schema.relations.items():
            for info in ends.properties:
                if info.type not in _AMOUNTS:
                    continue
                said = m.features(word, info.name, "property")
                for (head, tail), direction in (
                    *((pair, "in") for pair in ends.usual_pairs),
                    *((pair[::-1], "out") for pair in ends.usual_pairs),
                ):
                    found = m.features(by, head, "label")
                    form = GroupBy(
                        FindAll(tail),
                        name,
                        direction,
                        function=function,
                        qualifier=info.name,  # type: ignore[arg-type]
                    )
                    yield form, (*found, *said, ("value.relation", 1.0))

    def do_group_related(self, word: Word, by: Word) -> Ways:
        """*How many members does each club have?*"""
        m = self.composer.matcher
        for label in m.schema.labels:
            found = m.features(by, label, "label")
            if not found[0][0].endswith((".exact", ".partial")):
                continue
            for each, features in self.composer.related(word, Set(FindAll(label), label)):
                form = each.form
                if isinstance(form, FilterLabel):
                    form = form.form
                if isinstance(form, Relate):
                    back = {"out": "in", "in": "out", "any": "any"}[form.direction]
                    group = GroupBy(FindAll(each.label), form.relation, back)
                    yield group, (*found, *features)

    def do_group_qualifier(self, word: Word, by: Word, verb: Word) -> Ways:
        """*How many goals did each player score?*"""
        m = self.composer.matcher
        for label in m.schema.labels:
            found = m.features(by, label, "label")
            if not found[0][0].endswith((".exact", ".partial")):
                continue
            for name, ends in m.schema.relations.items():
                for info in ends.properties:
                    if info.type not in _AMOUNTS:
                        continue
                    said = m.features(word, info.name, "property")
                    done = m.features(verb, name, "relation")
                    for (head, tail), direction in (
                        *((pair, "in") for pair in ends.usual_pairs if pair[0] == label),
                        *((pair[::-1], "out") for pair in ends.usual_pairs if pair[1] == label),
                    ):
                        form = GroupBy(
                            FindAll(tail), name, direction, function="sum", qualifier=info.name
                        )
                        yield form, (*found, *said, *done)

    def do_aggregate(self, function: Function, values: Values) -> Ways:
        allowed = ("date", *_AMOUNTS) if function in ("min", "max") else _AMOUNTS
        if values.type in allowed and not isinstance(values.form, Aggregate):
            yield Aggregate(_plain(values), function), ()

    def do_aggregate_all(self, function: Function, word: Word) -> Ways:
        for label in self.composer.matcher.schema.labels:
            for found, features in self.composer.values(Set(FindAll(label), label), word):
                for each, more in self.do_aggregate(function, found):
                    yield each, (*features, *more)

    def do_group_count(self, of: Set, by: Word) -> Ways:
        yield from self._groups(of, by, None, None)

    def do_group_count_done(self, of: Set, by: Word, verb: Word) -> Ways:
        for form, features in self._groups(of, by, None, None):
            if isinstance(form, GroupBy) and form.relation is not None:
                said = self.composer.matcher.features(verb, form.relation, "relation")
                yield form, (*features, *said)

    def do_group_values(self, function: Function, values: Values, by: Word) -> Ways:
        inner = values.form
        if isinstance(inner, Property) and values.type in _AMOUNTS:
            of = Set(inner.form, values.label)
            yield from self._groups(of, by, function, values)

    def do_group_all(self, function: Function, word: Word, by: Word) -> Ways:
        for label in self.composer.matcher.schema.labels:
            for found, features in self.composer.values(Set(FindAll(label), label), word):
                for each, more in self.do_group_values(function, found, by):
                    yield each, (*features, *more)

    def _groups(self, of: Set, by: Word, function: Function | None, values: Values | None) -> Ways:
        m = self.composer.matcher
        if of.form is None or of.label is None:
            return
        name = values.name if values else None
        for info in m.schema.of_label(of.label):
            found = m.features(by, info.name, "property")
            if by.text in m.cues.dates and info.type == "date":
                found = (("property.exact", 1.0),)
            if found[0][0] in ("property.exact", "property.partial"):
                yield GroupBy(of.form, property=info.name, function=function, of=name), found
        for (hop,) in m.chains(of.label, None, 1):
            found = min(
                m.features(by, hop.label, "label"),
                m.features(by, hop.relation, "relation"),
                key=_badness,
            )
            if found[0][0].endswith((".exact", ".partial")):
                form = GroupBy(of.form, hop.relation, hop.direction, function=function, of=name)
                yield form, found

    def do_with_superlative(self, adjective: Adjective, word: Word) -> Ways:
        yield Ranked(adjective.extreme, None, word), ()

    def do_how_much_is(self, of: Set) -> Ways:
        if of.label is not None and of.form is not None:
            price = Adjective("max", "number", ("price", "cost", "fee"))
            for info, features in self.composer._properties(of.label, None, price):
                yield Values(Property(of.form, info.name), info.name, info.type), features

    def do_where_set_to(self, of: Set, *more: Any) -> Ways:
        *words, preposition = more
        for each, features in self._where_sets(of, words[0] if words else None, preposition):
            yield each, features

    def do_where_from(self, of: Set, word: Word | None = None) -> Ways:
        if word is None:
            yield from self.do_where(of)
        else:
            yield from self.do_where_done(of, word)

    def do_superlative_value(self, adjective: Adjective, word: Word, of: Set) -> Ways:
        yield from self.do_extreme_value(adjective.extreme, word, of)

    def do_extreme_value_all(self, extreme: Extreme, word: Word) -> Ways:
        for label in self.composer.matcher.schema.labels:
            yield from self.do_extreme_value(extreme, word, Set(FindAll(label), label))

    def do_where_set(self, of: Set, word: Word | None = None) -> Ways:
        yield from self._where_sets(of, word)

    def do_extreme_value(self, extreme: Extreme, word: Word, of: Set) -> Ways:
        for found, features in self.composer.values(of, word):
            for form, more in self.do_aggregate(extreme, found):
                yield Values(form, found.name, found.type), (*features, *more)

    # Whole sentences.

    def do_whole(self, of: Any) -> Ways:
        match of:
            case Set(form=form, label=label) if form is not None:
                is_name = of.kind == "name" and of.value is None
                if not (label is None and isinstance(form, FindAll)) and not is_name:
                    yield Whole(form), ()
            case Values(form=form):
                yield Whole(form), ()
            case Whole():
                yield of, ()
            case Set() | Several():
                return
            case _:
                yield Whole(of), ()

    def do_asked(self, *parts: Set) -> Ways:
        """*Who is the director of X?*"""
        of = parts[-1]
        if of.form is not None and of.kind != "name":
            yield from self.do_whole(of)

    def do_claim(self, of: Set, condition: Conditional) -> Ways:
        if of.every or isinstance(condition, Ranked) or of.form is None:
            return
        denied = isinstance(condition, Denied)
        inner = condition.condition if isinstance(condition, Denied) else condition
        if isinstance(inner, Linked) and isinstance(inner.object, Set) and inner.object.every:
            return
        if of.kind not in ("name", "other"):
            if denied:
                return
        for held, features in self.composer.conditioned(of, inner):
            if held.form is not None:
                yield Whole(Verify(held.form), denied), features

    def do_exists(self, of: Set) -> Ways:
        if of.form is not None and of.label is not None and not of.every:
            yield Whole(Verify(of.form)), ()

    def do_is_kind(self, of: Set, kind: Set) -> Ways:
        if of.kind == "name" and of.form is not None and kind.kind == "noun" and kind.label:
            yield Whole(Verify(FilterLabel(of.form, kind.label))), ()

    def do_is_one_of(self, of: Set, kind: Set) -> Ways:
        if of.kind == "name" and of.form is not None and kind.form is not None:
            if kind.kind == "other" and kind.label == of.label:
                yield Whole(Verify(And(of.form, kind.form))), ()

    def do_is_claimed(self, of: Set, kind: Set) -> Ways:
        yield from self.do_is_kind(of, kind)
        yield from self.do_is_one_of(of, kind)

    def do_is_value(self, values: Values, bound: Bound) -> Ways:
        yield Whole(Verify(values.form, bound.op, _value(bound, values))), ()

    def do_more(self, *parts: Any) -> Ways:
        """*Which is older, X or Y?*"""
        several = parts[-1]
        word = parts[-2] if isinstance(parts[-2], Word) else None
        adjective = parts[-3] if word else parts[-2]
        if len(several.sets) != 2:
            return
        left, right = several.sets
        if left.form is None or right.form is None or left.label != right.label:
            return
        for info, features in self.composer._properties(left.label, word, adjective):
            if info.type in ("date", *_AMOUNTS):
                yield Whole(Compare(left.form, right.form, info.name, adjective.extreme)), features

    def do_more_word(self, *parts: Any) -> Ways:
        extreme, word, several = parts[-3:]
        yield from self.do_more(Adjective(extreme, "number", (word.text,)), several)

    def do_claim_compared(self, of: Set, adjective: Adjective, *more: Any) -> Ways:
        condition = Measured(None, adjective, None, more[-1])
        yield from self.do_claim(of, condition)

    def do_more_of(self, *parts: Any) -> Ways:
        yield from self.do_more(parts[1], parts[0])


def _acts(of: Any) -> bool:
    """Whether a subject is no question word."""
    return not isinstance(of, Set) or of.kind != "who"


def _plain(values: Values) -> Any:
    return values.form


@dataclass(frozen=True, slots=True)
class _Verbs:
    """Verbs that share what they are about: *acted in but did not direct*."""

    op: str
    verbs: tuple[tuple[Word, str | None], ...]

    def joined(self, of: Any, role: Any) -> Conditional:
        """The condition that they make together."""
        (left, before), (right, behind) = self.verbs
        first: Conditional = Linked(left, before, of, role)
        second: Conditional = Linked(right, behind, of, role)
        if self.op == "not":
            return Joined("and", first, Denied(second))
        return Joined("and" if self.op == "and" else "or", first, second)


def _with_prepositions(parts: Sequence[Any]) -> tuple[tuple[Word, str | None], ...]:
    verbs: list[tuple[Word, str | None]] = []
    for part in parts:
        if isinstance(part, Word):
            verbs.append((part, None))
        else:
            verbs[-1] = (verbs[-1][0], part)
    return tuple(verbs)


def _badness(features: Features) -> float:
    from kgdb.methods.understanding.grammar.composition import _rank

    return _rank(features)
