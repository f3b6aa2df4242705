"""What came of making a corpus: its rows, and what was dropped for which reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_EXAMPLES = 3


@dataclass(slots=True)
class CorpusReport:
    """Counts of a corpus, with a few examples of each kind.

    ``read`` questions were looked at; ``hops`` counts the rows by the length of their chains, and
    ``chosen`` those of several right chains by what chose among them. ``agreement`` is the share of
    the rows whose chain is that which the question set gives, ``None`` where it gives none.
    """

    graph: str
    source: str
    read: int = 0
    rows: int = 0
    held_back: int = 0
    hops: Counter[int] = field(default_factory=Counter)
    chosen: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    examples: list[dict[str, Any]] = field(default_factory=list)
    dropped_examples: dict[str, list[str]] = field(default_factory=dict)
    agreement: float | None = None
    seconds: float = 0.0

    def drop(self, reason: str, question: str) -> None:
        """Count a question that gave no row."""
        self.dropped[reason] += 1
        examples = self.dropped_examples.setdefault(reason, [])
        if len(examples) < _EXAMPLES:
            examples.append(question)

    def keep(self, row: Mapping[str, Any], hops: int) -> None:
        """Count a row."""
        self.rows += 1
        self.hops[hops] += 1
        if len(self.examples) < _EXAMPLES:
            self.examples.append(dict(row))

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "graph": self.graph,
            "source": self.source,
            "read": self.read,
            "rows": self.rows,
            "held_back": self.held_back,
            "hops": {str(hops): n for hops, n in sorted(self.hops.items())},
            "chosen": dict(self.chosen.most_common()),
            "dropped": dict(self.dropped.most_common()),
            "examples": self.examples,
            "dropped_examples": self.dropped_examples,
            "agreement": self.agreement,
            "seconds": round(self.seconds, 1),
        }
