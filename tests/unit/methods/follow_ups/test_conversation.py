"""What a conversation remembers, and what it hands to its method unchanged."""

from __future__ import annotations

import pytest
from fakes import BagOfWords, MemoryDriver, memory_graph
from film_schema import SCHEMA
from scripted_method import Scripted, answered, path

from kgdb.graph import Graph
from kgdb.graph.forms import Form, FormResult, form_to_dict
from kgdb.graph.forms.operators import Count, Find, Relate
from kgdb.methods import Conversation, Reasoner, Resources
from kgdb.values import Answer, QuestionReading

pytestmark = pytest.mark.unit

HEAT = "Who acted in Heat?"
NOBODY = "Who acted in Ran?"
PARTS = "How many parts?"
ACTED, DIRECTED = (Count(Relate(Find("Ada"), name)) for name in ("ACTED_IN", "DIRECTED"))
READINGS = tuple(
    QuestionReading(name, form_to_dict(form)) for name, form in (("a", ACTED), ("d", DIRECTED))
)
METHOD = Scripted(
    {
        HEAT: Answer(HEAT, "demo", "scripted", (answered(path("Heat", "acted_in", "Ada")),)),
        NOBODY: Answer(NOBODY, "demo", "scripted", reason="nothing fits"),
        PARTS: Answer(PARTS, "demo", "scripted", reason="it is not clear", readings=READINGS),
        "2": Answer("2", "demo", "scripted", reason="nothing is called so"),
    },
    stages=(),
)


@pytest.fixture
def conversation() -> Conversation:
    METHOD.asked.clear()
    encoder = BagOfWords()
    resources = Resources(memory_graph(MemoryDriver([])), encoder, None)
    return Conversation(Reasoner(METHOD, resources))


def test_a_question_that_stands_alone_is_answered_by_the_method(
    conversation: Conversation,
) -> None:
    alone = Scripted(METHOD.outcomes, stages=())
    told: list[int] = []
    answers = conversation.answers([HEAT, HEAT], lambda place, _: told.append(place))
    assert METHOD.asked == [HEAT, HEAT]
    assert told == [0, 1]
    for answer in answers:
        assert answer.entities == alone.outcomes[HEAT].entities  # type: ignore[union-attr]
        assert answer.usage.round_trips == 0


def test_what_has_no_answer_and_what_is_forgotten_is_not_referred_to(
    conversation: Conversation,
) -> None:
    conversation.answer(HEAT)
    assert conversation.last is not None
    conversation.answer(NOBODY)
    assert conversation.last is None
    conversation.answer(HEAT)
    conversation.forget()
    answer = conversation.answer("When was she born?")
    assert answer.reason == "'she' refers to an earlier answer, and there is none"


def test_another_method_goes_on_from_the_same_answer(conversation: Conversation) -> None:
    conversation.answer(HEAT)
    after = Conversation(Reasoner(METHOD, conversation._reasoner.resources), conversation)
    assert after.last == conversation.last


@pytest.fixture
def counting(conversation: Conversation, monkeypatch: pytest.MonkeyPatch) -> Conversation:
    """The conversation over a graph in which Ada acted in one film and directed two."""

    def query(_: Graph, form: Form, **__: object) -> FormResult:
        return FormResult(form, value=2 if form == DIRECTED else 1)

    monkeypatch.setattr(Graph, "query", query)
    monkeypatch.setattr(Graph, "schema", SCHEMA)
    return conversation


def test_a_number_asks_that_reading_of_the_last_question(counting: Conversation) -> None:
    assert counting.answer(PARTS).readings == READINGS
    second = counting.answer(" 2 ")
    assert (second.question, second.value, second.form) == (PARTS, 2, READINGS[1].form)
    # What is answered is the first of them, and the other one is now the second.
    assert second.readings == READINGS[::-1]
    assert counting.last is not None
    assert counting.last.form == READINGS[1].form
    assert counting.answer("2").value == 1


def test_a_number_is_a_question_where_nothing_is_to_be_chosen(counting: Conversation) -> None:
    counting.answer(PARTS)
    counting.answer(NOBODY)
    assert counting.answer("2").reason == "nothing is called so"


def test_what_is_forgotten_cannot_be_chosen(counting: Conversation) -> None:
    counting.answer(PARTS)
    counting.forget()
    assert counting.answer("2").reason == "nothing is called so"
