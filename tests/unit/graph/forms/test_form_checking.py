"""What a graph does not have is told with what is near; what makes no sense is refused."""

from __future__ import annotations

import pytest
from drawn_forms import MOVIES, ONE_OF_EACH, SCHEMA, TOM

from kgdb.errors import UsageError
from kgdb.graph.forms import Form, check_form
from kgdb.graph.forms.operators import (
    Aggregate,
    And,
    Compare,
    Condition,
    Count,
    Except,
    Filter,
    FilterByCount,
    FilterLabel,
    FindAll,
    GroupBy,
    Property,
    Qualifier,
    Relate,
    Select,
    SelectByCount,
    SelectByQualifier,
    Verify,
)

pytestmark = pytest.mark.unit

NEO = Condition("rolle", "=", "Neo")
UNKNOWN: list[tuple[Form, str]] = [
    (FindAll("Movies"), "The graph has no label 'Movies'. Did you mean 'Movie'?"),
    (FilterLabel(TOM, "Person"), "no label 'Person'. Did you mean 'Per`son'?"),
    (FindAll("Zebra"), "The graph has no label 'Zebra'."),
    (Relate(TOM, "ACTED"), "no relation 'ACTED'. Did you mean 'ACTED_IN'?"),
    (Relate(TOM, "ACTED_IN", where=(NEO,)), "Relationships 'ACTED_IN' have no property 'rolle'"),
    (Qualifier(TOM, "ACTED_IN", "rolle"), "Relationships 'ACTED_IN' have no property 'rolle'"),
    (Qualifier(TOM, "ACTS_IN", "role"), "no relation 'ACTS_IN'"),
    (Filter(MOVIES, "releasd", "=", 1), "no property 'releasd'. Did you mean 'released'?"),
    (Property(MOVIES, "year"), "The graph has no property 'year'"),
    (Select(MOVIES, "year", "max"), "The graph has no property 'year'"),
    (Compare(TOM, MOVIES, "year", "max"), "The graph has no property 'year'"),
    (FilterByCount(TOM, "ACTS_IN", "=", 1), "no relation 'ACTS_IN'"),
    (FilterByCount(TOM, "ACTED_IN", "=", 1, "in", FindAll("Film")), "no label 'Film'"),
    (SelectByCount(TOM, "ACTED_IN", "max", to=FindAll("Film")), "no label 'Film'"),
    (GroupBy(MOVIES, relation="ACTS_IN"), "no relation 'ACTS_IN'"),
    (GroupBy(MOVIES, property="year"), "no property 'year'"),
    (GroupBy(MOVIES, property="motto", function="max", of="year"), "no property 'year'"),
    (Count(Except(MOVIES, FindAll("Movies"))), "no label 'Movies'"),
    (Aggregate(Property(FindAll("Movies"), "rating"), "max"), "no label 'Movies'"),
    (Qualifier(TOM, "ACTED_IN", "role", to=FindAll("Movies")), "no label 'Movies'"),
]
SENSELESS: list[tuple[Form, str]] = [
    (Select(MOVIES, "rating", "max", 0), "k is 0"),
    (SelectByCount(MOVIES, "ACTED_IN", "max", k=-1), "k is -1"),
    (GroupBy(MOVIES), "both a relation and a property, or neither"),
    (GroupBy(MOVIES, relation="ACTED_IN", property="motto"), "both a relation and a property"),
    (GroupBy(MOVIES, property="motto", function="max"), "a function without the property"),
    (GroupBy(MOVIES, property="motto", of="rating"), "a function without the property"),
    (GroupBy(MOVIES, "ACTED_IN", qualifier="since"), "a function without the property"),
    (GroupBy(MOVIES, property="motto", function="max", qualifier="since"), "by no relation"),
    (
        GroupBy(MOVIES, "ACTED_IN", function="max", of="rating", qualifier="since"),
        "both a property of entities (of) and one of relationships (qualifier)",
    ),
    (Count(MOVIES, relationships=True), "its form does not end with a hop"),
    (
        Count(And(MOVIES, Relate(TOM, "ACTED_IN")), relationships=True),
        "its form does not end with a hop",
    ),
    (GroupBy(MOVIES, property="motto", relationships=True), "has no relation or a function"),
    (
        GroupBy(MOVIES, "ACTED_IN", function="max", of="rating", relationships=True),
        "has no relation or a function",
    ),
    (SelectByQualifier(MOVIES, "ACTED_IN", "rating", "max"), "have no property 'rating'"),
    (SelectByQualifier(MOVIES, "ACTS", "since", "max"), "no relation 'ACTS'"),
    (SelectByQualifier(MOVIES, "ACTED_IN", "since", "max", k=0), "k is 0"),
    (Verify(MOVIES, "=", 1), "compares a set of entities with a value"),
    (Verify(Count(MOVIES), "="), "an op without a value"),
    (Verify(Count(MOVIES), value=1), "a value without an op"),
    (Verify(Count(MOVIES), "contains", 1), "compares a number by 'contains'"),
]


@pytest.mark.parametrize(("form", "message"), UNKNOWN + SENSELESS)
def test_a_form_is_refused(form: Form, message: str) -> None:
    with pytest.raises(UsageError) as failure:
        check_form(form, SCHEMA)
    assert message in failure.value.message


def test_the_hint_lists_what_there_is() -> None:
    with pytest.raises(UsageError) as failure:
        check_form(FindAll("Movies"), SCHEMA)
    assert failure.value.hint == "Its labels: A b, Movie, Per`son."


@pytest.mark.parametrize("form", ONE_OF_EACH, ids=lambda form: type(form).__name__)
def test_every_operator_may_be_asked(form: Form) -> None:
    check_form(form, SCHEMA)


@pytest.mark.parametrize(
    "form",
    [
        Verify(MOVIES),
        Property(TOM, "ACTED_IN"),
        Filter(TOM, "ACTED_IN", "contains", "Neo"),
        Verify(Count(MOVIES)),
        Verify(Property(TOM, "motto"), "contains", "so"),
        GroupBy(MOVIES, property="motto"),
        GroupBy(MOVIES, property="motto", function="max", of="rating"),
    ],
)
def test_what_makes_sense_is_accepted(form: Form) -> None:
    check_form(form, SCHEMA)


def test_a_form_of_too_many_operators_is_refused() -> None:
    form: Form = MOVIES
    for _ in range(5_000):
        form = FilterLabel(form, "Movie")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="more than 40 operators"):
        check_form(form, SCHEMA)


def test_superlatives_of_superlatives_are_few() -> None:
    form: Form = MOVIES
    for _ in range(4):
        form = Select(form, "rating", "max", 9)  # type: ignore[arg-type]
    check_form(form, SCHEMA)
    with pytest.raises(UsageError, match="more than 4 superlatives"):
        check_form(Count(SelectByCount(form, "ACTED_IN", "min")), SCHEMA)  # type: ignore[arg-type]
