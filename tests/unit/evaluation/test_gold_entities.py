"""A method gets the text of a question: no gold entity leaks into it, unless it is asked for."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from evaluated import RUN, Canned

from kgdb.evaluation import Asking, Selection, measure, read_dataset
from kgdb.lab.texts import ALL_SETS

pytestmark = pytest.mark.unit

TEXT = "Where does she live? It hurts."
HIDDEN = "Leia Organa"
"""The gold entity, which is not in the text."""

LINES: Mapping[str, tuple[str, dict[str, Any]]] = {
    "webqsp": (
        "webqsp/dev",
        {"QuestionId": "1", "RawQuestion": TEXT, "answer": ["A"], "topic_entity": {"m.1": HIDDEN}},
    ),
    "cwq": (
        "cwq/dev",
        {"ID": "1", "question": TEXT, "compositionality_type": "conjunction", "answer": "A",
         "topic_entity": {"m.1": HIDDEN}},
    ),
    "webquestions": (
        "webquestions/train",
        {"url": "http://www.freebase.com/view/en/leia_organa", "utterance": TEXT,
         "targetValue": "(list (description A))"},
    ),
    "simplequestions": (
        "simplequestions/train",
        {"id": "1", "question": TEXT, "subject": "1", "relation": "r", "object": "2",
         "subject_name": HIDDEN},
    ),
    "genmedgpt": (
        "genmedgpt-5k/dev",
        {"question": TEXT, "question_entities": [HIDDEN], "answer": "A", "answer_entities": ["A"]},
    ),
    "cmcqa": ("cmcqa/dev", {"question": TEXT, "question_kg": HIDDEN, "answer": "A"}),
}  # fmt: skip


class Listening(Canned):
    """A method that remembers what it is asked."""

    @property
    def texts(self) -> list[str]:
        return [text for asked in self.asked for text in asked]


def asked_of(folder: Path, name: str, *, gold_entities: bool) -> tuple[list[str], str]:
    """The texts that the method got, and the rows that were kept."""
    method, rows = Listening(), folder / f"rows-{gold_entities}.jsonl"
    (asked,) = read_dataset(name, folder, Selection(hops=(1,)), ALL_SETS).values()
    measure(Asking(method, rows, RUN, gold_entities=gold_entities), asked)
    return method.texts, rows.read_text(encoding="utf-8")


def put(folder: Path, name: str, content: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content.encode()))


def own(folder: Path) -> str:
    line = {"question": TEXT, "answers": ["A"], "entities": [HIDDEN]}
    path = folder / "mine.jsonl"
    path.write_text(json.dumps(line), encoding="utf-8")
    return str(path)


def shipped(name: str) -> Callable[[Path], str]:
    def write(folder: Path) -> str:
        file, line = LINES[name]
        put(folder, f"{file}.jsonl.gz", json.dumps(line))
        return name

    return write


@pytest.mark.parametrize("write", [own, *map(shipped, LINES)], ids=["own", *LINES])
def test_a_gold_entity_that_is_not_in_the_text_is_not_known(
    tmp_path: Path, write: Callable[[Path], str]
) -> None:
    name = write(tmp_path)
    texts, rows = asked_of(tmp_path, name, gold_entities=False)
    assert texts == [TEXT]
    assert HIDDEN not in rows
    given, kept = asked_of(tmp_path, name, gold_entities=True)
    assert given == [f"{TEXT} [{HIDDEN}]"]
    assert HIDDEN in kept


def test_the_brackets_of_metaqa_are_gone(tmp_path: Path) -> None:
    put(tmp_path, "metaqa/1-hop/vanilla/qa_dev.txt.gz", "who directed [Heat]\tMann\n")
    assert asked_of(tmp_path, "metaqa", gold_entities=False)[0] == ["who directed Heat"]
    assert asked_of(tmp_path, "metaqa", gold_entities=True)[0] == ["who directed [Heat]"]


def test_every_set_that_names_entities_is_tried_here() -> None:
    # FactKG's claims come without any.
    assert {*LINES, "metaqa", "factkg"} == set(ALL_SETS)
