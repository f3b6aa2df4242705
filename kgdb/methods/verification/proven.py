"""Verdicts held against the facts that they show: what these do not prove is not decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgdb.methods.context import MOST_RELATIONS, QuestionContext
from kgdb.methods.proof.claim_proof import Asked, prove, unknown
from kgdb.methods.proof.claim_text import ClaimText, NamedSpan
from kgdb.methods.verification.checks import Check
from kgdb.methods.verification.claims import Claim
from kgdb.values import Path, Verdict


async def proven(
    ctx: QuestionContext,
    claim: Claim,
    verdict: Verdict,
    checks: Sequence[Check],
    *,
    closed_world: bool = False,
) -> Verdict:
    """The verdict if its facts prove it, else NOT ENOUGH EVIDENCE with what is not proved.

    In a closed world a claim that nothing proves is REFUTED. Among many relations, more than are
    read word by word, a relation may be said there in any words.
    """
    if verdict.label == "SUPPORTED":
        return await _supported(ctx, claim, verdict, checks, closed_world=closed_world)
    if verdict.label == "REFUTED" and not closed_world:
        return await _refuted(ctx, claim, verdict, checks)
    if verdict.label == "NOT ENOUGH EVIDENCE" and (names := claim_text(claim, ()).unknown_names()):
        return replace(verdict, reason=unknown(names))
    return verdict


async def _supported(
    ctx: QuestionContext,
    claim: Claim,
    verdict: Verdict,
    checks: Sequence[Check],
    *,
    closed_world: bool,
) -> Verdict:
    """A verdict that every part of the claim is proved."""
    denied = any(check.denied for check in checks)
    facts = verdict.supporting
    if not facts and denied and closed_world:
        return verdict  # that a fact is missing is the proof
    many = len(ctx.graph.relations) > MOST_RELATIONS
    asked = Asked(rival=denied, denied=denied, any_words=closed_world and many)
    proof = await prove(ctx, claim_text(claim, facts), facts, asked)
    if not proof.unproved:
        return replace(verdict, supporting=proof.facts)
    reason = "; ".join(proof.unproved)
    if closed_world:
        return replace(verdict, label="REFUTED", reason=reason)
    return _undecided(verdict, reason)


async def _refuted(
    ctx: QuestionContext, claim: Claim, verdict: Verdict, checks: Sequence[Check]
) -> Verdict:
    """A verdict that some part of the claim is false: facts that it denies, or rivals to it."""
    failing = [(check.facts, check.denied) for check in checks if check.true == "no"]
    reasons: list[str] = []
    for facts, denied in failing or [(verdict.opposing, False)]:
        asked = Asked(rival=not denied, denied=denied)
        proof = await prove(ctx, claim_text(claim, facts), facts, asked)
        if not proof.unproved:
            return replace(verdict, opposing=proof.facts)
        reasons += proof.unproved
    return _undecided(verdict, "; ".join(dict.fromkeys(reasons)))


def _undecided(verdict: Verdict, reason: str) -> Verdict:
    return replace(
        verdict,
        label="NOT ENOUGH EVIDENCE",
        confidence=None,
        supporting=(),
        opposing=(),
        reason=reason,
    )


def claim_text(claim: Claim, facts: Sequence[Path]) -> ClaimText:
    """The claim with the ends of the facts that it names."""
    ends = {entity for path in facts for entity in (path.entities[0], path.entities[-1])}
    spans = [
        NamedSpan(
            link.mention,
            link.start,
            link.end,
            frozenset(link.ids) | {e.id for e in ends if claim.mention_named(e) == link},
            link.entities[0].name if link.near else None,
        )
        for link in claim.links
    ]
    spans += [
        NamedSpan(
            value.text,
            value.start,
            value.end,
            frozenset(entity.id for entity in ends if value.matches(entity.name)),
        )
        for value in claim.values
    ]
    known = {id_ for span in spans for id_ in span.ids}
    for entity in sorted(ends):
        start = claim.text.casefold().find(entity.name.casefold())
        if entity.id not in known and start >= 0 and claim.contains_name(entity):
            end = start + len(entity.name)
            spans.append(NamedSpan(claim.text[start:end], start, end, frozenset({entity.id})))
    return ClaimText.of(claim.text, spans, claim.denials)
