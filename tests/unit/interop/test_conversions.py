"""Results in the forms of other libraries, and connections they have opened; no server."""

from __future__ import annotations

import json
import pickle
import sys
from dataclasses import replace
from datetime import date
from types import SimpleNamespace
from typing import Any

import networkx as nx
import pandas as pd
import pytest

import kgdb
from kgdb.errors import ModelError, UsageError
from kgdb.graph import Match, ReadAnswer, ScriptError
from kgdb.graph.forms import FormResult
from kgdb.graph.forms.operators import FindAll
from kgdb.graph.retrieval.results import (
    BeamPath,
    FollowedEntity,
    FoundPath,
    Neighbor,
    RankedEntity,
    RelationAround,
    Rows,
    WeightedPath,
)
from kgdb.interop import opened, to_networkx, to_pandas, to_polars
from kgdb.optional_packages import installation
from kgdb.values import (
    Answer,
    AnsweredEntity,
    Entity,
    EntityValue,
    Path,
    Step,
    TextClaim,
    TextVerdict,
    Triple,
    Verdict,
    Year,
)

pytestmark = pytest.mark.unit

FILM = Entity("f1", "Salt in the Clock")
ADA = Entity("p1", "Ada Weir")
TOBIAS = Entity("p2", "Tobias Fenwarren")
PATH = Path((ADA, FILM, TOBIAS), (Step("starred", reverse=True), Step("directed_by")))

PLAIN = Neighbor("p1", Step("starred", reverse=True), FILM, 2)
MEDIATED = Neighbor("p1", Step("role", reverse=True), FILM, 1, "m1", Step("in_film"))


def both(found: Any) -> list[dict[str, Any]]:
    """The rows of both kinds of frame, which have to be the same; nothing is ``None``."""
    frame = to_pandas(found)
    rows = [
        {key: None if value is pd.NA else value for key, value in row.items()}
        for row in frame.to_dict("records")
    ]
    polars = to_polars(found)
    assert polars.columns == list(frame.columns)
    assert polars.to_dicts() == rows
    return rows


def test_neighbors_have_the_columns_of_their_procedure() -> None:
    assert both(Rows([PLAIN, MEDIATED])) == [
        {
            "source": "p1", "relation": "starred", "direction": "in", "id": "f1",
            "name": "Salt in the Clock", "count": 2, "via": None, "via_relation": None,
            "properties": None,
        },
        {
            "source": "p1", "relation": "role", "direction": "in", "id": "f1",
            "name": "Salt in the Clock", "count": 1, "via": "m1", "via_relation": "in_film",
            "properties": None,
        },
    ]  # fmt: skip


def answered(value: Any, **fields: Any) -> Answer:
    return Answer("How many?", "demo", "auto", value=value, **fields)


@pytest.mark.parametrize(
    ("value", "pandas_type", "polars_type"),
    [
        (3, "int64", "Int64"),
        (0, "int64", "Int64"),
        (2.5, "float64", "Float64"),
        (False, "bool", "Boolean"),
        ("1951-03-02", "string", "String"),
        (Year(1956), "int64", "Int64"),
    ],
)
def test_an_answer_that_is_a_value_is_a_row_with_its_proof(
    value: Any, pandas_type: str, polars_type: str
) -> None:
    answer = answered(value, facts=(PATH,))
    row = {
        "value": value,
        "paths": [["p1", "f1", "p2"]],
        "names": [["Ada Weir", "Salt in the Clock", "Tobias Fenwarren"]],
        "relations": [["^starred", "directed_by"]],
    }
    assert both(answer) == [row]
    assert to_pandas(answer)["value"].dtype == pandas_type
    assert str(to_polars(answer)["value"].dtype) == polars_type


def test_values_of_entities_are_rows() -> None:
    answer = answered((EntityValue(ADA, 4), EntityValue(TOBIAS, 2)), truncated=True)
    assert both(answer) == [
        {"id": "p1", "name": "Ada Weir", "value": 4},
        {"id": "p2", "name": "Tobias Fenwarren", "value": 2},
    ]
    assert to_pandas(answer).attrs["cut"] == ("limit",)
    dates = answered((EntityValue(ADA, date(1951, 3, 2)), EntityValue(TOBIAS, "1988")))
    assert list(to_pandas(dates)["value"]) == [date(1951, 3, 2), "1988"]
    assert list(to_polars(dates)["value"]) == [date(1951, 3, 2), "1988"]
    assert list(to_pandas(answered(())).columns) == ["id", "name", "value"]


def test_paths_are_lists_of_ids_names_and_relations() -> None:
    walked = {
        "source": "p1",
        "target": "p2",
        "ids": ["p1", "f1", "p2"],
        "names": ["Ada Weir", "Salt in the Clock", "Tobias Fenwarren"],
        "relations": ["^starred", "directed_by"],
    }
    assert both([PATH]) == [walked]
    assert both(Rows([FoundPath(PATH, 2, 3)])) == [
        {**walked, "hops": 2, "count": 3, "properties": None}
    ]
    assert both(Rows([WeightedPath(PATH, 1.5, (0.5, 1.0))])) == [
        {**walked, "cost": 1.5, "costs": [0.5, 1.0]}
    ]
    assert both(Rows([BeamPath(PATH, 0.9, (0.5, 0.4), 1)])) == [
        {**walked, "score": 0.9, "similarities": [0.5, 0.4], "count": 1, "properties": None}
    ]


def test_ends_of_a_chain_carry_their_paths() -> None:
    assert both(Rows([FollowedEntity(TOBIAS, 1, 2, (PATH,))])) == [
        {
            "id": "p2",
            "name": "Tobias Fenwarren",
            "starts": 1,
            "count": 2,
            "paths": [["p1", "f1", "p2"]],
            "names": [["Ada Weir", "Salt in the Clock", "Tobias Fenwarren"]],
            "relations": [["^starred", "directed_by"]],
            "properties": None,
        }
    ]


def test_properties_of_relationships_are_json() -> None:
    roles = ({"role": "Rut", "since": 1999}, {})
    found = FoundPath(PATH, 2, 3, (roles, ()))
    (row,) = both(Rows([found]))
    assert json.loads(row["properties"]) == [[{"role": "Rut", "since": 1999}, {}], []]


ANSWER = Answer(
    "Who directed the films of Ada Weir?", "demo", "refkg", (AnsweredEntity(TOBIAS, (PATH,), 3),)
)
VERDICT = Verdict(
    "So.", "demo", "refkg", "REFUTED", supporting=(Path((ADA,), ()),), opposing=(PATH,)
)


def test_an_answer_is_rows_of_entities_with_their_proof() -> None:
    assert both(ANSWER) == [
        {
            "id": "p2",
            "name": "Tobias Fenwarren",
            "paths": [["p1", "f1", "p2"]],
            "names": [["Ada Weir", "Salt in the Clock", "Tobias Fenwarren"]],
            "relations": [["^starred", "directed_by"]],
            "path_count": 3,
        }
    ]
    assert to_pandas(ANSWER).attrs["cut"] == ()
    assert to_pandas(replace(ANSWER, truncated=True)).attrs["cut"] == ("limit",)
    none = to_pandas(replace(ANSWER, entities=()))
    assert (len(none), list(none.columns)) == (0, list(to_pandas(ANSWER).columns))


def test_a_verdict_is_rows_of_facts_for_and_against() -> None:
    rows = both(VERDICT)
    assert [(row["side"], row["source"], row["target"]) for row in rows] == [
        ("for", "p1", "p1"), ("against", "p1", "p2")
    ]  # fmt: skip
    assert rows[1]["relations"] == ["^starred", "directed_by"]
    assert list(to_pandas(Verdict("So.", "demo", "refkg")).columns) == list(rows[0])


def test_answers_and_verdicts_of_every_kind_are_a_row_each() -> None:
    results = [
        ANSWER,
        answered(8, facts=(PATH,), text="It is 8."),
        answered((EntityValue(ADA, date(1951, 3, 2)),)),
        Answer("Why?", "demo", "auto", reason="nobody knows."),
        replace(VERDICT, confidence=0.75),
        replace(VERDICT, error=ModelError("it is away")),
    ]
    rows = both(results)
    walked = (
        "Salt in the Clock – starred – Ada Weir; Salt in the Clock – directed_by – Tobias Fenwarren"
    )
    asked = {"question": "How many?", "confidence": None}
    claim = {"question": "So.", "value": None, "evidence": ["Ada Weir", walked]}
    assert rows == [
        {
            "question": ANSWER.question, "answer": "Tobias Fenwarren", "kind": "entities",
            "value": ["p2"], "evidence": [walked], "confidence": None,
        },
        {**asked, "answer": "It is 8.", "kind": "number", "value": 8, "evidence": [walked]},
        {
            **asked, "answer": "- Ada Weir: 1951-03-02", "kind": "list", "evidence": [],
            "value": [{"entity": {"id": "p1", "name": "Ada Weir"}, "value": "1951-03-02"}],
        },
        {
            "question": "Why?", "answer": None, "kind": "unknown", "value": None, "evidence": [],
            "confidence": None,
        },
        {**claim, "answer": "REFUTED", "kind": "verdict", "confidence": 0.75},
        {**claim, "answer": None, "kind": "error", "confidence": None},
    ]  # fmt: skip
    text = TextVerdict("demo", "auto", (TextClaim("So.", 0, 3, VERDICT),))
    assert [row["answer"] for row in both(text)] == ["REFUTED"]
    assert list(to_pandas(replace(text, claims=())).columns) == list(rows[0])
    assert to_pandas([answered(8), answered(9)])["value"].sum() == 17


def test_the_result_of_a_form_is_rows_as_an_answer_is() -> None:
    found = FormResult(FindAll(), ANSWER.entities, total=1)
    assert both(found) == both(ANSWER)
    assert both(FormResult(FindAll(), value=3, facts=(PATH,))) == both(answered(3, facts=(PATH,)))
    assert set(to_networkx(found)) == {"p1", "p2", "f1"}


def test_a_verdict_is_a_network_of_its_facts() -> None:
    network = to_networkx(VERDICT)
    assert sorted(network.edges(keys=True)) == [
        ("f1", "p1", "starred"), ("f1", "p2", "directed_by")
    ]  # fmt: skip


@pytest.mark.parametrize("result", [ANSWER, VERDICT])
def test_what_ended_in_an_error_has_no_rows(result: Any) -> None:
    with pytest.raises(UsageError, match="the question failed: it is away"):
        to_pandas(replace(result, error=ModelError("it is away")))


def test_triples_and_ranked_entities_are_rows() -> None:
    assert both([Triple(FILM, "directed_by", TOBIAS)]) == [
        {
            "head_id": "f1",
            "head_name": "Salt in the Clock",
            "relation": "directed_by",
            "tail_id": "p2",
            "tail_name": "Tobias Fenwarren",
        }
    ]
    assert both(Rows([RankedEntity(ADA, 0.25, 20, True)])) == [
        {"id": "p1", "name": "Ada Weir", "score": 0.25, "iterations": 20, "converged": True}
    ]


def test_rows_of_a_batch_tell_their_set_and_what_was_cut() -> None:
    batch = [Rows([PLAIN], ["limit"]), Rows([], [], Neighbor), Rows([MEDIATED, PLAIN])]
    assert [row["batch"] for row in both(batch)] == [0, 2, 2]
    assert to_pandas(batch).attrs["cut"] == ("limit",)


@pytest.mark.parametrize("kind", [Neighbor, RelationAround, FollowedEntity, FoundPath, BeamPath])
def test_a_table_of_nothing_has_its_columns_and_types(kind: type[Any]) -> None:
    rows = {
        Neighbor: PLAIN,
        RelationAround: RelationAround(Step("r"), 1, 1),
        FollowedEntity: FollowedEntity(ADA, 1, 1, (PATH,)),
        FoundPath: FoundPath(PATH, 2, 1),
        BeamPath: BeamPath(PATH, 1.0, (0.5, 0.5), 1),
    }
    empty: Rows[Any] = Rows([], ["limit"], kind)
    full = Rows([rows[kind]])
    assert to_pandas(empty).dtypes.equals(to_pandas(full).dtypes)
    assert to_polars(empty).schema == to_polars(full).schema
    assert to_polars(full).schema["relation" if kind in (Neighbor, RelationAround) else "names"]
    assert (len(to_pandas(empty)), to_polars(empty).height) == (0, 0)
    assert to_pandas([empty]).columns[0] == "batch"


def test_what_rows_are_survives_pickling() -> None:
    copy = pickle.loads(pickle.dumps(Rows([], ["limit"], Neighbor)))
    assert (copy, copy.cut, copy.kind) == ((), ("limit",), Neighbor)
    assert Rows([PLAIN]).kind is Neighbor
    assert Rows().kind is None


def test_rows_of_a_query_keep_the_columns_it_named() -> None:
    answer = ReadAnswer(("film", "year"), (("Salt in the Clock", 1988), (None, 1990)), True, None)
    assert to_pandas(answer)["year"].tolist() == [1988, 1990]
    assert to_pandas(answer).attrs["cut"] == ("limit",)
    assert to_polars(answer).rows() == [("Salt in the Clock", 1988), (None, 1990)]
    assert list(to_pandas(ReadAnswer(("n",), (), False, None)).columns) == ["n"]
    assert to_polars(ReadAnswer(("n",), (), False, None)).columns == ["n"]
    refused = ReadAnswer((), (), False, ScriptError("syntax", "RETURN is missing", 1, 1))
    for convert in (to_pandas, to_polars):
        with pytest.raises(UsageError, match="no rows: RETURN is missing"):
            convert(refused)


def test_nothing_at_all_is_an_empty_frame() -> None:
    assert to_pandas([]).empty
    assert to_polars([]).is_empty()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([PLAIN, PATH], "several types, Neighbor and Path"),
        ([1, 2], "contains 1, which is not a result"),
        ("Ada Weir", "'Ada Weir' is not a result"),
        (PLAIN, "is not a result"),
    ],
)
def test_what_is_no_table_is_refused(given: Any, said: str) -> None:
    for convert in (to_pandas, to_polars):
        with pytest.raises(UsageError, match=said):
            convert(given)


# networkx


def edges(network: nx.MultiDiGraph) -> set[tuple[str, str, str]]:
    return {(head, relation, tail) for head, tail, relation in network.edges(keys=True)}


def test_edges_go_as_the_graph_states_them_whichever_way_they_were_walked() -> None:
    expected = {("f1", "starred", "p1"), ("f1", "directed_by", "p2")}
    answer = Answer("?", "g", "m", (AnsweredEntity(TOBIAS, (PATH,), 1),))
    for found in (PATH, [PATH], Rows([FoundPath(PATH, 2, 1)]), answer, [Rows([PATH]), Rows()]):
        network = to_networkx(found)
        assert edges(network) == expected
        assert dict(network.nodes(data="name")) == {
            "p1": "Ada Weir", "f1": "Salt in the Clock", "p2": "Tobias Fenwarren",
        }  # fmt: skip
    assert nx.has_path(network.to_undirected(), "p1", "p2")


def test_relations_between_the_same_two_are_edges_of_their_own() -> None:
    facts = [Triple(FILM, relation, ADA) for relation in ("starred", "written_by", "starred")]
    network = to_networkx(facts)
    assert edges(network) == {("f1", "starred", "p1"), ("f1", "written_by", "p1")}
    assert network.edges["f1", "p1", "starred"]["relation"] == "starred"


def test_neighbours_tell_how_many_edges_and_pass_through_mediators() -> None:
    network = to_networkx(Rows([PLAIN, MEDIATED]))
    assert edges(network) == {
        ("f1", "starred", "p1"), ("m1", "role", "p1"), ("m1", "in_film", "f1"),
    }  # fmt: skip
    assert network.edges["f1", "p1", "starred"]["count"] == 2
    # No row tells the names of the start and the mediator.
    assert dict(network.nodes(data="name")) == {"p1": "p1", "f1": FILM.name, "m1": "m1"}
    assert to_networkx([PLAIN, ADA]).nodes["p1"]["name"] == "Ada Weir"
    assert to_networkx([ADA, PLAIN]).nodes["p1"]["name"] == "Ada Weir"


MATCH = Match(
    answer=TOBIAS,
    score=0.9,
    entities={"film": FILM, "who": TOBIAS, "none": None},
    edges=(),
    triples=(("f1", "directed_by", "p2"), ("f1", "starred", "p1")),
    count=1,
)


def test_a_match_is_the_graph_that_it_found() -> None:
    network = to_networkx(Rows([MATCH]))
    assert edges(network) == {("f1", "directed_by", "p2"), ("f1", "starred", "p1")}
    assert dict(network.nodes(data="name")) == {"f1": FILM.name, "p2": TOBIAS.name, "p1": "p1"}


def test_a_match_is_a_row() -> None:
    frame = to_pandas(Rows([MATCH]))
    assert frame[["answer_id", "answer_name", "score", "count"]].values.tolist() == [
        ["p2", "Tobias Fenwarren", 0.9, 1]
    ]
    assert to_polars(Rows([MATCH])).columns == list(frame.columns)


def test_ranked_entities_are_nodes_with_a_score() -> None:
    network = to_networkx(Rows([RankedEntity(ADA, 0.25, 20, True)]))
    assert network.nodes["p1"] == {"name": "Ada Weir", "score": 0.25}


@pytest.mark.parametrize("given", [[RelationAround(Step("r"), 1, 1)], "Ada Weir", 3, [None]])
def test_what_has_no_nodes_is_refused(given: Any) -> None:
    with pytest.raises(UsageError, match="has no nodes and edges"):
        to_networkx(given)


# extras and connections


@pytest.mark.parametrize(
    ("module", "convert"), [("pandas", to_pandas), ("polars", to_polars), ("networkx", to_networkx)]
)
def test_a_library_that_is_not_installed_comes_with_the_command(
    monkeypatch: pytest.MonkeyPatch, module: str, convert: Any
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=f"'{module}' is not installed") as failure:
        convert(Rows([PLAIN]))
    assert failure.value.hint == installation(module)


def py2neo_graph(uri: str) -> Any:
    """A graph of py2neo with its own profile, but not connected."""
    import py2neo

    graph = object.__new__(py2neo.Graph)
    profile = py2neo.ServiceProfile(uri, auth=("reader", "secret"))
    graph.service = SimpleNamespace(profile=profile)
    graph.__name__ = "films"
    return graph


@pytest.mark.parametrize("uri", ["bolt://host:7000", "neo4j+s://host:7000", "bolt+ssc://host:7000"])
def test_a_graph_of_py2neo_tells_how_to_get_in(uri: str) -> None:
    graph = py2neo_graph(uri)
    found = opened(graph)
    assert (found.uri, found.username, found.password) == (uri, "reader", "secret")
    assert (found.database, found.driver, found.py2neo) == ("films", None, graph)


def test_a_graph_of_py2neo_over_http_is_refused() -> None:
    with pytest.raises(UsageError, match="http://host:7474 by HTTP; kgdb supports only Bolt"):
        opened(py2neo_graph("http://host:7474"))


@pytest.mark.parametrize("client", [3, object(), ["bolt://host"]])
def test_what_is_no_connection_is_refused(client: Any) -> None:
    with pytest.raises(UsageError, match="kgdb cannot connect to"):
        kgdb.connect(client)


def test_credentials_beside_an_open_connection_are_refused() -> None:
    import neo4j

    with (
        neo4j.GraphDatabase.driver("bolt://127.0.0.1:1") as driver,
        pytest.raises(UsageError, match="do not apply to an open connection"),
    ):
        kgdb.connect(driver, password="x")
