"""Questions and claims in kgdb's own form (``docs/how-to/evaluating.md``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kgdb.evaluation.datasets.records import label_of, lines_of, records, text_of, texts_of
from kgdb.evaluation.questions import Claim, Question
from kgdb.graph.linking.mention_linking import bracketed, unbracketed


def read_file(path: Path) -> list[Question] | list[Claim]:
    """A JSONL file (or ``.gz``) in kgdb's own form (``docs/how-to/evaluating.md``).

    All its lines are questions, or all are claims. What is in brackets is an entity of the
    question, whose text is without them. Raises :class:`UsageError`.
    """
    first = next(lines_of(path), "")
    if '"claim"' in first:
        return records(path, _own_claim)
    return records(path, _own_question)


def _own_question(number: int, row: Mapping[str, Any]) -> Question:
    gold, ids = set(), {}
    for answer in row["answers"]:
        if isinstance(answer, str):
            gold.add(answer)
        else:
            name = text_of(answer.get("name") or answer["id"])
            gold.add(name)
            ids[text_of(answer["id"])] = name
    text = text_of(row["question"])
    return Question(
        str(row.get("id", number)),
        unbracketed(text),
        frozenset(gold),
        ids,
        row.get("type") and text_of(row["type"]),
        _entities(row, text),
        unanswerable=not row["answers"],
        marked=_marked(text),
    )


def _own_claim(number: int, row: Mapping[str, Any]) -> Claim:
    text = text_of(row["claim"])
    return Claim(
        str(row.get("id", number)),
        unbracketed(text),
        label_of(row["label"]),
        row.get("type") and text_of(row["type"]),
        _entities(row, text),
        marked=_marked(text),
    )


def _entities(row: Mapping[str, Any], text: str) -> tuple[str, ...]:
    """The entities that are listed, and those in brackets."""
    return tuple(dict.fromkeys((*texts_of(row.get("entities", [])), *bracketed(text))))


def _marked(text: str) -> str | None:
    return text if bracketed(text) else None
