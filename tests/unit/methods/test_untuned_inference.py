"""The ablation of joint inference tuning: the untuned model infers, the tuned one does the rest."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fakes import BagOfWords, memory_graph
from films import films
from scripted import ScriptedModel

from kgdb.errors import UsageError
from kgdb.language import CompletionRequest
from kgdb.methods import QuestionContext, Reasoner, Resources
from kgdb.methods.context.batching import run_batched
from kgdb.methods.refkg.refkg_method import RefKG
from kgdb.methods.refkg.refkg_options import Options

pytestmark = pytest.mark.unit

CLAIM = "The director of Snow Whale is Ken Amagiri."
QUESTION = "who directed Snow Whale?"
WRITTEN = "Snow Whale was directed by Ken Amagiri."


def model(verdict: str) -> ScriptedModel:
    return ScriptedModel(
        {
            "Is the claim true": verdict,
            "Your task is": WRITTEN,
            QUESTION: lambda ask: (
                json.dumps({"answers": ["Ken Amagiri"]}) if ask.schema else ask.choices[0]
            ),
        }
    )


def reasoned(
    tuned: ScriptedModel | None, untuned: ScriptedModel | None, **options: Any
) -> Reasoner:
    encoder = BagOfWords()
    resources = Resources(
        memory_graph(films()),
        encoder,
        tuned,
        untuned_llm=lambda: untuned,
    )
    return Reasoner(RefKG(Options(**options)), resources)


def judged(**options: Any) -> tuple[str, ScriptedModel, ScriptedModel]:
    tuned, untuned = model("True"), model("False")
    reasoner = reasoned(tuned, untuned, judge="llm", refine=False, closed_world=True, **options)
    verdict = reasoner.verify(CLAIM)
    return verdict.label, tuned, untuned


def test_the_untuned_model_judges_what_the_tuned_one_reconstructed() -> None:
    label, tuned, untuned = judged(tuned_inference=False)
    assert label == "REFUTED"
    (reconstruction,) = tuned.asked
    assert "Your task is" in reconstruction.prompt
    (judgement,) = untuned.asked
    assert WRITTEN in judgement.prompt


def test_without_the_switch_one_model_does_all() -> None:
    label, tuned, untuned = judged()
    assert label == "SUPPORTED"
    assert untuned.asked == []
    assert len(tuned.asked) == 2


def test_calls_of_two_models_do_not_go_out_as_one_batch() -> None:
    tuned, untuned = model("True"), model("False")
    ctx = QuestionContext(reasoned(tuned, untuned).resources, CLAIM)

    async def verdict(ctx: QuestionContext) -> str:
        request = CompletionRequest("Is the claim true?", 4, ("True", "False"))
        return (await ctx.llm.complete(request)).text

    both = [(verdict(each), each.charge) for each in (ctx, ctx.untuned())]
    with ctx.stage("infer"):
        assert run_batched(both) == ["True", "False"]
    assert len(tuned.asked) == len(untuned.asked) == 1


def test_the_untuned_model_reads_the_answers_of_questions() -> None:
    tuned, untuned = model("True"), model("True")
    answer = reasoned(tuned, untuned, inference="read", tuned_inference=False).answer(QUESTION)
    assert [found.entity.name for found in answer.entities] == ["Ken Amagiri"]
    (read,) = untuned.asked
    assert read.schema is not None
    assert tuned.asked
    assert not any(asked.schema == read.schema for asked in tuned.asked)
    # Its call counts as the other's do.
    assert answer.usage.calls == len(tuned.asked) + 1


def test_a_model_without_an_adapter_cannot_leave_it_out() -> None:
    with pytest.raises(UsageError, match="'scripted' has no adapter to leave out") as refused:
        reasoned(model("True"), None, judge="llm", tuned_inference=False).verify(CLAIM)
    assert "smollm2+FOLDER" in (refused.value.hint or "")


def test_where_no_model_reads_the_switch_does_nothing_and_says_so() -> None:
    verdict = reasoned(None, None, tuned_inference=False).verify(CLAIM)
    assert verdict.error is None
    assert verdict.notes == (
        "Without effect where no language model reads the evidence: tuned_inference.",
    )
