"""Question files of QALD."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kgdb.errors import UsageError
from kgdb.evaluation import Question, Selection, read_dataset

pytestmark = pytest.mark.unit


def texts(**by_language: str) -> list[dict[str, str]]:
    return [{"language": key, "string": text} for key, text in by_language.items()]


def bindings(*values: dict[str, str]) -> list[dict[str, Any]]:
    return [{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": value} for value in values]}}]


ROWS = [
    {
        "id": 7,
        "question": texts(de="Wer schrieb Der Kai?", en="Who wrote The Quay?"),
        "answers": bindings({"type": "uri", "value": "http://e.org/Nell_Br%C3%BCck"}),
    },
    {"question": texts(en="Is Bo Lind older?"), "answers": [{"head": {}, "boolean": False}]},
    {
        "id": "n",
        "question": texts(fr="Combien ?"),
        "answers": bindings({"type": "typed-literal", "value": "1250"}),
    },
    {"id": "none", "question": texts(en="Who is it?"), "answers": bindings()},
]


def read(path: Path, questions: Any, language: str | None = None) -> dict[str, Question]:
    path.write_text(json.dumps({"questions": questions}, indent=1), encoding="utf-8")
    (found,) = read_dataset(str(path), Path(), Selection(language=language)).values()
    assert all(isinstance(each, Question) for each in found)
    return {each.id: each for each in found if isinstance(each, Question)}


def test_answers_are_names_ids_numbers_and_yes_or_no(tmp_path: Path) -> None:
    found = read(tmp_path / "qald.json", ROWS)
    assert {id_: (each.text, set(each.gold)) for id_, each in found.items()} == {
        "7": ("Who wrote The Quay?", {"Nell Brück"}),
        "2": ("Is Bo Lind older?", {"no"}),
        "n": ("Combien ?", {"1,250"}),
        "none": ("Who is it?", set()),
    }
    assert found["7"].ids == {"http://e.org/Nell_Br%C3%BCck": "Nell Brück"}
    assert [each.unanswerable for each in found.values()] == [False, False, False, True]


def test_a_language_chooses_the_text_and_the_questions(tmp_path: Path) -> None:
    found = read(tmp_path / "qald.json", ROWS, "de")
    assert [each.text for each in found.values()] == ["Wer schrieb Der Kai?"]
    with pytest.raises(UsageError, match="no question in the language 'it'") as refused:
        read(tmp_path / "qald.json", ROWS, "it")
    assert "de, en, fr" in (refused.value.hint or "")


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ([{"question": "Who?", "answers": []}], "question 1, is not one of QALD"),
        ([ROWS[0], {"question": texts(en="Who?")}], "question 2, is not one of QALD: 'answers'"),
        (7, "not a file in QALD's JSON"),
    ],
)
def test_what_is_no_such_file_is_told(tmp_path: Path, questions: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read(tmp_path / "qald.json", questions)
