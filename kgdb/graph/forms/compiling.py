"""A logical form as one statement in Cypher: names quoted, values as parameters.

Each set of entities is a query whose rows are ``e`` (the node), ``proof`` (facts that prove it) and
``rank`` (what the best come first by). A chain of hops is one ``MATCH``, so that no relationship is
used twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kgdb.errors import UsageError
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
    Function,
    GroupBy,
    Or,
    Property,
    Qualifier,
    Relate,
    Select,
    SelectByCount,
    Verify,
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
from kgdb.graph.schema import PropertyInfo, Schema
from kgdb.wording import short

_SIDES = {"And": [[1, 2]], "Or": [[1], [2], [1, 2]], "Except": [[1]]}

MOST_CHARACTERS = 40_000
"""The longest statement: planning it takes ten seconds, and cannot be stopped meanwhile."""

_FUNCTIONS = {"sum": "sum", "mean": "avg", "min": "min", "max": "max"}


@dataclass(frozen=True, slots=True)
class Compiled:
    """The statement of a form with its parameters."""

    text: Statement
    parameters: dict[str, Any]


@dataclass(slots=True)
class Compiler:
    """Compiles one form for one graph, whose names are checked beforehand."""

    info: GraphInfo
    schema: Schema
    _parts: Parts = field(init=False)
    _keys: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._parts = Parts(self.info, self.schema)

    def compile(self, form: Form) -> Compiled:
        """The statement of the whole form.

        Raises :class:`kgdb.errors.UsageError` if it is longer than :data:`MOST_CHARACTERS`.
        """
        compiled = Compiled(self._answer(form), dict(self._parts.parameters))
        if len(compiled.text) > MOST_CHARACTERS:
            raise UsageError(
                f"The form is too large: its statement has {len(compiled.text):,} characters.",
                hint=f"Expected at most {MOST_CHARACTERS:,}. Ask for its parts, and give the ids "
                "of what they find to Find.",
            )
        return compiled

    def _answer(self, form: Form) -> Statement:
        match form:
            case Verify(form=inner):
                return self._verified(form) if form.op is not None else self._answer(inner)
            case Count(form=inner):
                return self._answer(inner)
            case Aggregate(values=values, function=function):
                return self._aggregate(values, function)
            case Property() | Qualifier():
                name = "many_values" if _is_large(form) else "values"
                return statement(f"forms/answer/{name}", values=self._values(form))
            case GroupBy():
                return self._groups(form)
            case _:
                return self._entities(form)

    def _entities(self, form: EntityForm, total: str = "total", rows: str = "rows") -> Statement:
        name = "many_entities" if _is_large(form) else "entities"
        return statement(
            f"forms/answer/{name}",
            of=self.set(form),
            id=self._parts.id("e"),
            name=self._parts.name("e"),
            total=total,
            rows=rows,
        )

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
                of, (key, facts) = self.set(inner), self._extreme(name, extreme)
                return self._select(inner, of, key, facts, k)
            case Compare(left=left, right=right, property=name, extreme=extreme):
                both = self._union(left, right, _SIDES["Or"])
                key, facts = self._extreme(name, extreme)
                return self._select(Or(left, right), both, key, facts, 1, least=2)
            case SelectByCount(form=inner, extreme=extreme, k=k):
                count = self._parts.count_ends("e", form.relation, form.direction, form.label)
                key = joined("", [Statement("-" if extreme == "max" else ""), count])
                facts = self._parts.count_fact("e", form.relation, count)
                return self._select(inner, self.set(inner), key, facts, k)
            case _:
                return self._chain(form)

    # ---- sets

    def _find(self, name: str, ids: Sequence[str]) -> Statement:
        if not ids:
            return self._named(name)
        return statement(
            "forms/find",
            label=self._parts.label,
            key=self.info.places["key"],
            ids=self._parts.parameter(sought_ids(ids)),
        )

    def _named(self, name: str) -> Statement:
        """Those of a name; by the index of each label whose names are one property."""
        text = self._parts.parameter(name)
        sources = self.info.names
        if not all(source.is_one_property for source in sources) or not sources:
            named = self._parts.name("e")
            parts = [statement("forms/named", label=self._parts.label, name=named, text=text)]
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

    def _chain(self, form: EntityForm) -> Statement:
        """Hops and filters from a set, as one pattern with its conditions."""
        steps: list[Any] = []
        while isinstance(form, Relate | FilterLabel | Filter | FilterByCount):
            steps.append(form)
            begins = isinstance(form, Relate) and form.anew
            form = form.form
            if begins:
                break
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
                    tests.append(
                        self._parts.test(values, self.schema.property_info(name), condition)
                    )
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

    def _extreme(self, name: str, extreme: str) -> tuple[Statement, Statement]:
        """What the best come first by, and the values as facts."""
        kind = comparing.ordered_kind(self.schema.property_info(name).type, name)
        key = statement(
            "forms/extreme",
            values=self._parts.values("e", name),
            key=comparing.key(kind),
            sign=Statement("-1" if extreme == "max" else "1"),
        )
        return key, self._parts.facts("e", name)

    def _select(
        self, form: Form, of: Statement, key: Statement, facts: Statement, k: int, least: int = 1
    ) -> Statement:
        places: dict[str, Any] = {"of": of, "key": key, "properties": facts, "least": least, "k": k}
        if _is_large(form):
            self._keys += 1  # each has a variable of its own, for one may be inside another
            keys = f"keys{self._keys}"
            return statement("forms/select_many", most=max(k, least), keys=keys, **places)
        return statement("forms/select", **places)

    # ---- values

    def _values(self, form: Property | Qualifier) -> Statement:
        """The query of values, whose rows are ``x`` with an entity and a proof."""
        if isinstance(form, Property):
            return statement(
                "forms/values_of",
                of=self.set(form.form),
                id=self._parts.id("e"),
                name=self._parts.name("e"),
                values=self._parts.values("e", form.property),
                property=self._parts.parameter(form.property),
            )
        left, right = ARROWS[form.direction]
        other = {"other_id": self._parts.id("other"), "other_name": self._parts.name("other")}
        ends = None if form.to is None else statement("forms/ends", to=self.set(form.to))
        return statement(
            "forms/qualifiers_of",
            of=self.set(form.form),
            ends=ends or Statement(),
            restricted=Statement("other IN ends" if ends else "true"),
            left=Statement(left),
            right=Statement(right),
            relation=form.relation,
            label=self._parts.label,
            once=statement("forms/once", **other) if form.direction == "any" else Statement(),
            values=property_values("r", form.property),
            fact=self._parts.fact(),
            **other,
        )

    def _aggregate(self, values: Property | Qualifier, function: Function) -> Statement:
        info = self._info_of(values)
        kind = comparing.ordered_kind(info.type, info.name)
        return statement(
            "forms/answer/aggregate",
            values=self._values(values),
            key=comparing.key(kind),
            reduced=_reduced(kind, function, info.name),
            sign=Statement("-1" if function == "max" else "1"),
        )

    def _groups(self, form: GroupBy) -> Statement:
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
            values, kind = Statement("[1]"), "number"
            reduced = statement("forms/reduce/count")
        else:
            kind = comparing.ordered_kind(self.schema.property_info(form.of).type, form.of)
            values = self._parts.values("e", form.of)
            reduced = _reduced(kind, form.function, form.of)
        return statement(
            "forms/answer/groups",
            of=self.set(form.form),
            grouped=grouped,
            values=values,
            key=comparing.key(kind),
            reduced=reduced,
        )

    def _verified(self, verify: Verify) -> Statement:
        """A number is compared where its rows are read; values are, in the database."""
        inner, op, value = verify.form, verify.op, verify.value
        assert op is not None and value is not None  # noqa: S101, PT018 - checked beforehand
        match inner:
            case Property(form=of, property=name):
                fulfilling: EntityForm = Filter(of, name, op, value)
            case Qualifier(form=of, relation=relation, direction=direction, to=to):
                hop = Relate(of, relation, direction, (Condition(inner.property, op, value),))
                fulfilling = hop if to is None else And(hop, to)
            case _:
                return self._answer(inner)
        return statement(
            "forms/answer/verified",
            fulfilling=self._entities(fulfilling, "fulfilled", "fulfilling"),
            values=self._answer(inner),
        )

    def _info_of(self, values: Property | Qualifier) -> PropertyInfo:
        if isinstance(values, Property):
            return self.schema.property_info(values.property)
        return self.schema.relations[values.relation].property(values.property)


def _is_large(form: Form) -> bool:
    """Whether it may read more entities than fit in memory; then it reads them twice."""
    inside = list(subforms(form))
    small = (Select, SelectByCount, Compare)
    return any(isinstance(each, FindAll) for each in inside) and not isinstance(form, small)


def _reduced(kind: str, function: Function, name: str) -> Statement:
    """One value from many; a date stays as it is written, for a year is not its first day."""
    if kind == "number":
        return statement("forms/reduce/number", function=Statement(_FUNCTIONS[function]))
    if function not in ("min", "max"):
        raise UsageError(
            f"Values of {short(name)} are dates: they have no {function}.",
            hint="Expected the function min or max.",
        )
    return statement("forms/reduce/date", function=Statement(function))
