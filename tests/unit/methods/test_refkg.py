"""RefKG over a small film world in memory: what it answers, keeps, counts and admits."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from fakes import FakeModel, MemoryDriver, memory_graph, reasoner
from films import FILMS, TEXTS, TWO_HOPS, films
from outcomes import names, ranked

from kgdb.errors import UsageError
from kgdb.language import Encoder, LanguageModel
from kgdb.methods import all_methods, create
from kgdb.values import Answer, Entity, Stage, Step

pytestmark = pytest.mark.unit


def ask(
    question: str,
    *,
    driver: MemoryDriver | None = None,
    encoder: Encoder | None = None,
    llm: LanguageModel | None = None,
    **options: Any,
) -> Answer:
    graph = memory_graph(driver or films())
    return reasoner("refkg", graph, llm, encoder, **options).answer(question)


def explored(answer: Answer) -> list[Stage]:
    return [stage for stage in answer.trace if stage.name.startswith("explore")]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who directed Snow Whale?", ["Ken Amagiri"]),
        ("who wrote [Quiet Shore]?", ["Barnaby Crake"]),
        ("which films did Ken Amagiri direct?", ["Snow Whale", "The Salt Ledger"]),
        (TWO_HOPS, ["Harriet Coldmoor", "Ken Amagiri"]),
        ("who wrote the films directed by Ken Amagiri?", ["Ada Weir", "Barnaby Crake"]),
    ],
)
def test_questions_in_the_words_of_the_graph_are_answered(
    question: str, expected: list[str]
) -> None:
    answer = ask(question)
    assert sorted(ranked(answer)) == expected
    assert answer.reason is None
    assert not answer.truncated
    assert (answer.question, answer.graph, answer.method) == (question, "test", "refkg")


def test_an_answer_comes_with_its_reading_and_the_paths_that_prove_it() -> None:
    answer = ask(TWO_HOPS)
    assert answer.interpretation == TWO_HOPS
    facts = set(FILMS)
    for answered in answer.entities:
        assert answered.paths
        for path in answered.paths:
            assert path.entities[0] == Entity("Ada Weir", "Ada Weir")
            assert path.entities[-1] == answered.entity
            assert path.steps == (Step("starred_actors", reverse=True), Step("directed_by"))
            assert all((t.head.id, t.relation, t.tail.id) in facts for t in path.triples)


def test_a_question_that_names_nothing_is_not_answered_and_says_so() -> None:
    answer = ask("who directed Xyzzyxyz?")
    assert answer.entities == ()
    assert answer.interpretation is None
    assert "the question mentions no name of the graph 'test'" in (answer.reason or "")
    assert "[brackets]" in (answer.reason or "")
    assert [stage.name for stage in answer.trace] == ["decouple", "choose", "retrieve", "infer"]
    assert answer.usage.round_trips == 1  # the names, and the names with a letter wrong


def test_a_question_that_means_no_relation_is_not_answered_and_says_so() -> None:
    answer = ask("qwertz asdf Ada Weir yxcv", min_similarity=0.9)
    assert answer.entities == ()
    assert answer.reason == "no relation around 'Ada Weir' fits the question."


def test_an_entity_without_relations_is_not_answered_about() -> None:
    answer = ask("who directed Loner?", driver=MemoryDriver(FILMS, TEXTS, {"Loner": "Loner"}))
    assert answer.entities == ()
    assert "no relation around 'Loner'" in (answer.reason or "")


def test_readings_that_lead_nowhere_are_named() -> None:
    class Forgetful(MemoryDriver):
        def _follow(self, groups: Any) -> Any:
            # The ends of chains for menus are found, but none to answer with.
            return iter(())

    answer = ask(TWO_HOPS, driver=Forgetful(FILMS, TEXTS))
    assert answer.entities == ()
    assert "the graph contains no fact for any interpretation" in (answer.reason or "")
    assert TWO_HOPS in (answer.reason or "")


@pytest.mark.parametrize("question", ["", "   ", "\n\t"])
def test_an_empty_question_is_refused(question: str) -> None:
    with pytest.raises(UsageError, match="The question is empty") as failure:
        ask(question)
    assert failure.value.hint


@pytest.mark.parametrize("width", [1, 2, 5])
def test_the_beam_keeps_no_more_chains_than_its_width_and_extends_only_those(width: int) -> None:
    answer = ask(TWO_HOPS, width=width)
    before: list[str] = []
    for hop, stage in enumerate(explored(answer), 1):
        kept = [kept["chain"] for kept in stage.output["kept"]]
        assert len(kept) <= width
        assert len(kept) == len(set(kept))
        assert all(len(chain.split(" → ")) == hop for chain in kept)
        if before:
            assert all(chain.rpartition(" → ")[0] in before for chain in kept)
        before = kept
    assert before


def test_candidate_relations_of_the_first_hop_are_those_around_the_entity() -> None:
    first = explored(ask(TWO_HOPS))[0]
    assert first.output["candidate_relations"] == 2
    assert {kept["chain"] for kept in first.output["kept"]} == {
        "^starred_actors",
        "^written_by",
    }


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_no_chain_is_longer_than_allowed(hops: int) -> None:
    answer = ask(TWO_HOPS, max_hops=hops)
    assert [stage.name for stage in explored(answer)] == [
        f"explore hop {hop}" for hop in range(1, hops + 1)
    ]
    assert all(len(path.steps) <= hops for path in answer.evidence)


def test_every_mention_is_explored_up_to_the_allowed_number() -> None:
    question = "who of Ada Weir, Rex Hallorand, Ken Amagiri acted in Snow Whale?"
    for starts in (1, 2, 10):
        answer = ask(question, mentions=starts, max_hops=1)
        (hop,) = explored(answer)
        assert len({kept["mention"] for kept in hop.output["kept"]}) == min(starts, 4)
        assert hop.usage.round_trips <= 2  # the menus of all, and once the relations' texts
        assert len(answer.trace[0].output["links"]) == min(starts, 4)


def test_answers_and_paths_are_cut_as_asked_and_the_cut_is_told() -> None:
    whole = ask("which films were released in 1989?")
    assert sorted(ranked(whole)) == ["Quiet Shore", "Snow Whale"]
    cut = ask("which films were released in 1989?", answers=1)
    assert len(cut.entities) == 1
    assert (whole.truncated, cut.truncated) == (False, True)
    question = "when were the films starring Rex Hallorand released?"
    for paths in (1, 2, 5):
        (answered,) = ask(question, paths=paths).entities
        assert (answered.path_count, len(answered.paths)) == (2, min(paths, 2))


def test_the_same_question_gets_the_same_answer() -> None:
    def timeless(answer: Answer) -> list[Any]:
        stages = [(stage.name, dict(stage.output)) for stage in answer.trace]
        return [replace(answer, trace=()), stages]

    first = ask(TWO_HOPS, llm=FakeModel("writer"))
    assert timeless(first) == timeless(ask(TWO_HOPS, llm=FakeModel("writer")))
    mixed = MemoryDriver(list(reversed(FILMS)), TEXTS)
    assert names(ask(TWO_HOPS, driver=mixed, llm=FakeModel("writer"))) == names(first)


def test_one_method_answers_many_questions_alike() -> None:
    graph = memory_graph(films())
    method = reasoner("refkg", graph, FakeModel("director"))
    first = method.answer(TWO_HOPS)
    method.answer("who wrote Snow Whale?")
    assert method.answer(TWO_HOPS).entities == first.entities


def test_costs_are_counted_by_stage() -> None:
    driver = films()
    model = FakeModel("director")
    answer = ask(TWO_HOPS, driver=driver, llm=model, max_hops=2)
    usage = answer.usage
    assert usage.calls == len(model.asked) > 0
    assert usage.tokens_in == 7 * usage.calls
    assert usage.tokens_out == 2 * usage.calls
    # What is read once for a connection is charged to no question.
    asked = [name for name, _ in driver.sent if name not in ("relations", "relations/vectors")]
    assert usage.round_trips == len(asked) == 4
    assert usage.seconds > 0
    by_stage = {stage.name: stage.usage for stage in answer.trace}
    assert (by_stage["decouple"].calls, by_stage["decouple"].round_trips) == (0, 1)
    assert (by_stage["explore hop 1"].calls, by_stage["choose"].calls) == (0, 2)


def test_without_a_language_model_none_is_called() -> None:
    usage = ask(TWO_HOPS).usage
    assert (usage.calls, usage.tokens_in, usage.tokens_out) == (0, 0, 0)


@pytest.mark.parametrize("tells_scores", [True, False])
def test_the_language_model_can_turn_the_scale(tells_scores: bool) -> None:
    def answered(likes: str) -> Answer:
        model = FakeModel(likes, tells_scores=tells_scores)
        return ask("who was behind Snow Whale?", llm=model, llm_weight=10.0, max_hops=1)

    assert answered("director").interpretation == "who directed Snow Whale?"
    assert answered("writer").interpretation == "who wrote Snow Whale?"


def test_the_model_reads_the_question_without_the_name() -> None:
    model = FakeModel("director")
    ask("who directed [Snow Whale]?", llm=model, max_hops=1)
    assert not any("Snow" in prompt or "[" in prompt for prompt, _ in model.asked)
    assert any("who directed this?" in prompt for prompt, _ in model.asked)


def test_what_a_model_thinks_without_the_question_is_asked_once_for_each_phrase() -> None:
    graph = memory_graph(films())
    model = FakeModel("director")
    method = reasoner("refkg", graph, model, max_hops=1)
    method.answer("who directed Snow Whale?")
    method.answer("who wrote Snow Whale?")
    priors = [choices for prompt, choices in model.asked if "?" not in prompt]
    phrases = [phrase for choices in priors for phrase in choices]
    assert phrases
    assert len(phrases) == len(set(phrases))


@pytest.mark.parametrize(
    "question", [TWO_HOPS, "[Ada Weir]", "Ada Weir?", "who directed Xyzzyxyz?", "1989"]
)
def test_every_answer_and_its_trace_are_json(question: str) -> None:
    written = ask(question, llm=FakeModel("director")).to_dict()
    assert json.loads(json.dumps(written, allow_nan=False)) == written


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_hops", 0),
        ("max_hops", 6),
        ("width", 0),
        ("width", 51),
        ("mentions", 0),
        ("mentions", 11),
        ("answers", 0),
        ("answers", 100_001),
        ("paths", 0),
        ("paths", 1001),
        ("width", -1),
        ("chains", 0),
        ("alpha", 1.5),
        ("judged_paths", 0),
        ("other_ends", -1),
        ("claim_mentions", 0),
        ("calls", 0),
    ],
)
def test_an_option_out_of_range_is_refused_with_its_range(name: str, value: int) -> None:
    with pytest.raises(UsageError, match=rf"{name} is {value}; expected \d+ to \d+"):
        create("refkg", {name: value})


def test_an_unknown_method_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no method 'nonsense'\. Methods are: .*refkg"):
        create("nonsense")
    assert "refkg" in all_methods()


@pytest.mark.parametrize("number", ["9" * 4301, "1" + ",000" * 1500, "0." + "3" * 5000])
def test_a_number_that_cannot_be_compared_is_refused(number: str) -> None:
    with pytest.raises(UsageError, match="of more than 300 digits"):
        ask(f"Which films have more than {number} pages?")


def test_a_question_as_long_as_a_text_is_refused() -> None:
    with pytest.raises(UsageError, match="has 12,001 characters; at most 10,000"):
        ask("why? " * 2400 + "?")
