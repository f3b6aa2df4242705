"""A form as a sentence for people: *the number of movies that …*."""

from __future__ import annotations

from collections.abc import Mapping

from kgdb.graph.forms.operators import (
    Aggregate,
    And,
    Compare,
    Condition,
    Count,
    Direction,
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
    SelectByQualifier,
    Verify,
    last_hop,
)
from kgdb.graph.retrieval.results import RelationInfo

Words = Mapping[tuple[str, bool], str]
"""What each relation leads to, along it and against it (``True``), with ``{}`` for its start."""


def words_of(relations: Mapping[str, RelationInfo]) -> dict[tuple[str, bool], str]:
    """The words of a graph's relations."""
    both = {
        (r.id, back): r.inverse if back else r.text
        for r in relations.values()
        for back in (False, True)
    }
    return {key: text for key, text in both.items() if text and "{}" in text}


_OPS = {
    "=": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
    "contains": "contains",
    "starts with": "starts with",
}
_FUNCTIONS = {"sum": "sum", "mean": "mean", "min": "least", "max": "largest"}
_EXTREMES = {"max": ("largest", "most"), "min": ("smallest", "fewest")}


def form_text(form: Form, words: Words) -> str:  # noqa: PLR0911, PLR0912 - one case for each operator
    """The form in words."""

    def of(inner: Form) -> str:
        return form_text(inner, words)

    match form:
        case Find(name=name):
            return name
        case FindAll(label=label):
            return f"all {label} nodes" if label else "all entities"
        case Relate(form=inner, relation=relation, direction=direction, where=where):
            reached = _hop(relation, direction, words).replace("{}", of(inner))
            conditions = " and ".join(map(_condition, where))
            return f"{reached} (where {conditions})" if conditions else reached
        case FilterLabel(form=inner, label=label):
            return f"those labelled {label} of {of(inner)}"
        case Filter(form=inner, property=name, op=op, value=value):
            shown = of(value) if isinstance(value, Property | Aggregate) else value
            return f"those of {of(inner)} whose {name} {_OPS[op]} {shown}"
        case FilterByCount(form=inner, op=op, value=value):
            counted = f"{_counted(form)}{_ends(form, words)}"
            return f"those of {of(inner)} whose number of {counted} {_OPS[op]} {value}"
        case And(left=left, right=right):
            both = [*_conjuncts(left), *_conjuncts(right)]
            known = "both" if len(both) == len((left, right)) else "all"
            return f"what is in {known}: {'; '.join(map(of, both))}"
        case Or(left=left, right=right):
            return f"{of(left)} or {of(right)}"
        case Except(left=left, right=right):
            return f"{of(left)}, without {of(right)}"
        case Select(form=inner, property=name, extreme=extreme, k=k):
            return f"the {_number(k)}of {of(inner)} with the {_EXTREMES[extreme][0]} {name}"
        case SelectByCount(form=inner, extreme=extreme, k=k):
            most = _EXTREMES[extreme][1]
            counted = f"{_counted(form)}{_ends(form, words)}"
            return f"the {_number(k)}of {of(inner)} with the {most} {counted}"
        case SelectByQualifier(form=inner, property=name, relation=relation, k=k, to=to):
            kind = f"{_FUNCTIONS[form.function]} of " if form.function else ""
            value = f"the {_EXTREMES[form.extreme][0]} {kind}{name} of {relation}"
            other = f" with {of(to)}" if to is not None else ""
            return f"the {_number(k)}of {of(inner)} with {value}{other}"
        case Compare(left=left, right=right, property=name, extreme=extreme):
            return f"which of {of(left)} and {of(right)} has the {_EXTREMES[extreme][0]} {name}"
        case Property(form=inner, property=name):
            return f"the {name} of {of(inner)}"
        case Qualifier(form=inner, relation=relation, property=name, to=to):
            other = f" and {of(to)}" if to is not None else ""
            return f"the {name} of {relation} between {of(inner)}{other or ' and others'}"
        case GroupBy(form=inner, relation=relation, property=name, function=function):
            value = form.of or form.qualifier
            what = f"the {_FUNCTIONS[function]} {value}" if function else "the number"
            if form.relationships:
                what = f"the number of {relation} relationships"
            return f"{what} of {of(inner)} for each {relation or name}"
        case Count(form=inner, relationships=True) if hop := last_hop(inner):
            return f"the number of {hop.relation} relationships that lead to {of(inner)}"
        case Count(form=inner):
            return f"the number of {of(inner)}"
        case Aggregate(values=values, function=function):
            return f"the {_FUNCTIONS[function]} of {of(values)}"
        case Verify(form=inner, op=op, value=value):
            if op is None:
                return f"whether there is any of {of(inner)}"
            return f"whether {of(inner)} {_OPS[op]} {value}"


def _counted(form: FilterByCount | SelectByCount) -> str:
    return f"{form.relation} relationships" if form.relationships else form.relation


def _ends(form: FilterByCount | SelectByCount, words: Words) -> str:
    """What the counted ends are, where it is told."""
    return "" if form.to is None else f" with {form_text(form.to, words)}"


def _conjuncts(form: Form) -> list[Form]:
    """The sets that *and* joins, however it is nested."""
    if isinstance(form, And):
        return [*_conjuncts(form.left), *_conjuncts(form.right)]
    return [form]


def _hop(relation: str, direction: Direction, words: Words) -> str:
    if direction != "any" and (text := words.get((relation, direction == "in"))):
        return text
    return {"out": f"{relation} of {{}}", "in": f"what {{}} is the {relation} of"}.get(
        direction, f"what {relation} joins with {{}}"
    )


def _condition(condition: Condition) -> str:
    return f"{condition.property} {_OPS[condition.op]} {condition.value}"


def _number(k: int) -> str:
    return "one " if k == 1 else f"{k} "
