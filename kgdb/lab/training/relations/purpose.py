"""What the adapter of a corpus is trained for, as its configuration keeps it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kgdb.lab.training.corpus.rows import RelationRow
from kgdb.methods.chains.adapter_purpose import digest


def purpose(rows: Iterable[RelationRow]) -> dict[str, Any] | None:
    """The graph and digests of its phrases by relation; ``None`` if the rows are of several."""
    every = list(rows)
    graphs = {row.graph: None for row in every}
    if len(graphs) != 1 or not (graph := next(iter(graphs))):
        return None
    phrases: dict[str, str | None] = {}
    for row in every:
        if len(row.chain) == 1:
            words = digest(row.wordings)
            # A relation that rows put in several ways says nothing of the graph's phrases.
            phrases[row.chain[0]] = words if phrases.get(row.chain[0], words) == words else None
    kept = {step: words for step, words in sorted(phrases.items()) if words}
    return {"graph": graph, "phrases": kept}
