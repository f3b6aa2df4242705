"""What an adapter was trained for: one graph with its phrases, or graphs in general.

An adapter that was trained on one graph alone knows its phrases. On another graph, or once the
phrases are others, it may choose worse than the encoder without it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kgdb.language.encoders.adapter import CONFIG
from kgdb.language.text.relation_texts import RelationTexts
from kgdb.training.corpus.rows import RelationRow, wordings
from kgdb.values import Step
from kgdb.wording import counted, listed, short

_KEY = "trained_for"
_SHOWN = 3


def purpose(rows: Iterable[RelationRow]) -> dict[str, Any] | None:
    """The graph and digests of its phrases by relation; ``None`` if the rows are of several."""
    every = list(rows)
    graphs = {row.graph: None for row in every}
    if len(graphs) != 1 or not (graph := next(iter(graphs))):
        return None
    phrases: dict[str, str | None] = {}
    for row in every:
        if len(row.chain) == 1:
            digest = _digest(row.wordings)
            # A relation that rows put in several ways says nothing of the graph's phrases.
            phrases[row.chain[0]] = digest if phrases.get(row.chain[0], digest) == digest else None
    kept = {step: digest for step, digest in sorted(phrases.items()) if digest}
    return {"graph": graph, "phrases": kept}


def mismatch(folder: Path, graph: str, texts: Mapping[str, RelationTexts]) -> str | None:
    """Why the adapter in a folder does not suit a graph with these texts, as a notice."""
    trained = _read(folder)
    if trained is None:
        return None
    name = short(str(folder))
    if trained["graph"] != graph:
        return (
            f"The adapter {name} was trained for the graph {short(trained['graph'])} alone; on "
            f"{short(graph)} it may choose worse than without it. kgdb train graph "
            "makes one for this graph."
        )
    changed = [
        step
        for step, digest in trained["phrases"].items()
        if step.removeprefix("^") not in texts
        or _digest(wordings([Step.parse(step)], texts)) != digest
    ]
    if not changed:
        return None
    some = listed(map(short, changed[:_SHOWN]))
    return (
        f"The adapter {name} was trained with other phrases of {counted(len(changed), 'relation')} "
        f"of {len(trained['phrases']):,}, such as {some}. Train it again: kgdb train graph."
    )


def _read(folder: Path) -> dict[str, Any] | None:
    """What the adapter says it was trained for, if it says so in the form above."""
    try:
        config = json.loads((folder / CONFIG).read_text("utf-8"))
        trained: dict[str, Any] = config[_KEY]
        is_right = isinstance(trained["graph"], str) and all(
            isinstance(each, str) for pair in trained["phrases"].items() for each in pair
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return trained if is_right else None


def _digest(words: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]
