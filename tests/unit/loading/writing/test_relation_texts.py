"""Texts of relations are printed as TOML, and taken back from it."""

from __future__ import annotations

import tomllib
from typing import Any, cast

import pytest

from kgdb.errors import UsageError
from kgdb.graph import Database, GraphInfo
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.loading import print_texts, set_texts

pytestmark = pytest.mark.unit

ODD = "a \"quoted\"\n'''one'''\x7f 关系"
RELATIONS = (
    RelationInfo("ACTED_IN", 3, None, None, None, None, head_labels={"Person": 3},
                 tail_labels={"Movie": 2, "Series": 1}),
    RelationInfo("DIRECTED", 44, "the films by {}", 'who is "{}"\\', None, "who\ndid {}?"),
    RelationInfo(ODD, 1, "it's {}", None, None, None),
)  # fmt: skip
GRAPH = GraphInfo("films", ("Film",), "-", "ready", "-", "-", 0, 0, 0, None)


class Server:
    """A database with these relations, which keeps what is written."""

    def __init__(self) -> None:
        self.written: list[dict[str, Any]] = []

    def run(self, *_: Any) -> list[dict[str, Any]]:
        return [relation.to_row() for relation in RELATIONS]

    def write(self, name: str, parameters: dict[str, Any]) -> None:
        assert name == "relations/set_texts"
        self.written += parameters["rows"]


def set_(content: str) -> list[dict[str, Any]]:
    server = Server()
    set_texts(cast(Database, server), GRAPH, content)
    return server.written


def test_what_is_printed_is_the_same_when_it_is_taken_back() -> None:
    keys = ("id", "text", "inverse", "question", "inverse_question")
    rows = {row["id"]: row for row in set_(print_texts(RELATIONS))}
    assert rows == {
        relation.id: {key: getattr(relation, key) for key in keys} for relation in RELATIONS
    }


def test_frequent_relations_come_first_with_the_labels_at_their_ends() -> None:
    printed = print_texts(RELATIONS)
    assert list(tomllib.loads(printed)["relations"]) == ["DIRECTED", "ACTED_IN", ODD]
    assert '[relations."ACTED_IN"]  # 3 times, Person to Movie|Series' in printed


def test_relations_that_are_not_given_are_not_written() -> None:
    (row,) = set_('[relations.DIRECTED]\ntext = "films by {}"')
    assert row == {
        "id": "DIRECTED", "text": "films by {}", "inverse": None, "question": None,
        "inverse_question": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("text =", "no TOML"),
        ("", "no relations"),
        ('name = "x"\n[relations.DIRECTED]', "name"),
        ("[relations.DIRECTD]", "Did you mean 'DIRECTED'"),
        ('[relations.DIRECTED]\ntxt = "{}"', "expected texts called text, inverse"),
        ('[relations.DIRECTED]\ntext = "films"', "with {} once"),
        ('[relations.DIRECTED]\ntext = "{} and {}"', "with {} once"),
        ("[relations.DIRECTED]\ntext = 7", "with {} once"),
    ],
)
def test_anything_else_is_refused(content: str, says: str) -> None:
    with pytest.raises(UsageError) as failure:
        set_(content)
    assert says in failure.value.message
