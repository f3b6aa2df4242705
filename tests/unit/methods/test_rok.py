"""RoK over a small film world in memory: its steps, its answers, what they cost, its faults."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from fakes import (
    BagOfWords,
    MemoryDatabase,
    MemoryDriver,
    graph_info,
    memory_graph,
    opened,
    reasoner,
)
from films import FILMS, JOINED, TWO_HOPS, films
from outcomes import names, ranked, said, stages
from scripted import ScriptedModel
from scripted_rok import ENTITIES, NEIGHBORS, READ, THINK, ask, replies

from kgdb.errors import ModelError, UsageError
from kgdb.graph import Graph
from kgdb.language import CompletionRequest
from kgdb.methods import Reasoner, Resources, create
from kgdb.methods.context.batched_models import BatchedEncoder
from kgdb.values import Answer

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who directed Snow Whale?", {"Ken Amagiri"}),
        ("who wrote [Quiet Shore]?", {"Barnaby Crake"}),
        (TWO_HOPS, {"Ken Amagiri", "Harriet Coldmoor"}),
        ("who wrote the films directed by Ken Amagiri?", {"Ada Weir", "Barnaby Crake"}),
        (JOINED, {"Snow Whale"}),
    ],
)
def test_without_a_language_model_similarity_answers(question: str, expected: set[str]) -> None:
    answer = ask(question)
    assert names(answer) == expected
    assert (answer.reason, answer.usage.calls, answer.notes) == (None, 0, ())
    assert answer.usage.round_trips <= 5
    for answered in answer.entities:
        assert answered.paths
        for path in answered.paths:
            assert answered.entity in path.entities
            assert path in answer.retrieved
            assert all((t.head.id, t.relation, t.tail.id) in FILMS for t in path.triples)


def test_the_four_calls_of_the_paper_in_their_order() -> None:
    model = ScriptedModel(replies("Perhaps in 1989.", ["Ada Weir"], [1], ["Ken Amagiri"]))
    answer = reasoner("rok", opened(films()), model, chains=2).answer(TWO_HOPS)
    assert [stage.name for stage in answer.trace if stage.usage.calls] == [
        "think", "key entities", "filter neighbors", "answer",
    ]  # fmt: skip
    assert [sum(part in ask.prompt for ask in model.asked) for part in (THINK, ENTITIES)] == [1, 1]
    assert all(TWO_HOPS in ask.prompt for ask in model.asked)
    assert "Perhaps in 1989." in model.asked[1].prompt
    assert (answer.usage.calls, answer.usage.round_trips) == (4, 5)
    assert ranked(answer)[0] == "Ken Amagiri"


def test_a_thought_brings_key_entities_that_paths_join() -> None:
    question = "what did the maker of Snow Whale make?"
    without = ask(question, replies())
    assert [key["mention"] for key in said(without, "key entities")["keys"]] == ["Snow Whale"]
    assert "paths" not in stages(without)
    answer = ask(question, replies("It is The Salt Ledger, [I] guess.", [], [], ["Ken Amagiri"]))
    assert said(answer, "key entities")["keys"] == [
        {"mention": "Snow Whale", "entities": ["Snow Whale"], "source": "question"},
        {"mention": "The Salt Ledger", "entities": ["The Salt Ledger"], "source": "thought"},
    ]
    (shortest, *_) = answer.retrieved
    assert [entity.id for entity in shortest.entities] == [
        "Snow Whale", "Ken Amagiri", "The Salt Ledger",
    ]  # fmt: skip
    assert ranked(answer)[0] == "Ken Amagiri"


def test_without_chains_the_neighbours_answer() -> None:
    assert ranked(ask("who directed Snow Whale?", widen="never")) == ["Ken Amagiri"]


@pytest.mark.parametrize("thought", ["", "Rex Hallorand", "The Salt Ledger", "Snow Whale"])
def test_what_a_thought_names_does_not_change_how_chains_are_judged(
    thought: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = ask(TWO_HOPS).interpretation
    similarities = BatchedEncoder.similarities

    async def contrary(encoder: BatchedEncoder, query: str, texts: Sequence[str]) -> list[float]:
        """What is least like the question comes first."""
        return [-score for score in await similarities(encoder, query, texts)]

    monkeypatch.setattr(BatchedEncoder, "similarities", contrary)
    # What the model answers proves nothing, so that the best of the evidence is taken instead.
    model = ScriptedModel(replies(thought, [], [], ["no such name"]))
    resources = Resources(opened(films()), BagOfWords(), model)
    (answer,) = Reasoner(create("rok"), resources).answers([TWO_HOPS])
    assert answer.interpretation == expected


def test_what_a_thought_names_may_answer_but_not_what_the_question_names() -> None:
    answer = ask("who made Snow Whale?", replies("Ken Amagiri", [], [], ["Ken Amagiri"]))
    assert ranked(answer) == ["Ken Amagiri"]
    answer = ask("who made Snow Whale?", replies("", [], [], ["Snow Whale"]))
    assert "Snow Whale" not in ranked(answer)


def test_names_of_the_model_are_linked_as_they_are_meant() -> None:
    answer = ask("who is behind it?", replies("", ["snow whal", "Nobody At All"]))
    assert said(answer, "key entities")["keys"] == [
        {"mention": "snow whal", "entities": ["Snow Whale"], "source": "model"}
    ]
    answer = ask("who made snow whal?", replies("", ["Snow Whal"]))
    (key,) = said(answer, "key entities")["keys"]
    assert (key["entities"], key["source"]) == (["Snow Whale"], "question")


@pytest.mark.parametrize("encoder", [BagOfWords.name, "another", None])
def test_names_are_linked_by_vectors_where_the_graph_has_those_of_the_encoder(
    encoder: str | None,
) -> None:
    driver = films()
    graph = Graph(MemoryDatabase(driver), replace(graph_info(), name_encoder=encoder))
    model = ScriptedModel(replies("", ["Barnaby Krake"]))
    reasoner("rok", graph, model).answer("who is behind it?")
    ((_, asked),) = [call for call in driver.sent if call[0] == "entities/link"]
    assert asked["mentions"] == ["Barnaby Krake"]
    assert (asked["vectors"] is not None) == (encoder == BagOfWords.name)


@pytest.mark.parametrize("given", [None, replies(answers=["Ken Amagiri"])])
def test_a_misspelt_name_is_found(given: Any) -> None:
    answer = ask("who directed Snow Whalle?", given)
    assert ranked(answer) == ["Ken Amagiri"]
    assert answer.usage.round_trips <= 5


@pytest.mark.parametrize("given", [None, replies("Nobody knows.", ["Xyzzyx"])])
def test_a_question_that_names_nothing_says_so(given: Any) -> None:
    answer = ask("who directed Qwertzuiop?", given)
    assert (answer.entities, answer.retrieved) == ((), ())
    assert "the question mentions no name of the graph 'test'" in (answer.reason or "")


@pytest.mark.parametrize(
    "question",
    [TWO_HOPS, JOINED, "who is it?", "Ada Weir, Ken Amagiri, Rex Hallorand, Quiet Shore"],
)
@pytest.mark.parametrize(
    "given",
    [
        None,
        replies(),
        replies("Ken Amagiri made Snow Whale.", ["ken amagir", "Barnaby"]),
        replies("no idea", ["barnaby crak"]),
        replies("no idea", ["quit shore", "snow whal"]),
        {THINK: "{", ENTITIES: "{", NEIGHBORS: "{", READ: "{"},
    ],
)
@pytest.mark.parametrize("options", [{}, {"rank": "degree"}, {"think": False}])
def test_no_question_costs_more_than_four_calls_and_five_round_trips(
    question: str, given: Any, options: dict[str, Any]
) -> None:
    driver = films()
    answer = ask(question, given, driver=driver, **options)
    assert answer.usage.calls <= 4
    assert answer.usage.round_trips == len(driver.sent) <= 5


@pytest.mark.parametrize("part", [THINK, ENTITIES, NEIGHBORS, READ])
@pytest.mark.parametrize(
    "garbage",
    ["", "{", "null", "[1, 2", '{"names": 3}', '{"relevant": "all", "answers": {}}', "a" * 5000,
     '{"names": [null, 7], "relevant": [99, "1"], "answers": [[]]}', "\x00", "[" * 3000],
)  # fmt: skip
def test_garbage_at_any_step_is_survived(part: str, garbage: str) -> None:
    good = replies("Think of Quiet Shore.", ["Ada Weir"], [1], ["Ken Amagiri"])
    answer = ask(TWO_HOPS, good | {part: garbage})
    assert answer.entities
    assert answer.error is None


def test_what_was_taken_instead_is_told() -> None:
    answer = ask(TWO_HOPS, {ENTITIES: "?", NEIGHBORS: "?", READ: "?"}, chains=1)
    assert answer.notes == (
        "The language model named no key entities.",
        "The language model chose none of the neighbors, so similarity chose.",
        "The language model named no answer: the slot that fits the question best answers.",
    )
    assert names(answer) == {"Ken Amagiri", "Harriet Coldmoor"}
    answer = ask(TWO_HOPS, replies() | {READ: "?"}, fall_back=False)
    assert (answer.entities, answer.reason) == ((), "the language model named no answer.")


def test_a_model_that_fails_ends_its_question_alone() -> None:
    def failing(ask: CompletionRequest) -> str:
        return "Fine." if "Snow" in ask.prompt else "?"

    model = ScriptedModel({TWO_HOPS: ModelError("out of order"), THINK: failing, READ: "?"})
    bad, good = reasoner("rok", memory_graph(films()), model).answers(
        [TWO_HOPS, "who directed Snow Whale?"]
    )
    assert isinstance(bad.error, ModelError)
    assert ranked(good) == ["Ken Amagiri"]


def test_many_questions_get_what_each_gets_alone_in_fewer_round_trips() -> None:
    questions = [TWO_HOPS, JOINED, "who wrote Quiet Shore?", "nothing here", TWO_HOPS]

    def timeless(answer: Answer) -> Answer:
        return replace(answer, trace=())

    driver = films()
    model = ScriptedModel(replies("Quiet Shore", ["Rex Hallorand"], [1, 2]))
    run_batched = reasoner("rok", memory_graph(driver), model).answers(questions)
    assert len(driver.sent) <= 11
    for question, answer in zip(questions, run_batched, strict=True):
        alone = ask(question, replies("Quiet Shore", ["Rex Hallorand"], [1, 2]))
        assert timeless(answer) == timeless(alone)


def test_without_thinking_the_question_alone_has_key_entities() -> None:
    answer = ask(TWO_HOPS, replies("Snow Whale"), think=False)
    assert "think" not in stages(answer)
    assert len(said(answer, "key entities")["keys"]) == 1


def test_claims_are_for_another_method() -> None:
    with pytest.raises(UsageError, match="does not verify claims") as failure:
        reasoner("rok", memory_graph(films())).verify("Ken Amagiri directed Snow Whale.")
    assert "refkg" in (failure.value.hint or "")


@pytest.mark.parametrize(
    ("name", "value"),
    [("max_hops", 0), ("max_hops", 6), ("main_paths", 0), ("neighbors_kept", -1), ("damping", 1.0),
     ("damping", -0.1), ("chains", 201), ("ends_per_chain", 0), ("max_evidence", 0),
     ("max_degree", -1)],
)  # fmt: skip
def test_an_option_out_of_range_is_refused(name: str, value: float) -> None:
    with pytest.raises(UsageError, match=rf"{name} is {value}; expected"):
        create("rok", {name: value})


def test_options_may_be_texts() -> None:
    create("rok", {"max_hops": "2", "think": "no", "rank": "degree", "damping": "0.5"})
    with pytest.raises(UsageError, match="pagerank, degree, random, none"):
        create("rok", {"rank": "eigenvector"})


@pytest.mark.parametrize("given", [None, replies("Quiet Shore", ["Rex"], [1], ["1989"])])
def test_every_answer_and_its_trace_are_json(given: Any) -> None:
    for question in (TWO_HOPS, JOINED, "who?"):
        written = ask(question, given).to_dict()
        assert json.loads(json.dumps(written, allow_nan=False)) == written


def test_a_chinese_question_is_asked_in_chinese() -> None:
    triples = [("夜航船", "导演", "张岱"), ("夜航船", "主演", "李白")]
    model = ScriptedModel({"编号": '{"relevant": [1]}', "只根据": '{"answers": ["张岱"]}'})
    answer = reasoner("rok", memory_graph(MemoryDriver(triples))).answer("夜航船的导演是谁？")
    assert "张岱" in {entity.name for path in answer.retrieved for entity in path.entities}
    answer = reasoner("rok", memory_graph(MemoryDriver(triples)), model).answer(
        "夜航船的导演是谁？"
    )
    assert ranked(answer)[0] == "张岱"
    assert not any("Question" in asked.prompt for asked in model.asked)
