"""Joins sets by relations: which chain of the schema a verb, noun or preposition may mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from kgdb.graph.forms.operators import (
    Direction,
    Except,
    Filter,
    FilterByCount,
    FindAll,
    Relate,
    SelectByCount,
)
from kgdb.methods.understanding.chains_of_schema import SchemaChain, SchemaHop, applied
from kgdb.methods.understanding.grammar.chart import Features, weighed
from kgdb.methods.understanding.grammar.form_edits import (
    narrowed,
    of_label,
    opposite,
    with_condition,
)
from kgdb.methods.understanding.grammar.meanings import (
    Linked,
    Measured,
    Most,
    Quantity,
    Ranked,
    Set,
    Word,
)
from kgdb.methods.understanding.grammar.measuring import Measurer, SetWays
from kgdb.methods.understanding.grammar.schema_matching import (
    Matcher,
    does_as_named,
    is_participle,
    is_past_with_preposition,
    misfit,
    shares_stem,
)
from kgdb.methods.understanding.words import words_of

MOST_WAYS = 5
"""Ways to join two parts that are kept, the likeliest first."""

_EITHER_WAY = (None, "by", "of", "with")
"""Prepositions that tell of no place: what stands before them may be at either end."""

_FURTHEST = 3
_FURTHEST_OPEN = 2
"""Hops to a set of any label."""


@dataclass(frozen=True, slots=True)
class Linker:
    """Finds the relations of one schema that the words of one sentence may mean.

    ``weights`` tell the likeliest chains.
    """

    matcher: Matcher
    measurer: Measurer
    weights: Mapping[str, float]
    _chains: dict[tuple[Any, ...], list[tuple[Features, SchemaChain]]] = field(default_factory=dict)

    # Nouns.

    def named_by(self, word: Word) -> SetWays:
        """The sets that a noun stands for: a label, or those who take part in a relation."""
        m, is_label = self.matcher, False
        for label in m.schema.labels:
            found = m.features(word, label, "label")
            is_label |= found[0][0] == "label.exact"
            if found[0][0] != "label.modifier" and not is_participle(word, label):
                yield Set(FindAll(label), label, "noun"), found
        if word.text in m.cues.persons:
            for label in m.schema.labels:
                if any(m.letters(person, label) == "exact" for person in m.cues.persons):
                    yield Set(FindAll(label), label, "noun"), (("label.person", 1.0),)
        for label in () if is_label else m.schema.labels:  # all players, not who plays
            for (hop,) in m.chains(label, None, 1):
                is_said = m.letters(word.text, hop.relation) in ("exact", "partial")
                if is_said and m.noun_direction(word, hop):
                    form = applied(FindAll(label), (hop,))
                    yield Set(form, hop.label, "agent"), (("set.agents", 1.0),)

    def related(self, word: Word, of: Set) -> SetWays:
        """What a noun names of a set: *the director of Heat*, *X's members*."""
        m = self.matcher
        if of.form is None or of.label is None:
            return
        ways: list[tuple[Set, Features]] = []
        for (hop,) in m.chains(of.label, None, 1):
            said = m.features(word, hop.relation, "relation")
            direction = self._direction(m.noun_direction(word, hop), hop, "out")
            anew = of.kind in ("name", "they")
            led_to = Set(applied(of.form, (hop,), anew=anew), hop.label)
            every = (("noun.of_every", 1.0),) if of.every else ()
            ways.append((led_to, (*said, *direction, ("noun", 1.0), *every)))
        ways.sort(key=lambda way: misfit(way[1]))
        yield from ways[:MOST_WAYS]
        for noun, features in self.named_by(word):
            if noun.kind == "noun" and misfit(features) <= 1:
                for each, more in self._linked(noun, Linked(None, "of", of), of):
                    yield each, (*features, *more)

    # Conditions.

    def linked(self, of: Set, by: Linked) -> SetWays:
        """Those of a set that a relation leads to from one thing, from so many, or from any.

        Several things are no matter of one relation: the composer joins them one by one.
        """
        match by.object:
            case Set() as other:
                yield from self._linked(of, by, other)
            case Quantity() as quantity:
                for each in self._labelled(of):
                    yield from self._counted(each, by, quantity)
            case Most() as most:
                for each in self._labelled(of):
                    yield from self._most(each, by, most)
            case None:
                for each in self._labelled(of):
                    yield from self._any(each, by)

    def _labelled(self, of: Set) -> Iterator[Set]:
        """A set of any label as one of each."""
        if of.label is not None:
            yield of
        elif isinstance(of.form, FindAll):
            for label in self.matcher.schema.labels:
                yield replace(of, form=FindAll(label), label=label)

    def _linked(self, of: Set, by: Linked, other: Set) -> SetWays:
        if other.kind in ("what", "where") or of.form is None or other.every:
            return  # what leads to every one of many is no set of forms
        if other.form is None:
            yield from self._by_relation_value(of, by, other)
            return
        if other.label is None:  # *wrote a film but never directed one*
            if isinstance(other.form, FindAll) and by.word is not None:
                yield from self._any(of, by)
            return
        away: Features = ()
        if other.value is not None:
            away = (("value.away", 1.0),)
            if of.label in (other.label, None) and by.role != "object":
                name, op, value = other.value.property, other.value.op, other.value.value
                own = Filter(of_label(of.form, other.label), name, op, value)
                features = self.matcher.features(by.word, name, "property") if by.word else ()
                yield Set(own, other.label), (*features, ("value.own", 1.0))
        for features, chain in self._likely_chains(by, other.label, of.label):
            form = narrowed(of.form, applied(other.form, chain, anew=True))
            if other.besides is not None:
                form = Except(form, other.besides)
            yield Set(form, chain[-1].label), (*features, *away)

    def _by_relation_value(self, of: Set, by: Linked, other: Set) -> SetWays:
        """*who played Neo*: relationships with that value."""
        m = self.matcher
        value, relation = other.value, other.relation
        if value is None or relation is None or of.form is None:
            return
        behind = by.preposition or (by.word.text.split()[-1] if by.word else None)
        if behind is not None and words_of(relation)[1:][-1:] == [behind]:
            return  # what one acts in is no role
        named = ("named.qualifier", 1.0)
        form = with_condition(of.form, relation, value)
        if form is not None:
            yield Set(form, of.label), (named,)
            return
        features = m.features(by.word, relation, "relation") if by.word else ()
        for head, tail in m.schema.relations[relation].usual_pairs:
            if of.label in (head, None):
                to_heads = narrowed(of.form, Relate(FindAll(tail), relation, "in", (value,)))
                yield Set(to_heads, head), (*features, named)
            if of.label in (tail, None):
                to_tails = narrowed(of.form, Relate(FindAll(head), relation, "out", (value,)))
                yield Set(to_tails, tail), (*features, named, ("value.tail", 1.0))

    def _any(self, of: Set, by: Linked) -> SetWays:
        """Those that the relation leads to from anything: *who reviewed*; or a true property."""
        m = self.matcher
        if by.word is None or of.label is None or of.form is None:
            return
        for info in m.schema.of_label(of.label):
            features = m.features(by.word, info.name, "property")
            if info.type == "boolean" and features[0][0] != "property.near":
                yield Set(Filter(of.form, info.name, "=", True), of.label), features
        for label in m.schema.labels:
            for chain in m.chains(label, of.label, 1):
                features = self._chain_features(by, chain)
                form = narrowed(of.form, applied(FindAll(label), chain))
                yield Set(form, of.label), (*features, ("object.unsaid", 1.0))

    def _counted(self, of: Set, by: Linked, quantity: Quantity) -> SetWays:
        """*who acted in more than two films*, *with 3 bedrooms*."""
        bound = quantity.bound
        if of.form is None or bound.dated or not isinstance(bound.value, int) or bound.also:
            return
        if isinstance(quantity.of, Word):
            yield from self.measurer.measured(of, Measured(quantity.of, None, bound, unit=True))
            return
        for hop, features in self._counted_hops(of, by, quantity.of):
            form = FilterByCount(
                of.form,
                hop.relation,
                bound.op,  # type: ignore[arg-type]  # no production compares texts
                bound.value,
                opposite(hop.direction),
                to=quantity.of.form,
            )
            yield Set(form, of.label), features

    def _most(self, of: Set, by: Linked, most: Most) -> SetWays:
        """*who acted in the most films*, *with the highest rating*."""
        if of.form is None:
            return
        if isinstance(most.of, Word):
            yield from self.measurer.ranked(of, Ranked(most.extreme, None, most.of, most.k))
            return
        for hop, features in self._counted_hops(of, by, most.of):
            back = opposite(hop.direction)
            form = SelectByCount(of.form, hop.relation, most.extreme, back, most.k, most.of.form)
            yield Set(form, of.label), features

    def _counted_hops(
        self, of: Set, by: Linked, inner: Set
    ) -> Iterator[tuple[SchemaHop, Features]]:
        """The hops from what is counted to the set."""
        if of.label is None or inner.kind == "name":
            return
        for label in [inner.label] if inner.label else self.matcher.schema.labels:
            for chain in self.matcher.chains(label, of.label, 1):
                features = self._chain_features(by, chain, label)
                yield chain[0], (*features, ("counted", 1.0))

    # Chains.

    def _likely_chains(
        self, by: Linked, start: str, end: str | None
    ) -> list[tuple[Features, SchemaChain]]:
        key = by.word, by.preposition, by.role, start, end
        if key not in self._chains:
            hops = _FURTHEST if end is not None else _FURTHEST_OPEN
            ways = [
                (self._chain_features(by, chain, start), chain)
                for chain in self.matcher.chains(start, end, hops)
            ]
            ways.sort(key=lambda way: -weighed(way[0], self.weights))
            self._chains[key] = ways[:MOST_WAYS]
        return self._chains[key]

    def _rarity(self, start: str | None, chain: SchemaChain) -> float:
        """How much rarer a relation is than another between the same kinds of things, 0 to 1."""
        if start is None or len(chain) > 1:
            return 0.0
        counts = self.matcher.schema.relations
        beside = self.matcher.chains(start, chain[0].label, 1)
        most = max(counts[hop.relation].count for (hop,) in beside)
        return 1.0 - counts[chain[0].relation].count / max(1, most)

    def _chain_features(self, by: Linked, chain: SchemaChain, start: str | None = None) -> Features:
        """How a chain from the object to the set goes with the words."""
        m = self.matcher
        hops = (("hops", float(len(chain) - 1)), *self._alternatives(start, chain))
        if by.word is None:
            fits = m.preposition(by.preposition, chain[-1])
            rare: Features = (("link.rare", self._rarity(start, chain)),)
            if by.preposition not in _EITHER_WAY and chain[-1].direction == "out":
                rare += (("link.backward", 1.0),)
            return (("link.unsaid", float(len(chain))), *fits, *self._unclear(chain), *rare, *hops)
        said = [m.features(by.word, hop.relation, "relation") for hop in chain]
        if said[0][0][0] == "relation.near" and self._is_of_kind(by, start, chain):
            return (("relation.of_kind", 1.0), *hops)
        place = min(range(len(chain)), key=lambda n: misfit(said[n]))
        hop = chain[place]
        fits = m.preposition(by.preposition, hop)
        direction: Features = ()
        if by.role is not None:
            runs = m.verb_direction(by.word, by.preposition, by.role, hop)
            direction = self._direction(runs, hop, _forward(by.word, by.role, hop))
            is_otherwise = not shares_stem(by.word.text, hop.relation)
            may_turn = is_otherwise or is_past_with_preposition(hop.relation)
            if runs is None and may_turn and ("preposition.same", 1.0) not in fits:
                direction += (("direction.unsure", 1.0),)  # films star actors, who act in films
        else:
            runs = m.noun_direction(by.word, replace(hop, direction=opposite(hop.direction)))
            if runs is False or (runs is None and hop.direction == "out"):
                direction = (("link.backward", 1.0),)
        unsaid = (("link.unsaid", float(len(chain) - 1)),)
        others = self._unclear(chain[:place] + chain[place + 1 :])
        return (*said[place], *fits, *direction, *unsaid, *others, *hops)

    def _is_of_kind(self, by: Linked, start: str | None, chain: SchemaChain) -> bool:
        """*Painted*, of the one relation that joins painters and what they do."""
        if start is None or by.word is None or by.role is None or len(chain) > 1:
            return False
        does = chain[-1].label if by.role == "subject" else start
        is_only = len(self.matcher.chains(start, chain[-1].label, 1)) == 1
        return is_only and does_as_named(by.word.text, does)

    def _direction(self, runs: bool | None, hop: SchemaHop, forward: Direction) -> Features:
        """Whether a hop runs against the words, or may do so.

        Where words do not tell, it runs ``forward`` if its head is what acts, or is told of.
        """
        one_kind = self.matcher.is_one_kind(hop)
        if runs is None and one_kind:
            return (("direction.open", 1.0),)
        if runs is False:
            return ((f"direction.against.{'one_kind' if one_kind else 'two_kinds'}", 1.0),)
        if runs is None and hop.direction != forward:
            return (("direction.backward", 1.0),)
        return ()

    def _unclear(self, hops: Sequence[SchemaHop]) -> Features:
        """What no word says and might run either way."""
        open_ = sum(self.matcher.is_one_kind(hop) for hop in hops)
        return (("direction.open", float(open_)),) if open_ else ()

    def _alternatives(self, start: str | None, chain: SchemaChain) -> Features:
        """Whether the schema joins the kinds of things in no other way."""
        if start is None:
            return ()
        all_ = self.matcher.chains(start, chain[-1].label, len(chain))
        return (("link.only", 1.0),) if len(all_) == 1 else ()


def _forward(word: Word, role: Literal["subject", "object"], hop: SchemaHop) -> Direction:
    """How a hop runs to who acts, or to what is acted on, if the relation's head acts.

    In one such as ``maintained_by`` the tail acts.
    """
    does = role == "subject" and not word.text.endswith(" by")
    is_passive = words_of(hop.relation)[-1:] == ["by"]
    return "in" if does != is_passive else "out"
