"""The verifier's corpus: claims with labels, examined as RefKG examines them.

A claim whose label is *not enough evidence* is dropped: a verifier learns what is true. So is one
in which no entity of the graph is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from kgdb.evaluation import Claim
from kgdb.graph import Graph
from kgdb.lab.training.corpus.asking import FAILED, new_claims, outcomes
from kgdb.lab.training.corpus.claim_rows import ClaimRow
from kgdb.lab.training.corpus.report import CorpusReport
from kgdb.language import Encoder
from kgdb.methods import QuestionContext, Reasoner, Resources
from kgdb.methods.refkg import Options
from kgdb.methods.verification.examination import Examination, examine
from kgdb.progress import Report, silent
from kgdb.values import Answer, Verdict

UNDECIDED = "its label is neither true nor false"
NO_ENTITY = "no entity of the graph is found in it"


def examined_claims(
    graph: Graph,
    claims: Sequence[Claim],
    encoder: Encoder,
    *,
    source: str = "claims",
    licence: str = "",
    held_out: Sequence[Claim] = (),
    report: Report = silent,
) -> tuple[list[ClaimRow], CorpusReport]:
    """A row for each claim; see the module. The same arguments give the same rows."""
    told = CorpusReport(graph.name, source, read=len(claims))
    usable = []
    for claim in new_claims(claims, held_out, told):
        if claim.label == "NOT ENOUGH EVIDENCE":
            told.drop(UNDECIDED, claim.text)
        else:
            usable.append((claim.text, claim))
    examiner = _Examiner()
    reasoner = Reasoner(examiner, Resources(graph, encoder, None))
    rows = []
    for claim, verdict in outcomes(usable, reasoner.verdicts, "examining", report):
        examined = examiner.examined.pop(claim.text, None)
        if verdict.error or examined is None or not examined.checks:
            told.drop(FAILED if verdict.error else NO_ENTITY, claim.text)
            continue
        row = ClaimRow(
            claim.text,
            claim.label == "SUPPORTED",
            {name: round(value, 4) for name, value in examined.features.items()},
            graph.name,
            source,
            licence,
        )
        told.keep(asdict(row), 1)
        rows.append(row)
    return rows, told


class _Examiner:
    """A method that keeps what it finds about each claim, and decides none."""

    name = "refkg examination"

    def __init__(self) -> None:
        self._mentions = Options().claim_mentions
        self.examined: dict[str, Examination] = {}

    async def answer(self, ctx: QuestionContext) -> Answer:
        """No answer: it examines claims."""
        return Answer(ctx.question, ctx.graph.name, self.name)

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """Keep the examination of the claim."""
        links = (await ctx.graph.mentions(ctx.question))[: self._mentions]
        self.examined[ctx.question] = await examine(ctx, links)
        return Verdict(ctx.question, ctx.graph.name, self.name)
