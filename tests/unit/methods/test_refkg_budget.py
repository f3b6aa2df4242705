"""What RefKG and KG-GPT may cost, their switches, and many questions beside one by one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from fakes import BagOfWords, FakeModel, memory_graph, reasoner
from films import TWO_HOPS, films
from scripted import ScriptedModel

from kgdb.language import LanguageModel
from kgdb.methods import QuestionContext, Reasoner, Resources
from kgdb.methods.answering.reconstruction import reconstruct, triples_of
from kgdb.methods.context.batching import run_batched
from kgdb.methods.refkg.refkg_method import RefKG
from kgdb.methods.refkg.refkg_options import Options
from kgdb.values import Answer, Path, StagedEvidence, Usage

pytestmark = [pytest.mark.unit, pytest.mark.slow]

QUESTIONS = [
    TWO_HOPS,
    "who directed Snow Whale?",
    "who wrote [Quiet Shore]?",
    "which films did Ken Amagiri direct?",
    "who wrote the films directed by Ken Amagiri?",
    "which films were released in 1989?",
    "when was Snow Whale released?",
    "who starred in Quiet Shore?",
    "who is Xyzzyxyz?",
    "Ada Weir?",
    "[Rex Hallorand]",
    "when were the films starring Rex Hallorand released?",
    "who wrote films with Rex Hallorand?",
    "who acted in the films written by Barnaby Crake?",
    "did Ada Weir and Rex Hallorand act in Quiet Shore?",
    "films that Ken Amagiri directed and Rex Hallorand acted in",
    "who directed films with Rex Hallorand and wrote?",
    "what year is The Salt Ledger from?",
    "谁导演了[Snow Whale]?",
    "who directed Snow Whal?",
]


def timeless(answer: Answer) -> Any:
    stages = [(stage.name, dict(stage.output), stage.usage.calls) for stage in answer.trace]
    return [replace(answer, trace=()), stages]


def model() -> ScriptedModel:
    return ScriptedModel({"Your task is": "Ken Amagiri directed Snow Whale."})


@pytest.mark.parametrize("method", ["refkg", "kggpt"])
@pytest.mark.parametrize("with_model", [False, True])
def test_many_questions_together_get_what_each_gets_alone(method: str, with_model: bool) -> None:
    def answers(together: bool) -> list[Answer]:
        options = {"decouple": "llm", "inference": "read"} if method == "refkg" else {}
        llm = model() if with_model else None
        asked = reasoner(method, memory_graph(films()), llm, **options)
        return asked.answers(QUESTIONS) if together else [asked.answer(q) for q in QUESTIONS]

    for one, other in zip(answers(together=True), answers(together=False), strict=True):
        assert timeless(one) == timeless(other)


def choosing() -> FakeModel:
    """A model with too few parameters to write."""
    small = FakeModel("director")
    small.parameters = 135_000_000
    return small


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"decouple": "llm"},
        {"navigate": "llm"},
        {"inference": "read"},
        {"decouple": "llm", "navigate": "llm", "inference": "read"},
        {"decouple": "llm", "inference": "read", "evidence_form": "triples"},
    ],
)
def test_a_question_takes_at_most_five_calls_and_five_round_trips(
    options: dict[str, Any],
) -> None:
    # A model that tells scores can only choose, which is all that the defaults ask of one.
    llm: LanguageModel = model() if options else choosing()
    asked = reasoner("refkg", memory_graph(films()), llm, **options)
    for question in QUESTIONS:
        usage = asked.answer(question).usage
        assert usage.calls <= 5, question
        assert usage.round_trips <= 5, question


@pytest.mark.parametrize("calls", [1, 2, 3, 4])
def test_fewer_calls_are_kept_to_and_inference_comes_first(calls: int) -> None:
    llm = model()
    options: dict[str, Any] = {"decouple": "llm", "navigate": "llm", "inference": "read"}
    answer = reasoner("refkg", memory_graph(films()), llm, calls=calls, **options).answer(TWO_HOPS)
    assert answer.usage.calls <= calls
    assert llm.asked[-1].prompt.startswith("Answer the question")


def test_two_mentions_are_answered_by_what_both_lead_to() -> None:
    question = "which films did Ken Amagiri direct starring Rex Hallorand?"
    answer = reasoner("refkg", memory_graph(films())).answer(question)
    assert [found.entity.name for found in answer.entities] == ["Snow Whale"]
    starts = {path.entities[0].name for path in answer.entities[0].paths}
    assert starts == {"Ken Amagiri", "Rex Hallorand"}


def test_all_evidence_is_kept_best_first() -> None:
    answer = reasoner("refkg", memory_graph(films())).answer(TWO_HOPS)
    assert set(answer.evidence) <= set(answer.retrieved)
    assert answer.retrieved[0] in answer.evidence
    assert len(answer.retrieved) > len(answer.evidence)
    few = reasoner("refkg", memory_graph(films()), chains=1).answer(TWO_HOPS)
    assert set(few.retrieved) <= set(answer.retrieved)


def test_the_language_model_navigates_within_the_menu() -> None:
    def stubborn(likes: str) -> ScriptedModel:
        return ScriptedModel({"Ways to go on": json.dumps({"relations": [likes, "the moon"]})})

    def read(likes: str) -> str | None:
        asked = reasoner(
            "refkg", memory_graph(films()), stubborn(likes), navigate="llm", width=2, max_hops=1
        )
        return asked.answer("who was behind Snow Whale?").interpretation

    assert read("the writer of this") != read("the director of this")


class Stern:
    """An expert that believes one word."""

    name = "stern"
    threshold = 0.5
    weight = 0.0
    judges_paths = False
    graphs: tuple[str, ...] = ()

    def __init__(self, word: str) -> None:
        self.word = word
        self.judged: list[tuple[str, str]] = []

    def scores(self, pairs: Any) -> list[float]:
        self.judged += pairs
        return [float(self.word in fact) for _, fact in pairs]


def with_expert(expert: Stern, **options: Any) -> Answer:
    encoder = BagOfWords()
    resources = Resources(memory_graph(films()), encoder, None)
    return Reasoner(RefKG(Options(**options), expert), resources).answer("who directed Snow Whale?")


def test_an_expert_refines_the_evidence_and_is_named() -> None:
    expert = Stern("writer")
    answer = with_expert(expert)
    assert [found.entity.name for found in answer.entities] == ["Barnaby Crake"]
    (refined,) = [stage for stage in answer.trace if stage.name == "refine"]
    assert (refined.output["expert"], refined.output["alpha"]) == ("stern", 0.5)
    assert all(query == "who directed Snow Whale?" for query, _ in expert.judged)


def test_an_answer_tells_its_evidence_before_and_after_refinement() -> None:
    staged = with_expert(Stern("writer")).staged
    assert staged is not None
    assert staged.refined is not None
    explored = triples_of(staged.explored)
    assert {fact.relation for fact in staged.refined} >= {"written_by"}
    assert set(staged.refined) < set(explored)
    nothing = with_expert(Stern("plugh")).staged
    assert nothing is not None
    assert (nothing.explored, nothing.refined) == (staged.explored, ())
    whole = with_expert(Stern("writer"), refine=False).staged
    assert whole is not None
    assert (whole.explored, whole.refined) == (staged.explored, None)
    resources = Resources(memory_graph(films()), BagOfWords(), None)
    nobody = Reasoner(RefKG(), resources).answer("who directed Xyzzyxyz?")
    assert nobody.staged == StagedEvidence((), ())
    # What the answer does not keep of a chain, refinement did not remove.
    short = with_expert(Stern("writer"), other_ends=0, alpha=0.0).staged
    assert short is not None
    assert set(short.refined or ()) == set(explored)


def test_facts_that_no_sub_query_asks_for_are_refined_away_before_they_are_read() -> None:
    question = "who directed Snow Whale?"
    subqueries = json.dumps({"subqueries": [{"query": question, "entities": ["Snow Whale"]}]})
    model = ScriptedModel({"Split the text": subqueries, "Your task is": "Ken Amagiri."})
    encoder = BagOfWords()
    resources = Resources(memory_graph(films()), encoder, model)
    options = Options(inference="read", decouple="llm")
    # Chains of director and writer pass by half of their facts; alone, the writer does not.
    answer = Reasoner(RefKG(options, Stern("director")), resources).answer(question)
    assert answer.staged is not None
    assert answer.staged.refined is not None
    assert "written_by" in {fact.relation for fact in triples_of(answer.retrieved)}
    assert {fact.relation for fact in answer.staged.refined} == {"directed_by"}


def test_where_the_expert_believes_nothing_there_is_no_answer() -> None:
    answer = with_expert(Stern("plugh"))
    assert answer.entities == ()
    assert "are not relevant to the question" in (answer.reason or "")
    assert with_expert(Stern("plugh"), refine=False).entities
    assert with_expert(Stern("plugh"), alpha=0.0).entities


class Reader(Stern):
    """A trained expert: it reads whole paths, and its score counts."""

    name = "reader"
    weight = 5.0
    judges_paths = True
    graphs = ("other",)


def test_an_expert_of_the_resources_reads_whole_paths_and_ranks_chains() -> None:
    encoder = BagOfWords()
    expert = Reader("writer")
    resources = Resources(memory_graph(films()), encoder, None, expert=expert)
    ranked = Reasoner(RefKG(Options(alpha=0.0)), resources).answer(TWO_HOPS)
    assert any("; " in fact for _, fact in expert.judged)
    assert "wrote" in (ranked.interpretation or "")
    (refined,) = [stage for stage in ranked.trace if stage.name == "refine"]
    assert (refined.output["expert"], refined.output["weight"]) == ("reader", 5.0)
    plainly = Reasoner(RefKG(Options(alpha=0.0, expert_weight=0.0)), resources).answer(TWO_HOPS)
    assert plainly.interpretation != ranked.interpretation
    assert ranked.notes == ("The expert reader was trained on other, not on test.",)


def test_the_encoder_is_not_passed_off_as_a_trained_expert() -> None:
    answer = reasoner("refkg", memory_graph(films())).answer(TWO_HOPS)
    (refined,) = [stage for stage in answer.trace if stage.name == "refine"]
    assert refined.output["expert"] == "bag of words: an encoder, not a trained expert"


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("triples", "(Snow Whale, directed_by, Ken Amagiri)"),
        ("template", "the director of Snow Whale: Ken Amagiri"),
        ("text", "Ken Amagiri directed Snow Whale."),
    ],
)
def test_evidence_is_read_in_the_chosen_form(form: str, expected: str) -> None:
    llm = model()
    asked = reasoner("refkg", memory_graph(films()), llm, inference="read", evidence_form=form)
    asked.answer("who directed Snow Whale?")
    assert expected in llm.asked[-1].prompt


@pytest.mark.parametrize(
    ("method", "options"), [("refkg", {"inference": "read"}), ("kggpt", {}), ("mindmap", {})]
)
def test_what_is_said_beyond_the_evidence_is_kept_where_it_is_asked_for(
    method: str, options: dict[str, Any]
) -> None:
    said = '{"reasoning": "", "answers": ["Ken Amagiri", "Mallory"]}'
    bold = ScriptedModel({"nothing else. Give": said, "Then give every answer": said})

    def answer(**more: Any) -> Answer:
        asked = reasoner(method, memory_graph(films()), bold, **options, **more)
        return asked.answer("who directed Snow Whale?")

    assert answer().unsupported == ()
    kept = answer(allow_unsupported=True)
    assert kept.unsupported == ("Mallory",)
    assert kept.entities == answer().entities


def test_along_chains_the_model_writes_no_answer_and_that_is_told() -> None:
    graph = memory_graph(films())
    kept = reasoner("refkg", graph, FakeModel("director"), allow_unsupported=True).answer(TWO_HOPS)
    assert kept.entities
    assert kept.unsupported == ()
    assert any("inference=read" in note for note in kept.notes)


def rewritten(reply: str, form: Any = "text") -> list[str]:
    graph = memory_graph(films())
    encoder = BagOfWords()
    llm = ScriptedModel({"Your task is": reply})
    ctx = QuestionContext(Resources(graph, encoder, llm), "who directed Snow Whale?")

    async def run() -> list[str]:
        with ctx.stage("reconstruct"):
            found = await ctx.graph.follow(["Snow Whale"], ["directed_by"])
            other = await ctx.graph.follow(["Snow Whale"], ["written_by"])
            paths: list[Path] = [end.paths[0] for end in (*found, *other)]
            return await reconstruct(ctx, triples_of(paths), form)

    (lines,) = run_batched([(run(), lambda usage: None)])
    assert isinstance(lines, list)
    return lines


def test_what_the_model_leaves_out_of_its_account_is_added() -> None:
    lines = rewritten("Snow Whale was\ndirected by Ken Amagiri.")
    assert lines == [
        "Snow Whale was directed by Ken Amagiri.",
        "the writer of Snow Whale: Barnaby Crake",
    ]


@pytest.mark.parametrize("reply", ["", "I cannot do that.", "{}", "Snow Whale is a film."])
def test_an_account_that_tells_nothing_is_not_used(reply: str) -> None:
    assert rewritten(reply) == rewritten("", "template")


def test_costs_are_told_by_stage() -> None:
    answer = reasoner("refkg", memory_graph(films()), FakeModel("director")).answer(TWO_HOPS)
    assert sum((stage.usage for stage in answer.trace), Usage()) == answer.usage
    assert [stage.name for stage in answer.trace][-4:] == ["choose", "retrieve", "refine", "infer"]


def test_the_menu_of_several_names_is_chosen_from_with_a_question_about_none_of_them() -> None:
    model = ScriptedModel()
    navigator = reasoner("refkg", memory_graph(films()), model, navigate="llm", width=1, max_hops=1)
    navigator.answer("which film did Ken Amagiri direct with Rex Hallorand?")
    (menu, *_) = [ask.prompt for ask in model.asked if "Ways to go on" in ask.prompt]
    assert "which film did this direct with this?" in menu
