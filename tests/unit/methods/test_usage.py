"""The ledger: what calls are charged, to which stage, and at which prices."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from fakes import BagOfWords, named

from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest
from kgdb.methods import QuestionContext, Resources
from kgdb.methods.context.batching import run_batched
from kgdb.values import Usage

pytestmark = pytest.mark.unit


class Replaying:
    """A model that has been asked everything before, but for what is new and what it refuses."""

    name = "replaying"
    context = 100

    def count(self, texts: Sequence[str]) -> list[int]:
        return [1 for _ in texts]

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        return [
            {"refused": ModelError("no"), "useless": useless()}[ask.prompt]
            if ask.prompt in ("refused", "useless")
            else Completion("yes", 1000, 200, cached="new" not in ask.prompt)
            for ask in requests
        ]


def useless() -> ModelError:
    """What is raised where a model replied, and nothing that was asked for."""
    error = ModelError("no such choice")
    error.tokens_in, error.tokens_out, error.requests = 300, 50, 3
    return error


def spent(prices: tuple[float, float] | None) -> list[Usage]:
    """What each stage of a question is charged, but for its time."""
    encoder = BagOfWords()
    resources = Resources(named("Heat"), encoder, Replaying(), prices=prices)
    ctx = QuestionContext(resources, "?")

    async def question() -> None:
        with ctx.stage("first"):
            await ctx.llm.complete(CompletionRequest("new"))
            await ctx.llm.completions([CompletionRequest("old"), CompletionRequest("new too")])
        with ctx.stage("second"):
            await ctx.llm.complete(CompletionRequest("old"))

    assert run_batched([(question(), ctx.charge)]) == [None]
    assert all(stage.usage.seconds > 0 for stage in ctx.trace)
    return [
        Usage(u.calls, u.cached, u.tokens_in, u.tokens_out, u.cost, 0.0, u.round_trips)
        for u in (stage.usage for stage in ctx.trace)
    ]


def test_calls_are_charged_to_their_stage_and_cost_what_they_are_priced_at() -> None:
    first, second = spent((0.5, 2.0))
    assert first == Usage(3, 1, 3000, 600, pytest.approx(2 * (1000 * 0.5 + 200 * 2) / 1e6))
    assert second == Usage(1, 1, 1000, 200, 0.0)


def test_without_prices_there_is_no_cost() -> None:
    assert [usage.cost for usage in spent(None)] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("failing", "calls", "requests", "read", "wrote"),
    [("refused", 2, 2, 2000, 400), ("useless", 3, 5, 2300, 450)],
)
def test_what_was_asked_beside_an_ask_that_fails_is_charged_and_replies_of_no_use(
    failing: str, calls: int, requests: int, read: int, wrote: int
) -> None:
    encoder = BagOfWords()
    resources = Resources(named("Heat"), encoder, Replaying(), prices=(1, 1))
    ctx = QuestionContext(resources, "?")

    async def question() -> None:
        with ctx.stage("only"):
            await ctx.llm.completions(
                [CompletionRequest("new"), CompletionRequest(failing), CompletionRequest("old")]
            )

    (error,) = run_batched([(question(), ctx.charge)])
    assert isinstance(error, ModelError)
    (stage,) = ctx.trace
    assert (stage.usage.calls, stage.usage.cached, stage.usage.requests) == (calls, 1, requests)
    assert (stage.usage.tokens_in, stage.usage.tokens_out) == (read, wrote)
    assert stage.usage.cost == pytest.approx((read + wrote - 1200) / 1e6)
