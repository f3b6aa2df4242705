"""The plugin, its twins in plain Cypher and a reference over networkx give the same rows.

Random multigraphs with parallel edges, self-loops, hubs and mediators, and random queries: what
one of the three understands otherwise than the others is a failure.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple
from itertools import permutations
from typing import Any

import networkx as nx
import pytest
import worlds
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from reference import procedures
from worlds import KG, LABEL, World, followed, small, some, spec, starts, visited

import kgdb
from kgdb.errors import DatabaseError
from kgdb.graph import Graph, count_round_trips, find_graph
from kgdb.model import Path, Step

pytestmark = pytest.mark.integration

EXAMPLES = int(os.environ.get("KGDB_TWINS_EXAMPLES", "12"))
differential = settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)


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
    graph = procedures.Reference(world.store, LABEL)
    each = list(zip(*arguments, strict=True)) or [()] * len(sets)
    expected = [
        getattr(procedures, method)(graph, nodes, *given, **options)
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
@given(st.data())
def test_neighbors(plugin: Graph, twin: Graph, data: st.DataObject) -> None:
    world = data.draw(worlds.worlds())
    options = data.draw(followed()) | data.draw(visited)
    options |= data.draw(some(limit=small, per_relation=st.integers(0, 2)))
    sets = data.draw(starts(world))
    compare("neighbors", world, plugin, twin, sets, read=neighbor, **options)


def neighbor(row: Any) -> tuple[Any, ...]:
    way = "in" if row.step.reverse else "out"
    via = None if row.via_step is None else str(row.via_step)
    entity = row.entity
    return (row.source, row.step.relation, way, entity.id, entity.name, row.count, row.via, via)


@differential
@given(st.data())
def test_relations_around(plugin: Graph, twin: Graph, data: st.DataObject) -> None:
    world = data.draw(worlds.worlds())
    options = data.draw(followed())
    options |= data.draw(some(limit=small, mediators=st.booleans(), max_degree=st.integers(0, 5)))
    sets = data.draw(starts(world))
    compare("relations_around", world, plugin, twin, sets, read=around, **options)


def around(row: Any) -> tuple[Any, ...]:
    way = "in" if row.step.reverse else "out"
    via = None if row.via_step is None else str(row.via_step)
    return row.step.relation, way, via, row.nodes, row.count


chains = st.lists(spec, max_size=4)


@differential
@given(st.data())
def test_follow(plugin: Graph, twin: Graph, data: st.DataObject) -> None:
    world = data.draw(worlds.worlds())
    sets = data.draw(starts(world))
    options = data.draw(
        some(
            labels=st.lists(st.sampled_from(worlds.LABELS), max_size=2, unique=True),
            max_degree=st.integers(0, 4),
            limit=small,
            paths=st.integers(0, 3),
        )
    )
    shared, other = data.draw(chains), data.draw(chains)
    same = data.draw(st.booleans())
    each = [shared if same or place % 2 else other for place in range(len(sets))]
    compare("follow", world, plugin, twin, sets, (each,), read=followed_entity, **options)
    # One chain for all of them is the same as its copies.
    if same:
        assert twin.batch.follow(sets, shared, **options) == twin.batch.follow(
            sets, each, **options
        )


def followed_entity(row: Any) -> tuple[Any, ...]:
    paths = [[entity.id for entity in path.entities] for path in row.paths]
    names = [[entity.name for entity in path.entities] for path in row.paths]
    return row.entity.id, row.entity.name, row.starts, row.count, paths, names


@differential
@given(st.data())
def test_menus(plugin: Graph, twin: Graph, data: st.DataObject) -> None:
    world = data.draw(worlds.worlds())
    worlds.write(plugin.database, world)
    nodes = data.draw(starts(world))[0]
    asked = [tuple(map(Step.parse, chain)) for chain in data.draw(st.lists(chains, max_size=4))]
    ends = data.draw(st.sampled_from((1, 2, 1000)))
    assert twin.menus(nodes, asked, ends=ends) == plugin.menus(nodes, asked, ends=ends)


path_options = some(limit=st.integers(1, 8), per_pair=st.integers(0, 3), max_hops=small)


@differential
@given(st.data())
def test_all_paths(plugin: Graph, twin: Graph, data: st.DataObject) -> None:
    world = data.draw(worlds.worlds())
    options = data.draw(followed()) | data.draw(visited) | data.draw(path_options)
    sets = data.draw(starts(world))
    compare("all_paths", world, plugin, twin, sets, read=found_path, **options)


@differential
@given(st.data())
def test_shortest_paths(plugin: Graph, twin: Graph, data: st.DataObject) -> None:
    world = data.draw(worlds.worlds())
    options = data.draw(followed()) | data.draw(visited) | data.draw(path_options)
    options |= data.draw(some(all=st.booleans()))
    sets = data.draw(starts(world))
    compare("shortest_paths", world, plugin, twin, sets, read=found_path, **options)


def found_path(row: Any) -> tuple[Any, ...]:
    ids, names, relations = parts(row.path)
    return row.source.id, row.target.id, row.hops, ids, names, relations, row.count


def parts(path: Path) -> tuple[list[str], list[str], list[str]]:
    ids = [entity.id for entity in path.entities]
    return ids, [entity.name for entity in path.entities], [str(step) for step in path.steps]


similarity = st.sampled_from((0.1, 0.2, 0.3, 0.7, -0.5, 1.0, 0.0))


@differential
@given(st.data())
def test_beam(plugin: Graph, twin: Graph, data: st.DataObject) -> None:
    world = data.draw(worlds.worlds())
    sets = data.draw(starts(world))
    options = data.draw(
        some(
            exclude=st.lists(spec, max_size=2, unique=True),
            labels=st.lists(st.sampled_from(worlds.LABELS), max_size=2, unique=True),
            mediators=st.booleans(),
            max_degree=st.integers(0, 5),
            width=small,
            relations_per_node=st.integers(0, 2),
            direction=st.sampled_from(("out", "both")),
        )
    )
    steps = worlds.relation if options.get("direction") == "both" else spec
    hops = st.lists(st.dictionaries(steps, similarity, max_size=4), max_size=3)
    shared, other = data.draw(hops), data.draw(hops)
    each = [shared if place % 2 else other for place in range(len(sets))]
    compare("beam", world, plugin, twin, sets, (each,), read=beam_path, **options)


def beam_path(row: Any) -> tuple[Any, ...]:
    ids, names, relations = parts(row.path)
    entity = row.entity
    return (entity.id, entity.name, row.score, ids, names, relations, list(row.similarities),
            row.count)  # fmt: skip


@differential
@given(st.data())
def test_pagerank(plugin: Graph, twin: Graph, data: st.DataObject) -> None:
    world = data.draw(worlds.worlds())
    sets = data.draw(starts(world, most=6))
    options = data.draw(
        some(
            damping_factor=st.sampled_from((0.0, 0.5, 0.85)),
            max_iterations=st.integers(1, 30),
            tolerance=st.sampled_from((0.0, 1e-3, 0.1)),
            limit=st.integers(0, 3),
            source_nodes=st.lists(st.sampled_from(world.islands[0]), min_size=1, max_size=2),
        )
    )
    if data.draw(st.booleans()):
        options |= data.draw(followed())
        compare("pagerank", world, plugin, twin, sets, read=ranked, **options)
        return
    options |= data.draw(some(direction=st.sampled_from(("both", "out", "in"))))
    ids = st.sampled_from([id_ for island in world.islands for id_ in island])
    pairs = [data.draw(st.lists(st.tuples(ids, ids), max_size=8)) for _ in sets]
    compare("pagerank", world, plugin, twin, sets, (pairs,), read=ranked, **options)


def ranked(row: Any) -> tuple[Any, ...]:
    return row.entity.id, row.entity.name, row.score, row.iterations, row.converged


REFUSED: list[tuple[Callable[[Graph], object], str]] = [
    (lambda g: g.neighbors(["nobody"]), "no entity 'nobody' in graph 'twins'; nodes takes ids"),
    (
        lambda g: g.pagerank(["v", "w", "x", "y"]),
        "no entities 'v', 'w', 'x' and 1 more in graph 'twins'; nodes takes ids (property id)",
    ),
    (lambda g: g.neighbors([], relations=["^is on"]), "no relation 'is on' in the store"),
    (lambda g: g.all_paths([], exclude=["is on"]), "no relation 'is on' in the store"),
    (lambda g: g.follow([], ["关糸"]), "no relation '关糸' in the store"),
    (lambda g: g.beam([], [{"is on": 1.0}]), "no relation 'is on' in the store"),
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
    with pytest.raises(DatabaseError, match="timeout"):
        twin.all_paths(["0", "1"], max_hops=8, timeout_ms=300)
