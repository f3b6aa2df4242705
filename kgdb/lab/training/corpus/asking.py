"""What makers of corpora share: which claims a corpus may hold, and asking in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from kgdb.evaluation import Claim
from kgdb.lab.training.corpus.from_questions import TWICE
from kgdb.lab.training.corpus.held_out import claim_key
from kgdb.lab.training.corpus.report import CorpusReport
from kgdb.progress import Progress, Report
from kgdb.values import Answer, Verdict

_A = TypeVar("_A")
_R = TypeVar("_R", Answer, Verdict)

_TOGETHER = 100
"""Texts that are asked in the same round trips."""

FAILED = "the question failed"
IS_HELD_OUT = "the claim is held out"


def new_claims(
    claims: Sequence[Claim], held_out: Sequence[Claim], told: CorpusReport
) -> list[Claim]:
    """Each claim once, without those that are held out; what is dropped is counted."""
    hidden = {claim_key(claim.text) for claim in held_out}
    kept: dict[str, Claim] = {}
    for claim in claims:
        key = claim_key(claim.text)
        if key in hidden or key in kept:
            told.drop(IS_HELD_OUT if key in hidden else TWICE, claim.text)
        else:
            kept[key] = claim
    return list(kept.values())


def outcomes(
    asked: Sequence[tuple[str, _A]],
    ask: Callable[[Sequence[str]], list[_R]],
    stage: str,
    report: Report,
) -> Iterator[tuple[_A, _R]]:
    """What is asked, by its text, each with its answer or verdict; in order."""
    for start in range(0, len(asked), _TOGETHER):
        report(Progress(stage, start, len(asked), "texts"))
        some = asked[start : start + _TOGETHER]
        for (_, each), outcome in zip(some, ask([text for text, _ in some]), strict=True):
            yield each, outcome
    report(Progress(stage, len(asked), len(asked), "texts"))
