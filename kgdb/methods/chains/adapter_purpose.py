"""What an adapter was trained for: one graph with its phrases, or graphs in general.

An adapter that was trained on one graph alone knows its phrases. On another graph, or once the
phrases are others, it may choose worse than the encoder without it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kgdb.language.encoders.adapter import CONFIG
from kgdb.language.text.relation_texts import RelationTexts
from kgdb.language.text.verbalize import verbalize, verbalize_question
from kgdb.methods.chains.candidate_chains import PLACEHOLDER
from kgdb.values import Step
from kgdb.wording import counted, listed, short

KEY = "trained_for"
"""Where the configuration of an adapter says it."""

_SHOWN = 3


def wordings(chain: Sequence[Step], texts: Mapping[str, RelationTexts]) -> tuple[str, str]:
    """The chain around the placeholder as a noun phrase and as a question, as chains are scored."""
    return verbalize(chain, PLACEHOLDER, texts), verbalize_question(chain, PLACEHOLDER, texts)


def mismatch(folder: Path, graph: str, texts: Mapping[str, RelationTexts]) -> str | None:
    """Why the adapter in a folder does not suit a graph with these texts, as a notice."""
    trained = _read(folder)
    if trained is None:
        return None
    name = short(str(folder))
    if trained["graph"] != graph:
        return (
            f"The adapter {name} was trained for the graph {short(trained['graph'])} alone; on "
            f"{short(graph)} it may choose worse than without it. kgdb lab train graph "
            "makes one for this graph."
        )
    changed = [
        step
        for step, before in trained["phrases"].items()
        if step.removeprefix("^") not in texts
        or digest(wordings([Step.parse(step)], texts)) != before
    ]
    if not changed:
        return None
    some = listed(map(short, changed[:_SHOWN]))
    return (
        f"The adapter {name} was trained with other phrases of {counted(len(changed), 'relation')} "
        f"of {len(trained['phrases']):,}, such as {some}. Train it again: kgdb lab train graph."
    )


def _read(folder: Path) -> dict[str, Any] | None:
    """What the adapter says it was trained for, if it says so in the form above."""
    try:
        config = json.loads((folder / CONFIG).read_text("utf-8"))
        trained: dict[str, Any] = config[KEY]
        is_right = isinstance(trained["graph"], str) and all(
            isinstance(each, str) for pair in trained["phrases"].items() for each in pair
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return trained if is_right else None


def digest(words: Sequence[str]) -> str:
    """The digest by which the wordings of a chain are told apart."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]
