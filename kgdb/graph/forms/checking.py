"""Whether a form may be asked of a graph: its labels, relations and properties are there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from difflib import get_close_matches
from itertools import islice

from kgdb.errors import UsageError
from kgdb.graph.forms.operators import (
    FORMS,
    Aggregate,
    Compare,
    Count,
    Filter,
    FilterByCount,
    FilterLabel,
    FindAll,
    Form,
    GroupBy,
    Property,
    Qualifier,
    Relate,
    Select,
    SelectByCount,
    SelectByQualifier,
    Superlative,
    Verify,
    last_hop,
    subforms,
)
from kgdb.graph.schema import Schema
from kgdb.wording import listed, short

MOST_OPERATORS = 40
MOST_SUPERLATIVES = 4


def check_form(form: Form, schema: Schema) -> None:  # noqa: PLR0912 - one case for each operator
    """Raises :class:`UsageError` that names what there is not, and what there is."""
    forms = list(islice(subforms(form), MOST_OPERATORS + 1))
    if len(forms) > MOST_OPERATORS:
        raise UsageError(
            f"The form has more than {MOST_OPERATORS} operators.", hint="Ask for less at once."
        )
    if _superlatives(form) > MOST_SUPERLATIVES:
        raise UsageError(
            f"The form has more than {MOST_SUPERLATIVES} superlatives inside each other.",
            hint="Each reads its set twice, so that the costs double; take one away.",
        )
    for each in forms:
        match each:
            case FindAll(label=label) | FilterLabel(label=label) if label is not None:
                _known("label", label, schema.labels)
            case Filter(property=name) | Property(property=name) | Compare(property=name):
                _property(name, schema)
            case Select(property=name, k=k):
                _property(name, schema)
                _positive(k)
            case FilterByCount() | SelectByCount():
                _known("relation", each.relation, schema.relations)
                if isinstance(each, SelectByCount):
                    _positive(each.k)
            case Relate(relation=relation, where=where):
                _known("relation", relation, schema.relations)
                for condition in where:
                    _qualifier(condition.property, relation, schema)
            case (
                Qualifier(relation=relation, property=name)
                | SelectByQualifier(relation=relation, property=name)
            ):
                _known("relation", relation, schema.relations)
                _qualifier(name, relation, schema)
                if isinstance(each, SelectByQualifier):
                    _positive(each.k)
            case GroupBy():
                _check_groups(each, schema)
            case Count(form=inner, relationships=True) if last_hop(inner) is None:
                raise UsageError(
                    "Count has relationships, and its form does not end with a hop.",
                    hint="Expected a Relate, perhaps inside of Filter, FilterLabel, "
                    "FilterByCount or as the left set of And; its relationships are counted.",
                )
            case Verify():
                _check_verify(each)


def _superlatives(form: Form) -> int:
    """How many are inside each other at most."""
    inner = [getattr(form, name.name) for name in fields(form)]
    below = max((_superlatives(one) for one in inner if isinstance(one, FORMS)), default=0)
    return below + isinstance(form, Superlative | Compare)


def _check_verify(form: Verify) -> None:
    if (form.op is None) != (form.value is None):
        raise UsageError("Verify has an op without a value, or a value without an op.")
    if form.op is None or isinstance(form.form, Property | Qualifier):
        return
    if not isinstance(form.form, Count | Aggregate):
        raise UsageError(
            "Verify compares a set of entities with a value.",
            hint="Compare a Property, a Qualifier, a Count or an Aggregate.",
        )
    if form.op in ("contains", "starts with"):
        raise UsageError(
            f"Verify compares a number by {short(form.op)}.",
            hint="Expected =, !=, <, <=, > or >=.",
        )


def _check_groups(form: GroupBy, schema: Schema) -> None:
    if (form.relation is None) == (form.property is None):
        raise UsageError("GroupBy has both a relation and a property, or neither.")
    if form.of is not None and form.qualifier is not None:
        raise UsageError(
            "GroupBy has a function of both a property of entities (of) and one of relationships "
            "(qualifier).",
            hint="Give one of the two.",
        )
    if (form.function is None) != (form.of is None and form.qualifier is None):
        raise UsageError(
            "GroupBy has a function without the property that it is of, or the property without a "
            "function.",
            hint="Expected function, and of or qualifier.",
        )
    if form.relationships and (form.relation is None or form.function is not None):
        raise UsageError(
            "GroupBy counts relationships, and has no relation or a function.",
            hint="Give the relation whose relationships are counted, and no function.",
        )
    if form.relation is not None:
        _known("relation", form.relation, schema.relations)
    if form.qualifier is not None:
        if form.relation is None:
            raise UsageError(
                "GroupBy has a qualifier, but groups by no relation.",
                hint="Give the relation whose relationships have it.",
            )
        _qualifier(form.qualifier, form.relation, schema)
    for name in (form.property, form.of):
        if name is not None:
            _property(name, schema)


def _known(kind: str, name: str, known: Iterable[str]) -> None:
    names = sorted(known)
    if name in names:
        return
    near = get_close_matches(name, names, n=1)
    meant = f" Did you mean {short(near[0])}?" if near else ""
    plural = "properties" if kind == "property" else f"{kind}s"
    raise UsageError(
        f"The graph has no {kind} {short(name)}.{meant}", hint=f"Its {plural}: {listed(names)}."
    )


def _property(name: str, schema: Schema) -> None:
    if name not in schema.relations:  # one may be read as a property
        _known("property", name, schema.properties)


def _qualifier(name: str, relation: str, schema: Schema) -> None:
    known = [each.name for each in schema.relations[relation].properties]
    if name not in known:
        raise UsageError(
            f"Relationships {short(relation)} have no property {short(name)}.",
            hint=f"Their properties: {listed(known)}.",
        )


def _positive(k: int) -> None:
    if k < 1:
        raise UsageError(f"k is {k}; expected a whole number of at least 1.")
