"""Words that users teach for names of a graph, from files in TOML and JSON."""

from __future__ import annotations

from typing import Any, cast

import pytest
from film_schema import SCHEMA

from kgdb.errors import UsageError
from kgdb.graph import Database, Graph, GraphInfo
from kgdb.graph.connection.catalog import list_graphs
from kgdb.loading import set_synonyms

pytestmark = pytest.mark.unit

BEFORE = {"Film": ("movie",), "budget": ("cost",)}


class Films(Graph):
    schema = SCHEMA  # type: ignore[assignment]


class Server:
    """A database that keeps what is written, and then reads it as the node of the graph."""

    def __init__(self) -> None:
        self.node: dict[str, Any] = {"name": "films", "label": "Film"}

    def write(self, name: str, parameters: dict[str, Any]) -> None:
        assert (name, parameters["name"]) == ("schema/set_synonyms", "films")
        self.node |= parameters["properties"]

    def run(self, name: str) -> list[dict[str, Any]]:
        assert name == "graphs"
        return [{"graph": self.node}]


def taught(content: str) -> tuple[int, dict[str, tuple[str, ...]]]:
    server = cast(Database, Server())
    info = GraphInfo("films", ("Film",), "-", "ready", "-", "-", 0, 0, 0, None, synonyms=BEFORE)
    number = set_synonyms(Films(server, info), content)
    (read,) = list_graphs(server)
    return number, dict(read.synonyms)


@pytest.mark.parametrize(
    "content",
    ['Film = ["Motion  Picture", "reel"]', '{"Film": ["Motion  Picture", "reel"]}'],
)
def test_words_are_kept_in_lower_case_and_other_names_keep_theirs(content: str) -> None:
    assert taught(content) == (1, {"Film": ("motion picture", "reel"), "budget": ("cost",)})


def test_an_empty_list_takes_words_away() -> None:
    assert taught("Film = []\nrole = ['part']")[1] == {"budget": ("cost",), "role": ("part",)}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("Film =", "no TOML"),
        ("{", "no JSON"),
        ('Flim = ["movie"]', "no label, property or relation 'Flim'. Did you mean 'Film'?"),
        ('directed = ["made"]', "Did you mean 'DIRECTED'?"),
        ('Film = "movie"', "expected a list of words"),
        ("Film = [7]", "expected a list of words"),
        ('Film = ["7"]', "expected a list of words"),
        ('[Film]\nmovie = "x"', "expected a list of words"),
    ],
)
def test_anything_else_is_refused(content: str, says: str) -> None:
    with pytest.raises(UsageError) as failure:
        taught(content)
    assert says in failure.value.message
