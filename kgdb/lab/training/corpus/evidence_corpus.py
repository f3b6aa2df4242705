"""The expert's corpus: what RefKG retrieves, with which of it is gold (RefKG, A.7).

Of a question the gold evidence are the paths of the chain whose ends are exactly the answers: the
inference from them is right. Of a claim they are the facts that prove it, or refute it, where the
verdict by rules is the label. Everything else that was retrieved is noise. What is unclear is
dropped and counted by its reason.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from kgdb.evaluation import Claim, Question
from kgdb.graph import Graph
from kgdb.graph.retrieval.results import FollowedEntity
from kgdb.lab.training.corpus.asking import FAILED, new_claims, outcomes
from kgdb.lab.training.corpus.evidence_rows import Evidence, EvidenceRow
from kgdb.lab.training.corpus.from_questions import KnownChain, known_chains
from kgdb.lab.training.corpus.held_out import HeldOut
from kgdb.lab.training.corpus.report import CorpusReport
from kgdb.language import Encoder, evidence_text, fact
from kgdb.methods import QuestionContext, Reasoner, Resources
from kgdb.methods.chains.answers import FollowedChain
from kgdb.methods.chains.candidate_chains import plain
from kgdb.methods.refkg import Options, RefKG
from kgdb.progress import Report, silent
from kgdb.values import Answer, Path, Triple, Verdict

_STAGE = "retrieving"

_PATHS = 2
"""Paths of a chain that are evidence of a row."""

_MAX_NOISE = 24
"""Pieces of evidence of a claim, beside the gold ones."""

NOT_RETRIEVED = "retrieval does not return the chain that gives the answers"
ONLY_GOLD = "nothing but the gold evidence was retrieved"
WRONG_VERDICT = "the verdict by rules is not the label"
NO_PROOF = "no fact decides the claim"


def evidence_from_questions(
    graph: Graph,
    questions: Sequence[Question],
    encoder: Encoder,
    *,
    source: str = "questions",
    licence: str = "",
    held_out: HeldOut | None = None,
    max_hops: int = 3,
    seed: int = 0,
    report: Report = silent,
) -> tuple[list[EvidenceRow], CorpusReport]:
    """A row for each question whose chain is known and retrieved; and what became of each question.

    The same arguments give the same rows.
    """
    known, told = known_chains(
        graph,
        questions,
        encoder,
        source=source,
        held_out=held_out,
        max_hops=max_hops,
        report=report,
    )
    retriever = _Retriever(Options(max_hops=max_hops))
    reasoner = Reasoner(retriever, Resources(graph, encoder, None))
    rows = []
    for each, answer in outcomes(
        [(each.question.text, each) for each in known], reasoner.answers, _STAGE, report
    ):
        text = each.question.text
        chains = retriever.retrieved.pop(text, ())
        drawn = random.Random(f"{seed} {each.question.id} {text}")
        pieces = _of_chains(graph, each, chains, drawn)
        if answer.error or not pieces:
            told.drop(FAILED if answer.error else NOT_RETRIEVED, text)
            continue
        row = _row(graph, plain(text), pieces, encoder, source, licence)
        _keep(row, len(each.chain), told)
        rows.append(row)
    return rows, told


def evidence_from_claims(
    graph: Graph,
    claims: Sequence[Claim],
    encoder: Encoder,
    *,
    source: str = "claims",
    licence: str = "",
    held_out: Sequence[Claim] = (),
    seed: int = 0,
    report: Report = silent,
) -> tuple[list[EvidenceRow], CorpusReport]:
    """A row for each claim that facts of the graph decide as its label says; see the module."""
    told = CorpusReport(graph.name, source, read=len(claims))
    kept = [(claim.text, claim) for claim in new_claims(claims, held_out, told)]
    reasoner = Reasoner(RefKG(Options(refine=False)), Resources(graph, encoder, None))
    rows = []
    for claim, verdict in outcomes(kept, reasoner.verdicts, _STAGE, report):
        reason = _unusable(claim, verdict)
        if reason:
            told.drop(reason, claim.text)
            continue
        pieces = _of_verdict(graph, verdict, random.Random(f"{seed} {claim.id} {claim.text}"))
        if all(piece.gold for piece in pieces):
            told.drop(ONLY_GOLD, claim.text)
            continue
        row = _row(graph, plain(claim.text), pieces, encoder, source, licence)
        _keep(row, 1, told)
        rows.append(row)
    return rows, told


@dataclass(frozen=True, slots=True)
class _Piece:
    facts: tuple[str, ...]
    gold: bool
    score: float = 0.0


class _Retriever:
    """A method that keeps the chains which RefKG follows for a question, and answers nothing."""

    name = "refkg retrieval"

    def __init__(self, options: Options) -> None:
        self._refkg = RefKG(options)
        self.retrieved: dict[str, tuple[FollowedChain, ...]] = {}

    async def answer(self, ctx: QuestionContext) -> Answer:
        """Keep what is retrieved."""
        self.retrieved[ctx.question] = (await self._refkg.retrieve(ctx)).evidence
        return Answer(ctx.question, ctx.graph.name, self.name)

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """As RefKG does."""
        return await self._refkg.verify(ctx)


def _of_chains(
    graph: Graph, known: KnownChain, chains: Sequence[FollowedChain], draw: random.Random
) -> list[_Piece]:
    """Some paths of every chain that was followed; none if the right chain is not among them."""
    gold = [
        chain
        for chain in chains
        if chain.candidate.steps == known.chain and chain.candidate.key.mention == known.mention
    ]
    if not gold:
        return []
    pieces: dict[tuple[str, ...], _Piece] = {}
    for chain in [*gold, *chains]:
        is_gold = chain is gold[0]
        if not is_gold and _gives_the_answers(known.question, chain.ends):
            # By chance or not, the answer from it is right: it is no noise.
            continue
        for end in draw.sample(list(chain.ends), min(_PATHS, len(chain.ends))):
            facts = _facts(graph, end.paths[0].triples)
            pieces.setdefault(facts, _Piece(facts, is_gold, round(chain.score, 4)))
    return list(pieces.values())


def _gives_the_answers(question: Question, ends: Sequence[FollowedEntity]) -> bool:
    return {question.called(end.entity) for end in ends} == question.gold


def _unusable(claim: Claim, verdict: Verdict) -> str | None:
    if verdict.error:
        return FAILED
    if verdict.label == "NOT ENOUGH EVIDENCE" or not (verdict.supporting or verdict.opposing):
        return NO_PROOF
    return None if verdict.label == claim.label else WRONG_VERDICT


def _of_verdict(graph: Graph, verdict: Verdict, draw: random.Random) -> list[_Piece]:
    proof = verdict.supporting if verdict.label == "SUPPORTED" else verdict.opposing
    gold = {triple for path in proof for triple in path.triples}
    noise = [each for each in _triples(verdict.retrieved) if each not in gold]
    noise = draw.sample(noise, min(_MAX_NOISE, len(noise)))
    pieces: dict[tuple[str, ...], _Piece] = {}
    for triple in [*_triples(proof), *noise]:
        facts = _facts(graph, [triple])
        pieces.setdefault(facts, _Piece(facts, triple in gold))
    return list(pieces.values())


def _triples(paths: Sequence[Path]) -> list[Triple]:
    return list(dict.fromkeys(triple for path in paths for triple in path.triples))


def _facts(graph: Graph, triples: Sequence[Triple]) -> tuple[str, ...]:
    return tuple(" ".join(fact(triple, graph.relations).split()) for triple in triples)


def _row(
    graph: Graph,
    query: str,
    pieces: Sequence[_Piece],
    encoder: Encoder,
    source: str,
    licence: str,
) -> EvidenceRow:
    vectors = encoder.encode([query, *(evidence_text(piece.facts) for piece in pieces)])
    similarities = vectors[1:] @ vectors[0]
    evidence = tuple(
        Evidence(piece.facts, piece.gold, round(float(similarity), 4), piece.score)
        for piece, similarity in zip(pieces, similarities, strict=True)
    )
    return EvidenceRow(query, evidence, graph.name, source, licence)


def _keep(row: EvidenceRow, hops: int, told: CorpusReport) -> None:
    told.keep(asdict(row), hops)
