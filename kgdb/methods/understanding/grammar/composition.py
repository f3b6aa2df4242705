"""Joins sets with conditions: here what words left open meets the kinds of things.

Each function gives the ways in which parts may go together, each with the features by which it is
weighed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kgdb.graph.forms.operators import (
    And,
    Condition,
    EntityForm,
    Except,
    Filter,
    FilterByCount,
    FilterLabel,
    FindAll,
    Or,
    Property,
    Qualifier,
    Relate,
    Select,
    SelectByCount,
    SelectByQualifier,
    subforms,
)
from kgdb.graph.schema import PropertyInfo
from kgdb.methods.understanding.chains_of_schema import SchemaChain, SchemaHop, applied
from kgdb.methods.understanding.grammar.chart import Features
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
    Word,
)
from kgdb.methods.understanding.grammar.schema_matching import Matcher

NUMBERS = ("integer", "float", "mixed")
_AMOUNTS = (*NUMBERS, "duration")
_FURTHEST = 3
_MOST = 5
"""Ways to join two parts that are kept, the likeliest first."""

Ways = Iterator[tuple[Set, Features]]


@dataclass(frozen=True, slots=True)
class Composer:
    """Joins the parts of one sentence over one schema; ``weights`` tell the likeliest ways."""

    matcher: Matcher
    weights: Mapping[str, float]
    _chains: dict[tuple[Any, ...], list[tuple[Features, SchemaChain]]] = field(default_factory=dict)

    # Sets.

    def named_by(self, word: Word) -> Ways:
        """The sets that a noun stands for: a label, or those who take part in a relation."""
        m = self.matcher
        for label in m.schema.labels:
            found = m.features(word, label, "label")
            if found[0][0] not in ("label.modifier",):
                yield Set(FindAll(label), label, "noun"), found
        if word.text in m.cues.persons:
            for label in m.schema.labels:
                if self._is_person(label):
                    yield Set(FindAll(label), label, "noun"), (("label.person", 1.0),)
        for label in m.schema.labels:
            for (hop,) in m.chains(label, None, 1):
                if m.letters(word.text, hop.relation) not in ("exact", "partial"):
                    continue
                if m.noun_direction(word, hop):
                    form = applied(FindAll(label), (hop,))
                    yield Set(form, hop.label, "agent"), (("set.agents", 1.0),)

    def _is_person(self, label: str) -> bool:
        m = self.matcher
        return any(m.letters(person, label) == "exact" for person in m.cues.persons)

    def apposed(self, noun: Set, name: Set) -> Ways:
        """*the film Heat*: the name as the noun tells it."""
        if noun.kind == "noun" and name.kind == "name" and name.label == noun.label:
            yield name, (("apposition", 1.0),)

    def conditioned(self, of: Set, condition: Conditional) -> Ways:
        """A set with a condition, in each way that it may be meant."""
        if of.every:
            return
        again: Features = ()
        if isinstance(of.form, Select | SelectByCount | SelectByQualifier):
            again = (("modified.rank", 1.0),)
        elif of.kind == "other" and not isinstance(condition, Ranked):
            again = (("modified.again", 1.0),)
        ways = [(held, (*features, *again)) for held, features in self._ways(of, condition)]
        if len(ways) > _MOST:
            ways.sort(key=lambda way: -self._score(way[1]))
        yield from ways[:_MOST]

    def _ways(self, of: Set, condition: Conditional) -> Ways:
        match condition:
            case Linked(object=Several() as several):
                yield from self._several(of, condition, several)
            case Linked(object=Quantity() as quantity):
                for each in self._labelled(of):
                    yield from self._counted(each, condition, quantity)
            case Linked(object=Most() as most):
                for each in self._labelled(of):
                    yield from self._most(each, condition, most)
            case Linked(object=Set() as other):
                yield from self._linked(of, condition, other)
            case Linked():
                for each in self._labelled(of):
                    yield from self._any(each, condition)
            case Measured():
                yield from self._measured(of, condition)
            case Ranked():
                yield from self._ranked(of, condition)
            case Denied(condition=inner):
                for held, features in self._ways(of, inner):
                    if of.form is not None and held.form is not None:
                        yield (
                            replace(held, form=_without(of.form, held.form), kind="other"),
                            (*features, ("denied", 1.0)),
                        )
            case Joined(op=op, left=left, right=right):
                for one, features in self._ways(of, left):
                    if op == "and":
                        for both, more in self._ways(one, right):
                            yield both, (*features, *more)
                        continue
                    for other, more in self._ways(of, right):
                        if one.label == other.label and one.form and other.form:
                            yield (
                                replace(one, form=Or(one.form, other.form), kind="other"),
                                (*features, *more),
                            )

    def _labelled(self, of: Set) -> Iterator[Set]:
        """A set of any label as one of each."""
        if of.label is not None:
            yield of
        elif isinstance(of.form, FindAll):
            for label in self.matcher.schema.labels:
                yield replace(of, form=FindAll(label), label=label)

    def _several(self, of: Set, condition: Linked, several: Several) -> Ways:
        first, *rest = several.sets
        if several.op == "not":
            denied = Denied(replace(condition, object=rest[0]))
            both = Joined("and", replace(condition, object=first), denied)
            yield from self._ways(of, both)
            return
        for one, features in self._ways(of, replace(condition, object=first)):
            found = [(one, features)]
            for other in rest:
                beside = one if several.op == "and" else of
                found = [
                    (combined, (*fs, *more))
                    for held, fs in found
                    for other_held, more in self._ways(
                        held if several.op == "and" else beside, replace(condition, object=other)
                    )
                    if (combined := _combined(several.op, held, other_held)) is not None
                    and _relations(combined.form, 1) == _relations(one.form, 1)
                ]
            yield from found

    def _linked(self, of: Set, by: Linked, other: Set) -> Ways:
        m = self.matcher
        if other.kind in ("what", "where") or of.form is None:
            return
        if other.form is None:
            yield from self._by_relation_value(of, by, other)
            return
        if other.label is None:  # *wrote a film but never directed one*
            if isinstance(other.form, FindAll) and by.word is not None:
                yield from self._any(of, by)
            return
        if other.value is not None and of.label in (other.label, None) and by.role != "object":
            value = other.value
            features = m.features(by.word, value.property, "property") if by.word else ()
            yield (
                _kept(of, Filter(_of_label(of, other.label), *_parts(value)), other.label),
                (*features, ("value.own", 1.0)),
            )
        for features, chain in self._likely_chains(by, other.label, of.label):
            linked = applied(other.form, chain, anew=True)
            label = chain[-1].label
            form = self._both(of, linked, label)
            if other.value is not None:
                features = (*features, ("value.away", 1.0))
            yield _kept(of, form, label), features

    def _likely_chains(
        self, by: Linked, start: str, end: str | None
    ) -> list[tuple[Features, SchemaChain]]:
        key = by.word, by.preposition, by.role, start, end
        if key not in self._chains:
            hops = _FURTHEST if end is not None else 2
            ways = [
                (self._chain_features(by, chain, start), chain)
                for chain in self.matcher.chains(start, end, hops)
            ]
            ways.sort(key=lambda way: -self._score(way[0]))
            self._chains[key] = ways[:_MOST]
        return self._chains[key]

    def _score(self, features: Features) -> float:
        return sum(self.weights.get(name, 0.0) * value for name, value in features)

    def _alternatives(self, start: str | None, chain: SchemaChain) -> Features:
        """Whether the schema joins the kinds of things in no other way, or in a shorter one."""
        if start is None:
            return ()
        all_ = self.matcher.chains(start, chain[-1].label, len(chain))
        detour = len(chain) - min(map(len, all_))
        if detour:
            return (("hops.detour", float(detour)),)
        return (("link.only", 1.0),) if len(all_) == 1 else ()

    def _chain_features(self, by: Linked, chain: SchemaChain, start: str | None = None) -> Features:
        """How a chain from the object to the set goes with the words."""
        m = self.matcher
        hops = (("hops", float(len(chain) - 1)), *self._alternatives(start, chain))
        if by.word is None:
            fits = m.preposition(by.preposition, chain[-1])
            return (("link.unsaid", float(len(chain))), *fits, *self._unclear(chain), *hops)
        said = [m.features(by.word, hop.relation, "relation") for hop in chain]
        place = min(range(len(chain)), key=lambda n: _rank(said[n]))
        hop = chain[place]
        fits = m.preposition(by.preposition, hop)
        direction: Features = ()
        if by.role is not None:
            runs = m.verb_direction(by.word, by.preposition, by.role, hop)
            if runs is None and m.is_one_kind(hop):
                direction = (("direction.open", 1.0),)
            elif runs is False:
                kind = "one_kind" if m.is_one_kind(hop) else "two_kinds"
                direction = ((f"direction.against.{kind}", 1.0),)
        unsaid = (("link.unsaid", float(len(chain) - 1)),)
        others = self._unclear(chain[:place] + chain[place + 1 :])
        return (*said[place], *fits, *direction, *unsaid, *others, *hops)

    def _unclear(self, hops: Sequence[SchemaHop]) -> Features:
        """What no word says and might run either way."""
        open_ = sum(self.matcher.is_one_kind(hop) for hop in hops)
        return (("direction.open", float(open_)),) if open_ else ()

    def _by_relation_value(self, of: Set, by: Linked, other: Set) -> Ways:
        """*who played Neo*: relationships with that value."""
        m = self.matcher
        value, relation = other.value, other.relation
        if value is None or relation is None or of.form is None:
            return
        form = _with_condition(of.form, relation, value)
        if form is not None:
            yield _kept(of, form, of.label), (("named.qualifier", 1.0),)
            return
        ends = m.schema.relations[relation]
        for head, tail in ends.usual_pairs:
            sides: tuple[tuple[str, str, str], ...] = ((head, tail, "in"), (tail, head, "out"))
            for own, far, direction in sides:
                if of.label not in (own, None):
                    continue
                linked = Relate(FindAll(far), relation, direction, (value,))  # type: ignore[arg-type]
                features = m.features(by.word, relation, "relation") if by.word else ()
                side = (("value.tail", 1.0),) if direction == "out" else ()
                yield (
                    _kept(of, self._both(of, linked, own), own),
                    (*features, ("named.qualifier", 1.0), *side),
                )

    def _any(self, of: Set, by: Linked) -> Ways:
        """Those that the relation leads anywhere from: *who reviewed*; or a property that is true."""
        m = self.matcher
        if by.word is None or of.label is None or of.form is None:
            return
        for info in m.schema.of_label(of.label):
            if info.type == "boolean":
                features = m.features(by.word, info.name, "property")
                yield _kept(of, Filter(of.form, info.name, "=", True), of.label), features
            elif m.letters(by.word.text, info.name) in ("exact", "partial"):
                features = m.features(by.word, info.name, "property")
                yield _kept(of, of.form, of.label), (*features, ("property.any", 1.0))
        for label in m.schema.labels:
            for chain in m.chains(label, of.label, 1):
                features = self._chain_features(by, chain)
                linked = applied(FindAll(label), chain)
                form = self._both(of, linked, of.label)
                yield _kept(of, form, of.label), (*features, ("object.unsaid", 1.0))

    def _counted(self, of: Set, by: Linked, quantity: Quantity) -> Ways:
        if of.form is None or of.label is None:
            return
        bound = quantity.bound
        if bound.dated or not isinstance(bound.value, int) or bound.also is not None:
            return
        if isinstance(quantity.of, Word):
            yield from self._measured(of, Measured(quantity.of, None, bound, unit=True))
            return
        inner = quantity.of
        for chain, features in self._counted_chains(of, by, inner):
            (hop,) = chain
            form = FilterByCount(
                of.form,
                hop.relation,
                bound.op,  # type: ignore[arg-type]
                bound.value,
                _back(hop),
                to=inner.form,
            )
            yield _kept(of, form, of.label), features

    def _counted_chains(
        self, of: Set, by: Linked, inner: Set
    ) -> Iterator[tuple[SchemaChain, Features]]:
        assert of.label is not None  # noqa: S101
        if inner.label is None or inner.kind == "name":
            return
        for chain in self.matcher.chains(inner.label, of.label, 1):
            features = self._chain_features(by, chain, inner.label)
            yield chain, (*features, ("counted", 1.0))

    def _most(self, of: Set, by: Linked, most: Most) -> Ways:
        if of.form is None or of.label is None:
            return
        if isinstance(most.of, Word):
            yield from self._ranked(of, Ranked(most.extreme, None, most.of, most.k))
            return
        for (hop,), features in self._counted_chains(of, by, most.of):
            form = SelectByCount(
                of.form, hop.relation, most.extreme, _back(hop), most.k, to=most.of.form
            )
            yield _kept(of, form, of.label), features

    # Values.

    def _measured(self, of: Set, by: Measured) -> Ways:
        m = self.matcher
        if of.form is None:
            return
        for label in [of.label] if of.label else sorted(m.schema.labels):
            if by.other is not None:
                yield from self._compared(of, label, by)
                continue
            if by.bound is None:
                yield from self._true(of, label, by)
                continue
            for info, features in self._properties(label, by.word, by.adjective):
                fits = _fits(by.bound, info)
                if fits is None:
                    continue
                form = _of_label(of, label)
                bound: Bound | None = _turned(by.bound, by.adjective)
                while bound is not None:
                    form = Filter(form, info.name, bound.op, _value(bound, info))
                    bound = bound.also
                yield _kept(of, form, label), (*features, *fits)
        if by.bound is None:
            return
        for relation in dict.fromkeys(_relations(of.form, None)):
            for info in m.schema.relations[relation].properties:
                features = self._property_features(info, by.word, by.adjective)
                fits = _fits(by.bound, info) if by.bound else None
                if features is None or fits is None:
                    continue
                with_it: EntityForm | None = of.form
                bound = _turned(by.bound, by.adjective) if by.bound else None
                while bound is not None and with_it is not None:
                    condition = Condition(info.name, bound.op, _value(bound, info))
                    with_it = _with_condition(with_it, relation, condition)
                    bound = bound.also
                if with_it is not None:
                    yield (
                        _kept(of, with_it, of.label),
                        (*features, *fits, ("qualifier.bound", 1.0)),
                    )

    def _true(self, of: Set, label: str | None, by: Measured) -> Ways:
        """Those of which a property holds that is true or false: *tenured professors*."""
        for info in self.matcher.schema.of_label(label):
            if info.type == "boolean":
                features = self.matcher.features(by.word, info.name, "property")
                form = Filter(_of_label(of, label), info.name, "=", True)
                yield _kept(of, form, label), (*features, ("flag", 1.0))

    def _compared(self, of: Set, label: str | None, by: Measured) -> Ways:
        """*taller than Ann*: the other's value is what is compared with."""
        other = by.other
        if other is None or other.form is None or by.adjective is None:
            return
        for info, features in self._properties(label, by.word, by.adjective):
            if other.label not in info.labels or info.type not in ("date", *_AMOUNTS):
                continue
            op = ">" if by.adjective.extreme == "max" else "<"
            value = Property(other.form, info.name)
            form = Filter(_of_label(of, label), info.name, op, value)  # type: ignore[arg-type]
            yield _kept(of, form, label), features

    def _properties(
        self, label: str | None, word: Word | None, adjective: Adjective | None
    ) -> Iterator[tuple[PropertyInfo, Features]]:
        for info in self.matcher.schema.of_label(label):
            features = self._property_features(info, word, adjective)
            if features is not None:
                yield info, features

    def _property_features(
        self, info: PropertyInfo, word: Word | None, adjective: Adjective | None
    ) -> Features | None:
        m = self.matcher
        said = m.features(word, info.name, "property") if word is not None else ()
        if adjective is None:
            if word is None and info.type != "date":
                return None
            return said or (("property.unsaid", 1.0),)
        if adjective.type == "date" and info.type != "date" and "age" not in info.name.lower():
            return None
        if adjective.type == "number" and info.type not in _AMOUNTS:
            return None
        ranks = [
            n for n, hint in enumerate(adjective.hints) if m.letters(hint, info.name) == "exact"
        ]
        if ranks:
            return (*said, ("hint.exact", 1.0), ("hint.place", float(ranks[0] > 0)))
        partial = any(m.letters(hint, info.name) == "partial" for hint in adjective.hints)
        if partial:
            return (*said, ("hint.partial", 1.0))
        if said and said[0][0] in ("property.exact", "property.partial"):
            return (*said, ("hint.said", 1.0))
        if adjective.type == "date":
            return (*said, ("hint.dated", 1.0))
        cosine = m.cosine(adjective.hints[0], info.name) if adjective.hints[0] in m.texts else 0.0
        return (*said, ("hint.near", 1.0), ("hint.cosine", cosine))

    def _ranked(self, of: Set, by: Ranked) -> Ways:
        m = self.matcher
        if of.form is None or of.kind == "name":
            return
        if of.label is None:
            for label in m.schema.labels:
                yield from self._ranked(replace(of, form=_of_label(of, label), label=label), by)
            return
        for info, features in self._properties(of.label, by.word, by.adjective):
            if info.type not in ("date", *_AMOUNTS) or by.function is not None:
                continue
            extreme = by.extreme
            if by.adjective and by.adjective.type == "date" and info.type != "date":
                extreme = "min" if extreme == "max" else "max"  # the oldest has the largest age
            yield (
                _kept(of, Select(of.form, info.name, extreme, by.k), of.label),
                (*features, ("ranked", 1.0)),
            )
        for name, ends in m.schema.relations.items():
            for info in ends.properties:
                if info.type not in ("date", *_AMOUNTS):
                    continue
                found = self._property_features(info, by.word, by.adjective)
                if found is None:
                    continue
                for own, direction in ((ends.heads, "out"), (ends.tails, "in")):
                    if of.label in own:
                        form = SelectByQualifier(
                            of.form,
                            name,
                            info.name,
                            by.extreme,
                            direction,
                            by.function,
                            k=by.k,  # type: ignore[arg-type]
                        )
                        yield (
                            _kept(of, form, of.label),
                            (*found, ("ranked", 1.0), ("qualifier.ranked", 1.0)),
                        )

    def values(self, of: Set, word: Word | None) -> Iterator[tuple[Values, Features]]:
        """The values of a property that words name, or of relationships of the set."""
        m = self.matcher
        if of.form is None or of.label is None:
            return
        for info in m.schema.of_label(of.label):
            if info.type != "boolean" and not (of.value and of.value.property == info.name):
                yield (
                    Values(Property(of.form, info.name), info.name, info.type, of.label),
                    m.features(word, info.name, "property"),
                )
        for name, ends in m.schema.relations.items():
            for info in ends.properties:
                features = m.features(word, info.name, "property")
                for own, direction in ((ends.heads, "out"), (ends.tails, "in")):
                    if of.label not in own:
                        continue
                    values = Qualifier(of.form, name, info.name, direction)  # type: ignore[arg-type]
                    yield Values(values, info.name, info.type), (*features, ("value.relation", 1.0))
                hop = of.form
                if isinstance(hop, Relate) and hop.relation == name and not hop.where:
                    # "the units of Chai that X ordered" are those of these relationships
                    back = {"out": "in", "in": "out", "any": "any"}[hop.direction]
                    values = Qualifier(hop.form, name, info.name, hop.direction)
                    yield Values(values, info.name, info.type), (*features, ("value.hop", 1.0))
                if isinstance(hop, And) and isinstance(hop.right, Relate):
                    if hop.right.relation == name:
                        back = {"out": "in", "in": "out", "any": "any"}[hop.right.direction]
                        both = Qualifier(hop.left, name, info.name, back, hop.right.form)  # type: ignore[arg-type]
                        yield Values(both, info.name, info.type), (*features, ("value.hop", 1.0))

    def between(
        self, word: Word, left: Set, right: Set, only: str | None = None
    ) -> Iterator[tuple[Values, Features]]:
        """The values of what joins two sets."""
        m = self.matcher
        if left.form is None or right.form is None:
            return
        for name, ends in m.schema.relations.items():
            if only not in (None, name):
                continue
            sides = ((ends.heads, ends.tails, "out"), (ends.tails, ends.heads, "in"))
            for own, far, direction in sides:
                if left.label not in own or right.label not in far:
                    continue
                for info in ends.properties:
                    form = Qualifier(left.form, name, info.name, direction, right.form)  # type: ignore[arg-type]
                    found = Values(form, info.name, info.type)
                    features = m.features(word, info.name, "property")
                    yield found, (*features, ("value.between", 1.0))

    def related(self, word: Word, of: Set) -> Ways:
        """What a noun names of a set: *the director of Heat*, *X's members*."""
        m = self.matcher
        if of.form is None or of.label is None:
            return
        ways: list[tuple[Set, Features]] = []
        for chain in m.chains(of.label, None, 1):
            (hop,) = chain
            said = m.features(word, hop.relation, "relation")
            runs = m.noun_direction(word, hop)
            direction: Features = ()
            if runs is None and m.is_one_kind(hop):
                direction = (("direction.open", 1.0),)
            elif runs is False:
                kind = "one_kind" if m.is_one_kind(hop) else "two_kinds"
                direction = ((f"direction.against.{kind}", 1.0),)
            ways.append(
                (Set(applied(of.form, chain), hop.label), (*said, *direction, ("noun", 1.0)))
            )
        ways.sort(key=lambda way: _rank(way[1]))
        yield from ways[:_MOST]
        for noun, features in self.named_by(word):
            if noun.kind == "noun" and _rank(features) <= 1:
                linked = Linked(None, "of", of)
                for each, more in self._linked(noun, linked, of):
                    yield each, (*features, *more)

    def _both(self, of: Set, linked: EntityForm, label: str | None) -> EntityForm:
        """Those of a set that a relation leads to, too."""
        form = of.form
        assert form is not None  # noqa: S101
        if isinstance(form, FindAll):
            return linked
        merged = _merged(form, linked)
        if merged is not None:
            return merged
        if isinstance(form, Filter) and isinstance(form.form, FindAll):
            return Filter(linked, form.property, form.op, form.value)
        return And(form, linked)


def _merged(form: EntityForm, linked: EntityForm) -> EntityForm | None:
    """A hop from anything with a condition, now from something: *played Neo in The Matrix*."""
    if (
        isinstance(form, Relate)
        and form.where
        and isinstance(form.form, FindAll)
        and isinstance(linked, Relate)
        and (linked.relation, linked.direction) == (form.relation, form.direction)
    ):
        return replace(linked, where=(*linked.where, *form.where))
    return None


def _kept(of: Set, form: EntityForm, label: str | None) -> Set:
    return Set(form, label, "other")


def _of_label(of: Set, label: str | None) -> EntityForm:
    assert of.form is not None  # noqa: S101
    if of.label is None and isinstance(of.form, FindAll):
        return FindAll(label)
    return of.form


def _parts(condition: Condition) -> tuple[str, Any, Any]:
    return condition.property, condition.op, condition.value


def _without(all_: EntityForm, held: EntityForm) -> EntityForm:
    return Except(all_, held)


def _combined(op: str, held: Set, other: Set) -> Set | None:
    if held.form is None or other.form is None or held.label != other.label:
        return None
    return other if op == "and" else replace(held, form=Or(held.form, other.form))


def _back(hop: SchemaHop) -> Any:
    """The direction of a hop as seen from where it leads to."""
    return {"out": "in", "in": "out", "any": "any"}[hop.direction]


def _relations(form: EntityForm | None, most: int | None) -> list[str]:
    """The relations of a form, the last hop's first."""
    hops = [each.relation for each in subforms(form) if isinstance(each, Relate)] if form else []
    return hops[:most]


def _with_condition(form: EntityForm, relation: str, condition: Condition) -> EntityForm | None:
    """The form with a condition on its hop along the relation."""
    match form:
        case Relate() if form.relation == relation:
            return replace(form, where=(*form.where, condition))
        case Relate() | Filter() | FilterByCount() | FilterLabel():
            inner = _with_condition(form.form, relation, condition)
            return None if inner is None else replace(form, form=inner)
        case And() | Or() | Except():
            left = _with_condition(form.left, relation, condition)
            if left is not None:
                return replace(form, left=left)
            right = _with_condition(form.right, relation, condition)
            return None if right is None else replace(form, right=right)
    return None


def _fits(bound: Bound, info: PropertyInfo) -> Features | None:
    """Whether a value may be compared with a property's; a year is also a number."""
    if info.type == "date":
        is_date = bound.dated or (isinstance(bound.value, int) and 999 < bound.value < 3000)
        return () if is_date else None
    if info.type in _AMOUNTS:
        return (("year.as_number", 1.0),) if bound.dated else ()
    return None


def _turned(bound: Bound, adjective: Adjective | None) -> Bound:
    if adjective is None:
        return bound
    return replace(bound, op=">" if adjective.extreme == "max" else "<")


def _value(bound: Bound, info: PropertyInfo) -> int | float | str:
    if info.type == "date":
        return str(bound.value)
    if isinstance(bound.value, str) and bound.value[:4].isdigit():
        return int(bound.value[:4])
    return bound.value


def _rank(features: Iterable[tuple[str, float]]) -> float:
    """How badly a word names something, by its features: 0 by all letters."""
    for name, value in features:
        kind = name.rpartition(".")[2]
        if kind in _RANKS:
            return _RANKS[kind]
        if kind == "cosine":
            return 2.0 + (1.0 - value)
    return 3.0


_RANKS = {
    "exact": 0.0,
    "person": 0.0,
    "agents": 0.0,
    "partial": 1.0,
    "overlap": 2.0,
    "modifier": 2.0,
}
