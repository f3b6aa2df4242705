"""Rows of the verifier's corpus: claims with their labels and what their checks found.

One line of the file is one row::

    {"claim": "The Tuesday Engine was directed by Ken Amagiri.", "label": false,
     "features": {"affirmed yes": 0.0, "affirmed no": 1.0, …},
     "graph": "demo", "source": "claims.jsonl", "licence": "Apache-2.0"}

All of it is data: a text of a corpus is never executed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kgdb.lab.training.corpus.json_lines import RowKind, number, read_lines, text, write_lines
from kgdb.methods.verification.features import FEATURES
from kgdb.wording import listed, short

_HIGHEST = 1e6


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim, whether it is true (``label``), and what is known of it after its checks."""

    claim: str
    label: bool
    features: Mapping[str, float]
    graph: str = ""
    source: str = ""
    licence: str = ""

    @property
    def rules(self) -> bool:
        """What the rules say of a graph that lacks no fact."""
        return self.features["rules"] > 0


KIND = RowKind(
    "row of a claim",
    '{"claim": …, "label": true, "features": {…}}',
    "kgdb lab train claims",
    "docs/reference/claims.md",
)


def write_claims(path: Path, rows: Iterable[ClaimRow]) -> int:
    """Write the corpus; the number of its rows. A corpus that cannot be finished is not left."""
    return write_lines(path, map(asdict, rows))


def read_claims(path: Path) -> Iterator[ClaimRow]:
    """The rows of a corpus.

    Raises :class:`kgdb.errors.UsageError`, naming the line, for what is no row, and for a file that
    holds none.
    """
    return read_lines(path, _row, KIND)


def _row(given: Mapping[str, Any]) -> ClaimRow:
    claim, label, features = text(given, "claim"), given["label"], given["features"]
    if not claim.strip():
        raise ValueError("its claim is empty")
    if not isinstance(label, bool):
        raise TypeError(f"label is {short(label)}, where true or false is expected")
    if not isinstance(features, Mapping):
        raise TypeError("features is no JSON object")
    if missing := [name for name in FEATURES if name not in features]:
        raise ValueError(
            f"it lacks the features {listed(missing[:3])}; a corpus of another version of kgdb has "
            "to be made again"
        )
    return ClaimRow(
        claim,
        label,
        {name: number(features[name], f"the feature {name}", _HIGHEST) for name in FEATURES},
        *(text(given, key, "") for key in ("graph", "source", "licence")),
    )
