"""The query of a set of entities: its rows are ``e`` (the node), ``proof`` and ``rank``.

``proof`` are the facts that prove that the entity is in the set, ``rank`` is what the best come
first by. A chain of hops is one ``MATCH``, so that no relationship is used twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.statements import Place, Statement, joined, statement
from kgdb.graph.forms import comparing
from kgdb.graph.forms.operators import (
    Aggregate,
    And,
    Compare,
    Condition,
    EntityForm,
    Except,
    Filter,
    FilterByCount,
    FilterLabel,
    Find,
    FindAll,
    Form,
    Or,
    Property,
    Relate,
    Select,
    SelectByCount,
    SelectByQualifier,
    Superlative,
    is_label,
    subforms,
)
from kgdb.graph.forms.parts import (
    ARROWS,
    Parts,
    and_label,
    names,
    property_of,
    property_values,
    sought_ids,
)
from kgdb.graph.forms.reducing import reduced_key
from kgdb.graph.schema import Schema

_SIDES = {"And": [[1, 2]], "Or": [[1], [2], [1, 2]], "Except": [[1]]}


@dataclass(frozen=True, slots=True)
class _Ends:
    """The entities that counted relationships may lead to; ``None`` for all."""

    to: EntityForm | None


@dataclass(slots=True)
class SetQueries:
    """Writes the queries of one statement for one graph, whose names are checked beforehand."""

    info: GraphInfo
    schema: Schema
    parts: Parts
    _keys: int = field(init=False, default=0)

    def query(self, form: EntityForm) -> Statement:  # noqa: PLR0911 - one case for each operator
        """The query of a set of entities."""
        match form:
            case Find(name=name, ids=ids):
                return self._find(name, ids)
            case FindAll(label=label):
                of = Statement("") if label is None else and_label(label)
                return statement("forms/find_all", label=self.parts.label, of=of)
            case And() | Or() | Except():
                return self._union(form.left, form.right, _SIDES[type(form).__name__])
            case Select(form=inner, property=name, extreme=extreme, k=k):
                of, (key, facts) = self.query(inner), self._extreme(name, extreme)
                return self._select(inner, of, key, facts, k)
            case Compare(left=left, right=right, property=name, extreme=extreme):
                both = self._union(left, right, _SIDES["Or"])
                key, facts = self._extreme(name, extreme)
                return self._select(Or(left, right), both, key, facts, 1, least=2)
            case SelectByQualifier(form=inner, k=k):
                sign = Statement("-" if form.extreme == "max" else "")
                key = joined("", [sign, Statement("measure")])
                return self._select(inner, self._measured(form), key, Statement("[]"), k)
            case SelectByCount(form=inner, extreme=extreme, k=k):
                count = self.parts.count_ends("e", form)
                key = joined("", [Statement("-" if extreme == "max" else ""), count])
                facts = self.parts.count_fact("e", form.relation, Statement("abs(key)"))
                of = joined("\n", [self.query(inner), self._ends_beyond_label(form.to)])
                return self._select(inner, of, key, facts, k)
            case FilterByCount(to=to) if not is_label(to):
                return self._filter_by_count(form)
            case Relate() | FilterLabel() | Filter() | FilterByCount():
                return self._chain(form)
        assert_never(form)

    def _ends_beyond_label(self, to: EntityForm | None) -> Statement:
        return Statement() if is_label(to) else self.ends(to)

    def _filter_by_count(self, form: FilterByCount) -> Statement:
        number = Statement("number")
        return statement(
            "forms/filter_by_count",
            of=self.query(form.form),
            ends=self.ends(form.to),
            count=self.parts.count_ends("e", form),
            test=self.parts.number_test(number, form.op, form.value),
            fact=self.parts.count_fact("e", form.relation, number),
        )

    def _find(self, name: str, ids: Sequence[str]) -> Statement:
        if not ids:
            return self._named(name)
        return statement(
            "forms/find",
            label=self.parts.label,
            key=self.info.places["key"],
            ids=self.parts.parameter(sought_ids(ids)),
        )

    def _named(self, name: str) -> Statement:
        """Those of a name; by the index of each label whose names are one property."""
        text = self.parts.parameter(name)
        sources = self.info.names
        if not all(source.is_one_property for source in sources) or not sources:
            named = self.parts.name("e")
            parts = [statement("forms/named", label=self.parts.label, name=named, text=text)]
        else:
            parts = [
                statement(
                    "forms/named",
                    label=source.label,
                    name=property_of("e", source.properties[0]),
                    text=text,
                )
                for source in sources
            ]
        return statement("forms/find_name", parts=joined("UNION\n", parts))

    def relationships(self, form: EntityForm) -> Statement:
        """The query of the relationships that the last hop to a set takes.

        Its rows are ``e``, the entity that they lead to, ``number`` and ``proof``.
        """
        to: EntityForm | None = None
        while isinstance(form, And):
            to = form.right if to is None else And(form.right, to)
            form = form.left
        return self._chain(form, _Ends(to))

    def _chain(self, form: EntityForm, ends: _Ends | None = None) -> Statement:
        """Hops and filters from a set, as one pattern with its conditions.

        With ``ends`` its rows are the relationships that lead to these.
        """
        steps, form = _steps(form)
        hops: list[Statement] = []
        tests: list[Statement] = []
        facts: list[Statement] = []  # of the last node: the others are bound no more
        last = f"n{sum(isinstance(step, Relate) for step in steps)}"
        for step in reversed(steps):
            node = f"n{len(hops)}"
            match step:
                case Relate(relation=relation, direction=direction, where=where):
                    left, right = ARROWS[direction]
                    hops.append(
                        statement(
                            "forms/hop",
                            left=Statement(left),
                            right=Statement(right),
                            r=f"r{len(hops) + 1}",
                            relation=relation,
                            n=f"n{len(hops) + 1}",
                            label=self.parts.label,
                        )
                    )
                    tests += [
                        self.parts.test(
                            property_values(f"r{len(hops)}", each.property),
                            self.schema.relations[relation].property(each.property),
                            each,
                        )
                        for each in where
                    ]
                case FilterLabel(label=label):
                    tests.append(statement("forms/has_label", n=node, of=label))
                case Filter(property=name, op=op, value=value):
                    assert not isinstance(value, Property | Aggregate)  # noqa: S101 - found before
                    condition = Condition(name, op, value)
                    values = self.parts.values(node, name)
                    tests.append(
                        self.parts.test(values, self.schema.property_info(name), condition)
                    )
                    if node == last:
                        facts.append(self.parts.facts("e", name))
                case FilterByCount():
                    count = self.parts.count_ends(node, step)
                    tests.append(self.parts.number_test(count, step.op, step.value))
                    if node == last:
                        shown = self.parts.count_ends("e", step)
                        facts.append(self.parts.count_fact("e", step.relation, shown))
        base = self.query(form)
        if ends is not None and ends.to is not None:
            tests.append(Statement(f"{last} IN ends"))
        where_text = joined(" AND ", tests) if tests else Statement("true")
        properties = joined(" + ", facts) or Statement("[]")
        if not hops:
            return statement("forms/filter", of=base, where=where_text, properties=properties)
        places: dict[str, Place] = {
            "of": base,
            "hops": joined("", hops),
            "where": where_text,
            "relationships": names("r", range(1, len(hops) + 1)),
            "nodes": names("n", range(len(hops) + 1)),
            "id": self.parts.id("n"),
            "fact": self.parts.fact(),
        }
        if ends is not None:
            return statement(
                "forms/relationships",
                r=Statement(f"r{len(hops)}"),
                ends=self.ends(ends.to),
                kept=Statement("" if ends.to is None else ", ends"),
                **places,
            )
        return statement("forms/chain", last=last, properties=properties, **places)

    def _union(
        self, left: EntityForm, right: EntityForm, kept: Sequence[Sequence[int]]
    ) -> Statement:
        return statement(
            "forms/union",
            left=self.query(left),
            right=self.query(right),
            kept=self.parts.parameter(kept),
        )

    def _extreme(self, name: str, extreme: str) -> tuple[Statement, Statement]:
        """What the best come first by, and the values as facts."""
        kind = comparing.ordered_kind(self.schema.property_info(name).type, name)
        key = statement(
            "forms/extreme",
            values=self.parts.values("e", name),
            key=comparing.key(kind),
            sign=Statement("-1" if extreme == "max" else "1"),
        )
        return key, self.parts.facts("e", name)

    def _select(
        self, form: Form, of: Statement, key: Statement, facts: Statement, k: int, least: int = 1
    ) -> Statement:
        places: dict[str, Any] = {"of": of, "key": key, "properties": facts, "least": least, "k": k}
        if is_large(form):
            self._keys += 1  # each has a variable of its own, for one may be inside another
            keys = f"keys{self._keys}"
            return statement("forms/select_many", most=max(k, least), keys=keys, **places)
        return statement("forms/select", **places)

    def _measured(self, form: SelectByQualifier) -> Statement:
        """Each entity with what the values of its relationships come to (``measure``)."""
        left, right = ARROWS[form.direction]
        info = self.schema.relations[form.relation].property(form.property)
        kind = comparing.ordered_kind(info.type, info.name)
        function = form.function or form.extreme
        return statement(
            "forms/measured",
            of=self.query(form.form),
            ends=self.ends(form.to),
            left=Statement(left),
            right=Statement(right),
            relation=form.relation,
            label=self.parts.label,
            restricted=restricted(form.to),
            values=property_values("r", form.property),
            key=comparing.key(kind),
            measure=reduced_key(kind, function, info.name),
            # The best value proves itself; a sum or a mean is proved by its values.
            shown=Statement("true" if form.function else "value.key = measure"),
            whole=self._whole(form) if form.function else Statement("[]"),
            fact=self.parts.fact(),
        )

    def _whole(self, form: SelectByQualifier) -> Statement:
        """What the values come to and how many there are, as facts."""
        return statement(
            "forms/measured_whole",
            id=self.parts.id("e"),
            name=self.parts.name("e"),
            measured=self.parts.parameter(f"{form.function} of {form.property}"),
            number=self.parts.parameter(f"number of {form.relation}"),
        )

    def ends(self, to: EntityForm | None) -> Statement:
        """Reads the other ends that relationships may have, if not all."""
        return Statement() if to is None else statement("forms/ends", to=self.query(to))


def _steps(form: EntityForm) -> tuple[list[Any], EntityForm]:
    """The hops and filters at the end of a form, the last first, and the set before them."""
    steps: list[Any] = []
    while isinstance(form, Relate | FilterLabel | Filter | FilterByCount):
        if isinstance(form, FilterByCount) and not is_label(form.to):
            break  # its ends are read once for all
        steps.append(form)
        begins = isinstance(form, Relate) and form.anew
        form = form.form
        if begins:
            break
    return steps, form


def restricted(to: EntityForm | None) -> Statement:
    """The condition that a relationship has one of these ends."""
    return Statement("true" if to is None else "other IN ends")


def is_large(form: Form) -> bool:
    """Whether it may read more entities than fit in memory; then it reads them twice."""
    inside = list(subforms(form))
    return any(isinstance(each, FindAll) for each in inside) and not isinstance(
        form, Superlative | Compare
    )
