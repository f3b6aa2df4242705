"""Retrieval without the plugin: what is sent, what is refused, and how records become rows."""

from __future__ import annotations

import math
import re
from datetime import date
from typing import Any

import neo4j
import pytest
from fakes import MemoryDatabase, MemoryDriver, Record, graph_info
from reference import CASES

from kgdb.errors import DatabaseError
from kgdb.graph import Graph, count_round_trips
from kgdb.graph.connection.statements import Types
from kgdb.graph.retrieval.conditions import PropertyCondition
from kgdb.graph.retrieval.retrieval_options import Config, PathOptions
from kgdb.graph.retrieval.step_filter import StepFilter
from kgdb.values import Step

pytestmark = pytest.mark.unit

RECORD = {"batch": 0, "missing": [], "ambiguous": [], "hubs": [], "cut": [], "rows": []}
NAMES = {
    "relations": ["directed_by", "r", "s"],
    "types": ["directed_by", "of_another", "r", "s", "unlisted"],
    "labels": ["Film", "Test"],
    "properties": ["role", "since"],
}


class PlainDriver(MemoryDriver):
    """A server without the plugin, which gives the same records to whatever is asked."""

    def __init__(self, *records: dict[str, Any]) -> None:
        super().__init__([])
        self.records = records or (RECORD,)
        self.texts_sent: list[Any] = []
        self.parameters: list[Any] = []
        self.names_read = 0

    def execute_query(self, text: Any, parameters: Any, **_: Any) -> tuple[list[Any], None, None]:
        if "db.relationshipTypes" in str(text):
            self.names_read += 1
            return [Record(NAMES)], None, None
        if "leaving + arriving" in str(text):
            return [Record({"used": "`unlisted`" in str(text)})], None, None
        self.texts_sent.append(text)
        self.parameters.append(parameters)
        return [Record(record) for record in self.records], None, None


def plain(*records: dict[str, Any]) -> tuple[Graph, PlainDriver]:
    driver = PlainDriver(*records)
    return Graph(MemoryDatabase(driver, plugin="never"), graph_info()), driver


CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    *((method, case.arguments("r"), {}) for method, case in CASES.items()),
    ("neighbors", (), {"max_degree": 1, "mediators": True}),
    ("relations_around", (), {"mediators": True}),
    ("follow", (["r", "^s", "r"],), {}),
    ("follow", ([],), {}),
    ("all_paths", (), {"max_degree": 1, "mediators": True}),
    ("shortest_paths", (), {"max_degree": 1, "direction": "out"}),
    ("shortest_paths", (), {"mediators": True, "all": False}),
    ("beam", ([{"r": 1.0}, {"^s": 0.5}],), {}),
    ("beam", ([{"r": 1.0}],), {"mediators": True}),
    ("neighbors", (), {"where": [{"property": "role", "value": "it's"}]}),
    ("follow", (["r"],), {"where": [{"property": "since", "operator": ">", "value": "it's"}]}),
    ("shortest_paths", (), {"where": [PropertyCondition("since", 3, "<", relation="r")]}),
    ("pagerank", ([("a", "b")],), {"source_nodes": ["a"]}),
]


@pytest.mark.parametrize(("method", "arguments", "options"), CALLS)
def test_a_call_is_one_complete_statement_without_a_value_in_its_text(
    method: str, arguments: tuple[Any, ...], options: dict[str, Any]
) -> None:
    graph, driver = plain()
    graph.neighbors([], relations=["r"])
    with count_round_trips() as trips:
        getattr(graph, method)(["it's", "a"], *arguments, **options)
    text, parameters = driver.texts_sent[-1], driver.parameters[-1]
    assert "`%" not in text
    assert "it's" not in text
    assert set(re.findall(r"\$(\w+)", text)) <= set(parameters)
    assert parameters["starts"][0][:2] == [["it's"], ["a"]]
    assert trips.count == 1


def test_relationship_types_stand_in_the_text_and_all_else_in_parameters() -> None:
    graph, driver = plain()
    graph.neighbors(
        ["a"], relations=["s", "directed_by"], direction="out", limit=7, labels=["Film"]
    )
    text, parameters = driver.texts_sent[0], driver.parameters[0]
    assert "MATCH (node)-[r:`directed_by`|`s`]->(other:`Test`)" in text
    assert "MATCH (node)<-[r:!%]-(other:`Test`)" in text
    assert (parameters["limit"], parameters["labels"]) == (7, ["Film"])
    assert "Film" not in text


def test_hops_and_steps_make_as_many_stages() -> None:
    graph, driver = plain()
    graph.all_paths(["a", "b"], max_hops=3)
    graph.all_paths(["a", "b"], max_hops=3, mediators=True)
    graph.follow(["a"], ["r", "s"])
    graph.beam(["a"], [{"r": 1.0}] * 4)
    counted = [
        text.count(word)
        for text, word in zip(
            driver.texts_sent,
            ("AS closed\n", "AS closed\n", "AS next\n", "AS menus\n"),
            strict=True,
        )
    ]
    assert counted == [3, 6, 2, 4]


def test_menus_of_all_chains_are_one_complete_statement() -> None:
    graph, driver = plain()
    graph.relations_around([], relations=["r"])
    with count_round_trips() as trips:
        assert (
            graph.candidate_relations(
                ["a"], [[], [Step("r")], [Step("r"), Step("s", reverse=True)]]
            )
            == [()] * 3
        )
    assert trips.count == 1
    text, parameters = driver.texts_sent[1], driver.parameters[1]
    assert "`%" not in text
    assert set(re.findall(r"\$(\w+)", text)) <= set(parameters)
    assert parameters["starts"] == [[["a"]]] * 3
    assert parameters["chains"] == [[], [0], [0, 0]]


def test_a_chain_of_each_set_takes_its_own_branch() -> None:
    graph, driver = plain(RECORD, RECORD | {"batch": 1})
    graph.batch.follow([["a"], ["b"]], [["r", "^r"], ["s"]])
    parameters = driver.parameters[0]
    # Branches of a step are its relations in order: r, s and then ^r.
    assert parameters["chains"] == [[0, 0], [1]]
    assert parameters["later"] == [[["r"], []], [[]]]
    assert parameters["repeats"] == [True, False]


def test_the_steps_of_a_hop_are_ranked_and_may_be_denied() -> None:
    graph, driver = plain()
    graph.beam(["a"], [{"s": 0.5, "r": 0.5, "directed_by": 0.9}], direction="both", exclude=["^s"])
    (hop,) = driver.parameters[0]["hops"][0]
    assert [(step["spec"], step["similarity"]) for step in hop] == [
        ("directed_by", 0.9),
        ("^directed_by", 0.9),
        ("r", 0.5),
        ("^r", 0.5),
        ("s", 0.5),
    ]
    assert [step["place"] for step in hop] == [0, 1, 2, 3, 4]


def test_given_relationships_are_sent_as_places() -> None:
    graph, driver = plain()
    pairs = [("a", "b"), ("a", "b"), ("c", "a")]
    graph.pagerank(["b"], pairs, direction="both", source_nodes=["c"])
    parameters = driver.parameters[0]
    # The nodes are b, a, c; the last set is only looked up, for it holds the sources.
    assert parameters["starts"] == [[["b"], ["a"], ["c"]], [["c"]]]
    assert parameters["incoming"] == [[[1, 1], [0, 0, 2], [1]]]
    assert parameters["sources"] == [[2]]


@pytest.mark.parametrize(
    ("id_", "keys"),
    [
        ("a", ["a"]),
        ("7", ["7", 7]),
        ("-7", ["-7", -7]),
        ("07", ["07"]),
        ("-0", ["-0"]),
        ("1.0", ["1.0"]),
        ("9223372036854775807", ["9223372036854775807", 2**63 - 1]),
        ("9223372036854775808", ["9223372036854775808"]),
    ],
)
def test_an_id_that_is_a_number_may_be_stored_as_one(id_: str, keys: list[Any]) -> None:
    graph, driver = plain()
    graph.neighbors([id_, id_])
    assert driver.parameters[0]["starts"] == [[keys]]


def test_records_become_rows_with_their_cut() -> None:
    row = {"source": "a", "relation": "r", "direction": "in", "id": "b", "name": "B", "count": 2,
           "via": None, "viaRelation": None}  # fmt: skip
    graph, _ = plain(
        RECORD | {"batch": 1, "cut": ["limit"], "rows": [row]},
        RECORD | {"hubs": ["z", "a", "z"]},
        RECORD | {"batch": 2},
    )
    hub, cut, nothing = graph.batch.neighbors([["z"], ["a"], ["b"]])
    assert (hub, hub.cut) == ((), ("maxDegree: a", "maxDegree: z"))
    assert (cut[0].step, cut[0].entity.name, cut.cut) == (Step("r", reverse=True), "B", ("limit",))
    assert (nothing, nothing.truncated) == ((), False)


def test_of_many_hubs_the_first_are_told() -> None:
    graph, _ = plain(RECORD | {"hubs": [f"{n:02}" for n in range(13)], "cut": ["perRelation"]})
    cut = graph.neighbors(["a"]).cut
    assert cut[0] == "maxDegree: 00"
    assert cut[9:] == ("maxDegree: 09", "maxDegree: and 3 more", "perRelation")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"missing": ["x"]}, r"no entity 'x' in graph 'test'; nodes takes ids \(property id\)"),
        (
            {"missing": ["v", "w", "x", "y", "z"]},
            "no entities 'v', 'w', 'x' and 2 more in graph 'test'",
        ),
        ({"ambiguous": ["x"]}, "more than one entity has the id 'x' in graph 'test'"),
    ],
)
def test_ids_that_are_not_there_are_told_in_the_same_round_trip(
    record: dict[str, Any], message: str
) -> None:
    graph, _ = plain(RECORD | record)
    with count_round_trips() as trips, pytest.raises(DatabaseError, match=message):
        graph.neighbors(["x"])
    assert trips.count == 1


def test_a_name_that_the_store_does_not_know_is_refused_with_the_nearest() -> None:
    graph, driver = plain()
    with pytest.raises(
        DatabaseError,
        match=r"no relation 'directedby' in graph 'test' \(did you mean 'directed_by'",
    ):
        graph.neighbors(["a"], relations=["^directedby"])
    for call in (
        lambda: graph.relations_around(["a"], exclude=["x"]),
        lambda: graph.follow(["a"], ["r", "^x"]),
        lambda: graph.beam(["a"], [{"x": 1.0}]),
        lambda: graph.candidate_relations(["a"], [[Step("x")]]),
    ):
        with pytest.raises(DatabaseError, match="no relation 'x' in graph 'test'"):
            call()
    for call in (
        lambda: graph.neighbors(["a"], labels=["Flim"]),
        lambda: graph.follow(["a"], ["r"], labels=["Flim"]),
        lambda: graph.beam(["a"], [{"r": 1.0}], labels=["Flim"]),
    ):
        with pytest.raises(DatabaseError, match=r"no label 'Flim' .* mean 'Film'"):
            call()
    assert driver.texts_sent == []


def test_names_are_read_when_they_are_needed_and_again_before_one_is_refused() -> None:
    """Which is charged to nobody: it is read once."""
    graph, driver = plain()
    for relations, expected in (((), 0), (("r",), 1), (("s",), 1)):
        with count_round_trips() as trips:
            graph.neighbors(["a"], relations=relations)
        assert (driver.names_read, trips.count) == (expected, 1)
    with count_round_trips() as trips, pytest.raises(DatabaseError):
        graph.neighbors(["a"], relations=["new"])
    assert (driver.names_read, trips.count) == (2, 0)


def test_a_relation_is_known_by_its_graph_whatever_others_have() -> None:
    graph, driver = plain()
    with count_round_trips() as trips:
        graph.follow(["a"], ["unlisted"])  # a user has added it since it was loaded
        graph.follow(["a"], ["unlisted"])
        with pytest.raises(DatabaseError, match="no relation 'of_another' in graph 'test'"):
            graph.follow(["a"], ["of_another"])
    assert (driver.names_read, trips.count) == (2, 2)
    # What only leads out of the graph may be another's, so it is not suggested.
    with pytest.raises(DatabaseError, match=r"no relation 'unlistet' in graph 'test'$"):
        graph.follow(["a"], ["unlistet"])


def test_a_time_limit_is_the_servers() -> None:
    graph, driver = plain()
    graph.neighbors(["a"], timeout_ms=1500)
    query = driver.texts_sent[0]
    assert isinstance(query, neo4j.Query)
    assert query.timeout == 1.5


def test_what_a_condition_compares_with_is_read_for_each_kind_of_property() -> None:
    graph, driver = plain()
    values = ("1999-03", 2, "2.50", True, date(1999, 3, 31), math.nan)
    graph.neighbors(["a"], where=[PropertyCondition("since", value) for value in values])
    kinds = ("number", "text", "truth", "date")
    assert [tuple(each[kind] for kind in kinds) for each in driver.parameters[0]["where"]] == [
        (None, "1999-03", None, "1999-03"),
        (2, "2", None, None),
        (2.5, "2.50", None, None),
        (None, "true", True, None),
        (None, "1999-03-31", None, "1999-03-31"),
        (None, "nan", None, None),
    ]


def test_a_condition_names_a_property_and_a_relation_that_exist() -> None:
    graph, _ = plain()
    for where, message in (
        (PropertyCondition("sinse", 1), "no relationship has a property 'sinse' .* mean 'since'"),
        (PropertyCondition("since", 1, relation="x"), "no relation 'x' in graph 'test'"),
    ):
        with pytest.raises(DatabaseError, match=message):
            graph.neighbors(["a"], where=[where])


ANY, NONE = Types(), Types(frozenset())
R, S = Types(frozenset("r")), Types(frozenset("s"))


@pytest.mark.parametrize(
    ("options", "along", "against", "symmetric"),
    [
        ({}, ANY, ANY, True),
        ({"direction": "in"}, NONE, ANY, False),
        ({"relations": ["r"]}, R, R, True),
        ({"relations": ["r"], "direction": "out"}, R, NONE, False),
        ({"relations": ["r", "^s"]}, R, S, False),
        ({"relations": ["r", "^r"]}, R, R, True),
        ({"exclude": ["r"]}, Types(None, R.names), Types(None, R.names), True),
        ({"exclude": ["^r"]}, ANY, Types(None, R.names), False),
        ({"relations": ["r", "s"], "exclude": ["r"]}, S, S, True),
        # By how it was asked for, not by what is left of it.
        ({"relations": ["r", "^r", "s"], "exclude": ["s"]}, R, R, False),
    ],
)
def test_what_may_be_followed(
    options: dict[str, Any], along: Types, against: Types, symmetric: bool
) -> None:
    following = StepFilter.of(Config.of(PathOptions, options))
    assert (following.along, following.against) == (along, against)
    assert following.symmetric == symmetric
