"""A language model that chooses which slot of the evidence answers, instead of reading it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
import scripted_gotr
import scripted_rok
from fakes import BagOfWords, memory_graph, reasoner
from films import TWO_HOPS, films
from outcomes import ranked, said
from scripted import Reply, ScriptedModel

from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest
from kgdb.methods import QuestionContext, Resources
from kgdb.methods.answering.extraction import Evidence, extract_answers
from kgdb.methods.answering.preference import PMIScorer
from kgdb.methods.answering.slot_choice import Inference, SlotChoice, chooses
from kgdb.methods.context.batching import run_batched
from kgdb.values import Answer, Entity, Path, Step

pytestmark = pytest.mark.unit

ASKED = "In other words, the question asks for"
PRIOR = "The question asks for"


class Preferring(ScriptedModel):
    """A model that finds phrases with a word likelier the more it weighs, and tells so."""

    def __init__(
        self, weights: Mapping[str, float], replies: Mapping[str, Reply] | None = None, **more: Any
    ) -> None:
        super().__init__(replies, **more)
        self.weights = weights

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        done = super().complete(requests)
        return [
            replace(reply, scores=self._scores(ask))
            if ask.choices and isinstance(reply, Completion)
            else reply
            for ask, reply in zip(requests, done, strict=True)
        ]

    def _scores(self, ask: CompletionRequest) -> tuple[float, ...]:
        known = ASKED in ask.prompt
        return tuple(
            -10.0 + known * sum(w for word, w in self.weights.items() if word in choice)
            for choice in ask.choices
        )


def path(*parts: str) -> Path:
    return Path(
        tuple(Entity(part, part) for part in parts[::2]), tuple(map(Step.parse, parts[1::2]))
    )


DIRECTOR = path("Ada Weir", "^starred_actors", "Quiet Shore", "directed_by", "Harriet Coldmoor")
WRITER = path("Ada Weir", "^starred_actors", "Quiet Shore", "written_by", "Barnaby Crake")
EVIDENCE = (DIRECTOR, WRITER)


def read(
    model: ScriptedModel,
    evidence: Sequence[Path] = EVIDENCE,
    scores: Sequence[float] | None = (0.5, 0.45),
    calls: int = 4,
    preference: PMIScorer | None = None,
    llm_weight: float = 0.03,
    **options: Any,
) -> Answer:
    encoder = BagOfWords()
    graph = memory_graph(films())
    ctx = QuestionContext(Resources(graph, encoder, model), TWO_HOPS)
    ctx.budget.limit(calls=calls)
    slot_choice = SlotChoice(preference or PMIScorer(), ["Ada Weir"], llm_weight, **options)

    async def run() -> Answer:
        with ctx.stage("answer"):
            given = Evidence(evidence, [["Ada Weir"]], scores)
            return await extract_answers(ctx, "test", given, slot_choice)

    (result,) = run_batched([(run(), ctx.charge)])
    assert isinstance(result, Answer), result
    return replace(result, notes=tuple(ctx.notes))


def test_the_model_decides_between_what_is_nearly_alike() -> None:
    assert ranked(read(Preferring({}))) == ["Harriet Coldmoor"]
    chosen = read(Preferring({"writer": 9.0}))
    assert ranked(chosen) == ["Barnaby Crake"]
    assert chosen.entities[0].paths == (WRITER,)
    assert "Ada Weir" in (chosen.interpretation or "")


def test_what_leads_to_an_answer_by_other_relations_is_no_proof_of_it() -> None:
    other = path("Ada Weir", "^written_by", "Quiet Shore", "directed_by", "Harriet Coldmoor")
    evidence, scores = (DIRECTOR, other, WRITER), (0.5, 0.4, 0.3)
    (answered,) = read(Preferring({}), evidence, scores).entities
    assert (answered.entity.name, answered.paths) == ("Harriet Coldmoor", (DIRECTOR,))


def test_the_encoder_decides_between_what_is_not() -> None:
    assert ranked(read(Preferring({"writer": 9.0}), scores=(0.9, 0.1))) == ["Harriet Coldmoor"]


def test_a_preference_counts_as_much_as_it_is_said_to() -> None:
    model = Preferring({"writer": 9.0})
    assert ranked(read(model, llm_weight=0.0)) == ["Harriet Coldmoor"]
    assert ranked(read(model, scores=(0.9, 0.1), llm_weight=1.0)) == ["Barnaby Crake"]


def test_names_are_no_part_of_what_is_weighed() -> None:
    model = Preferring({})
    read(model)
    assert len(model.asked) == 2
    for ask in model.asked:
        assert "Ada Weir" not in ask.prompt + " ".join(ask.choices)
    assert any("this" in choice for choice in model.asked[0].choices)


def test_what_a_phrase_is_worth_alone_is_asked_once() -> None:
    model, preference = Preferring({"writer": 9.0}), PMIScorer()
    first, second = (read(model, preference=preference) for _ in range(2))
    assert ranked(first) == ranked(second) == ["Barnaby Crake"]
    assert [ASKED in ask.prompt for ask in model.asked] == [True, False, True]


def test_what_others_asked_before_decides_nothing() -> None:
    seen = PMIScorer()
    assert ranked(read(Preferring({"writer": 9.0}), preference=seen)) == ["Barnaby Crake"]
    # One call would be enough for phrases that are known, and is not for others.
    for preference in (seen, PMIScorer()):
        answer = read(Preferring({"writer": 9.0}), preference=preference, calls=1)
        assert ranked(answer) == ["Harriet Coldmoor"]


@pytest.mark.parametrize(("calls", "asked"), [(0, 0), (1, 0), (2, 2)])
def test_no_more_calls_than_there_may_be(calls: int, asked: int) -> None:
    model = Preferring({"writer": 9.0})
    answer = read(model, calls=calls)
    assert len(model.asked) == asked
    assert ranked(answer) == [["Harriet Coldmoor"], ["Barnaby Crake"]][asked > 0]


def test_one_slot_needs_no_choice() -> None:
    model = Preferring({})
    assert ranked(read(model, evidence=[path("Ada Weir", "born_in", "1954")], scores=None))
    assert model.asked == []


def test_a_model_without_probabilities_has_its_choice_preferred() -> None:
    def writer(ask: CompletionRequest) -> str:
        return next(choice for choice in ask.choices if "writer" in choice)

    assert ranked(read(ScriptedModel({ASKED: writer}))) == ["Barnaby Crake"]


def test_what_no_evidence_proves_is_not_written() -> None:
    (note,) = read(Preferring({}), allow_unsupported=True).notes
    assert "inference=read" in note


@pytest.mark.parametrize(
    ("inference", "parameters", "expected"),
    [
        ("auto", 135_000_000, True),
        ("auto", 7_000_000_000, False),
        ("auto", None, False),
        ("read", 135_000_000, False),
        ("choose", None, True),
    ],
)
def test_small_models_choose_and_others_read(
    inference: Inference, parameters: int | None, expected: bool
) -> None:
    encoder = BagOfWords()
    graph = memory_graph(films())
    model = ScriptedModel(parameters=parameters)
    asked = QuestionContext(Resources(graph, encoder, model), TWO_HOPS)
    assert chooses(asked, inference) == expected
    alone = QuestionContext(Resources(graph, encoder, None), TWO_HOPS)
    assert not chooses(alone, inference)


@pytest.mark.parametrize(
    ("method", "replies"), [("rok", scripted_rok.replies()), ("gotr", scripted_gotr.replies())]
)
def test_a_small_model_is_never_shown_the_evidence(
    method: str, replies: Mapping[str, Reply]
) -> None:
    model = Preferring({"director": 9.0}, replies, parameters=135_000_000)
    answer = reasoner(method, memory_graph(films()), model).answer(TWO_HOPS)
    assert set(ranked(answer)) == {"Ken Amagiri", "Harriet Coldmoor"}
    assert any(ASKED in ask.prompt for ask in model.asked)
    assert not any("Facts:" in ask.prompt for ask in model.asked)
    assert answer.usage.calls <= 4
    assert said(answer, "answer")["answers"]


@pytest.mark.parametrize("method", ["rok", "gotr"])
def test_told_to_read_it_is_shown_the_evidence(method: str) -> None:
    model = Preferring({}, parameters=135_000_000)
    reasoner(method, memory_graph(films()), model, inference="read").answer(TWO_HOPS)
    assert any("Facts:" in ask.prompt for ask in model.asked)
    assert not any(PRIOR in ask.prompt for ask in model.asked)


@pytest.mark.parametrize("method", ["rok", "gotr"])
@pytest.mark.parametrize("least", [0.0, 1.0])
def test_nothing_answers_that_is_less_like_the_question_than_asked(
    method: str, least: float
) -> None:
    model = reasoner(method, memory_graph(films()), min_similarity=least)
    answer = model.answer(TWO_HOPS)
    assert bool(answer.entities) == (least == 0)
    assert ("min_similarity" in (answer.reason or "")) == (least == 1)


def chosen(method: str, replies: Mapping[str, Reply], **options: Any) -> list[str]:
    """What a small model answers that prefers whatever is about writers."""
    model = Preferring({"writ": 9.0}, replies, parameters=135_000_000)
    given = {"llm_weight": 10, **options}
    return ranked(reasoner(method, memory_graph(films()), model, **given).answer(TWO_HOPS))


@pytest.mark.parametrize("neighbors", [True, False])
def test_a_neighbour_may_answer_though_no_chain_led_to_it(neighbors: bool) -> None:
    # Ada Weir wrote The Salt Ledger.
    options = {"chains": 1, "max_hops": 1, "neighbors": neighbors, "min_similarity": 0}
    answers = chosen("rok", scripted_rok.replies(), **options)
    assert (answers == ["The Salt Ledger"]) == neighbors


@pytest.mark.parametrize("drawn", ["written_by", "directed_by"])
def test_what_the_model_drew_may_answer_though_no_chain_led_there(drawn: str) -> None:
    thought = scripted_gotr.CHAIN.replace("directed_by", drawn)
    options = {"chains": 1, "relations_per_edge": 1, "relation_unaware": False}
    answers = chosen("gotr", scripted_gotr.replies(thought), **options)
    assert ("Barnaby Crake" in answers) == (drawn == "written_by")
