"""What a question costs GoT-R, whatever goes wrong: five round trips and four calls at most."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from fakes import MemoryDriver, memory_graph, reasoner
from films import FILMS, TEXTS, films
from scripted import ScriptedModel

from kgdb.errors import ModelError, PluginMissing
from kgdb.values import Answer

pytestmark = [pytest.mark.unit, pytest.mark.slow]

CHAINS = "relations/around_chains"
READ_ONCE = ("relations", "relations/vectors")

GOOD = "CREATE (f)-[:starred_actors]->(a {name: 'Ada Weir'}) CREATE (f)-[:directed_by]->(d)"
UNTIED = "CREATE (a {name: 'Jane Doe'})-[:directed_by]->(b)"
UNMATCHED = "CREATE (a {name: 'Ada Weir'})-[:written_by]->(b) CREATE (b)-[:written_by]->(c)"
LONE = "CREATE (a {name: 'Ada Weir'})"
BAD = "DROP DATABASE neo4j"

EXACT = "who directed the films starring Ada Weir?"
MISSPELT = "who directed the films starring Ada Weirr?"
NOBODY = "who directed Qwertzuiop?"
SEVERAL = "did Ada Weir, Ken Amagiri and Rex Hallorand act in Quiet Shore?"


def asked(
    question: str,
    script: str | ModelError,
    repair: str | ModelError = "",
    driver: MemoryDriver | None = None,
    /,
    **options: Any,
) -> tuple[Answer, list[str]]:
    """The first question of a connection, and the statements that it sent."""
    replies: Mapping[str, Any] = {
        "atomic questions": json.dumps({"questions": ["who directed <topic entity>?"]}),
        "refused": repair,
        "Step 1": script,
        "nothing else. Give": json.dumps({"answers": ["Ken Amagiri"]}),
    }
    driver = driver or films()
    answer = reasoner("gotr", memory_graph(driver), ScriptedModel(replies), **options).answer(
        question
    )
    return answer, [name for name, _ in driver.sent if name not in READ_ONCE]


@pytest.mark.parametrize("question", [EXACT, MISSPELT, NOBODY, SEVERAL])
@pytest.mark.parametrize("repair", [GOOD, UNTIED, UNMATCHED, LONE, BAD, ""])
@pytest.mark.parametrize("script", [GOOD, UNTIED, UNMATCHED, LONE, BAD, ""])
def test_every_way_through_keeps_to_the_bounds(script: str, repair: str, question: str) -> None:
    answer, sent = asked(question, script, repair)
    assert answer.usage.round_trips == len(sent) <= 5
    assert answer.usage.calls <= 4


@pytest.mark.parametrize(
    "options",
    [
        {"hybrid": False},
        {"repair": False},
        {"atomic_relations": False},
        {"relation_aware": False},
        {"relation_unaware": False},
        {"match": False},
        {"also_chains": False},
        {"chain_hops": 4, "max_hops": 8, "chains": 200},
    ],
)
@pytest.mark.parametrize("question", [EXACT, MISSPELT])
@pytest.mark.parametrize("script", [GOOD, BAD])
def test_with_any_switch_too(script: str, question: str, options: dict[str, Any]) -> None:
    answer, sent = asked(question, script, BAD, **options)
    assert answer.usage.round_trips == len(sent) <= 5
    assert answer.usage.calls <= 4


@pytest.mark.parametrize(
    ("script", "repair", "sent"),
    [
        (GOOD, BAD, ["got/ground", CHAINS, CHAINS]),
        (BAD, GOOD, ["got/ground", "got/ground", CHAINS]),
        (BAD, BAD, ["got/ground", "got/ground", CHAINS]),
    ],
)
@pytest.mark.parametrize("question", [EXACT, MISSPELT])
def test_what_each_round_trip_is_for(
    question: str, script: str, repair: str, sent: list[str]
) -> None:
    answer, all_sent = asked(question, script, repair)
    assert all_sent == ["entities/named", *sent, "search_all"]
    assert {found.entity.name for found in answer.entities} >= {"Ken Amagiri"}


def test_without_a_model_chains_ask_for_what_is_left() -> None:
    driver = films()
    answer = reasoner("gotr", memory_graph(driver)).answer(EXACT)
    assert answer.usage.calls == 0
    assert answer.usage.round_trips <= 5


def test_a_cut_search_is_not_made_again() -> None:
    """More films than the search keeps: what is cut is told, and no more is asked."""
    many = [(f"Film {number}", "starred_actors", "Ada Weir") for number in range(500)]
    driver = MemoryDriver([*FILMS, *many], TEXTS)
    answer, sent = asked(EXACT, GOOD, "", driver, width=1, also_chains=False)
    assert answer.usage.round_trips == len(sent) == 3


@pytest.mark.parametrize("question", [EXACT, MISSPELT])
def test_a_server_without_the_procedure(question: str) -> None:
    class Without(MemoryDriver):
        def _got_ground(self, *_: Any, **__: Any) -> Any:
            raise PluginMissing("The server has no kgdb plugin.")

    answer, sent = asked(question, GOOD, "", Without(FILMS, TEXTS))
    assert answer.usage.round_trips == len(sent) <= 5


def test_each_of_many_questions_keeps_to_them() -> None:
    driver = films()
    model = ScriptedModel({"Step 1": BAD, "refused": BAD})
    chosen = reasoner("gotr", memory_graph(driver), model)
    for answer in chosen.answers([EXACT, MISSPELT, NOBODY, SEVERAL] * 3):
        assert answer.error is None
        assert answer.usage.round_trips <= 5
        assert answer.usage.calls <= 4
