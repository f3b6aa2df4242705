"""A logical form as one statement in Cypher: names quoted, values as parameters.

The sets of entities in it are queries of their own (:mod:`kgdb.graph.forms.set_queries`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.statements import Statement, statement
from kgdb.graph.forms import comparing
from kgdb.graph.forms.operators import (
    Aggregate,
    And,
    Condition,
    Count,
    EntityForm,
    Filter,
    Form,
    Function,
    GroupBy,
    Property,
    Qualifier,
    Relate,
    Verify,
)
from kgdb.graph.forms.parts import (
    ARROWS,
    Parts,
    property_values,
)
from kgdb.graph.forms.reducing import reduced_value
from kgdb.graph.forms.set_queries import SetQueries, is_large, restricted
from kgdb.graph.schema import PropertyInfo, Schema

MOST_CHARACTERS = 40_000
"""The longest statement: planning it takes ten seconds, and cannot be stopped meanwhile."""


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
    _sets: SetQueries = field(init=False)

    def __post_init__(self) -> None:
        self._parts = Parts(self.info, self.schema)
        self._sets = SetQueries(self.info, self.schema, self._parts)

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

    def _answer(self, form: Form) -> Statement:  # noqa: PLR0911 - one case for each operator
        match form:
            case Verify(form=inner):
                return self._verified(form) if form.op is not None else self._answer(inner)
            case Count(form=inner, relationships=True):
                return statement(
                    "forms/answer/relationships",
                    of=self._sets.relationships(inner),
                    id=self._parts.id("e"),
                    name=self._parts.name("e"),
                )
            case Count(form=inner):
                return self._answer(inner)
            case Aggregate(values=values, function=function):
                return self._aggregate(values, function)
            case Property() | Qualifier():
                name = "many_values" if is_large(form) else "values"
                return statement(f"forms/answer/{name}", values=self._values(form))
            case GroupBy():
                return self._groups(form)
            case _:
                return self._entities(form)

    def _entities(self, form: EntityForm, total: str = "total", rows: str = "rows") -> Statement:
        name = "many_entities" if is_large(form) else "entities"
        return statement(
            f"forms/answer/{name}",
            of=self._sets.query(form),
            id=self._parts.id("e"),
            name=self._parts.name("e"),
            total=total,
            rows=rows,
        )

    # ---- values

    def _values(self, form: Property | Qualifier) -> Statement:
        """The query of values, whose rows are ``x`` with an entity and a proof."""
        if isinstance(form, Property):
            return statement(
                "forms/values_of",
                of=self._sets.query(form.form),
                id=self._parts.id("e"),
                name=self._parts.name("e"),
                values=self._parts.values("e", form.property),
                property=self._parts.parameter(form.property),
            )
        left, right = ARROWS[form.direction]
        other = {"other_id": self._parts.id("other"), "other_name": self._parts.name("other")}
        return statement(
            "forms/qualifiers_of",
            of=self._sets.query(form.form),
            ends=self._sets.ends(form.to),
            restricted=restricted(form.to),
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
            reduced=reduced_value(kind, function, info.name),
            sign=Statement("-1" if function == "max" else "1"),
        )

    def _groups(self, form: GroupBy) -> Statement:
        if form.relation is not None:
            left, right = ARROWS[form.direction]
            ends = {
                "left": Statement(left),
                "right": Statement(right),
                "relation": form.relation,
                "label": self._parts.label,
                "id": self._parts.id("g"),
                "name": self._parts.name("g"),
            }
            if form.qualifier is None and not form.relationships:
                grouped = statement("forms/grouped_by_relation", **ends)
            else:
                grouped = statement("forms/grouped_by_relationship", **ends)
        else:
            assert form.property is not None  # noqa: S101 - checked beforehand
            grouped = statement(
                "forms/grouped_by_property", values=self._parts.values("e", form.property)
            )
        if form.function is None:
            values, kind = Statement("[1]"), "number"
            reduced = statement(
                f"forms/reduce/{'count_relationships' if form.relationships else 'count'}"
            )
        else:
            values, info = self._measure(form)
            kind = comparing.ordered_kind(info.type, info.name)
            reduced = reduced_value(kind, form.function, info.name)
        return statement(
            "forms/answer/groups",
            of=self._sets.query(form.form),
            grouped=grouped,
            values=values,
            key=comparing.key(kind),
            reduced=reduced,
        )

    def _measure(self, form: GroupBy) -> tuple[Statement, PropertyInfo]:
        """The values that are made one number of each group, and their property."""
        if form.qualifier is not None:
            ends = self.schema.relations[form.relation or ""]
            return property_values("r", form.qualifier), ends.property(form.qualifier)
        assert form.of is not None  # noqa: S101 - checked beforehand
        return self._parts.values("e", form.of), self.schema.property_info(form.of)

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
