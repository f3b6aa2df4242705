"""ComplexWebQuestions (Talmor and Berant, NAACL 2018): compositions of WebQSP's questions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kgdb.evaluation.datasets.reading import records, text_of
from kgdb.evaluation.questions import Question


def read_cwq(data: Path, split: str = "dev", *, mentions_given: bool = True) -> list[Question]:
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
        )

    questions = records(data / "cwq" / f"{split}.jsonl.gz", question)
    return [question.pointed_out() for question in questions] if mentions_given else questions
