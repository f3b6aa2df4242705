"""Compiled forms: names only in quotation marks, values only as parameters."""

from __future__ import annotations

import re

import pytest
from drawn_forms import MOVIES, ONE_OF_EACH, RELATIONS, SCHEMA, TOM, every_form
from hypothesis import given

from kgdb.errors import UsageError
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.node_expressions import NameSource
from kgdb.graph.forms import Form, check_form
from kgdb.graph.forms.compiling import Compiled, Compiler
from kgdb.graph.forms.operators import (
    Aggregate,
    Condition,
    Count,
    EntityForm,
    Filter,
    FilterByCount,
    Find,
    FindAll,
    GroupBy,
    Or,
    Property,
    Relate,
    Select,
    Verify,
)

pytestmark = pytest.mark.unit

INFO = GraphInfo(
    "films",
    ("Film`s",),
    "films",
    "ready",
    "",
    "",
    0,
    0,
    0,
    None,
    id_property="key",
    names=(NameSource("Film`s", ("a`b",)),),
)
QUOTED = re.compile(r"`(?:[^`]|``)+`")
STRING = re.compile(r"'(?:[^'\\]|\\.)*'")


def compiled(form: Form) -> Compiled:
    return Compiler(INFO, SCHEMA).compile(form)


def bare(text: str) -> str:
    """A statement without what is quoted."""
    return STRING.sub("", QUOTED.sub("", re.sub(r"//.*", "", text.replace(RELATIONS[2], "x"))))


@given(every_form)
def test_a_form_is_refused_or_one_statement_that_reads(form: Form) -> None:
    try:
        check_form(form, SCHEMA)
        made = compiled(form)
    except UsageError:
        return
    text = bare(made.text)
    assert "%" not in text
    assert not re.search(r"\b(CREATE|MERGE|DELETE|SET|REMOVE|DETACH|FOREACH|LOAD)\b", text)
    assert set(re.findall(r"\$(\w+)", text)) <= {*made.parameters, "limit", "proofs", "witnesses"}


def test_a_name_of_the_graph_is_quoted() -> None:
    hop = Relate(Find("x"), "x]-() DELETE n //", "out", (Condition("role", "=", "a"),))
    text = compiled(Filter(hop, "is open", "=", True)).text
    assert "-[`r1`:`x]-() DELETE n //`]->(`n1`:`Film``s`)" in text
    assert "`is open`" in text
    assert "e.`a``b`" in text


@pytest.mark.parametrize("value", ["x' OR true", "`", "$limit", "\\", "雨", '"'])
def test_a_value_is_a_parameter(value: str) -> None:
    for form in (Find(value), Find("a", (value,)), Filter(MOVIES, "motto", "=", value)):
        made = compiled(form)
        assert made.text == compiled(
            Find("y") if isinstance(form, Find) and not form.ids
            else Find("a", ("y",)) if isinstance(form, Find)
            else Filter(MOVIES, "motto", "=", "y")
        ).text  # fmt: skip
        assert any(value == p or value in (p or ()) for p in made.parameters.values())


def test_ids_that_are_numbers_are_sought_as_both() -> None:
    ids = ("7", "-3", "--5", "1e3", "٣", "9" * 30)
    (sought,) = compiled(Find("x", ids)).parameters.values()
    assert sought == [*ids, 7, -3]


@pytest.mark.parametrize("form", ONE_OF_EACH, ids=lambda form: type(form).__name__)
def test_hops_and_conditions_are_one_pattern(form: Form) -> None:
    assert compiled(form).text.count("MATCH (n0)") <= 1


def test_hops_that_follow_each_other_are_one_pattern() -> None:
    first = Filter(Relate(TOM, "ACTED_IN"), "released", ">", 1999)
    second = FilterByCount(Relate(first, "ACTED_IN", "in"), "ACTED_IN", ">", 1)
    text = compiled(second).text
    assert "MATCH (n0)-[`r1`:`ACTED_IN`]->" in text
    assert "<-[`r2`:`ACTED_IN`]-" in text
    assert text.count("MATCH (n0)") == 1


def test_a_hop_that_begins_anew_is_a_pattern_of_its_own() -> None:
    """Cypher uses no relationship of a pattern twice: the cast of his films includes himself."""
    cast = Relate(Relate(TOM, "ACTED_IN"), "ACTED_IN", "in", anew=True)
    assert compiled(cast).text.count("MATCH (n0)") == 2


@pytest.mark.parametrize(
    "form",
    [
        Aggregate(Property(MOVIES, "released"), "sum"),
        Aggregate(Property(MOVIES, "released"), "mean"),
        GroupBy(MOVIES, property="motto", function="mean", of="released"),
    ],
)
def test_dates_are_not_summed_up(form: Form) -> None:
    with pytest.raises(UsageError, match="'released' are dates"):
        compiled(form)


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (Select(MOVIES, "motto", "max"), "'motto' are of the type text"),
        (Select(MOVIES, "place", "max"), "'place' are of the type point"),
        (Filter(MOVIES, "place", "=", "x"), "they do not compare"),
        (Filter(MOVIES, "released", ">", "soon"), "'released' is compared with 'soon'"),
        (Verify(Property(MOVIES, "rating"), ">", "big"), "'rating' is compared with 'big'"),
    ],
)
def test_what_does_not_compare_is_told(form: Form, message: str) -> None:
    with pytest.raises(UsageError) as failure:
        compiled(form)
    assert message in failure.value.message


def test_a_set_that_may_be_large_is_never_held_whole() -> None:
    large, small = compiled(Count(FindAll())).text, compiled(Count(TOM)).text
    assert "LIMIT $limit" in large
    assert "LIMIT $limit" not in small
    assert "LIMIT 1" in compiled(Select(MOVIES, "rating", "max")).text


def test_a_form_that_takes_long_to_plan_is_refused_before_it_is_sent() -> None:
    form: EntityForm = FindAll("Film")
    for _ in range(5):
        form = Or(FilterByCount(form, RELATIONS[0], ">", 1), form)
    with pytest.raises(UsageError, match="too large") as raised:
        compiled(Count(form))
    assert "40,000" in str(raised.value.hint)
