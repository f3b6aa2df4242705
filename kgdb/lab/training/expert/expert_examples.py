"""The rows of a corpus as examples: a query with a piece of evidence, and the score it should get.

The paper's quality control (A.7) is here: a gold piece among the most similar ones, and no piece
with an anomalous similarity. That the inference from the gold evidence is right was checked when
the corpus was made.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, pstdev

from kgdb.errors import UsageError
from kgdb.lab.training.corpus.evidence_rows import Evidence, EvidenceRow
from kgdb.lab.training.expert.expert_settings import ExpertTraining
from kgdb.wording import listed

FEWEST = 8
"""Queries without which nothing is learnt, and no threshold is chosen."""

TWICE = "the query is there already"
NO_GOLD = "no evidence is gold"
NO_NOISE = "all evidence is gold"
FAR = "no gold evidence is among the most similar"


@dataclass(slots=True)
class DataReport:
    """What a corpus holds, what of it is used, and what is not, with the reason.

    ``contradictions`` are pieces that the same row calls gold and noise; ``outliers`` are pieces
    with an anomalous similarity. ``origins`` counts the used rows by graph, source and licence.
    """

    rows: int = 0
    training: int = 0
    held_back: int = 0
    pieces: int = 0
    contradictions: int = 0
    outliers: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    origins: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def to_dict(self) -> dict[str, object]:
        """The report as JSON has it."""
        return {
            "rows": self.rows,
            "training": self.training,
            "held_back": self.held_back,
            "pieces": self.pieces,
            "contradictions": self.contradictions,
            "outliers": self.outliers,
            "dropped": dict(self.dropped),
            "origins": [
                {"graph": graph, "source": source, "licence": licence, "rows": rows}
                for (graph, source, licence), rows in self.origins.most_common()
            ],
        }


@dataclass(frozen=True, slots=True)
class Examples:
    """The rows to train on and those held back."""

    training: tuple[EvidenceRow, ...]
    held_back: tuple[EvidenceRow, ...]
    report: DataReport


def examples_of(rows: Iterable[EvidenceRow], settings: ExpertTraining) -> Examples:
    """The rows that can be used, split by their queries.

    Raises :class:`kgdb.errors.UsageError` if too few are left.
    """
    report = DataReport()
    kept = list(_usable(rows, settings, report))
    back = [row for row in kept if _is_held_back(row, settings)]
    training = [row for row in kept if not _is_held_back(row, settings)]
    if len(training) < FEWEST or not back:
        reasons = listed(f"{reason} ({n:,})" for reason, n in report.dropped.most_common())
        raise UsageError(
            f"The corpus has {len(training)} usable queries to train on and {len(back)} held back"
            + (f"; dropped: {reasons}." if reasons else "."),
            hint=f"Expected at least {FEWEST} and 1. kgdb lab train evidence makes more.",
        )
    training = _without_outliers(training, settings.outliers, report)
    report.training, report.held_back = len(training), len(back)
    report.pieces = sum(len(row.evidence) for row in training)
    for row in (*training, *back):
        report.origins[row.graph, row.source, row.licence] += 1
    return Examples(tuple(training), tuple(back), report)


def label(piece: Evidence, gold_share: float) -> float:
    """The score that a piece should get."""
    similarity = min(1.0, max(0.0, piece.similarity))
    return gold_share * piece.gold + (1 - gold_share) * similarity


def _usable(
    rows: Iterable[EvidenceRow], settings: ExpertTraining, report: DataReport
) -> Iterable[EvidenceRow]:
    seen: set[tuple[str, str]] = set()
    for given in rows:
        report.rows += 1
        row = _consistent(given, report)
        reason = _unusable(row, settings.top_k)
        if (row.graph, row.query) in seen:
            reason = TWICE
        seen.add((row.graph, row.query))
        if reason:
            report.dropped[reason] += 1
        else:
            yield row


def _consistent(row: EvidenceRow, report: DataReport) -> EvidenceRow:
    """The row with each piece once, and without those that it calls both gold and noise."""
    kinds: dict[tuple[str, ...], set[bool]] = defaultdict(set)
    for piece in row.evidence:
        kinds[piece.facts].add(piece.gold)
    report.contradictions += sum(len(found) > 1 for found in kinds.values())
    once = {piece.facts: piece for piece in row.evidence if len(kinds[piece.facts]) == 1}
    return replace(row, evidence=tuple(once.values()))


def _unusable(row: EvidenceRow, top_k: int) -> str | None:
    gold = [piece.gold for piece in row.evidence]
    if not any(gold):
        return NO_GOLD
    if all(gold):
        return NO_NOISE
    nearest = sorted(row.evidence, key=lambda piece: -piece.similarity)[:top_k]
    return None if any(piece.gold for piece in nearest) else FAR


def _without_outliers(
    rows: Sequence[EvidenceRow], deviations: float, report: DataReport
) -> list[EvidenceRow]:
    """The rows without pieces whose similarity is anomalous; a row keeps at least one piece."""
    bounds = {}
    for gold in (True, False):
        values = [p.similarity for row in rows for p in row.evidence if p.gold is gold]
        mean, spread = fmean(values), pstdev(values)
        bounds[gold] = mean - deviations * spread, mean + deviations * spread
    kept = []
    for row in rows:
        pieces = tuple(
            piece
            for piece in row.evidence
            if bounds[piece.gold][0] <= piece.similarity <= bounds[piece.gold][1]
        )
        report.outliers += len(row.evidence) - len(pieces)
        if pieces:
            kept.append(replace(row, evidence=pieces))
    return kept


def _is_held_back(row: EvidenceRow, settings: ExpertTraining) -> bool:
    """By its own text, so that the same query is on one side in every corpus."""
    digest = hashlib.sha256(f"{settings.seed}\n{row.query}".encode()).digest()
    return int.from_bytes(digest[:4], "big") < settings.held_back * 2**32
