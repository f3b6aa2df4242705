"""SimpleQuestions (Bordes et al., 2015): one fact of Freebase each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kgdb.evaluation.datasets.records import records, text_of
from kgdb.evaluation.questions import Question


def read_simplequestions(data: Path, split: str = "train") -> list[Question]:
    """SimpleQuestions with the id of the one gold answer; raises as :func:`records`.

    Ids are as Freebase dumps write them (``m.0cqt90``) and as FB15k-237 does (``/m/0cqt90``).
    """

    def question(_: int, row: Mapping[str, Any]) -> Question:
        answer = text_of(row["object"])
        id_ = f"m.{answer}"
        subject = row.get("subject_name")
        return Question(
            text_of(row["id"]),
            text_of(row["question"]),
            frozenset({id_}),
            {id_: id_, f"/m/{answer}": id_},
            type=text_of(row["relation"]),
            entities=(text_of(subject),) if subject else (),
        )

    return records(data / "simplequestions" / f"{split}.jsonl.gz", question)
