"""The values: steps, paths with their facts, usage, and answers as JSON."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, is_dataclass, replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgdb.errors import ModelError
from kgdb.graph.forms import FormResult
from kgdb.graph.forms.operators import FindAll
from kgdb.graph.retrieval.results import Neighbor, Rows
from kgdb.values import (
    Answer,
    AnsweredEntity,
    Entity,
    EntityValue,
    Path,
    Stage,
    StagedEvidence,
    Step,
    TextClaim,
    TextVerdict,
    Triple,
    Usage,
    Verdict,
    Year,
    chain_text,
)
from kgdb.wording import value_text

pytestmark = pytest.mark.unit

ADA, FILM, KEN = Entity("e1", "Ada Weir"), Entity("e2", "The Salt Ledger"), Entity("e3", "Ken")
CHAIN = (Step("starred_actors", reverse=True), Step("directed_by"))
PATH = Path((ADA, FILM, KEN), CHAIN)


def test_steps_are_read_and_written() -> None:
    assert Step.parse("^r") == Step("r", reverse=True)
    assert Step.parse("r") == Step("r")
    assert str(Step("r", reverse=True)) == "^r"
    assert chain_text(CHAIN) == "^starred_actors → directed_by"


@given(st.text(min_size=1).filter(lambda text: not text.startswith("^")), st.booleans())
def test_reading_undoes_writing(relation: str, reverse: bool) -> None:
    assert Step.parse(str(Step(relation, reverse))) == Step(relation, reverse)


def test_facts_are_told_in_the_direction_of_the_graph() -> None:
    assert PATH.triples == (
        Triple(FILM, "starred_actors", ADA),
        Triple(FILM, "directed_by", KEN),
    )
    assert Path((ADA,), ()).triples == ()


@pytest.mark.parametrize("entities", [(), (ADA,), (ADA, FILM), (ADA, FILM, KEN, ADA)])
def test_a_path_joins_one_entity_more_than_it_has_steps(entities: tuple[Entity, ...]) -> None:
    with pytest.raises(ValueError, match=f"joins 3 entities, not {len(entities)}"):
        Path(entities, CHAIN)


def test_a_year_is_a_number_without_separators() -> None:
    assert (value_text(Year(1956)), value_text(1956)) == ("1956", "1,956")
    assert Year(1956) == 1956
    assert json.dumps([Year(1956)]) == "[1956]"


def test_usage_adds_up_field_by_field() -> None:
    assert Usage(1, 1, 2, 3, 0.5, 4.0, 5) + Usage(10, 2, 20, 30, 1.0, 40.0, 50) == Usage(
        11, 3, 22, 33, 1.5, 44.0, 55
    )


def answer(**changed: Any) -> Answer:
    found = Answer(
        "who?",
        "demo",
        "refkg",
        entities=(AnsweredEntity(KEN, (PATH,), 4), AnsweredEntity(ADA, (), 1)),
        interpretation="who directed it?",
        trace=(
            Stage("decouple", {"links": []}, Usage(round_trips=1)),
            Stage("infer", {"ends": 2}, Usage(calls=2, tokens_in=9, seconds=0.5, round_trips=1)),
        ),
    )
    return replace(found, **changed)


def test_an_answer_sums_its_stages_and_gathers_its_evidence() -> None:
    assert answer().usage == Usage(calls=2, tokens_in=9, seconds=0.5, round_trips=2)
    assert answer().evidence == (PATH,)
    assert Answer("q", "g", "m").usage == Usage()


def test_an_answer_is_json_as_documented() -> None:
    written = answer().to_dict()
    assert json.loads(json.dumps(written, allow_nan=False)) == written
    assert written["entities"][0] == {
        "entity": {"id": "e3", "name": "Ken"},
        "path_count": 4,
        "paths": [
            {
                "entities": [
                    {"id": "e1", "name": "Ada Weir"},
                    {"id": "e2", "name": "The Salt Ledger"},
                    {"id": "e3", "name": "Ken"},
                ],
                "steps": ["^starred_actors", "directed_by"],
            }
        ],
    }
    assert written["usage"]["calls"] == 2
    assert [stage["name"] for stage in written["trace"]] == ["decouple", "infer"]
    assert written["trace"][1]["output"] == {"ends": 2}


def verdict(**given: Any) -> Verdict:
    return Verdict("So.", "demo", "auto", "REFUTED", 0.5, opposing=(PATH,), **given)


@pytest.mark.parametrize(
    "result",
    [
        answer(),
        answer(value=(EntityValue(ADA, date(1951, 3, 2)),), staged=StagedEvidence((PATH,))),
        answer(error=ModelError("It is away.", hint="Start it.")),
        verdict(),
        TextVerdict("demo", "auto", (TextClaim("So.", 0, 3, verdict()),)),
        FormResult(FindAll(), (AnsweredEntity(KEN, (PATH,), 4),), total=1),
        Rows([Neighbor("e1", CHAIN[0], FILM, 1)], ["limit"]),
    ],
)
def test_json_and_python_have_the_same_names(result: Any) -> None:
    written = result.to_dict()
    assert json.loads(json.dumps(written)) == written
    same_names(result, written)


def same_names(value: Any, written: Any) -> None:
    match written:
        case dict() if is_dataclass(value) and not isinstance(value, FindAll):
            for name, each in written.items():
                same_names(getattr(value, name), each)
        case list():
            for one, other in zip(value, written, strict=True):
                same_names(one, other)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "entities"),
        (False, "yes-no"),
        (0, "number"),
        (2.5, "number"),
        (Year(1956), "date"),
        ("1956-03", "date"),
        ("1956-03-02T10:00:00Z", "date"),
        ("a book of 1956", "text"),
        ((EntityValue(ADA, 3),), "list"),
    ],
)
def test_an_answer_tells_of_what_kind_it_is(value: Any, kind: str) -> None:
    assert answer(value=value).kind == kind
    assert FormResult(FindAll(), value=value).kind == kind


def test_what_is_no_answer_is_of_another_kind() -> None:
    down = ModelError("It is away.")
    assert answer(entities=()).kind == answer(entities=(), value=()).kind == "unknown"
    assert answer(error=down).kind == verdict(error=down).kind == "error"
    assert (verdict().kind, verdict().evidence) == ("verdict", (PATH,))


@pytest.mark.parametrize("value", [ADA, CHAIN[0], PATH, Usage(), answer()])
def test_values_cannot_be_changed(value: object) -> None:
    name = next(iter(type(value).__slots__))  # type: ignore[attr-defined]
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, None)
