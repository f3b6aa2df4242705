"""Verdicts on claims: by their checks, or by a language model that has read the evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from kgdb.language import CompletionRequest
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.context import QuestionContext
from kgdb.methods.verification.checks import Check
from kgdb.values import Label, Path, Step, Triple, Verdict
from kgdb.wording import short

_HELD = 20
"""Facts of one side that a verdict shows."""

_CHOICES = ("True", "False", "Unknown")
_CHOICE_TOKENS = 4
_LABELS: Mapping[str, Label] = {
    "True": "SUPPORTED",
    "False": "REFUTED",
    "Unknown": "NOT ENOUGH EVIDENCE",
}


def by_rule(
    ctx: QuestionContext, method: str, checks: Sequence[Check], facts: Sequence[Path]
) -> Verdict:
    """What the checks say: all must hold; one that does not refutes the claim."""
    blank = _blank(ctx, method, checks, facts)
    if not checks:
        return replace(blank, reason="the graph knows nothing that the claim names.")
    truths = [one.true for one in checks]
    if "no" in truths:
        return replace(blank, label="REFUTED")
    if "unknown" in truths:
        parts = "; ".join(one.part for one in checks if one.true == "unknown")
        return replace(blank, reason=f"no fact of the graph tells of {short(parts)}.")
    return replace(blank, label="SUPPORTED")


async def by_model(
    ctx: QuestionContext,
    method: str,
    checks: Sequence[Check],
    facts: Sequence[Path],
    read: Sequence[Triple],
    told: Sequence[str],
    *,
    closed_world: bool = False,
    calibrated: bool = True,
) -> Verdict:
    """What the language model chooses once it has read the evidence.

    ``told`` is what ``read``, some of ``facts``, says, most valuable first. Where there is nothing
    to read the model is not asked: what it has learnt elsewhere is no evidence. One call;
    ``calibrated``, where it tells its log-probabilities, two: what counts then is how much the
    evidence has changed its mind, for a small model has a favourite answer whatever it reads. Where
    it tells them of one call alone, its choice counts.
    """
    blank = _blank(ctx, method, checks, facts)
    if not told:
        if closed_world:
            return replace(blank, label="REFUTED")
        return replace(blank, reason="the graph holds no fact that is worth reading for it.")
    language = language_of(ctx.question)
    claim = " ".join(ctx.question.split())
    choices = _CHOICES[:2] if closed_world else _CHOICES

    def written(kept: Sequence[str]) -> str:
        lines = "\n".join(f"- {one}" for one in kept)
        return prompt("judge", language, evidence=lines or "-", claim=claim)

    kept = ctx.llm.fit(told, written, _CHOICE_TOKENS)
    reply = await ctx.llm.complete(CompletionRequest(written(told[:kept]), _CHOICE_TOKENS, choices))
    chosen = _chosen(ctx, blank, _LABELS[reply.text], read)
    if reply.scores is None:
        return chosen
    changes = list(reply.scores)
    if calibrated:
        before = prompt("judge_prior", language, claim=claim)
        prior = await ctx.llm.complete(CompletionRequest(before, _CHOICE_TOKENS, choices))
        if prior.scores is None:
            return chosen
        changes = [a - b for a, b in zip(changes, prior.scores, strict=True)]
    best = max(range(len(choices)), key=lambda n: (changes[n], -n))
    confidence = 1 / sum(math.exp(change - changes[best]) for change in changes)
    label = _LABELS[choices[best]]
    return replace(_chosen(ctx, blank, label, read), confidence=confidence)


def _chosen(ctx: QuestionContext, blank: Verdict, label: Label, read: Sequence[Triple]) -> Verdict:
    """The label that the model chose, with facts of that side.

    Where the checks know of none they are what it has read: it took that otherwise than the checks.
    """
    if label == "NOT ENOUGH EVIDENCE":
        return replace(blank, reason="the language model finds that the facts do not tell.")
    chosen = replace(blank, label=label)
    if blank.supporting if label == "SUPPORTED" else blank.opposing:
        return chosen
    ctx.note(f"No rule finds a fact that says {short(label)}: shown is what the model has read.")
    facts = tuple(map(_path, read[:_HELD]))
    if label == "SUPPORTED":
        return replace(chosen, supporting=facts, opposing=())
    return replace(chosen, supporting=(), opposing=facts)


def _path(triple: Triple) -> Path:
    return Path((triple.head, triple.tail), (Step(triple.relation),))


def _blank(
    ctx: QuestionContext, method: str, checks: Sequence[Check], facts: Sequence[Path]
) -> Verdict:
    """A verdict without its label: the facts for the claim and against it.

    A proof of what the claim denies speaks against it.
    """
    supporting: dict[Path, None] = {}
    opposing: dict[Path, None] = {}
    for one in checks:
        (opposing if one.denied else supporting).update(dict.fromkeys(one.proof))
        (supporting if one.denied else opposing).update(dict.fromkeys(one.against))
    return Verdict(
        ctx.question,
        ctx.graph.name,
        method,
        supporting=tuple(supporting)[:_HELD],
        opposing=tuple(opposing)[:_HELD],
        retrieved=tuple(dict.fromkeys([*supporting, *opposing, *facts])),
    )


def shown(checks: Sequence[Check]) -> list[dict[str, object]]:
    """The checks as the trace keeps them."""
    return [
        {
            "part": one.part,
            "denied": one.denied,
            "holds": one.holds,
            "similarity": round(one.similarity, 4),
            "proof": len(one.proof),
            "against": len(one.against),
        }
        for one in checks
    ]
