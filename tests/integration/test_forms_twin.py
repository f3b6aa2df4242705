"""Logical forms in the database come to what their definition says, on random typed graphs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import Any

import form_worlds
import pytest
from form_worlds import KG, QUALIFIERS
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from reference.form_values import text
from reference.forms import Evaluator, FormWorld
from worlds import Dice

import kgdb
from kgdb.errors import UsageError
from kgdb.graph import find_graph
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.forms import FormResult, form_to_dict, run_form
from kgdb.graph.forms import operators as forms
from kgdb.graph.forms.compiling import Compiler
from kgdb.graph.schema import Schema
from kgdb.values import Path

pytestmark = pytest.mark.integration

EXAMPLES = int(os.environ.get("KGDB_TWINS_EXAMPLES", "4"))
FORMS_OF_A_WORLD = 10

LONG = 8_000
"""Characters of a statement that takes most of a second to plan."""


@pytest.fixture(scope="module")
def graph(settings: Any) -> Iterator[tuple[kgdb.Connection, GraphInfo]]:
    with kgdb.connect() as db:
        form_worlds.prepare(db)
        yield db, find_graph(db, KG)
        form_worlds.remove(db)


# Worlds in which something without a name is a value: it goes by its id.
@example(seed=458)
@example(seed=970)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_forms(graph: tuple[kgdb.Connection, GraphInfo], seed: int) -> None:
    db, info = graph
    dice = Dice(seed)
    world = form_worlds.draw_world(dice)
    form_worlds.write(db, world)
    schema = form_worlds.schema_of(world)
    for _ in range(FORMS_OF_A_WORLD):
        form = form_worlds.draw_form(dice, world)
        limit = dice.choice((100, 100, 0, 1, 2))
        if is_long(info, schema, form):
            continue
        result = run_form(db, info, schema, form, limit=limit)
        same(world, form, result, limit)


def is_long(info: GraphInfo, schema: Schema, form: forms.Form) -> bool:
    try:
        return len(Compiler(info, schema).compile(form).text) > LONG
    except UsageError:
        return True


def same(world: FormWorld, form: forms.Form, result: FormResult, limit: int) -> None:
    """The result is that of the definition, and its evidence is in the graph."""
    reference = Evaluator(world, QUALIFIERS)
    told = form_to_dict(form)
    match form:
        case forms.Verify():
            assert result.value is reference.verdict(form), told
        case forms.Aggregate():
            wanted = reference.aggregate(form)
            assert_number(result.value, wanted, told)
        case forms.Count():
            assert result.value == result.total == reference.count(form), told
        case forms.GroupBy():
            groups = reference.groups(form)
            assert result.total == len(groups), told
            assert isinstance(result.value, tuple)
            assert len(result.value) == min(limit, len(groups)), told
            for group in result.value:
                assert_number(group.value, groups[group.entity.id], told)
        case forms.Property() | forms.Qualifier():
            values = reference.values(form)
            assert result.total == len(values), told
            assert isinstance(result.value, tuple)
            shown = [(world.nodes[n].id, plain(value)) for n, value in values]
            found = [(each.entity.id, plain(each.value)) for each in result.value]
            assert len(found) == min(limit, len(values)), told
            if limit >= len(values):
                assert sorted(found, key=repr) == sorted(shown, key=repr), told
            assert all(found.count(one) <= shown.count(one) for one in found), told
        case _:
            same_entities(world, reference, form, result, limit)
    if not result.counts_relationships:  # these are shown by the walks that they end
        assert result.truncated == (result.total > limit), told
    for path in result.evidence:
        assert_true(world, path, told)


def same_entities(
    world: FormWorld, reference: Evaluator, form: Any, result: FormResult, limit: int
) -> None:
    told = form_to_dict(form)
    wanted = reference.entities(form)
    ranked = isinstance(form, forms.Superlative | forms.Compare)
    ranks = reference.ranks(form) if ranked else {}
    order = sorted(wanted, key=lambda n: (ranks.get(n, 0), world.nodes[n].shown, world.nodes[n].id))
    found = [(each.entity.id, each.entity.name) for each in result.entities]
    assert found == [(world.nodes[n].id, world.nodes[n].shown) for n in order[:limit]], told
    assert result.total == len(wanted), told
    if isinstance(form, forms.Relate):
        for each in result.entities:
            assert each.paths, told
            assert any(each.entity in path.entities for path in each.paths), told


def assert_number(found: Any, wanted: Any, told: object) -> None:
    if wanted is None or found is None:
        assert found is wanted, told
    elif isinstance(wanted, frozenset):
        assert found in wanted, told
    else:
        assert abs(Fraction(found) - Fraction(wanted)) <= Fraction(1, 10**9), told


def plain(value: Any) -> str:
    return text(value) if isinstance(value, bool | date) else str(value)


def assert_true(world: FormWorld, path: Path, told: object) -> None:
    """Each step of a proof is a relationship or a value that the graph has."""
    assert len(path.steps) == len(path.entities) - 1
    ids = {(world.nodes[e.source].id, e.relation, world.nodes[e.target].id) for e in world.edges}
    held = {text(v) for e in world.edges for v in e.properties.values() if not isinstance(v, list)}
    held |= {", ".join(map(text, v)) for e in world.edges for v in e.properties.values()
             if isinstance(v, list)}  # fmt: skip
    for step, start, end in zip(path.steps, path.entities, path.entities[1:], strict=False):
        head, tail = (end, start) if step.reverse else (start, end)
        function = step.relation.partition(" of ")[0]
        if function in ("sum", "mean", "min", "max"):
            assert isinstance(float(tail.name), float), told
        elif step.relation.startswith("number of "):
            assert tail.name.isdigit(), told
        elif step.relation in QUALIFIERS:
            assert tail.name in held, (path, told)
        elif step.relation in world.types and (head.id, step.relation, tail.id) not in ids:
            (node,) = (n for n, node in enumerate(world.nodes) if node.id == head.id)
            assert tail.name in map(text, world.values(node, step.relation)), (path, told)
        else:
            assert (head.id, step.relation, tail.id) in ids, (path, told)
