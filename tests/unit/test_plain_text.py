"""Answers and verdicts as plain text."""

from __future__ import annotations

from typing import Any

import pytest

from kgdb.plain_text import answer_text, path_text, verdict_text
from kgdb.values import Answer, AnsweredEntity, Entity, EntityValue, Path, Step, Triple, Verdict

pytestmark = pytest.mark.unit

FILM, ADA, RUBEN = Entity("f1", "Salt\nin the Clock"), Entity("a", "Ada"), Entity("r", "Ruben")
WALK = Path((ADA, FILM, RUBEN), (Step("starred", True), Step("directed_by")))
STARRED, DIRECTED = "Salt in the Clock – starred – Ada", "Salt in the Clock – directed_by – Ruben"


def answer(**given: Any) -> Answer:
    return Answer("Who?", "films", "auto", **given)


def test_an_answer_has_its_facts_in_their_direction_and_each_once() -> None:
    found = answer(entities=(AnsweredEntity(RUBEN, (WALK, WALK), 2),))
    assert answer_text(found) == f"Ruben\n\n[1] {STARRED}\n[2] {DIRECTED}"
    assert path_text(WALK) == f"{STARRED}; {DIRECTED}"
    assert path_text(Path((ADA,), ())) == "Ada"


def test_of_many_facts_the_first_are_listed() -> None:
    paths = tuple(Path((FILM, Entity(str(n), str(n))), (Step("has"),)) for n in range(11))
    lines = answer_text(answer(entities=(AnsweredEntity(FILM, paths, 11),))).splitlines()
    assert lines[-2:] == ["[8] Salt in the Clock – has – 7", "… and 3 more facts"]


def test_the_numbers_of_a_text_are_those_of_the_facts_it_cites() -> None:
    cited = tuple(Triple(ADA, f"r{n}", RUBEN) for n in range(9))
    found = answer(
        entities=(AnsweredEntity(RUBEN, (WALK,), 1),), text="Ruben did [9].", cited=cited
    )
    assert answer_text(found).splitlines()[-1] == "[9] Ada – r8 – Ruben"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (False, "no"),
        (1234, "1,234"),
        ((EntityValue(ADA, 2), EntityValue(RUBEN, 1)), "- Ada: 2\n- Ruben: 1"),
    ],
)
def test_a_value_is_said_in_words(value: Any, said: str) -> None:
    assert answer_text(answer(value=value)) == said


def test_without_an_answer_the_reason_stands_there() -> None:
    assert answer_text(answer(reason="of\nthis")) == "I don't know, because of this"


def test_a_verdict_has_its_reason_and_its_facts() -> None:
    verdict = Verdict("claim", "films", "auto", "REFUTED", opposing=(WALK,))
    assert verdict_text(verdict) == f"REFUTED\n{STARRED}; {DIRECTED}"
    unknown = Verdict("claim", "films", "auto", reason="no such name")
    assert verdict_text(unknown) == "NOT ENOUGH EVIDENCE\nno such name"
