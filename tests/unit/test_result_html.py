"""Results as notebooks show them."""

from __future__ import annotations

from typing import Any

import pytest
from hostile_results import HOSTILE, Parsed, hostile_results, parsed
from scripted_method import answered, entity, path

from kgdb.errors import ModelError
from kgdb.graph.forms import FormResult
from kgdb.graph.forms.operators import FindAll
from kgdb.graph.retrieval.results import (
    FollowedEntity,
    FoundPath,
    LinkedEntity,
    Neighbor,
    Rows,
)
from kgdb.graph.schema import PropertyInfo, RelationEnds, Schema
from kgdb.values import Answer, EntityValue, Step, TextClaim, TextVerdict, Triple, Verdict

pytestmark = pytest.mark.unit

HEAT = path("Ada", "^starred", "Heat", "directed_by", "Mann")
VERDICT = Verdict(
    "Mann directed Heat.", "demo", "auto", "REFUTED", 0.75, (), (HEAT,), reason="Scott did."
)


def shown(result: Any) -> Parsed:
    return parsed(result._repr_html_())


def test_an_answer_shows_its_paths_and_their_picture() -> None:
    page = shown(Answer("Who?", "demo", "auto", (answered(HEAT),), interpretation="who is it?"))
    assert page.text.startswith(
        "Who? understood as: who is it? Mann mann Ada ←starred– Heat –directed_by→ Mann"
    )
    assert len(page.drawings) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer("Who?", "demo", "auto", reason="nobody knows."), "I don't know, because nobody"),
        (Answer("Who?", "demo", "auto", error=ModelError("No.", hint="Up!")), "failed: No. Up!"),
        (Answer("Who?", "demo", "auto", unsupported=("A", "B")), "Without evidence: A, B"),
        (Answer("Who?", "demo", "auto", truncated=True), "there may be more answers"),
        (Answer("How many?", "demo", "auto", value=1956, facts=(HEAT,)), "1,956 Ada ←starred–"),
        (Answer("Each?", "demo", "auto", value=(EntityValue(entity("A"), 4),)), "A a 4"),
        (Answer("Who?", "demo", "auto", notes=("One was left out.",)), "Note: One was left out."),
        (
            Answer(
                "Who?", "demo", "auto", (answered(HEAT),), text="Mann did [1].\nTruly.",
                cited=(Triple(entity("Heat"), "directed_by", entity("Mann")),),
            ),
            "Mann did [1]. Truly. Heat –directed_by→ Mann",
        ),
    ],
)  # fmt: skip
def test_an_answer_of_each_kind_is_said(answer: Answer, said: str) -> None:
    assert said in shown(answer).text


def test_a_verdict_shows_what_is_against_the_claim() -> None:
    page = shown(VERDICT)
    assert "REFUTED confidence 75% because Scott did. against Ada ←starred–" in page.text
    assert page.drawings[0].count("stroke-dasharray") == 2


def test_a_text_shows_each_claim_with_its_verdict() -> None:
    claim = TextClaim("He directed Heat.", 0, 17, VERDICT)
    page = shown(TextVerdict("demo", "auto", (claim,) * 25))
    assert page.text.startswith("0 SUPPORTED, 25 REFUTED, 0 NOT ENOUGH EVIDENCE")
    assert page.text.count("He directed Heat.") == 20
    assert page.text.endswith("… and 5 more")


def test_a_form_shows_its_entities_or_its_value() -> None:
    assert "Mann mann Ada" in shown(FormResult(FindAll(), (answered(HEAT),), total=1)).text
    assert "3 total: 3" in shown(FormResult(FindAll(), value=3, total=3)).text


def test_rows_are_a_table_and_their_paths_a_picture() -> None:
    around = Neighbor("ada", Step("role"), entity("Heat"), 1, "m1", Step("film"))
    page = shown(Rows([around], ["limit"]))
    assert (
        page.text
        == "source step entity count via via_step ada role Heat heat 1 m1 film 1 row, cut by limit"
    )
    assert ">m1<" in page.drawings[0]
    assert "Ada ←starred– Heat –directed_by→ Mann 2 1" in shown(Rows([FoundPath(HEAT, 2, 1)])).text
    assert len(shown(Rows([FollowedEntity(entity("Mann"), 1, 1, (HEAT,))])).drawings) == 1
    linked = LinkedEntity(entity("Ada"), 1, 1, None, "Ada", "exact")
    assert shown(Rows([linked])).drawings == []
    assert shown(Rows()).text == "0 rows"


def schema(*names: str) -> Schema:
    film, person, relation, year = names
    ends = RelationEnds(relation, 100, {film: 100}, {person: 100}, pairs={(film, person): 100})
    rare = RelationEnds("rare", 100, {}, {}, pairs={(person, film): 1})
    known = {year: PropertyInfo(year, "date", {film: 3}, ())}
    return Schema({film: 2, person: 1}, known, {relation: ends, "rare": rare})


def test_a_schema_is_a_picture_with_its_labels_and_relations() -> None:
    page = shown(schema("Film", "Person", "directed_by", "released"))
    assert "label nodes properties Film 2 released Person 1" in page.text
    assert "directed_by 100 rare 100" in page.text
    assert ">directed_by<" in page.drawings[0]
    assert "rare" not in page.drawings[0]


def test_of_a_large_schema_the_most_frequent_labels_are_shown() -> None:
    labels = {f"L{number:03}": number for number in range(500)}
    page = shown(Schema(labels, {}, {}))
    assert page.drawings[0].count("<rect") == 30
    assert "L499" in page.drawings[0]
    assert "… and 480 more" in page.text


def test_hostile_texts_stay_text() -> None:
    verdicts = [each for each in hostile_results() if isinstance(each, Verdict)]
    results = [
        *hostile_results(),
        TextVerdict("", "", tuple(TextClaim(HOSTILE[0], 0, 1, each) for each in verdicts)),
        Rows([FoundPath(each.paths[0], 2, 1) for each in hostile_results()[0].entities]),
        schema(*HOSTILE[:4]),
    ]
    own = set("p b small ol ul li bdi div table tr th td span details summary".split())
    for result in results:
        html = result._repr_html_()
        page = parsed(html)
        drawn = {"svg", "g", "title", "rect", "text", "polyline", "path"}
        assert {tag for tag, _ in page.tags} <= own | drawn
        assert not [a for _, a in page.tags if any(n.startswith("on") or n == "href" for n in a)]
        assert html.isprintable()
