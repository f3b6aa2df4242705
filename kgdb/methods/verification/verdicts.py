"""Verdicts on claims: by their checks, by a trained verifier, or by a language model.

The verifier reads what the checks found, the language model the evidence in words.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from kgdb.language import CompletionRequest
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.context import QuestionContext
from kgdb.methods.context.verifier_protocol import Verifier
from kgdb.methods.verification.checks import Check
from kgdb.methods.verification.examination import Examination
from kgdb.values import Label, Path, Step, Triple, Verdict
from kgdb.wording import listed, short

_MAX_FACTS = 20
"""Facts for the claim, and against it, that a verdict shows."""

_CHOICES = ("True", "False", "Unknown")
_CHOICE_TOKENS = 4
_EVEN = 0.5
_LABELS: Mapping[str, Label] = {
    "True": "SUPPORTED",
    "False": "REFUTED",
    "Unknown": "NOT ENOUGH EVIDENCE",
}


def verdict_by_checks(
    ctx: QuestionContext, method: str, checks: Sequence[Check], facts: Sequence[Path]
) -> Verdict:
    """The verdict of the checks: all must hold, and one that fails refutes the claim."""
    blank = _blank(ctx, method, checks, facts)
    if not checks:
        return replace(blank, reason="the graph contains no entity that the claim names.")
    truths = [check.true for check in checks]
    if "no" in truths:
        return replace(blank, label="REFUTED")
    if "unknown" in truths:
        parts = "; ".join(check.part for check in checks if check.true == "unknown")
        return replace(blank, reason=f"no fact of the graph decides {short(parts)}.")
    return replace(blank, label="SUPPORTED")


def verdict_by_verifier(
    ctx: QuestionContext,
    method: str,
    verifier: Verifier | None,
    examined: Examination,
    facts: Sequence[Path],
    *,
    closed_world: bool = False,
) -> Verdict:
    """The label that a trained verifier finds more likely (RefKG, §3.4); ``None``: that of rules.

    Where the graph may lack facts, it must be sure of the label, and a check must have facts for
    it. Else the claim is not decided.
    """
    checks = examined.checks
    if verifier is None or not checks:
        return verdict_by_checks(ctx, method, checks, facts)
    blank = _blank(ctx, method, checks, facts)
    if verifier.graphs and ctx.graph.name not in verifier.graphs:
        ctx.note(
            f"The verifier {short(verifier.name)} was trained on {listed(verifier.graphs)}, not on "
            f"{short(ctx.graph.name)}."
        )
    probability = verifier.probability(examined.features)
    label: Label = "SUPPORTED" if probability >= _EVEN else "REFUTED"
    confidence = max(probability, 1 - probability)
    shown = blank.supporting if label == "SUPPORTED" else blank.opposing
    if closed_world or (shown and confidence >= verifier.sure):
        return replace(blank, label=label, confidence=confidence)
    lacking = "no fact shows it" if not shown else "it is not sure enough"
    return replace(
        blank,
        reason=f"the verifier finds {label} most likely ({confidence:.0%}), but {lacking}.",
    )


async def verdict_by_model(
    ctx: QuestionContext,
    method: str,
    checks: Sequence[Check],
    facts: Sequence[Path],
    triples: Sequence[Triple],
    lines: Sequence[str],
    *,
    closed_world: bool = False,
    calibrated: bool = True,
) -> Verdict:
    """The label that the language model chooses after reading the evidence.

    ``lines`` are the lines that it reads, best first: ``triples``, some of ``facts``, in words.
    Without lines the model gets no call, because its own knowledge is no evidence.

    The verdict costs one call. If the model returns log-probabilities, a ``calibrated`` verdict
    costs two, and the label whose log-probability the evidence raises most wins: a small model
    prefers one label whatever it reads. If either call lacks log-probabilities, the model's choice
    counts.
    """
    blank = _blank(ctx, method, checks, facts)
    if not lines:
        if closed_world:
            return replace(blank, label="REFUTED")
        return replace(blank, reason="the graph contains no relevant fact.")
    language = language_of(ctx.question)
    claim = " ".join(ctx.question.split())
    choices = _CHOICES[:2] if closed_world else _CHOICES

    def to_prompt(evidence: Sequence[str]) -> str:
        bullets = "\n".join(f"- {line}" for line in evidence)
        return prompt("judge", language, evidence=bullets or "-", claim=claim)

    count = ctx.llm.fit(lines, to_prompt, _CHOICE_TOKENS)
    request = CompletionRequest(to_prompt(lines[:count]), _CHOICE_TOKENS, choices)
    reply = await ctx.llm.complete(request)
    chosen = _chosen(ctx, blank, _LABELS[reply.text], triples)
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
    return replace(_chosen(ctx, blank, label, triples), confidence=confidence)


def _chosen(
    ctx: QuestionContext, blank: Verdict, label: Label, triples: Sequence[Triple]
) -> Verdict:
    """The label that the model chose, with the facts for it.

    If no check has such facts, the verdict shows the facts that the model read.
    """
    if label == "NOT ENOUGH EVIDENCE":
        return replace(blank, reason="the language model finds that the facts do not decide it.")
    chosen = replace(blank, label=label)
    if blank.supporting if label == "SUPPORTED" else blank.opposing:
        return chosen
    ctx.note(f"No check finds a fact for {short(label)}: the facts are those that the model read.")
    facts = tuple(map(_path, triples[:_MAX_FACTS]))
    if label == "SUPPORTED":
        return replace(chosen, supporting=facts, opposing=())
    return replace(chosen, supporting=(), opposing=facts)


def _path(triple: Triple) -> Path:
    return Path((triple.head, triple.tail), (Step(triple.relation),))


def _blank(
    ctx: QuestionContext, method: str, checks: Sequence[Check], facts: Sequence[Path]
) -> Verdict:
    """A verdict without its label: the facts for the claim and against it.

    A proof of a part that the claim denies is a fact against the claim.
    """
    supporting: dict[Path, None] = {}
    opposing: dict[Path, None] = {}
    for check in checks:
        (opposing if check.denied else supporting).update(dict.fromkeys(check.proof))
        (supporting if check.denied else opposing).update(dict.fromkeys(check.against))
    return Verdict(
        ctx.question,
        ctx.graph.name,
        method,
        supporting=tuple(supporting)[:_MAX_FACTS],
        opposing=tuple(opposing)[:_MAX_FACTS],
        retrieved=tuple(dict.fromkeys([*supporting, *opposing, *facts])),
    )


def checks_to_trace(checks: Sequence[Check]) -> list[dict[str, object]]:
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
