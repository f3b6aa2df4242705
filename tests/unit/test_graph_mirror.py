"""The typed mirror of the procedures: what is sent, and what becomes of the rows."""

from __future__ import annotations

import pytest
from fakes import MemoryDatabase, MemoryDriver, graph_info, memory_graph

from kgdb.errors import GraphNotFound, UsageError
from kgdb.graph import (
    FollowedEntity,
    Neighbor,
    RelationAround,
    RelationInfo,
    count_round_trips,
    find_graph,
    list_graphs,
    plugin_notice,
)
from kgdb.model import Entity, Path, Step

pytestmark = pytest.mark.unit

ACTED, DIRECTED = Step("starred_actors", reverse=True), Step("directed_by")


@pytest.fixture
def driver() -> MemoryDriver:
    return MemoryDriver(
        [("f1", "starred_actors", "ada"), ("f1", "directed_by", "ken")],
        texts={"directed_by": {"text": "the director of {}"}},
        names={"f1": "The Salt Ledger", "ada": "Ada Weir", "ken": "Ken"},
    )


def test_neighbours(driver: MemoryDriver) -> None:
    assert memory_graph(driver).neighbors(["f1"]) == [
        Neighbor("f1", DIRECTED, Entity("ken", "Ken"), 1, False),
        Neighbor("f1", Step("starred_actors"), Entity("ada", "Ada Weir"), 1, False),
    ]


def test_only_what_is_given_is_sent(driver: MemoryDriver) -> None:
    graph = memory_graph(driver)
    graph.neighbors(["f1"])
    graph.neighbors(
        ("f1",), relations=[ACTED, "r"], direction="in", limit=1, per_relation=2, max_degree=3,
        timeout_ms=4,
    )  # fmt: skip
    graph.relations_around(["f1"], limit=0)
    graph.follow(["ada"], [ACTED], paths=0, max_paths=7)
    configs = [parameters["config"] for _, parameters in driver.sent]
    assert configs == [
        {"kg": "test"},
        {
            "kg": "test",
            "relations": ["^starred_actors", "r"],
            "direction": "in",
            "limit": 1,
            "perRelation": 2,
            "maxDegree": 3,
            "timeoutMs": 4,
        },
        {"kg": "test", "limit": 0},
        {"kg": "test", "paths": 0, "maxPaths": 7},
    ]


def test_relations_around(driver: MemoryDriver) -> None:
    assert memory_graph(driver).relations_around(["ada", "ken"]) == [
        RelationAround(Step("directed_by", reverse=True), 1, 1, truncated=False),
        RelationAround(ACTED, 1, 1, truncated=False),
    ]


def test_a_chain_is_followed_to_its_ends_with_the_paths(driver: MemoryDriver) -> None:
    path = Path(
        (Entity("ada", "Ada Weir"), Entity("f1", "The Salt Ledger"), Entity("ken", "Ken")),
        (ACTED, DIRECTED),
    )
    expected = [FollowedEntity(Entity("ken", "Ken"), 1, 1, (path,), truncated=False)]
    graph = memory_graph(driver)
    assert graph.follow(["ada"], ["^starred_actors", DIRECTED]) == expected


def test_each_chain_has_the_menu_at_its_ends_in_one_round_trip(driver: MemoryDriver) -> None:
    graph = memory_graph(driver)
    with count_round_trips() as trips:
        start, films, nowhere = graph.menus(["ada"], [(), (ACTED,), (DIRECTED,)])
    assert trips.count == 1
    assert [around.step for around in start] == [ACTED]
    assert [around.step for around in films] == [DIRECTED, Step("starred_actors")]
    assert nowhere == []


def test_full_text_candidates_come_by_query(driver: MemoryDriver) -> None:
    none, films = memory_graph(driver).fulltext(['"nobody"', '"salt"'])
    assert none == []
    assert [candidate.entity.name for candidate in films] == ["The Salt Ledger"]


def test_relations_are_read_once(driver: MemoryDriver) -> None:
    graph = memory_graph(driver)
    with count_round_trips() as trips:
        assert graph.relations is graph.relations
    assert trips.count == 1
    assert graph.relations["directed_by"] == RelationInfo(
        "directed_by", 1, "the director of {}", None, None, None
    )


def database(*graphs: tuple[str, str]) -> MemoryDatabase:
    driver = MemoryDriver([])
    driver.graphs = [
        {"name": name, "label": name.title(), "state": state, "triples": 3}
        for name, state in graphs
    ]
    return MemoryDatabase(driver)


def test_a_graph_is_found_by_name_or_because_it_is_the_only_one() -> None:
    assert find_graph(database(("demo", "ready"))).name == "demo"
    two = database(("demo", "ready"), ("metaqa", "ready"))
    assert find_graph(two, "metaqa").label == "Metaqa"
    assert [graph.name for graph in list_graphs(two)] == ["demo", "metaqa"]


def test_what_the_bookkeeping_does_not_say_has_a_value() -> None:
    (graph,) = list_graphs(database(("demo", "ready")))
    assert (graph.title, graph.triples, graph.loaded_at) == ("demo", 3, None)
    assert (graph.id_property, graph.name_property) == ("id", "name")
    assert graph.fulltext_index == "kgdb_Demo_names"


def test_a_graph_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(GraphNotFound, match="No graph is loaded") as failure:
        find_graph(database())
    assert failure.value.hint == "Try: kgdb load demo"
    with pytest.raises(GraphNotFound, match="'demo' is not loaded; the database holds none"):
        find_graph(database(), "demo")
    with pytest.raises(GraphNotFound, match=r"Did you mean metaqa\? Loaded: metaqa"):
        find_graph(database(("metaqa", "ready")), "metqa")


def test_one_of_several_graphs_has_to_be_chosen() -> None:
    with pytest.raises(UsageError, match="Several graphs are loaded: demo, metaqa") as failure:
        find_graph(database(("demo", "ready"), ("metaqa", "ready")))
    assert "--graph" in (failure.value.hint or "")


def test_a_graph_that_is_not_complete_is_not_used() -> None:
    with pytest.raises(UsageError, match="'demo' is not complete") as failure:
        find_graph(database(("demo", "loading")))
    assert "kgdb load" in (failure.value.hint or "")


def test_counting_round_trips_may_nest(driver: MemoryDriver) -> None:
    graph = memory_graph(driver)
    with count_round_trips() as outer:
        graph.neighbors(["ada"])
        with count_round_trips() as inner:
            graph.neighbors(["ada"])
    graph.neighbors(["ada"])
    assert (outer.count, inner.count) == (2, 1)


def test_the_user_is_told_of_a_plugin_of_another_version() -> None:
    assert plugin_notice(None) is None
    notice = plugin_notice("0.0.0")
    assert notice is not None
    assert "0.0.0" in notice
    assert "kgdb down && kgdb up" in notice


def test_information_about_a_graph_names_its_index() -> None:
    assert graph_info().fulltext_index == "kgdb_Test_names"
