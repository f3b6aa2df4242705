"""Question sets by their names on the command line, or in files."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from kgdb.errors import UsageError
from kgdb.evaluation import Asked, Claim, Question, read_factkg, read_file, read_metaqa, read_webqsp
from kgdb.wording import short

_A = TypeVar("_A", Sequence[Question], Sequence[Claim], Asked)

GRAPH_OF: Mapping[str, str] = {
    "metaqa": "metaqa",
    "factkg": "factkg",
    "webqsp": "webqsp-cwq",
}
"""The question sets that are known, and the graph that each is about."""


def read_sets(
    dataset: str, data: Path, hops: Sequence[int], split: str, *, mentions_given: bool = True
) -> dict[str, Asked]:
    """The question sets of that name, or of a file, by their titles."""
    match dataset:
        case "metaqa":
            return {
                f"{length}-hop {split}": read_metaqa(
                    data, length, split, mentions_given=mentions_given
                )
                for length in hops
            }
        case "factkg":
            return {f"factkg {split}": read_factkg(data, split)}
        case "webqsp":
            return {f"webqsp {split}": read_webqsp(data, split, mentions_given=mentions_given)}
    if "." not in dataset and not Path(dataset).exists():
        raise UsageError(
            f"{short(dataset)} is not a question set, and there is no such file.",
            hint=f"Expected {', '.join(GRAPH_OF)}, or a JSONL file (docs/how-to/evaluating.md).",
        )
    return {Path(dataset).name: read_file(Path(dataset), mentions_given=mentions_given)}


def drawn(asked: _A, limit: int | None, seed: int) -> _A:
    """So many of them at random; all of them without a limit."""
    if limit is None or limit >= len(asked):
        return asked
    places = random.Random(seed).sample(range(len(asked)), limit)
    return [asked[place] for place in places]  # type: ignore[return-value]
