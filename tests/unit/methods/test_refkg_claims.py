"""RefKG's switches on claims: what each changes in the evidence that the language model reads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fakes import BagOfWords, FakeModel, memory_graph, reasoner
from films import films
from scripted import ScriptedModel

from kgdb.methods import Reasoner, Resources
from kgdb.methods.answering.reconstruction import triples_of
from kgdb.methods.refkg.refkg_method import RefKG
from kgdb.methods.refkg.refkg_options import Options
from kgdb.values import StagedEvidence, Verdict

pytestmark = pytest.mark.unit

CLAIM = "The director of Snow Whale is Ken Amagiri."
WRITTEN = "Snow Whale was directed by Ken Amagiri."
SUBQUERIES = json.dumps(
    {"subqueries": [{"query": CLAIM, "entities": ["Snow Whale", "Ken Amagiri"]}]}
)


def judged(**options: Any) -> tuple[Verdict, ScriptedModel]:
    model = ScriptedModel(
        {"Is the claim true": "True", "Your task is": WRITTEN, "Split the text": SUBQUERIES}
    )
    verdict = reasoner("refkg", memory_graph(films()), model, **options).verify(CLAIM)
    return verdict, model


def evidence(**options: Any) -> list[str]:
    """What the prompt of the judge shows."""
    _, model = judged(judge="llm", **options)
    shown = model.asked[-1].prompt.partition("Evidence:\n")[2].partition("\n\nClaim:")[0]
    return shown.split("\n")


def stages(verdict: Verdict) -> list[str]:
    return [stage.name for stage in verdict.trace]


def test_refinement_drops_evidence_that_does_not_bear_on_the_claim() -> None:
    whole = evidence(refine=False, evidence_form="template")
    refined = evidence(alpha=0.6, evidence_form="template")
    assert "- the director of Snow Whale: Ken Amagiri" in refined
    assert "- the release year of Snow Whale: 1989" in whole
    assert "- the release year of Snow Whale: 1989" not in refined
    assert set(refined) < set(whole)


def test_more_relations_around_a_thing_are_more_evidence() -> None:
    few, many = (evidence(width=n, refine=False, evidence_form="template") for n in (1, 5))
    assert set(few) < set(many)


def judged_without(**options: Any) -> str:
    """What the judge is asked where the encoder chooses."""
    _, model = judged(judge="llm", refine=False, evidence_form="template", **options)
    return model.asked[-1].prompt


def navigated(relations: list[str], **options: Any) -> tuple[Verdict, ScriptedModel]:
    model = ScriptedModel(
        {
            "Is the claim true": "True",
            "Your task is": WRITTEN,
            "Choose at most": json.dumps({"relations": relations}),
        }
    )
    given = {
        "judge": "llm",
        "navigate": "llm",
        "refine": False,
        "evidence_form": "template",
    } | options
    return reasoner("refkg", memory_graph(films()), model, **given).verify(CLAIM), model


def test_the_language_model_chooses_what_is_evidence() -> None:
    verdict, model = navigated(["the release year of this", "no such relation"], width=1)
    (menu,) = (ask for ask in model.asked if "Choose at most" in ask.prompt)
    assert menu.prompt.startswith(f"Claim: {CLAIM}")
    listed = json.dumps(menu.schema)
    for phrase in ("the director of", "the release year of", "the films directed by"):
        assert phrase in menu.prompt
        assert phrase in listed
    shown = model.asked[-1].prompt
    assert "- the release year of Snow Whale: 1989" in shown
    assert "Barnaby Crake" not in shown
    assert verdict.usage.calls == 2
    assert not verdict.notes


def test_a_model_that_chooses_nothing_leaves_it_to_the_encoder() -> None:
    verdict, model = navigated([], width=1)
    (note,) = verdict.notes
    assert "chose no relation" in note
    assert model.asked[-1].prompt == judged_without(width=1)
    assert verdict.label == "SUPPORTED"


@pytest.mark.parametrize(("calls", "chooses"), [(3, False), (4, True)])
def test_judging_comes_before_navigation(calls: int, chooses: bool) -> None:
    verdict, model = navigated(
        ["the release year of this"], width=1, evidence_form="text", calls=calls
    )
    assert any("Choose at most" in ask.prompt for ask in model.asked) is chooses
    assert verdict.usage.calls <= calls


@pytest.mark.parametrize(
    ("form", "first"),
    [
        ("triples", "- (Snow Whale, directed_by, Ken Amagiri)"),
        ("template", "- the director of Snow Whale: Ken Amagiri"),
        ("text", f"- {WRITTEN}"),
    ],
)
@pytest.mark.parametrize("refine", [True, False])
def test_evidence_is_read_in_the_chosen_form(form: str, first: str, refine: bool) -> None:
    assert evidence(evidence_form=form, refine=refine)[0] == first


@pytest.mark.parametrize(
    ("options", "with_model", "refines", "writes"),
    [
        ({"judge": "llm"}, True, True, True),
        ({"judge": "llm", "refine": False}, True, False, False),
        ({"judge": "llm"}, False, False, False),
        ({}, True, False, False),
    ],
)
def test_nothing_is_done_for_a_reader_that_there_is_not(
    options: dict[str, Any], with_model: bool, refines: bool, writes: bool
) -> None:
    model = ScriptedModel({"Is the claim true": "True", "Split the text": SUBQUERIES})
    judge = reasoner(
        "refkg", memory_graph(films()), model if with_model else None, decouple="llm", **options
    )
    verdict = judge.verify(CLAIM)
    assert verdict.label == "SUPPORTED"
    assert ("refine" in stages(verdict)) is refines
    assert any(ask.prompt.startswith("Split the text") for ask in model.asked) is writes


class Picky:
    """An expert that keeps what it is asked."""

    name = "picky"
    threshold = 0.5
    weight = 0.0
    judges_paths = False
    graphs: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.queries: set[str] = set()

    def scores(self, pairs: Any) -> list[float]:
        self.queries |= {query for query, _ in pairs}
        return [1.0 for _ in pairs]


def test_facts_are_refined_by_the_sub_queries_of_the_claim() -> None:
    expert, encoder = Picky(), BagOfWords()
    parts = [
        {"query": "Ken Amagiri is a director", "entities": ["Ken Amagiri"]},
        {"query": "the director of Snow Whale", "entities": ["Snow Whale"]},
    ]
    model = ScriptedModel(
        {"Split the text": json.dumps({"subqueries": parts}), "Is the claim true": "True"}
    )
    resources = Resources(memory_graph(films()), encoder, model)
    options = Options(judge="llm", decouple="llm")
    Reasoner(RefKG(options, expert), resources).verify(CLAIM)
    assert expert.queries == {"Ken Amagiri is a director", "the director of Snow Whale"}


@pytest.mark.parametrize(
    ("options", "notes"),
    [
        ({}, []),
        ({"judge": "llm", "decouple": "llm", "alpha": 0.2, "evidence_form": "triples"}, []),
        ({"claim_mentions": 3, "closed_world": True, "width": 2, "max_hops": 1}, []),
        (
            {"navigate": "llm", "chains": 3},
            [
                "Without effect on claims: chains.",
                "Without effect where no language model reads the evidence: navigate.",
            ],
        ),
        (
            {"refine": False, "evidence_form": "triples", "calls": 4},
            [
                "Without effect where no language model reads the evidence: refine, evidence_form, "
                "calls.",
            ],
        ),
        (
            {"judge": "llm", "refine": False, "decouple": "llm", "mentions": 1},
            [
                "Without effect on claims: mentions.",
                "Without effect where nothing is refined: decouple.",
            ],
        ),
    ],
)
def test_options_without_an_effect_on_claims_are_noted(
    options: dict[str, Any], notes: list[str]
) -> None:
    verdict, _ = judged(**options)
    assert list(verdict.notes) == notes


@pytest.mark.parametrize(
    ("options", "notes"),
    [
        ({}, []),
        ({"chains": 3, "alpha": 0.2, "inference": "read", "evidence_form": "triples"}, []),
        ({"closed_world": True}, ["Without effect on questions: closed_world."]),
        (
            {"evidence_form": "triples", "refine": False, "alpha": 0.2},
            [
                "Without effect where no language model reads the evidence: evidence_form.",
                "Without effect where nothing is refined: alpha.",
            ],
        ),
    ],
)
def test_options_without_an_effect_on_questions_are_noted(
    options: dict[str, Any], notes: list[str]
) -> None:
    model = ScriptedModel({"Answer the question": '{"answers": ["Ken Amagiri"]}'})
    asked = reasoner("refkg", memory_graph(films()), model, **options)
    assert list(asked.answer("who directed Snow Whale?").notes) == notes


@pytest.mark.parametrize(("calls", "told"), [(1, False), (2, False), (3, True), (5, True)])
def test_a_claim_takes_no_more_calls_than_it_may_and_judging_comes_first(
    calls: int, told: bool
) -> None:
    verdict, model = judged(judge="llm", decouple="llm", calls=calls)
    assert verdict.label == "SUPPORTED"
    assert verdict.usage.calls <= calls
    assert any(ask.prompt.startswith("Your task is") for ask in model.asked) is told
    assert any("reconstruct" in note for note in verdict.notes) is not told


@pytest.mark.parametrize("calls", [1, 2])
def test_what_a_model_thinks_without_evidence_is_asked_if_there_is_a_call_for_it(
    calls: int,
) -> None:
    model = FakeModel("True")
    options: dict[str, Any] = {"judge": "llm", "evidence_form": "template", "calls": calls}
    verdict = reasoner("refkg", memory_graph(films()), model, **options).verify(CLAIM)
    assert (verdict.label, verdict.usage.calls) == ("SUPPORTED", calls)
    assert "Evidence:" in model.asked[0][0]


def test_a_verdict_tells_its_evidence_before_and_after_refinement() -> None:
    refined, _ = judged(judge="llm", alpha=0.6)
    assert refined.staged is not None
    assert refined.staged.refined is not None
    explored = triples_of(refined.staged.explored)
    assert set(refined.staged.refined) < set(explored)
    assert {fact.tail.name for fact in explored} - {
        fact.tail.name for fact in refined.staged.refined
    } >= {"1989"}
    # Where nothing was retrieved, nothing is left.
    model = ScriptedModel({"Is the claim true": "True"})
    nobody = reasoner("refkg", memory_graph(films()), model, judge="llm").verify("Xyzzy is plugh.")
    assert nobody.staged == StagedEvidence((), ())
    # What nobody reads is not refined.
    for options in ({"judge": "rule"}, {"judge": "llm", "refine": False}):
        whole, _ = judged(**options)
        assert whole.staged is not None
        assert whole.staged.refined is None
        assert whole.staged.explored
