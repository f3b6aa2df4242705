"""Questions of patients with the texts that doctors answered: GenMedGPT-5k and CMCQA."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kgdb.evaluation import DATASETS, Dataset, Question
from kgdb.evaluation.datasets.known_sets import whole
from kgdb.evaluation.datasets.records import records, text_of, texts_of


@dataclass(frozen=True, slots=True)
class DialogueQuestion(Question):
    """What a person told and asked, with the ``reference``: the text that another one answered.

    ``gold`` are the entities of the reference or, with ``gold_in_reference``, the names of the
    graph in it.
    """

    reference: str = ""
    gold_in_reference: bool = False


def read_genmedgpt(data: Path, split: str = "dev") -> list[DialogueQuestion]:
    """GenMedGPT-5k (Li et al., ChatDoctor, 2023) with the entities of each answer.

    Raises as :func:`records`.
    """

    def question(number: int, row: Mapping[str, Any]) -> DialogueQuestion:
        return DialogueQuestion(
            f"genmedgpt/{split}/{number}",
            text_of(row["question"]),
            frozenset(texts_of(row["answer_entities"])),
            entities=tuple(texts_of(row["question_entities"])),
            reference=text_of(row["answer"]),
        )

    return records(data / "genmedgpt-5k" / f"{split}.jsonl.gz", question)


def read_cmcqa(data: Path, split: str = "dev") -> list[DialogueQuestion]:
    """CMCQA (Xia et al., 2022), in Chinese; raises as :func:`records`.

    It names no entities of its answers: key entities are the diseases, medications and tests of the
    graph that an answer has.
    """

    def question(number: int, row: Mapping[str, Any]) -> DialogueQuestion:
        return DialogueQuestion(
            f"cmcqa/{split}/{number}",
            text_of(row["question"]).strip(),
            frozenset(),
            entities=tuple(filter(None, text_of(row["question_kg"]).split(","))),
            reference=text_of(row["answer"]).strip(),
            gold_in_reference=True,
        )

    return records(data / "cmcqa" / f"{split}.jsonl.gz", question)


DIALOGUES: Mapping[str, Dataset] = MappingProxyType(
    {
        "genmedgpt": Dataset(
            "emckg",
            "emckg/train.txt.gz",
            ("dev", "train"),
            whole(read_genmedgpt, "genmedgpt"),
        ),
        "cmcqa": Dataset("cmckg", "cmkg/triples.tsv.gz", ("dev",), whole(read_cmcqa, "cmcqa")),
    }
)
"""The sets of dialogues: their questions are answered as texts."""

ALL_SETS: Mapping[str, Dataset] = MappingProxyType({**DATASETS, **DIALOGUES})
"""Those that tables of papers are measured on."""
