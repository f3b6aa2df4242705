"""Question files of QALD, the field's challenge: JSON with each question in several languages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from kgdb.errors import UsageError
from kgdb.evaluation.datasets.records import lines_of, text_of
from kgdb.evaluation.questions import Question
from kgdb.wording import listed, short, value_text

_ENGLISH = "en"
_DIGITS = 18
"""More of them are no amount."""


def is_qald(path: Path) -> bool:
    """Whether the file is one object, not a line for each question, and has ``questions``."""
    beginning = "".join(line for line, _ in zip(lines_of(path), range(20), strict=False))
    return beginning.lstrip().startswith("{") and '"questions"' in beginning


def read_qald(path: Path, language: str | None = None) -> list[Question]:
    """The questions that have a text in the language; raises :class:`UsageError`.

    Without a language they are read in English, or in their first one where there is no English.
    """
    try:
        given = list(json.loads("\n".join(lines_of(path)))["questions"])
    except (ValueError, LookupError, TypeError) as error:
        raise UsageError(
            f"{path} is not a file in QALD's JSON: {error}.",
            hint='Expected {"questions": [{"question": [{"language", "string"}], "answers": …}]}.',
        ) from error
    questions: dict[str, Question] = {}
    for number, each in enumerate(given, 1):
        try:
            question = _question(each, str(each.get("id", number)), language)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise UsageError(
                f"{path}, question {number}, is not one of QALD: {error}.",
                hint="docs/how-to/evaluating.md shows what a question looks like.",
            ) from error
        if question is not None:
            questions.setdefault(question.id, question)
    if not questions:
        known = {text["language"] for each in given for text in each["question"]}
        raise UsageError(
            f"{path} has no question in the language {short(language)}.",
            hint=f"Expected --language with one of {listed(sorted(known))}.",
        )
    return list(questions.values())


def _question(row: Mapping[str, Any], id_: str, language: str | None) -> Question | None:
    """The question, or ``None`` if it has no text in the language that was chosen."""
    texts = {each["language"]: text_of(each["string"]) for each in row["question"]}
    chosen = language or (_ENGLISH if _ENGLISH in texts else next(iter(texts)))
    if chosen not in texts:
        return None
    gold, ids = set(), {}
    for value, is_id in _answers(row["answers"]):
        name = _name(value) if is_id else value
        gold.add(name)
        if is_id:
            ids[value] = name
    return Question(
        id_, texts[chosen], frozenset(gold), ids, row.get("answertype"), unanswerable=not gold
    )


def _answers(results: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, bool]]:
    """Each value of the results of SPARQL, and whether it is an IRI."""
    for result in results:
        if "boolean" in result:
            yield value_text(bool(result["boolean"])), False
        for binding in result.get("results", {}).get("bindings", ()):
            for value in binding.values():
                yield _written(text_of(value["value"]), value), value["type"] == "uri"


def _written(text: str, value: Mapping[str, Any]) -> str:
    """A number as an answer shows it; anything else as it is."""
    if value["type"] == "uri" or not text.lstrip("+-").isdecimal():
        return text
    is_year = str(value.get("datatype", "")).endswith("gYear")
    return text if is_year or len(text) > _DIGITS else value_text(int(text))


def _name(iri: str) -> str:
    """What an IRI calls its entity: *Arlen Quist* of ``http://e.org/Arlen_Quist``."""
    return unquote(iri.rstrip("/").rpartition("/")[2].rpartition("#")[2]).replace("_", " ")
