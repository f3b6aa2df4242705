"""The measures of tables, each over the row of one question or claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from kgdb.evaluation import AnswerRow, ClaimRow

Row = AnswerRow | ClaimRow


def _of(name: str) -> Callable[[Any], float | None]:
    """A field of a row; ``None`` where this kind of row does not have it."""

    def read(row: Row) -> float | None:
        value = getattr(row, name, None)
        return None if value is None else float(value)

    return read


def _of_decided(row: Row) -> float | None:
    if not isinstance(row, ClaimRow) or row.error or row.verdict == "NOT ENOUGH EVIDENCE":
        return None
    return float(row.correct)


def _unanswered(row: Row) -> float:
    if isinstance(row, ClaimRow):
        return float(row.error is not None or row.verdict == "NOT ENOUGH EVIDENCE")
    return float(not row.answered)


_LOST = "lost_"


def _lost(stage: str) -> Callable[[Any], float | None]:
    """The share of the wrong answers that this stage lost."""

    def read(row: Row) -> float | None:
        lost = getattr(row, "lost", None)
        return None if lost is None else float(lost == stage)

    return read


def _noise_of(facts: str, gold: str) -> Callable[[Any], float | None]:
    """The share of the facts after a stage that are not gold; ``None`` where there are none."""

    def read(row: Row) -> float | None:
        number, right = getattr(row, facts), getattr(row, gold)
        return 1 - right / number if number else None

    return read


def _noise_at_retrieval(row: Row) -> float | None:
    """Whether retrieval brought a fact that is not gold, or brought no gold one (A.9)."""
    if row.facts_retrieved is None or row.gold_retrieved is None:
        return None
    return float(row.gold_retrieved < max(row.facts_retrieved, 1))


def _gold_lost_at_refinement(row: Row) -> float | None:
    """Whether refinement dropped a gold fact: it can bring no noise but this loss (A.9)."""
    if row.gold_retrieved is None or row.gold_refined is None:
        return None
    return float(row.gold_refined < row.gold_retrieved)


def _noise_removed(row: Row) -> float | None:
    """Whether refinement dropped a fact that is not gold (A.9)."""
    counts = row.facts_retrieved, row.gold_retrieved, row.facts_refined, row.gold_refined
    if None in counts:
        return None
    retrieved, gold, refined, left = map(int, counts)  # type: ignore[arg-type]
    return float(refined - left < retrieved - gold)


def _has_gold(stage: str) -> Callable[[Any], float | None]:
    """Whether a gold fact is among the evidence after a stage (A.9, *correctness*)."""

    def read(row: Row) -> float | None:
        gold = getattr(row, f"gold_{stage}")
        return None if gold is None else float(gold > 0)

    return read


MEASURES: Mapping[str, Callable[[Any], float | None]] = MappingProxyType(
    {
        "hits_at_1": _of("hits_at_1"),
        "hit": _of("hit"),
        "exact": _of("exact"),
        "f1": _of("f1"),
        "evidence": _of("evidence"),
        "evidence_hit": lambda row: float(row.evidence > 0) if hasattr(row, "evidence") else None,
        "accuracy": _of("correct"),
        "accuracy_of_decided": _of_decided,
        "unanswered": _unanswered,
        "calls": _of("calls"),
        "seconds": _of("seconds"),
        "triples": _of("paths"),
        "round_trips": _of("round_trips"),
        "tokens": lambda row: float(row.tokens_in + row.tokens_out),
        "noise_retrieved": _noise_of("facts_retrieved", "gold_retrieved"),
        "noise_refined": _noise_of("facts_refined", "gold_refined"),
        "retrieval_introduced": _noise_at_retrieval,
        "refinement_introduced": _gold_lost_at_refinement,
        "refinement_reduced": _noise_removed,
        "retrieval_correct": _has_gold("retrieved"),
        "refinement_correct": _has_gold("refined"),
        "lost_mention": _lost("mention"),
        "lost_retrieval": _lost("retrieval"),
        "lost_refinement": _lost("refinement"),
        "lost_reading": _lost("reading"),
        "bertscore_precision": _of("bertscore_precision"),
        "bertscore_recall": _of("bertscore_recall"),
        "bertscore_f1": _of("bertscore_f1"),
        "disease": _of("disease"),
        "medication": _of("medication"),
        "test": _of("test"),
        "key_entities": _of("key_entities"),
        "rank": _of("rank"),
    }
)
"""By the names that files give them; ``None`` where a row has no such measure."""

JUDGED = frozenset({"rank"})
"""Those that a judge model gives: they depend on who judges, so no score is expected of them."""

VARYING = frozenset({"seconds"})
"""Those that differ from run to run on one machine."""


def measured(rows: Sequence[Row], measure: str, kind: str | None) -> list[float]:
    """The measure of each row of that kind that has it: a type, or a length such as ``2-hop``."""
    read = MEASURES[measure]
    if measure.startswith(_LOST):
        # Of all wrong answers, those of one kind too, as RefKG's Table 7 counts them.
        of_all = [(row, read(row)) for row in rows]
        return [value * _is_of(row, kind) for row, value in of_all if value is not None]
    values = (read(row) for row in rows if _is_of(row, kind))
    return [value for value in values if value is not None]


def _is_of(row: Row, kind: str | None) -> bool:
    return kind is None or kind in (row.type, f"{row.hops}-hop")
