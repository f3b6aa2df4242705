"""The rows of a corpus as examples: which are used, and which of these are held back."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kgdb.errors import UsageError
from kgdb.lab.training.cards import Origins, origins_json
from kgdb.lab.training.corpus.claim_rows import ClaimRow
from kgdb.lab.training.corpus.held_out import claim_key
from kgdb.methods.verification.features import FEATURES, vector
from kgdb.wording import listed

Array = NDArray[np.float32]
Labels = NDArray[np.bool_]

FEWEST = 50
"""Claims to train on without which nothing is learnt."""

FEWEST_OF_LABEL = 5
"""Claims of each label that the cross-validation needs: one in each of its parts."""

TWICE = "the claim is there already"
CONTRADICTION = "the same claim is true and false"


@dataclass(slots=True)
class DataReport:
    """What a corpus holds, what of it is used, and what is not, with the reason.

    ``origins`` counts the used rows by graph, source and licence.
    """

    rows: int = 0
    training: int = 0
    held_back: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    origins: Origins = field(default_factory=Counter)

    def to_dict(self) -> dict[str, object]:
        """The report as JSON has it."""
        return {
            "rows": self.rows,
            "training": self.training,
            "held_back": self.held_back,
            "dropped": dict(self.dropped),
            "origins": origins_json(self.origins),
        }


@dataclass(frozen=True, slots=True)
class Part:
    """Claims with their features, of shape ``(claims, features)``, and their labels."""

    features: Array
    labels: Labels

    @classmethod
    def of(cls, rows: Iterable[ClaimRow]) -> Part:
        """The rows as arrays."""
        listed_rows = list(rows)
        features = np.array([vector(row.features) for row in listed_rows], np.float32)
        return cls(
            features.reshape(len(listed_rows), len(FEATURES)),
            np.array([row.label for row in listed_rows], np.bool_),
        )


@dataclass(frozen=True, slots=True)
class Examples:
    """The claims to train on and those held back."""

    training: Part
    held_back: Part
    report: DataReport


def examples_of(rows: Iterable[ClaimRow], share: float, seed: int) -> Examples:
    """The rows that can be used, of which ``share`` are held back.

    Raises :class:`kgdb.errors.UsageError` if too few are left.
    """
    report = DataReport()
    by_claim: dict[tuple[str, str], ClaimRow] = {}
    contradicted: set[tuple[str, str]] = set()
    for row in rows:
        report.rows += 1
        key = row.graph, claim_key(row.claim)
        known = by_claim.setdefault(key, row)
        if known is row:
            continue
        if known.label == row.label:
            report.dropped[TWICE] += 1
        else:
            contradicted.add(key)
            report.dropped[CONTRADICTION] += 1
    report.dropped[CONTRADICTION] += len(contradicted)
    report.dropped += Counter()
    used = [row for key, row in by_claim.items() if key not in contradicted]
    back = [row for row in used if _is_held_back(row, share, seed)]
    training = [row for row in used if not _is_held_back(row, share, seed)]
    labels = Counter(row.label for row in training)
    too_few = len(training) < FEWEST or min(labels[True], labels[False]) < FEWEST_OF_LABEL
    if too_few or not back:
        reasons = listed(f"{reason} ({n:,})" for reason, n in report.dropped.most_common())
        raise UsageError(
            f"The corpus has {len(training):,} usable claims to train on, {labels[True]:,} of them "
            f"true, and {len(back):,} held back" + (f"; dropped: {reasons}." if reasons else "."),
            hint=f"Expected at least {FEWEST} to train on, {FEWEST_OF_LABEL} of each label, and 1 "
            "held back. kgdb lab train claims makes a larger corpus.",
        )
    report.training, report.held_back = len(training), len(back)
    for row in used:
        report.origins[row.graph, row.source, row.licence] += 1
    return Examples(Part.of(training), Part.of(back), report)


def _is_held_back(row: ClaimRow, share: float, seed: int) -> bool:
    """By its own text, so that the same claim is on one side in every corpus."""
    digest = hashlib.sha256(f"{seed}\n{row.claim}".encode()).digest()
    return int.from_bytes(digest[:4], "big") < share * 2**32
