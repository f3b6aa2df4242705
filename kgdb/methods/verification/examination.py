"""The examination of a claim: what it says, the facts about it, and the checks of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgdb.graph import Link
from kgdb.methods.context import QuestionContext
from kgdb.methods.verification.checks import Check, Thresholds, check
from kgdb.methods.verification.claim_evidence import Evidence, collect_evidence
from kgdb.methods.verification.claims import Claim
from kgdb.methods.verification.features import claim_features

_MAX_HOPS = 2
"""Hops of the longest path that can express a part of a claim."""


@dataclass(frozen=True, slots=True)
class Examination:
    """A claim with its evidence and its checks."""

    claim: Claim
    evidence: Evidence
    checks: tuple[Check, ...]

    @property
    def features(self) -> dict[str, float]:
        """What a verifier reads; see :func:`~kgdb.methods.verification.features.claim_features`."""
        return claim_features(self.claim, self.checks, len(self.evidence.paths))


async def examine(
    ctx: QuestionContext,
    links: Sequence[Link],
    *,
    max_hops: int = _MAX_HOPS,
    closed_world: bool = False,
) -> Examination:
    """Examine the claim ``ctx.question``, in which ``links`` were found."""
    claim = Claim.of(ctx.question, links)
    evidence = await collect_evidence(ctx, claim, max_hops=min(max_hops, _MAX_HOPS))
    checks = await check(ctx, claim, evidence, Thresholds(closed_world=closed_world))
    return Examination(claim, evidence, tuple(checks))
