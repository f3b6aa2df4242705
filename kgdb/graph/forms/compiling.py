"""A logical form as one statement in Cypher: names quoted, values as parameters.

Each set of entities is a query whose rows are ``e`` (the node), ``proof`` (facts that prove it) and
``rank`` (what the best come first by). A chain of hops is one ``MATCH``, so that no relationship is
used twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.statements import Statement, joined, statement
from kgdb.graph.forms import comparing
from kgdb.graph.forms.operators import (
    Aggregate,
    And,
    Compare,
    Condition,
    Count,
    EntityForm,
    Except,
    Filter,
    FilterByCount,
    FilterLabel,
    Find,
    FindAll,
    Form,
    GroupBy,
    Or,
    Property,
    Qualifier,
    Relate,
    Select,
    SelectByCount,
    Verify,
)
from kgdb.graph.forms.parts import ARROWS, Parts, and_label, names, property_values
from kgdb.graph.schema import PropertyInfo, Schema

_SIDES = {"And": [[1, 2]], "Or": [[1], [2], [1, 2]], "Except": [[1]]}
_FUNCTIONS = {"sum": "sum", "mean": "avg", "min": "min", "max": "max"}


@dataclass(frozen=True, slots=True)
class Compiled:
    """The statement of a form with its parameters.

    ``kind`` is the kind of key that a number of it is to be read as: ``"number"`` or ``"date"``.
    """

    text: Statement
    parameters: dict[str, Any]
    kind: str = "number"


@dataclass(slots=True)
class Compiler:
    """Compiles one form for one graph, whose names are checked beforehand."""

    info: GraphInfo
    schema: Schema
    _parts: Parts = field(init=False)

    def __post_init__(self) -> None:
        self._parts = Parts(self.info, self.schema)

    def compile(self, form: Form) -> Compiled:
        """The statement of the whole form."""
        kind = "number"
        match form:
            case Verify(form=inner):
                return self.compile(_verified(form))
            case Count(form=inner):
                text = self._entities(inner)
            case Aggregate(values=values, function=function):
                text, kind = self._aggregate(values, function)
            case Property(form=inner, property=name):
                text = statement(
                    "forms/answer/values",
                    of=self.set(inner),
                    id=self._parts.id("e"),
                    name=self._parts.name("e"),
                    values=self._parts.values("e", name),
                    property=self._parts.parameter(name),
                )
            case Qualifier():
                text = self._qualifiers(form)
            case GroupBy():
                text, kind = self._groups(form)
            case _:
                text = self._entities(form)
        return Compiled(text, dict(self._parts.parameters), kind)

    def set(self, form: EntityForm) -> Statement:  # noqa: PLR0911 - one case for each operator
        """The query of a set of entities."""
        match form:
            case Find(name=name, ids=ids):
                return self._find(name, ids)
            case FindAll(label=label):
                of = Statement("") if label is None else and_label(label)
                return statement("forms/find_all", label=self._parts.label, of=of)
            case And() | Or() | Except():
                return self._union(form.left, form.right, _SIDES[type(form).__name__])
            case Select(form=inner, property=name, extreme=extreme, k=k):
                return self._select(self.set(inner), name, extreme, k)
            case Compare(left=left, right=right, property=name, extreme=extreme):
                both = self._union(left, right, _SIDES["Or"])
                return self._select(both, name, extreme, 1, least=2)
            case SelectByCount(form=inner, extreme=extreme, k=k):
                count = self._parts.count_ends("e", form.relation, form.direction, form.label)
                sign = Statement("-" if extreme == "max" else "")
                return statement(
                    "forms/select",
                    of=self.set(inner),
                    key=joined("", [sign, count]),
                    k=k,
                    most=k,
                    least=1,
                    properties=self._parts.count_fact("e", form.relation, count),
                )
            case _:
                return self._chain(form)

    def _entities(self, form: EntityForm) -> Statement:
        return statement(
            "forms/answer/entities",
            of=self.set(form),
            id=self._parts.id("e"),
            name=self._parts.name("e"),
        )

    # ---- sets

    def _find(self, name: str, ids: Sequence[str]) -> Statement:
        if not ids:
            return statement(
                "forms/find_name",
                label=self._parts.label,
                name=self.info.name_property,
                text=self._parts.parameter(name),
            )
        numbers = [int(one) for one in ids if one.isascii() and one.lstrip("-").isdigit()]
        return statement(
            "forms/find",
            label=self._parts.label,
            id=self.info.id_property,
            ids=self._parts.parameter([*ids, *numbers]),
        )

    def _chain(self, form: EntityForm) -> Statement:
        """Hops and filters from a set, as one pattern with its conditions."""
        steps: list[Any] = []
        while isinstance(form, Relate | FilterLabel | Filter | FilterByCount):
            steps.append(form)
            form = form.form
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
                            label=self._parts.label,
                        )
                    )
                    tests += [
                        self._parts.test(
                            property_values(f"r{len(hops)}", each.property),
                            self.schema.relations[relation].property(each.property),
                            each,
                        )
                        for each in where
                    ]
                case FilterLabel(label=label):
                    tests.append(statement("forms/has_label", n=node, of=label))
                case Filter(property=name, op=op, value=value):
                    condition = Condition(name, op, value)
                    values = self._parts.values(node, name)
                    tests.append(self._parts.test(values, self.schema.properties[name], condition))
                    if node == last:
                        facts.append(self._parts.facts("e", name))
                case FilterByCount():
                    ends = step.relation, step.direction, step.label
                    count = self._parts.count_ends(node, *ends)
                    tests.append(self._parts.number_test(count, step.op, step.value))
                    if node == last:
                        shown = self._parts.count_ends("e", *ends)
                        facts.append(self._parts.count_fact("e", step.relation, shown))
        base = self.set(form)
        where_text = joined(" AND ", tests) if tests else Statement("true")
        properties = joined(" + ", facts) or Statement("[]")
        if not hops:
            return statement("forms/filter", of=base, where=where_text, properties=properties)
        return statement(
            "forms/chain",
            of=base,
            hops=joined("", hops),
            where=where_text,
            last=last,
            relationships=names("r", range(1, len(hops) + 1)),
            nodes=names("n", range(len(hops) + 1)),
            id=self._parts.id("n"),
            fact=self._parts.fact(),
            properties=properties,
        )

    def _union(
        self, left: EntityForm, right: EntityForm, kept: Sequence[Sequence[int]]
    ) -> Statement:
        return statement(
            "forms/union",
            left=self.set(left),
            right=self.set(right),
            kept=self._parts.parameter(kept),
        )

    def _select(self, of: Statement, name: str, extreme: str, k: int, least: int = 1) -> Statement:
        kind = comparing.ordered_kind(self.schema.properties[name].type, name)
        extreme_key = statement(
            "forms/extreme",
            values=self._parts.values("e", name),
            key=comparing.key(kind),
            sign=Statement("-1" if extreme == "max" else "1"),
        )
        return statement(
            "forms/select",
            of=of,
            key=extreme_key,
            k=k,
            most=max(k, least),
            least=least,
            properties=self._parts.facts("e", name),
        )

    # ---- values

    def _qualifiers(self, form: Qualifier) -> Statement:
        left, right = ARROWS[form.direction]
        to = FindAll() if form.to is None else form.to
        return statement(
            "forms/answer/qualifiers",
            of=self.set(form.form),
            to=self.set(to) if form.to is not None else statement("forms/no_entity"),
            restricted=Statement("true" if form.to is None else "other IN ends"),
            left=Statement(left),
            right=Statement(right),
            relation=form.relation,
            label=self._parts.label,
            values=property_values("r", form.property),
            other_id=self._parts.id("other"),
            other_name=self._parts.name("other"),
            fact=self._parts.fact(),
        )

    def _aggregate(self, values: Property | Qualifier, function: str) -> tuple[Statement, str]:
        info = self.value_info(values)
        kind = comparing.ordered_kind(info.type, values.property)
        if isinstance(values, Property):
            rows = statement(
                "forms/values_of",
                of=self.set(values.form),
                values=self._parts.values("e", values.property),
            )
        else:
            left, right = ARROWS[values.direction]
            rows = statement(
                "forms/qualifiers_of",
                of=self.set(values.form),
                to=statement("forms/no_entity") if values.to is None else self.set(values.to),
                restricted=Statement("true" if values.to is None else "other IN ends"),
                left=Statement(left),
                right=Statement(right),
                relation=values.relation,
                label=self._parts.label,
                values=property_values("r", values.property),
            )
        text = statement(
            "forms/answer/aggregate",
            values=rows,
            key=comparing.key(kind),
            function=Statement(_FUNCTIONS[function]),
        )
        return text, kind

    def _groups(self, form: GroupBy) -> tuple[Statement, str]:
        kind = "number"
        if form.relation is not None:
            left, right = ARROWS[form.direction]
            grouped = statement(
                "forms/grouped_by_relation",
                left=Statement(left),
                right=Statement(right),
                relation=form.relation,
                label=self._parts.label,
                id=self._parts.id("g"),
                name=self._parts.name("g"),
            )
        else:
            assert form.property is not None  # noqa: S101 - checked beforehand
            grouped = statement(
                "forms/grouped_by_property", values=self._parts.values("e", form.property)
            )
        if form.function is None or form.of is None:
            values, reduced = Statement("[1]"), Statement("count(DISTINCT e)")
        else:
            kind = comparing.ordered_kind(self.schema.properties[form.of].type, form.of)
            values = self._parts.values("e", form.of)
            reduced = statement("forms/reduced", function=Statement(_FUNCTIONS[form.function]))
        text = statement(
            "forms/answer/groups",
            of=self.set(form.form),
            grouped=grouped,
            values=values,
            key=comparing.key("number" if form.function is None else kind),
            reduced=reduced,
        )
        return text, kind

    def value_info(self, values: Property | Qualifier) -> PropertyInfo:
        """What the schema says of the property."""
        if isinstance(values, Property):
            return self.schema.properties[values.property]
        return self.schema.relations[values.relation].property(values.property)


def _verified(verify: Verify) -> Form:
    """The form whose answer tells whether the condition is fulfilled."""
    inner, op, value = verify.form, verify.op, verify.value
    if op is None or value is None:
        return inner
    match inner:
        case Property(form=of, property=name):
            return Filter(of, name, op, value)
        case Qualifier(form=of, relation=relation, direction=direction, to=to):
            hop = Relate(of, relation, direction, (Condition(inner.property, op, value),))
            return hop if to is None else And(hop, to)
    return inner
