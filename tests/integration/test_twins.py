"""The plugin, its twins in plain Cypher and a reference over networkx give the same rows.

Random multigraphs with parallel edges, self-loops, hubs and mediators, and random queries: what
one of the three understands otherwise than the others is a failure.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from itertools import permutations
from typing import Any

import networkx as nx
import pytest
import reference
import worlds
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from worlds import KG, LABEL, World

import kgdb
from kgdb.errors import DatabaseError, UsageError
from kgdb.graph import Graph, count_round_trips, find_graph
from kgdb.values import Path, Step

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
    read: Callable[[Any], tuple[Any, ...]] = astuple,
    **options: Any,
) -> None:
    """``arguments`` has for each argument of the method its value for each of the sets."""
    worlds.write(plugin.database, world)
    graph = reference.Reference(world.store, LABEL)
    each = list(zip(*arguments, strict=True)) or [()] * len(sets)
    expected = [
        getattr(reference, method)(graph, nodes, *given, **options)
        for nodes, given in zip(sets, each, strict=True)
    ]
    for how, retrieval in (("twin", twin), ("plugin", plugin)):
        with count_round_trips() as trips:
            found = getattr(retrieval.batch, method)(sets, *map(list, arguments), **options)
        assert trips.count == 1
        for rows, (expected_rows, expected_cut) in zip(found, expected, strict=True):
            assert [read(row) for row in rows] == expected_rows, how
            assert list(rows.cut) == expected_cut, how
    # Alone each set gets what it got among the others.
    one = getattr(twin, method)(sets[0], *(argument[0] for argument in arguments), **options)
    assert (list(map(read, one)), list(one.cut)) == expected[0]


@differential
def test_neighbors(plugin: Graph, twin: Graph, seed: int, islands: int) -> None:
    dice, world, sets = drawn(seed, islands)
    options = worlds.draw_followed(dice) | worlds.draw_visited(dice)
    options |= dice.given(
        0.3, limit=lambda: dice.randint(1, 4), per_relation=lambda: dice.randint(0, 2)
    )
    compare("neighbors", world, plugin, twin, sets, read=neighbor, **options)


def neighbor(row: Any) -> tuple[Any, ...]:
    way = "in" if row.step.reverse else "out"
    via = None if row.via_step is None else str(row.via_step)
    entity = row.entity
    return (row.source, row.step.relation, way, entity.id, entity.name, row.count, row.via, via)


@differential
def test_relations_around(plugin: Graph, twin: Graph, seed: int, islands: int) -> None:
    dice, world, sets = drawn(seed, islands)
    options = worlds.draw_followed(dice) | worlds.draw_visited(dice)
    options.pop("labels", None)
    options |= dice.given(0.3, limit=lambda: dice.randint(1, 4))
    compare("relations_around", world, plugin, twin, sets, read=around, **options)


def around(row: Any) -> tuple[Any, ...]:
    way = "in" if row.step.reverse else "out"
    via = None if row.via_step is None else str(row.via_step)
    return row.step.relation, way, via, row.nodes, row.count


@differential
def test_follow(plugin: Graph, twin: Graph, seed: int, islands: int) -> None:
    dice, world, sets = drawn(seed, islands)
    options = dice.given(
        0.4,
        labels=lambda: worlds.draw_labels(dice),
        max_degree=lambda: dice.randint(0, 5),
        limit=lambda: dice.randint(1, 4),
        paths=lambda: dice.randint(0, 3),
    )
    two = worlds.draw_chain(dice, world), worlds.draw_chain(dice, world)
    shared = dice.chance(0.5)
    each = [two[0 if shared else place % 2] for place in range(len(sets))]
    compare("follow", world, plugin, twin, sets, (each,), read=followed_entity, **options)
    # A limit for each is the same as a call for each.
    limits = [dice.randint(1, 4) for _ in sets]
    of_each = [
        row
        for nodes, chain, limit in zip(sets, each, limits, strict=True)
        for row in twin.batch.follow([nodes], [chain], **{**options, "limit": limit})
    ]
    for graph in (plugin, twin):
        assert graph.batch.follow(sets, each, limits=limits, **options) == of_each
    # One chain for all of them is the same as its copies.
    if shared:
        copies = twin.batch.follow(sets, each, **options)
        assert twin.batch.follow(sets, two[0], **options) == copies


def test_many_starts_come_before_many_paths(plugin: Graph, twin: Graph) -> None:
    """Rare in random graphs: an end of fewer starts but more paths than another."""
    store = nx.MultiDiGraph()
    for node, id_ in enumerate("abcd"):
        store.add_node(node, id=id_, name=None, labels=frozenset({LABEL}))
    for source, target in [(0, 2), (1, 2), (0, 3), (0, 3), (0, 3)]:
        store.add_edge(source, target, relation="r")
    world = World(store, (tuple("abcd"),))
    compare("follow", world, plugin, twin, [["a", "b"]], ([["r"]],), read=followed_entity)
    assert [row.entity.id for row in twin.follow(["a", "b"], ["r"])] == ["c", "d"]


def followed_entity(row: Any) -> tuple[Any, ...]:
    paths = [[entity.id for entity in path.entities] for path in row.paths]
    names = [[entity.name for entity in path.entities] for path in row.paths]
    return row.entity.id, row.entity.name, row.starts, row.count, paths, names


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


def path_options(dice: worlds.Dice) -> dict[str, Any]:
    options = worlds.draw_followed(dice) | worlds.draw_visited(dice)
    options |= dice.given(
        0.3, limit=lambda: dice.randint(1, 8), per_pair=lambda: dice.randint(0, 3)
    )
    return options | dice.given(0.7, max_hops=lambda: dice.randint(1, 4))


@differential
def test_all_paths(plugin: Graph, twin: Graph, seed: int, islands: int) -> None:
    dice, world, sets = drawn(seed, islands)
    options = path_options(dice)
    compare("all_paths", world, plugin, twin, sets, read=found_path, **options)


@differential
def test_shortest_paths(plugin: Graph, twin: Graph, seed: int, islands: int) -> None:
    dice, world, sets = drawn(seed, islands)
    options = path_options(dice) | dice.given(0.5, all=lambda: dice.chance(0.3))
    compare("shortest_paths", world, plugin, twin, sets, read=found_path, **options)


def found_path(row: Any) -> tuple[Any, ...]:
    ids, names, relations = parts(row.path)
    return row.source.id, row.target.id, row.hops, ids, names, relations, row.count


def parts(path: Path) -> tuple[list[str], list[str], list[str]]:
    ids = [entity.id for entity in path.entities]
    return ids, [entity.name for entity in path.entities], [str(step) for step in path.steps]


@differential
def test_beam(plugin: Graph, twin: Graph, seed: int, islands: int) -> None:
    dice, world, sets = drawn(seed, islands)
    options = worlds.draw_visited(dice) | dice.given(
        0.5,
        width=lambda: dice.randint(1, 6),
        relations_per_node=lambda: dice.randint(0, 2),
        direction=lambda: dice.choice(("out", "both")),
    )
    options |= dice.given(0.3, exclude=lambda: [worlds.draw_spec(dice)])
    both = options.get("direction") == "both"

    def hops() -> list[dict[str, float]]:
        return [
            {
                worlds.draw_spec(dice).removeprefix("^" if both else ""): dice.choice(SIMILARITIES)
                for _ in range(dice.randint(0, 8))
            }
            for _ in range(dice.randint(0, 3))
        ]

    two = hops(), hops()
    each = [two[place % 2] for place in range(len(sets))]
    compare("beam", world, plugin, twin, sets, (each,), read=beam_path, **options)


SIMILARITIES = (0.1, 0.2, 0.3, 0.5, 0.5, 0.5, -0.5, 0.0)


def beam_path(row: Any) -> tuple[Any, ...]:
    ids, names, relations = parts(row.path)
    entity = row.entity
    return (entity.id, entity.name, row.score, ids, names, relations, list(row.similarities),
            row.count)  # fmt: skip


@differential
def test_pagerank(plugin: Graph, twin: Graph, seed: int, islands: int) -> None:
    dice, world, sets = drawn(seed, islands)
    options = dice.given(
        0.4,
        damping_factor=lambda: dice.choice((0.0, 0.5, 0.95)),
        max_iterations=lambda: dice.randint(1, 30),
        tolerance=lambda: dice.choice((0.0, 1e-3, 0.1)),
        limit=lambda: dice.randint(0, 3),
        source_nodes=lambda: dice.choices(world.islands[0], k=2),
    )
    if dice.chance(0.5):
        options |= worlds.draw_followed(dice)
        compare("pagerank", world, plugin, twin, sets, read=ranked, **options)
        return
    options |= dice.given(0.6, direction=lambda: dice.choice(("both", "out", "in")))
    ids = [id_ for island in world.islands for id_ in island]
    pairs = [[tuple(dice.choices(ids, k=2)) for _ in range(dice.randint(0, 8))] for _ in sets]
    compare("pagerank", world, plugin, twin, sets, (pairs,), read=ranked, **options)


def ranked(row: Any) -> tuple[Any, ...]:
    return row.entity.id, row.entity.name, row.score, row.iterations, row.converged


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
