"""Questions and claims in kgdb's own form (``docs/how-to/evaluating.md``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kgdb.evaluation.datasets.reading import label_of, lines_of, records, text_of, texts_of
from kgdb.evaluation.questions import Claim, Question


def read_file(path: Path, *, mentions_given: bool = True) -> list[Question] | list[Claim]:
    """A JSONL file (or ``.gz``) in kgdb's own form (``docs/how-to/evaluating.md``).

    All its lines are questions, or all are claims. Raises :class:`UsageError`.
    """
    first = next(lines_of(path), "")
    if '"claim"' in first:
        return records(path, _own_claim)
    questions = records(path, _own_question)
    return [question.pointed_out() for question in questions] if mentions_given else questions


def _own_question(number: int, row: Mapping[str, Any]) -> Question:
    gold, ids = set(), {}
    for answer in row["answers"]:
        if isinstance(answer, str):
            gold.add(answer)
        else:
            name = text_of(answer.get("name") or answer["id"])
            gold.add(name)
            ids[text_of(answer["id"])] = name
    return Question(
        str(row.get("id", number)),
        text_of(row["question"]),
        frozenset(gold),
        ids,
        row.get("type") and text_of(row["type"]),
        tuple(texts_of(row.get("entities", []))),
        unanswerable=not row["answers"],
    )


def _own_claim(number: int, row: Mapping[str, Any]) -> Claim:
    return Claim(
        str(row.get("id", number)),
        text_of(row["claim"]),
        label_of(row["label"]),
        row.get("type") and text_of(row["type"]),
        tuple(texts_of(row.get("entities", []))),
    )
