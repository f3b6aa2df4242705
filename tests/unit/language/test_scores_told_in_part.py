"""A model that tells how likely its replies are in one call and not in the next: servers do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from fakes import FakeModel, memory_graph, reasoner
from films import films

from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest

pytestmark = pytest.mark.unit


class Changeable(FakeModel):
    """Tells scores after a prompt with the text ``tells_after`` and after no other."""

    def __init__(self, likes: str, tells_after: str) -> None:
        super().__init__(likes)
        self._tells_after = tells_after

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        return [
            reply
            if isinstance(reply, ModelError) or self._tells_after in ask.prompt
            else replace(reply, scores=None)
            for ask, reply in zip(requests, super().complete(requests), strict=True)
        ]


@pytest.mark.parametrize(
    ("likes", "label"),
    [("True", "SUPPORTED"), ("False", "REFUTED"), ("Unknown", "NOT ENOUGH EVIDENCE")],
)
@pytest.mark.parametrize("tells_after", ["Evidence:", "Reply True, False or Unknown."])
def test_a_claim_gets_the_label_that_the_model_chose(
    likes: str, label: str, tells_after: str
) -> None:
    model = Changeable(likes, tells_after)
    judge = reasoner("refkg", memory_graph(films()), model, judge="llm", evidence_form="template")
    verdict = judge.verify("The director of Snow Whale is Ken Amagiri.")
    assert (verdict.label, verdict.confidence) == (label, None)


@pytest.mark.parametrize("likes", ["director", "writer"])
def test_the_phrase_that_the_model_chose_is_preferred(likes: str) -> None:
    model = Changeable(likes, "?")
    method = reasoner("refkg", memory_graph(films()), model, llm_weight=10.0, max_hops=1)
    for _ in range(2):
        answer = method.answer("who was behind Snow Whale?")
        expected = {"director": "who directed Snow Whale?", "writer": "who wrote Snow Whale?"}
        assert answer.interpretation == expected[likes]
    priors = [prompt for prompt, _ in model.asked if "?" not in prompt]
    assert len(priors) == 2  # what was not told is not remembered
