"""The sets of entities that a question may speak of: anchors joined by chains, with conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations, islice, product

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
    Relate,
)
from kgdb.graph.schema import PropertyInfo
from kgdb.methods.understanding.chains_of_schema import SchemaChain, applied, chains
from kgdb.methods.understanding.grammar.form_edits import with_condition
from kgdb.methods.understanding.question import Anchor, Comparison
from kgdb.methods.understanding.readings import SetReading, Use
from kgdb.methods.understanding.view import NUMBERS, SUPPORTED, QuestionView
from kgdb.methods.understanding.words import words_of

_CHAINS = 12
_LOOP_COST = 0.08
_VALUE_COST = 0.35
_FAR_COST = 0.1
_RARITY_COST = 0.03
_MISDIRECTION_COST = 0.4
_UNDATED_COST = 0.1
_TAKEN_OUT = re.compile(r"\b(?:except|excluding|other than|apart from|besides)\b", re.IGNORECASE)

_COMBINATIONS = 300


@dataclass(frozen=True, slots=True)
class SetReader:
    """Reads sets out of the parts of a question."""

    view: QuestionView

    def sets(
        self,
        targets: Iterable[str],
        anchors: Sequence[Anchor] | None = None,
        comparisons: Sequence[Comparison] | None = None,
    ) -> Iterator[SetReading]:
        """The sets of entities of each label that the anchors and comparisons describe."""
        anchors = self.view.parts.anchors if anchors is None else anchors
        comparisons = self.view.parts.comparisons if comparisons is None else comparisons
        for target in targets:
            for reading in self._joined(target, anchors):
                yield from self.compared(reading, list(comparisons))

    def _joined(self, target: str, anchors: Sequence[Anchor]) -> Iterator[SetReading]:
        values = [a for a in anchors if all(r.form is None for r in a.readings)]
        included = [a for a in anchors if not a.excluded and a not in values]
        excluded = [a for a in anchors if a.excluded and a not in values]
        options = [self._chains_of(anchor, target) for anchor in (*included, *excluded)]
        if not included:
            options = [self._without_anchor(target, {a.relation for a in values}), *options]
        kinds = {label for anchor in included for label in anchor.labels}
        for combination in islice(product(*options), _COMBINATIONS):
            parallel = zip(combination[max(1, len(included)) :], excluded, strict=True)
            if any(not each.hops and self._is_parallel(own, kinds) for each, own in parallel):
                continue
            within = combination[: max(1, len(included))]
            without = combination[max(1, len(included)) :]
            form = within[0].form
            for other in within[1:]:
                form = Or(form, other.form) if self.view.parts.either else _both(form, other.form)
            for other in without:
                form = Except(form, other.form)
            uses = tuple(use for each in combination for use in each.uses)
            hops = sum(each.hops for each in combination)
            cost = sum(each.cost for each in combination)
            reading = SetReading(form, target, (Use(target, silent=True), *uses), hops, cost)
            qualified = self._qualified(reading, values)
            if qualified is not None:
                yield qualified

    def _is_parallel(self, excluded: Anchor, kinds: Set[str]) -> bool:
        """Whether what is denied stands beside a name of its kind: *treats asthma, not hay fever*.

        It is then denied of the same relation. *Except* takes it out of the set itself.
        """
        taken_out = _TAKEN_OUT.search(self.view.parts.text)
        return excluded.key is None and not taken_out and not kinds.isdisjoint(excluded.labels)

    def _without_anchor(
        self, target: str, valued: Set[str | None] = frozenset()
    ) -> list[SetReading]:
        """All of the label, or those that a relation joins with another label.

        A value of a relation's property says the relation: *who played Neo*.
        """
        everything = [SetReading(FindAll(target), target)]
        for label in self.view.schema.labels:
            for chain in chains(self.view.schema, label, target, 2):
                uses = _uses(chain, -1)
                is_valued = len(chain) == 1 and chain[0].relation in valued
                if is_valued or self._said(uses):
                    everything.append(
                        SetReading(
                            applied(FindAll(label), chain),
                            target,
                            (Use(label, silent=True), *uses),
                            len(chain),
                            _FAR_COST * (len(chain) - 1),
                        )
                    )
        hopped = [one for one in everything if one.hops == 1]
        for left, right in combinations(hopped, 2):  # actors who also directed
            if {use.name for use in left.uses} != {use.name for use in right.uses}:
                form = And(left.form, right.form)
                everything.append(SetReading(form, target, (*left.uses, *right.uses), 2))
        return everything

    def _chains_of(self, anchor: Anchor, target: str) -> list[SetReading]:
        """The sets that chains from the anchor lead to, those first whose names are said."""
        place = self.view.parts.anchors.index(anchor)
        found = []
        named = [(one, label) for one in anchor.readings for label in sorted(one.labels)]
        for one, label in named:
            if one.form is None:
                continue
            own = () if one.key is None else (Use(one.key, place, silent=True),)
            value_cost = _VALUE_COST * (one.key is not None and anchor.key is None)
            is_own = one.key is not None or anchor.excluded
            if label == target and is_own:
                found.append(SetReading(one.form, target, own, 0, value_cost))
            for chain in chains(self.view.schema, label, target):
                uses = (*own, *_uses(chain, place))
                cost = value_cost + self._rarity(chain) + (_LOOP_COST if label == target else 0.0)
                cost += _MISDIRECTION_COST * sum(
                    (place, hop.relation, hop.direction) in self.view.against for hop in chain
                )
                form = applied(one.form, chain)
                found.append(SetReading(form, target, uses, len(chain), cost))
        found.sort(key=lambda reading: (self._silence(reading.uses), reading.hops, reading.cost))
        return found[:_CHAINS]

    def _rarity(self, chain: SchemaChain) -> float:
        """A little for rare relations: of several that no word names the usual is meant."""
        return sum(_RARITY_COST * self.view.rarity(hop.relation) for hop in chain)

    def _silence(self, uses: Iterable[Use]) -> int:
        return sum(not self.view.is_said(use) for use in uses if not use.silent)

    def _said(self, uses: Iterable[Use]) -> bool:
        return any(self.view.is_said(use) for use in uses if not use.silent)

    def _qualified(self, reading: SetReading, values: Sequence[Anchor]) -> SetReading | None:
        """The set with values of relationships as conditions; ``None`` where it has no such hop."""
        for value in values:
            condition = Condition(value.key or "", "=", value.value or "")
            form = with_condition(reading.form, value.relation or "", condition)
            if form is None:
                return None
            reading = replace(reading, form=form).using(Use(value.key or "", silent=True))
        return reading

    def compared(self, reading: SetReading, comparisons: list[Comparison]) -> Iterator[SetReading]:
        """The set with its comparisons as conditions, in each way that they may be meant."""
        if not comparisons:
            yield reading
            return
        first, rest = comparisons[0], comparisons[1:]
        between = rest[0] if rest and rest[0].start == first.start else None
        for one in self._with_comparison(reading, first):
            if between is None:
                yield from self.compared(one, rest)
            elif isinstance(one.form, Filter):
                info = self.view.schema.properties[one.form.property]
                form = Filter(one.form, info.name, between.op, _value(between, info))
                yield from self.compared(replace(one, form=form), rest[1:])

    def _with_comparison(self, reading: SetReading, by: Comparison) -> Iterator[SetReading]:
        for info in self.comparable(by, reading.label):
            filtered = Filter(reading.form, info.name, by.op, _value(by, info))
            cost = reading.cost + _unlike(by, info)
            if by.dated and not self.view.is_said(Use(info.name)) and self._is_dated(reading.form):
                cost += _UNDATED_COST
            yield replace(reading, form=filtered, cost=cost).using(Use(info.name, silent=by.dated))
        for relation, info in self._qualifiers_of(reading.form, by):
            condition = Condition(info.name, by.op, _value(by, info))
            form = with_condition(reading.form, relation, condition)
            if form is not None:
                cost = reading.cost + _unlike(by, info)
                yield replace(reading, form=form, cost=cost).using(Use(info.name, silent=by.dated))
        if (
            not by.dated
            and not by.adjective
            and isinstance(by.value, int)
            and by.op in ("=", "<", "<=", ">", ">=")
        ):
            yield from self._counted(reading, by)
        for label in self.view.schema.labels:
            if label == reading.label:
                continue
            for info in self.comparable(by, label):
                base = Filter(FindAll(label), info.name, by.op, _value(by, info))
                for chain in chains(self.view.schema, label, reading.label, 2):
                    uses = (Use(label), Use(info.name), *_uses(chain, -1))
                    if not self._said(uses):
                        continue  # "came out before 1990" is no date of what no word speaks of
                    yield SetReading(
                        _both(reading.form, applied(base, chain)),
                        reading.label,
                        (*reading.uses, uses[0], Use(info.name, silent=by.dated), *uses[2:]),
                        reading.hops + len(chain),
                        reading.cost + _unlike(by, info) + 0.1,
                    )

    def comparable(self, by: Comparison, label: str) -> list[PropertyInfo]:
        """The properties of a label that the value may be compared with."""
        kinds = ("date", *NUMBERS) if by.dated else NUMBERS
        found = [info for info in self.view.schema.of_label(label) if info.type in kinds]
        if by.adjective is not None:
            hints = by.adjective.hints
            return [p for p in found if p.type != "date" and self.view.is_hinted(p.name, hints)]
        dates = [info for info in found if info.type == "date"]
        said = [info for info in found if self.view.is_said(Use(info.name))]
        if not (said or by.dated or by.op == "="):
            return [p for p in found if "age" in words_of(p.name)]  # "members over 40"
        return said or (dates if by.dated and len(dates) == 1 else [])

    def _is_dated(self, form: EntityForm) -> bool:
        """Whether words say a relation with dates: *borrowed in 2022* is no date of the book."""
        return any(
            self.view.is_said(Use(name))
            and any(p.type == "date" for p in self.view.schema.relations[name].properties)
            for name in _relations_of(form)
        )

    def _qualifiers_of(
        self, form: EntityForm, by: Comparison
    ) -> Iterator[tuple[str, PropertyInfo]]:
        kinds = ("date", *NUMBERS) if by.dated else NUMBERS
        for relation in _relations_of(form):
            infos = [p for p in self.view.schema.relations[relation].properties if p.type in kinds]
            said = [info for info in infos if self.view.is_said(Use(info.name))]
            dates = [info for info in infos if info.type == "date"]
            # "in 2014" names no property: the only date is meant, or the one that is called so.
            called = [info for info in dates if info.name.lower() in self.view.cues.dates]
            usual = dates if len(dates) == 1 else called
            yield from ((relation, info) for info in said or (usual[:1] if by.dated else []))

    def _counted(self, reading: SetReading, by: Comparison) -> Iterator[SetReading]:
        """Those with so many entities at the other end: *in more than 3 movies*."""
        assert isinstance(by.value, int)  # noqa: S101
        after = [label for start, label in self.view.labels_said() if start >= by.end - 1]
        for hop in chains(self.view.schema, reading.label, None, 1):
            (step,) = hop
            said = step.label in after or any(
                word.start >= by.end - 1
                and self.view.alignment.likeness(word.text, step.relation) >= SUPPORTED
                for word in self.view.parts.words
            )
            if not said:
                continue
            yield SetReading(
                FilterByCount(
                    reading.form,
                    step.relation,
                    by.op,  # type: ignore[arg-type]
                    by.value,
                    step.direction,
                    relationships=step.label not in after and not self.view.names_agents(by.end),
                ),
                reading.label,
                (*reading.uses, Use(step.relation), Use(step.label, silent=True)),
                reading.hops + 1,
                reading.cost + (0.0 if step.label in after else 0.2),
            )


def _uses(chain: SchemaChain, place: int) -> tuple[Use, ...]:
    relations = tuple(Use(hop.relation, place) for hop in chain)
    return (*relations, *(Use(hop.label, place, silent=True) for hop in chain))


def _both(left: EntityForm, right: EntityForm) -> EntityForm:
    """Both sets; a condition on all of a label is one on the other set."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Filter) and isinstance(one.form, FindAll):
            return Filter(other, one.property, one.op, one.value)
    return And(left, right)


def _value(by: Comparison, info: PropertyInfo) -> int | float | str:
    return str(by.value) if info.type == "date" else by.value


def _unlike(by: Comparison, info: PropertyInfo) -> float:
    """What it costs that a year is compared with a number."""
    return 0.2 if by.dated and info.type != "date" else 0.0


def _relations_of(form: EntityForm) -> list[str]:
    found = []
    while isinstance(form, Relate | Filter | FilterByCount | FilterLabel):
        if isinstance(form, Relate):
            found.append(form.relation)
        form = form.form
    return found
