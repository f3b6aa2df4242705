"""Projections without a server: what is asked of Graph Data Science, and what is refused before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fakes import MemoryDatabase, MemoryDriver, graph_info

from kgdb.errors import ConnectionFailed, DatabaseError, GdsMissing, UsageError
from kgdb.graph import Graph
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.loading.writing.pageranks import write_pagerank
from kgdb.progress import Message

pytestmark = pytest.mark.unit

Row = dict[str, Any]


class Catalog(MemoryDatabase):
    """A database whose Graph Data Science only keeps names; ``asked`` is what it was asked."""

    def __init__(self, share: float = 0.1, *, has_gds: bool = True) -> None:
        super().__init__(MemoryDriver([("a", "r", "b"), ("a", "r", "c"), ("b", "s", "c")]))
        self.has_gds = has_gds  # type: ignore[misc]
        self.share = share
        self.projected: list[str] = []
        self.asked: list[tuple[str, tuple[Any, ...]]] = []
        self.failing: dict[str, Exception] = {}

    def call(self, procedure: str, *arguments: Any) -> list[Row]:
        self.asked.append((procedure, arguments))
        if procedure in self.failing:
            raise self.failing[procedure]
        answers: dict[str, Callable[..., Row]] = {
            "gds.graph.exists": lambda name: {"exists": name in self.projected},
            "gds.graph.project.estimate": lambda *_: {
                "heapPercentageMax": self.share,
                "requiredMemory": "7 GiB",
            },
            "gds.graph.project": self._project,
        }
        return [answers[procedure](*arguments)]

    def _project(self, name: str, *_: Any) -> Row:
        self.projected.append(name)
        return {"nodeCount": 3, "relationshipCount": 3}

    def write(  # type: ignore[override]
        self, name: str, parameters: Row | None = None, /, **places: Any
    ) -> list[Row]:
        values = parameters or {}
        self.asked.append((name, (values, places)))
        if name in self.failing:
            raise self.failing[name]
        if name == "gds/drop":
            self.projected.remove(values["name"])
            return []
        if name.startswith("gds/project"):
            self._project(values["name"])
            return [{"nodes": 3, "relationships": 3}]
        return []

    def estimated(self) -> tuple[Any, ...]:
        (arguments,) = [asked for name, asked in self.asked if name == "gds.graph.project.estimate"]
        return arguments


def graph_of(catalog: Catalog) -> Graph:
    graph = Graph(catalog, graph_info())
    graph.relations = {  # type: ignore[misc]
        "r": RelationInfo("r", 2, None, None, None, None),
        "s": RelationInfo("s", 1, None, None, None, None),
    }
    return graph


def test_the_projection_is_there_inside_the_block_and_never_after() -> None:
    catalog = Catalog()
    with graph_of(catalog).project() as projection:
        assert catalog.projected == [projection.name]
        assert (projection.nodes, projection.relationships, projection.weight) == (3, 3, None)
    assert catalog.projected == []


def stopped() -> None:
    raise KeyboardInterrupt


def test_the_projection_is_dropped_when_the_block_is_stopped() -> None:
    catalog = Catalog()
    with pytest.raises(KeyboardInterrupt), graph_of(catalog).project("mine"):
        stopped()
    assert catalog.projected == []
    assert "gds/drop" in [name for name, _ in catalog.asked]


def test_what_failed_is_told_rather_than_that_it_could_not_be_dropped_either() -> None:
    catalog = Catalog()
    catalog.failing["gds/drop"] = ConnectionFailed("gone")
    with pytest.raises(ZeroDivisionError), graph_of(catalog).project():
        _ = 1 // 0
    with pytest.raises(ConnectionFailed, match="gone"), graph_of(catalog).project():
        pass


def test_two_projections_without_a_name_have_two_names() -> None:
    graph = graph_of(Catalog())
    with graph.project() as one, graph.project() as other:
        assert one.name != other.name
        assert one.name.startswith("kgdb:test:")


def test_a_server_without_gds_is_an_error_that_says_where_to_get_it() -> None:
    with pytest.raises(GdsMissing, match="has no Graph Data Science") as failure:
        graph_of(Catalog(has_gds=False)).project().__enter__()
    assert "neo4j.com/docs/graph-data-science" in (failure.value.hint or "")


def test_what_would_take_too_much_memory_is_not_projected() -> None:
    catalog = Catalog(share=0.9)
    with pytest.raises(UsageError, match="takes 7 GiB of memory, more than 80% of") as failure:
        graph_of(catalog).project().__enter__()
    assert "--heap" in (failure.value.hint or "")
    assert "gds.graph.project" not in [name for name, _ in catalog.asked]


def test_the_memory_is_estimated_for_the_relations_that_are_projected() -> None:
    catalog = Catalog()
    with graph_of(catalog).project(relations=["r"], undirected=True, weights={"r": 2}):
        pass
    everything, relationships, counts = catalog.estimated()
    assert everything == "*"
    assert relationships["__ALL__"] == {
        "type": "*", "orientation": "UNDIRECTED", "properties": ["weight"],
    }  # fmt: skip
    assert counts["relationshipCount"] == 2


def test_a_name_that_is_taken_is_refused_and_stays() -> None:
    catalog = Catalog()
    catalog.projected.append("mine")
    with pytest.raises(UsageError, match="a projection 'mine' already"):
        graph_of(catalog).project("mine").__enter__()
    assert catalog.projected == ["mine"]


@pytest.mark.parametrize("name", ["", " ", " mine", 3])
def test_what_is_no_name_is_refused(name: Any) -> None:
    with pytest.raises(UsageError, match=r"cannot name a projection|a name for the projection"):
        graph_of(Catalog()).project(name).__enter__()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"relations": ["rr"]}, "relations holds 'rr', which is no relation .* mean 'r'"),
        ({"relations": ["^r"]}, r"relations holds '\^r'; expected a relation's name without"),
        ({"relations": "r"}, "relations is 'r'; expected a list"),
        ({"weights": {"t": 1}}, "weights holds 't'"),
        ({"weights": {"r": float("nan")}}, "the weight of 'r' is nan"),
        ({"weights": {"r": "1"}}, "the weight of 'r' is '1'"),
        ({"weights": [1]}, r"weights is \[1\]; expected a map"),
        ({"weights": {}, "default_weight": float("inf")}, "default_weight is inf"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_before_anything_is_sent(
    arguments: dict[str, Any], said: str
) -> None:
    catalog = Catalog()
    with pytest.raises(UsageError, match=said):
        graph_of(catalog).project(**arguments)
    assert catalog.asked == []


# The ranks that a load writes


def rank(catalog: Catalog, write: Callable[[str], int]) -> tuple[bool, list[str]]:
    said: list[str] = []

    def report(event: Any) -> None:
        assert isinstance(event, Message)
        said.append(event.text)

    return write_pagerank(catalog, graph_info(), "1", write, report), said


def test_ranks_are_written_from_a_projection_that_is_dropped() -> None:
    catalog = Catalog()
    seen: list[list[str]] = []

    def write(name: str) -> int:
        seen.append([name, *catalog.projected])
        return 3

    assert rank(catalog, write) == (True, [])
    assert seen == [["kgdb-load:test:1", "kgdb-load:test:1"]]
    assert catalog.projected == []


@pytest.mark.parametrize(
    ("catalog", "reason"),
    [
        (Catalog(has_gds=False), "The server has no Graph Data Science: loading without PageRank."),
        (Catalog(share=0.9), "Loading without PageRank: Projecting 'test' takes 7 GiB"),
    ],
)
def test_a_graph_that_cannot_be_ranked_is_loaded_without(catalog: Catalog, reason: str) -> None:
    done, (said,) = rank(catalog, pytest.fail)
    assert not done
    assert said.startswith(reason)


def test_a_projection_that_gds_refuses_is_no_reason_to_fail_but_a_lost_server_is() -> None:
    catalog = Catalog()
    catalog.failing["gds.graph.project"] = DatabaseError("blocked for memory")
    assert rank(catalog, lambda _: 0) == (
        False,
        ["Loading without PageRank: blocked for memory"],
    )
    catalog.failing["gds.graph.project"] = ConnectionFailed("gone")
    with pytest.raises(ConnectionFailed):
        rank(catalog, lambda _: 0)


def test_a_failure_while_ranks_are_written_ends_the_load() -> None:
    """Some entities may have a rank by then."""
    catalog = Catalog()

    def write(_: str) -> int:
        raise DatabaseError("disk full")

    with pytest.raises(DatabaseError, match="disk full"):
        rank(catalog, write)
    assert catalog.projected == []
