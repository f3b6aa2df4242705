"""The typed mirror of the procedures: what is sent, and what becomes of the rows."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from fakes import MemoryDatabase, MemoryDriver, graph_info, memory_graph

import kgdb
from kgdb.errors import GraphNotFound, UsageError
from kgdb.graph import Graph, count_round_trips, find_graph, list_graphs, plugin_notice
from kgdb.graph.retrieval.results import (
    BeamPath,
    Candidate,
    FollowedEntity,
    FoundPath,
    LinkedEntity,
    Neighbor,
    RankedEntity,
    RelationAround,
    RelationInfo,
    Rows,
)
from kgdb.values import AnsweredEntity, Entity, Path, Step

pytestmark = pytest.mark.unit

ADA = Entity("ada", "Ada Weir")
ACTED, DIRECTED = Step("starred_actors", reverse=True), Step("directed_by")


@pytest.fixture
def driver() -> MemoryDriver:
    return MemoryDriver(
        [("f1", "starred_actors", "ada"), ("f1", "directed_by", "ken")],
        texts={"directed_by": {"text": "the director of {}"}},
        names={"f1": "The Salt Ledger", "ada": "Ada Weir", "ken": "Ken"},
    )


class CannedDriver(MemoryDriver):
    """Gives the same rows to whatever is asked."""

    def __init__(self, *rows: dict[str, Any]) -> None:
        super().__init__([])
        self.rows = rows

    def answer(self, name: str, parameters: Any) -> tuple[dict[str, Any], ...]:
        return self.rows


def canned(*rows: dict[str, Any]) -> Graph:
    return memory_graph(CannedDriver(*rows))


def test_neighbours(driver: MemoryDriver) -> None:
    assert memory_graph(driver).neighbors(["f1"]) == (
        Neighbor("f1", DIRECTED, Entity("ken", "Ken"), 1),
        Neighbor("f1", Step("starred_actors"), Entity("ada", "Ada Weir"), 1),
    )


def test_a_neighbour_behind_a_mediator_has_both_steps() -> None:
    row = {"source": "a", "relation": "r", "direction": "in", "id": "b", "name": "B", "count": 2}
    graph = canned(row | {"via": "m", "viaRelation": "^s", "batch": 0, "cut": []})
    assert graph.neighbors(["a"], mediators=True) == (
        Neighbor("a", Step("r", reverse=True), Entity("b", "B"), 2, "m", Step("s", reverse=True)),
    )


@pytest.mark.parametrize(
    "node",
    [
        ADA,
        AnsweredEntity(ADA, (), 0),
        LinkedEntity(ADA, 1.0, 1.0, None, "Ada Weir", "exact"),
        Candidate(ADA, 1.0),
    ],
    ids=lambda node: type(node).__name__,
)
def test_entities_and_results_about_one_stand_for_their_ids(
    driver: MemoryDriver, node: Any
) -> None:
    graph = memory_graph(driver)
    assert graph.neighbors([node, "f1"]) == graph.neighbors(["ada", "f1"])
    assert graph.follow([node], [ACTED]) == graph.follow(["ada"], [ACTED])
    assert graph.batch.neighbors([[node], ["f1"]]) == graph.batch.neighbors([["ada"], ["f1"]])
    with pytest.raises(UsageError, match="relationships holds"):
        graph.pagerank([node], [(node, 3)])  # type: ignore[list-item]


def test_only_what_is_given_is_sent(driver: MemoryDriver) -> None:
    graph = memory_graph(driver)
    graph.neighbors(["f1"], limit=None)
    graph.neighbors(
        ("f1",), relations=["a", "r"], direction="in", limit=1, per_relation=2, max_degree=3,
        timeout_ms=4, exclude=[ACTED], labels=["L"], mediators=True,
    )  # fmt: skip
    graph.relations_around(["f1"], limit=1, relations=[ACTED, "r"])
    graph.follow(["ada"], [ACTED], paths=0, max_paths=7)
    *configs, followed = [parameters for _, parameters in driver.sent]
    configs = [*(each["config"] for each in configs), followed["groups"][0]["config"]]
    assert configs == [
        {"kg": "test"},
        {
            "kg": "test",
            "relations": ["a", "r"],
            "exclude": ["^starred_actors"],
            "direction": "in",
            "labels": ["L"],
            "limit": 1,
            "perRelation": 2,
            "maxDegree": 3,
            "mediators": True,
            "timeoutMs": 4,
        },
        {"kg": "test", "limit": 1, "relations": ["^starred_actors", "r"]},
        {"kg": "test", "paths": 0, "maxPaths": 7},
    ]


def test_relations_around(driver: MemoryDriver) -> None:
    assert memory_graph(driver).relations_around(["ada", "ken"]) == (
        RelationAround(Step("directed_by", reverse=True), 1, 1),
        RelationAround(ACTED, 1, 1),
    )


def test_a_chain_is_followed_to_its_ends_with_the_paths(driver: MemoryDriver) -> None:
    path = Path(
        (Entity("ada", "Ada Weir"), Entity("f1", "The Salt Ledger"), Entity("ken", "Ken")),
        (ACTED, DIRECTED),
    )
    expected = (FollowedEntity(Entity("ken", "Ken"), 1, 1, (path,)),)
    graph = memory_graph(driver)
    assert graph.follow(["ada"], ["^starred_actors", DIRECTED]) == expected


PATH_ROW = {
    "batch": 0,
    "ids": ["a", "b", "c"],
    "names": ["A", "B", "C"],
    "relations": ["r", "^s"],
    "count": 6,
    "cut": ["perPair", "limit"],
}
PATH = Path(
    (Entity("a", "A"), Entity("b", "B"), Entity("c", "C")),
    (Step("r"), Step("s", reverse=True)),
)


@pytest.mark.parametrize("method", ["all_paths", "shortest_paths"])
def test_paths_between_entities(method: str) -> None:
    graph = canned(PATH_ROW | {"source": "a", "target": "c", "hops": 2})
    found = getattr(graph, method)(["a", "c"], max_hops=2)
    assert found == (FoundPath(PATH, hops=2, count=6),)
    assert (found[0].source, found[0].target) == (Entity("a", "A"), Entity("c", "C"))
    assert found.cut == ("perPair", "limit")


def test_a_beam_keeps_paths_with_their_similarities() -> None:
    graph = canned(PATH_ROW | {"id": "c", "name": "C", "score": 1.25, "similarities": [0.75, 0.5]})
    (kept,) = graph.beam(["a"], [{"r": 0.75}, {Step("s", reverse=True): 0.5}], width=1)
    assert kept == BeamPath(PATH, 1.25, (0.75, 0.5), 6)
    assert kept.entity == Entity("c", "C")


def test_hops_are_sent_as_texts_and_numbers() -> None:
    driver = CannedDriver()
    memory_graph(driver).beam(["a"], [{"r": 1}, {Step("s", reverse=True): 0.5}])
    ((name, parameters),) = driver.sent
    assert name == "beam"
    assert parameters["hops"] == [{"r": 1.0}, {"^s": 0.5}]


def test_ranked_entities() -> None:
    row = {"id": "a", "name": "A", "score": 0.5, "iterations": 20, "converged": False}
    driver = CannedDriver(row | {"batch": 0, "cut": []})
    found = memory_graph(driver).pagerank(["a"], [("a", "b")], damping_factor=0.5)
    assert found == (RankedEntity(Entity("a", "A"), 0.5, 20, converged=False),)
    parameters = driver.sent[0][1]
    assert parameters["relationships"] == [[("a", "b")]]
    assert parameters["config"] == {"kg": "test", "dampingFactor": 0.5}
    memory_graph(driver).pagerank(["a"])
    assert driver.sent[1][1]["relationships"] is None


def test_many_sets_are_one_round_trip_and_each_has_its_rows(driver: MemoryDriver) -> None:
    graph = memory_graph(driver)
    sets = [["f1"], [], ["ada", "ken"]]
    with count_round_trips() as trips:
        found = graph.batch.neighbors(sets)
    assert trips.count == 1
    assert found == [graph.neighbors(nodes) for nodes in sets]
    assert [len(each) for each in found] == [2, 0, 2]
    assert graph.batch.relations_around(sets) == [graph.relations_around(n) for n in sets]
    assert graph.batch.neighbors([]) == []


def test_a_batch_follows_one_chain_or_one_for_each_set(driver: MemoryDriver) -> None:
    graph = memory_graph(driver)
    shared = graph.batch.follow([["ada"], ["ken"]], [ACTED])
    assert shared == [graph.follow(["ada"], [ACTED]), ()]
    each = graph.batch.follow([["ada"], ["f1"]], [[ACTED, DIRECTED], [DIRECTED]])
    assert each == [graph.follow(["ada"], [ACTED, DIRECTED]), graph.follow(["f1"], [DIRECTED])]
    with pytest.raises(UsageError, match="relations are for 1 set of entities, but there are 2"):
        graph.batch.follow([["ada"], ["f1"]], [[ACTED]])
    with pytest.raises(UsageError, match="limits are for 1 set of entities, but there are 2 sets"):
        graph.batch.follow([["ada"], ["f1"]], [ACTED], limits=[3])
    with pytest.raises(UsageError, match="limits is 0; expected a whole number from 1 on"):
        graph.batch.follow([["ada"], ["f1"]], [ACTED], limits=[3, 0])


def test_a_set_without_rows_tells_what_was_cut_all_the_same() -> None:
    blank = dict.fromkeys(
        ("source", "relation", "direction", "id", "name", "count", "via", "viaRelation")
    )
    row = blank | {"relation": "r", "direction": "out", "source": "b", "id": "c", "name": "C"}
    graph = canned(
        blank | {"batch": 0, "cut": ["maxDegree: a"]},
        row | {"count": 1, "batch": 1, "cut": ["limit"]},
    )
    hub, other, nothing = graph.batch.neighbors([["a"], ["b"], ["c"]])
    assert (hub, hub.cut, hub.truncated) == ((), ("maxDegree: a",), True)
    assert (len(other), other.cut) == (1, ("limit",))
    assert (nothing, nothing.cut, nothing.truncated) == ((), (), False)


def test_what_was_found_can_be_copied() -> None:
    found = Rows([1, 2], ["limit"])
    for copied in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert (copied, copied.cut) == (found, ("limit",))
    assert repr(found) == "Found((1, 2), cut=('limit',))"


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("neighbors", {"limt": 1}, r"no option 'limt'\. Did you mean limit\?"),
        ("neighbors", {"limit": 0}, "limit is 0; expected a whole number from 1 on"),
        ("neighbors", {"limit": True}, "limit is True; expected a whole number"),
        ("neighbors", {"relations": "r"}, "relations is 'r'; expected a list"),
        ("neighbors", {"relations": ["^"]}, r"relations holds '\^'; expected a relation's name"),
        ("neighbors", {"relations": ["^r"], "direction": "out"}, "already say a direction"),
        ("neighbors", {"direction": "up"}, "direction is 'up'; expected 'both' or 'out' or 'in'"),
        ("neighbors", {"labels": [""]}, "labels contains the empty text; expected texts"),
        ("neighbors", {"mediators": 1}, "mediators is 1; expected True or False"),
        ("neighbors", {"timeout_ms": -1}, "timeout_ms is -1; expected a whole number from 0"),
        ("relations_around", {"labels": []}, "no option 'labels'"),
        ("all_paths", {"max_hops": 11}, "max_hops is 11; expected a whole number from 1 to 10"),
        ("shortest_paths", {"max_hops": 21}, "expected a whole number from 1 to 20"),
        (
            "pagerank",
            {"damping_factor": 2},
            "damping_factor is 2; expected a number from 0 to less than 1",
        ),
        ("pagerank", {"source_nodes": []}, "source_nodes is empty; expected one or more ids"),
        (
            "pagerank",
            {"relationships": [("a", "b")], "exclude": ["r"]},
            "exclude chooses among the graph's relationships",
        ),
        ("pagerank", {"tolerance": -1.0}, "tolerance is -1.0; expected 0 or more"),
        ("pagerank", {"relationships": ["ab"]}, r"relationships holds 'ab'; expected pairs"),
    ],
)
def test_what_makes_no_sense_is_refused_before_it_is_sent(
    driver: MemoryDriver, method: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        getattr(memory_graph(driver), method)(["f1"], **options)
    assert driver.sent == []


@pytest.mark.parametrize(
    ("hops", "options", "message"),
    [
        ([{"r": float("nan")}], {}, "the similarity of 'r' is nan; expected a finite number"),
        ([{"r": "x"}], {}, "the similarity of 'r' is 'x'"),
        ([{"^r": 1.0}], {"direction": "both"}, "hops already say a direction"),
        ([["r"]], {}, "hops holds 'r'; expected maps"),
        ([[{"r": 1.0}], [{"r": 1.0}]], {}, "hops are for 2 sets of entities, but there is 1 set"),
    ],
)
def test_hops_that_make_no_sense_are_refused(
    driver: MemoryDriver, hops: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        memory_graph(driver).beam(["f1"], hops, **options)
    assert driver.sent == []


def test_a_lone_text_is_no_list_of_ids(driver: MemoryDriver) -> None:
    graph = memory_graph(driver)
    with pytest.raises(
        UsageError, match="nodes is 'ada'; expected a list of entity ids"
    ) as failure:
        graph.neighbors("ada")
    assert failure.value.hint == "Write ['ada']."
    with pytest.raises(UsageError, match="starts is 'ada'; expected a list"):
        graph.batch.neighbors("ada")
    with pytest.raises(UsageError, match="nodes contains 7; expected entity ids"):
        graph.neighbors([7])  # type: ignore[list-item]


def test_each_chain_has_the_menu_at_its_ends_in_one_round_trip(driver: MemoryDriver) -> None:
    graph = memory_graph(driver)
    with count_round_trips() as trips:
        start, films, nowhere = graph.candidate_relations(["ada"], [(), (ACTED,), (DIRECTED,)])
    assert trips.count == 1
    assert [around.step for around in start] == [ACTED]
    assert [around.step for around in films] == [DIRECTED, Step("starred_actors")]
    assert nowhere == ()


def test_full_text_candidates_come_by_query(driver: MemoryDriver) -> None:
    none, films = memory_graph(driver).fulltext(['"nobody"', '"salt"'])
    assert none == []
    assert [candidate.entity.name for candidate in films] == ["The Salt Ledger"]


def test_relations_are_read_once_and_charged_to_nobody(driver: MemoryDriver) -> None:
    graph = memory_graph(driver)
    with count_round_trips() as trips:
        assert graph.relations is graph.relations
    assert trips.count == 0
    assert [name for name, _ in driver.sent] == ["relations"]
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
    assert (graph.id_property, graph.name_properties) == ("id", {"Demo": "name"})
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
    assert plugin_notice(kgdb.__version__) is None
    notice = plugin_notice("0.0.0")
    assert notice is not None
    assert "0.0.0" in notice
    assert "kgdb down && kgdb up" in notice


def test_the_user_is_told_that_there_is_no_plugin() -> None:
    notice = plugin_notice(None) or ""
    assert notice.startswith("This server has no kgdb plugin: using plain Cypher, which is slower.")
    assert "KGDB_PLUGIN=never" in notice


def test_information_about_a_graph_names_its_index() -> None:
    assert graph_info().fulltext_index == "kgdb_Test_names"
