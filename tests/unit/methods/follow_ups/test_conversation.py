"""What a conversation remembers, and what it hands to its method unchanged."""

from __future__ import annotations

import pytest
from fakes import BagOfWords, MemoryDriver, memory_graph
from scripted_method import Scripted, answered, path

from kgdb.methods import Conversation, Reasoner, Resources
from kgdb.values import Answer

pytestmark = pytest.mark.unit

HEAT = "Who acted in Heat?"
NOBODY = "Who acted in Ran?"
METHOD = Scripted(
    {
        HEAT: Answer(HEAT, "demo", "scripted", (answered(path("Heat", "acted_in", "Ada")),)),
        NOBODY: Answer(NOBODY, "demo", "scripted", reason="nothing fits"),
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
