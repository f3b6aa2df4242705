"""Questions of patients with the texts that doctors answered: GenMedGPT-5k and CMCQA."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kgdb.evaluation.datasets.records import records, text_of, texts_of
from kgdb.evaluation.questions import Question


def read_genmedgpt(data: Path, split: str = "dev") -> list[Question]:
    """GenMedGPT-5k (Li et al., ChatDoctor, 2023) with the entities of each answer.

    Raises as :func:`records`.
    """

    def question(number: int, row: Mapping[str, Any]) -> Question:
        return Question(
            f"genmedgpt/{split}/{number}",
            text_of(row["question"]),
            frozenset(texts_of(row["answer_entities"])),
            entities=tuple(texts_of(row["question_entities"])),
            reference=text_of(row["answer"]),
        )

    return records(data / "genmedgpt-5k" / f"{split}.jsonl.gz", question)


def read_cmcqa(data: Path, split: str = "dev") -> list[Question]:
    """CMCQA (Xia et al., 2022), in Chinese; raises as :func:`records`.

    It names no entities of its answers: key entities are the diseases, medications and tests of the
    graph that an answer has.
    """

    def question(number: int, row: Mapping[str, Any]) -> Question:
        return Question(
            f"cmcqa/{split}/{number}",
            text_of(row["question"]).strip(),
            frozenset(),
            entities=tuple(filter(None, text_of(row["question_kg"]).split(","))),
            reference=text_of(row["answer"]).strip(),
            gold_in_reference=True,
        )

    return records(data / "cmcqa" / f"{split}.jsonl.gz", question)
