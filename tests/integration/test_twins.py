"""The plugin, its twins in plain Cypher and a reference over networkx give the same rows.

Random multigraphs with parallel edges, self-loops, hubs and mediators, and random queries: what
one of the three understands otherwise than the others is a failure.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import networkx as nx
import pytest
import worlds
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reference import CASES
from reference.graph import Reference
from worlds import KG, LABEL, World

import kgdb
from kgdb.errors import DatabaseError, UsageError
from kgdb.graph import Graph, count_round_trips, find_graph
from kgdb.values import Step

pytestmark = pytest.mark.integration

EXAMPLES = int(os.environ.get("KGDB_TWINS_EXAMPLES", "4"))


def differential(test: Callable[..., None]) -> Any:
    """Runs a test on random graphs of some islands, each searched from a set of its own."""
    drawn_from = given(seed=st.integers(0, 2**32), islands=st.integers(1, 9))
    quick = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    return quick(drawn_from(test))


def drawn(seed: int, islands: int) -> tuple[worlds.Dice, World, list[list[str]]]:
    dice = worlds.Dice(seed)
    world = worlds.draw_world(dice, islands)
    return dice, world, worlds.draw_starts(dice, world)


@pytest.fixture(scope="module")
def plugin(settings: Any) -> Iterator[Graph]:
    """The graph through the plugin's procedures."""
    with kgdb.connect(plugin="required") as db:
        worlds.prepare(db)
        yield Graph(db, find_graph(db, KG))
        worlds.remove(db)


@pytest.fixture(scope="module")
def twin(plugin: Graph) -> Iterator[Graph]:
    """The same graph in plain Cypher."""
    with kgdb.connect(plugin="never") as db:
        graph = Graph(db, find_graph(db, KG))
        graph.neighbors([], relations=worlds.RELATIONS, labels=worlds.LABELS)  # reads the names
        yield graph


def compare(
    method: str,
    world: World,
    plugin: Graph,
    twin: Graph,
    sets: Sequence[Sequence[str]],
    arguments: tuple[Sequence[Any], ...] = (),
    **options: Any,
) -> None:
    """``arguments`` has for each argument of the method its value for each of the sets."""
    worlds.write(plugin.database, world)
    case, graph = CASES[method], Reference(world.store, LABEL)
    each = list(zip(*arguments, strict=True)) or [()] * len(sets)
    expected = []
    for nodes, more in zip(sets, each, strict=True):
        rows, cut = case.find(graph, nodes, *more, **options)
        expected.append((list(map(case.search.read, rows)), cut))
    for how, retrieval in (("twin", twin), ("plugin", plugin)):
        with count_round_trips() as trips:
            found = getattr(retrieval.batch, method)(sets, *map(list, arguments), **options)
        assert trips.count == 1
        for rows, (expected_rows, expected_cut) in zip(found, expected, strict=True):
            assert list(rows) == expected_rows, how
            assert list(rows.cut) == expected_cut, how
    # Alone each set gets what it got among the others.
    one = getattr(twin, method)(sets[0], *(argument[0] for argument in arguments), **options)
    assert (list(one), list(one.cut)) == expected[0]


@pytest.mark.parametrize("method", CASES)
@differential
def test_the_rows_are_the_same(
    plugin: Graph, twin: Graph, method: str, seed: int, islands: int
) -> None:
    dice, world, sets = drawn(seed, islands)
    search, ids = CASES[method].search, [id_ for island in world.islands for id_ in island]
    options = worlds.draw_options(dice, search, ids)
    arguments = worlds.draw_arguments(dice, search, world, ids, len(sets), options)
    compare(method, world, plugin, twin, sets, arguments, **options)


@differential
def test_chains_and_limits_of_each_set(plugin: Graph, twin: Graph, seed: int, islands: int) -> None:
    dice, world, sets = drawn(seed, islands)
    worlds.write(plugin.database, world)
    two = worlds.draw_chain(dice, world), worlds.draw_chain(dice, world)
    each = [two[place % 2] for place in range(len(sets))]
    limits = [dice.randint(1, 4) for _ in sets]
    of_each = [
        row
        for nodes, chain, limit in zip(sets, each, limits, strict=True)
        for row in twin.batch.follow([nodes], [chain], limit=limit)
    ]
    for graph in (plugin, twin):
        assert graph.batch.follow(sets, each, limits=limits) == of_each
        copies = graph.batch.follow(sets, [two[0]] * len(sets))
        assert graph.batch.follow(sets, two[0]) == copies


def test_many_starts_come_before_many_paths(plugin: Graph, twin: Graph) -> None:
    """Rare in random graphs: an end of fewer starts but more paths than another."""
    store = nx.MultiDiGraph()
    for node, id_ in enumerate("abcd"):
        store.add_node(node, id=id_, name=None, labels=frozenset({LABEL}))
    for source, target in [(0, 2), (1, 2), (0, 3), (0, 3), (0, 3)]:
        store.add_edge(source, target, relation="r")
    world = World(store, (tuple("abcd"),))
    compare("follow", world, plugin, twin, [["a", "b"]], ([["r"]],))
    assert [row.entity.id for row in twin.follow(["a", "b"], ["r"])] == ["c", "d"]


@differential
def test_paths_in_any_order(plugin: Graph, twin: Graph, seed: int, islands: int) -> None:
    """All of them are the same; of some that a limit keeps, there are as many."""
    dice, world, sets = drawn(seed, islands)
    worlds.write(plugin.database, world)
    max_hops = dice.randint(1, 5)
    expected = twin.batch.all_paths(sets, max_hops=max_hops, per_pair=0)
    for graph in (plugin, twin):
        every = graph.batch.all_paths(sets, max_hops=max_hops, per_pair=0, ordered=False)
        some = graph.batch.all_paths(sets, max_hops=max_hops, limit=2, ordered=False)
        for rows, few, known in zip(every, some, expected, strict=True):
            assert sorted(rows, key=repr) == sorted(known, key=repr)
            assert rows.cut == known.cut
            assert len(set(few)) == len(few) == min(2, len(known))
            assert set(few) <= set(known)


@differential
def test_menus(plugin: Graph, twin: Graph, seed: int, islands: int) -> None:
    dice, world, sets = drawn(seed, islands)
    worlds.write(plugin.database, world)
    chains = [worlds.draw_chain(dice, world) for _ in range(dice.randint(0, 3))]
    asked = [tuple(map(Step.parse, chain)) for chain in chains]
    ends = dice.choice((1, 2, 1000))
    for nodes in sets[:2]:
        found = plugin.candidate_relations(nodes, asked, ends=ends)
        assert twin.candidate_relations(nodes, asked, ends=ends) == found


@differential
def test_conditions_and_properties(plugin: Graph, twin: Graph, seed: int, islands: int) -> None:
    dice, world, sets = drawn(seed, islands)
    worlds.add_properties(dice, world)
    worlds.write(plugin.database, world)
    chains = [worlds.draw_chain(dice, world) for _ in sets]
    hops = [[{spec: 0.5} for spec in chain] for chain in chains]
    searches: list[tuple[str, tuple[Any, ...]]] = [
        ("neighbors", ()),
        ("follow", (chains,)),
        ("beam", (hops,)),
        ("all_paths", ()),
        ("shortest_paths", ()),
    ]
    for method, arguments in dice.sample(searches, 2):
        options = {"where": worlds.draw_conditions(dice), "properties": dice.chance(0.5)}
        if method != "follow":
            options |= dice.given(0.4, mediators=lambda: True)
        with_plugin, plain = (
            [(list(map(in_any_order, rows)), rows.cut) for rows in found]
            for found in (
                getattr(graph.batch, method)(sets, *arguments, **options)
                for graph in (plugin, twin)
            )
        )
        assert with_plugin == plain, (method, options)
        assert options["properties"] or all(not row.properties for rows, _ in plain for row in rows)


def in_any_order(row: Any) -> Any:
    """A row whose parallel edges come in one order, and whose NaN is equal to itself."""

    def ordered(value: Any) -> Any:
        if isinstance(value, Mapping):
            return repr(value)
        each = tuple(map(ordered, value))
        return tuple(sorted(each)) if all(isinstance(one, str) for one in each) else each

    return replace(row, properties=tuple(map(ordered, row.properties)))


def test_conditions_are_checked(plugin: Graph, twin: Graph) -> None:
    given = {"property": "sinse", "value": 1}
    for graph in (plugin, twin):
        with pytest.raises(DatabaseError, match=r"has a property 'sinse' .did you mean 'since'"):
            graph.neighbors([], where=[given])
        with pytest.raises(UsageError, match="operator of where is '=='; expected one of ="):
            graph.neighbors([], where=[{**given, "operator": "=="}])
        with pytest.raises(UsageError, match=r"where holds .*; expected a PropertyCondition"):
            graph.neighbors([], where=[{"name": "since"}])


REFUSED: list[tuple[Callable[[Graph], object], str]] = [
    (lambda g: g.neighbors(["nobody"]), "no entity 'nobody' in graph 'twins'; nodes takes ids"),
    (
        lambda g: g.pagerank(["v", "w", "x", "y"]),
        "no entities 'v', 'w', 'x' and 1 more in graph 'twins'; nodes takes ids (property id)",
    ),
    (lambda g: g.neighbors([], relations=["^is on"]), "no relation 'is on' in graph 'twins'"),
    (lambda g: g.all_paths([], exclude=["is on"]), "no relation 'is on' in graph 'twins'"),
    (lambda g: g.follow([], ["关糸"]), "no relation '关糸' in graph 'twins'"),
    (lambda g: g.beam([], [{"is on": 1.0}]), "no relation 'is on' in graph 'twins'"),
    (lambda g: g.neighbors([], labels=["Lefft"]), "no label 'Lefft' in the store (did you mean"),
    (lambda g: g.pagerank([], source_nodes=["nobody"]), "no entity 'nobody' in graph 'twins'"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_both_refuse_with_the_same_words(
    plugin: Graph, twin: Graph, call: Callable[[Graph], object], message: str
) -> None:
    for graph in (plugin, twin):
        with pytest.raises(DatabaseError) as failure:
            call(graph)
        assert message in failure.value.message


def test_a_statement_that_takes_too_long_is_ended(plugin: Graph, twin: Graph) -> None:
    clique = nx.MultiDiGraph()
    for n in range(12):
        clique.add_node(n, id=f"{n}", name=None, labels=frozenset({LABEL}))
    for u, v in permutations(range(12), 2):
        clique.add_edge(u, v, relation="r")
    worlds.write(plugin.database, World(clique, ()))
    with pytest.raises(DatabaseError, match="did not end within 300 ms"):
        twin.all_paths(["0", "1"], max_hops=8, timeout_ms=300)
