"""WebQuestionsSP (Yih et al., ACL 2016): questions about Freebase."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kgdb.evaluation.datasets.reading import records, text_of
from kgdb.evaluation.questions import Question


def read_webqsp(data: Path, split: str = "dev") -> list[Question]:
    """WebQSP questions with the names of their answers; raises as :func:`records`."""

    def question(_: int, row: Mapping[str, Any]) -> Question:
        return Question(
            str(row["QuestionId"]),
            text_of(row["RawQuestion"]),
            # A few have an answer or a topic without a name.
            frozenset(name for name in row["answer"] if name),
            entities=tuple(name for name in row["topic_entity"].values() if name),
        )

    return records(data / "webqsp" / f"{split}.jsonl.gz", question)
