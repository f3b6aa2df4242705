"""ComplexWebQuestions (Talmor and Berant, NAACL 2018): compositions of WebQSP's questions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kgdb.evaluation.datasets.records import records, text_of
from kgdb.evaluation.questions import Question

_TRIPLE = re.compile(r"(\?\w+|ns:[mg]\.\w+)\s+ns:[\w.]+\s+(\?\w+|ns:[mg]\.\w+)")
_ANSWER = "?x"


def read_cwq(data: Path, split: str = "dev") -> list[Question]:
    """CWQ questions; the type of one is its kind of composition. Raises as :func:`records`.

    The files name one answer of each question, so F1 is low where there are several.
    """

    def question(_: int, row: Mapping[str, Any]) -> Question:
        return Question(
            text_of(row["ID"]),
            text_of(row["question"]),
            frozenset({text_of(row["answer"])}),
            type=text_of(row["compositionality_type"]),
            entities=tuple(name for name in row["topic_entity"].values() if name),
            hops=_hops(str(row.get("sparql", "")), list(row["topic_entity"])),
        )

    return records(data / "cwq" / f"{split}.jsonl.gz", question)


def _hops(sparql: str, topics: Sequence[str]) -> int | None:
    """The relations between the answer and the farthest topic in the query that is gold."""
    beside: dict[str, set[str]] = defaultdict(set)
    for subject, object_ in _TRIPLE.findall(sparql):
        beside[subject].add(object_)
        beside[object_].add(subject)
    far, level, seen = 0, {_ANSWER}, {_ANSWER}
    reached: dict[str, int] = {}
    while level:
        reached |= {node.removeprefix("ns:"): far for node in level}
        level = {node for at in level for node in beside[at]} - seen
        seen |= level
        far += 1
    return max((reached[topic] for topic in topics if topic in reached), default=None)
