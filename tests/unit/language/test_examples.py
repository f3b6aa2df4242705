"""Examples for prompts: which are shown for a graph, and what is no example."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import pytest
from fakes import BagOfWords, named

from kgdb.errors import UsageError
from kgdb.language.text import examples as package
from kgdb.language.text.examples import Example, examples
from kgdb.methods import QuestionContext, Resources

pytestmark = pytest.mark.unit

FILES = sorted(Path(next(iter(package.__path__))).glob("*/*.jsonl"))


def write(folder: Path, name: str, *lines: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines), encoding="utf-8")


def one(question: str) -> str:
    return json.dumps({"question": question, "reply": "x"})


def questions(
    task: str, graph: str, folder: Path, language: Literal["en", "zh"] = "en"
) -> list[str]:
    return [example.question for example in examples(task, graph, language, folder)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_ships_is_in_the_form_and_different(path: Path) -> None:
    task, _, graph = path.stem.partition(".")
    language: Literal["en", "zh"] = "zh" if path.parent.name == "zh" else "en"
    found = examples(task, graph or "any", language)
    assert len(set(found)) == len(found) > 1
    for example in found:
        assert all(entity in example.question for entity in example.entities)


def test_every_task_is_there_in_each_language() -> None:
    tasks = {
        language: {p.stem for p in FILES if p.parent.name == language and "." not in p.stem}
        for language in ("en", "zh")
    }
    assert tasks["en"] == tasks["zh"] == {"atomic", "decouple", "form", "got", "text2cypher"}


def test_a_reply_may_be_a_text_or_json(tmp_path: Path) -> None:
    write(
        tmp_path,
        "en/got.jsonl",
        '{"question": "谁?", "reply": {"a": ["名"]}, "entities": ["谁"]}',
        "",
        '{"question": "b", "reply": "CREATE (x {a: 1})\\n"}',
    )
    assert examples("got", "g", "en", tmp_path) == (
        Example("谁?", '{"a": ["名"]}', ("谁",)),
        Example("b", "CREATE (x {a: 1})\n"),
    )


def test_the_users_come_first_and_those_of_the_graph_before_the_general(tmp_path: Path) -> None:
    assert examples("got", "metaqa") != examples("got", "other") != ()
    write(tmp_path, "en/got.jsonl", one("general"))
    assert questions("got", "metaqa", tmp_path) == ["general"]
    write(tmp_path, "en/got.metaqa.jsonl", one("of the graph"))
    assert questions("got", "metaqa", tmp_path) == ["of the graph"]
    assert questions("got", "other", tmp_path) == ["general"]
    assert questions("got", "metaqa", tmp_path, "zh") == questions("got", "x", Path("-"), "zh")


def test_no_examples_are_fine(tmp_path: Path) -> None:
    assert examples("no-such-task", "demo", "en", tmp_path) == ()


@pytest.mark.parametrize("graph", ["../../secret", "a/b", "", "..", "A", "a\0b", "{x}"])
def test_the_name_of_a_graph_leads_nowhere_else(tmp_path: Path, graph: str) -> None:
    write(tmp_path, "secret.jsonl", one("secret"))
    write(tmp_path, "en/got.jsonl", one("general"))
    assert questions("got", graph, tmp_path) == ["general"]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "7",
        "[]",
        "{}",
        '{"question": "a"}',
        '{"reply": "a"}',
        '{"question": 7, "reply": "a"}',
        '{"question": "a", "reply": "b", "entities": [1]}',
        '{"question": "a", "reply": "b", "entities": 7}',
        '{"question": "a", "reply": "b", "more": "c"}',
    ],
)
def test_what_is_no_example_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    write(tmp_path, "en/got.jsonl", one("fine"), line)
    with pytest.raises(UsageError, match=r"got\.jsonl, line 2, is no example") as refusal:
        examples("got", "g", "en", tmp_path)
    assert "question" in (refusal.value.hint or "")


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "en/got.jsonl", "")
    (tmp_path / "en" / "got.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read"):
        examples("got", "g", "en", tmp_path)


def test_a_question_is_shown_those_of_its_language_and_graph(tmp_path: Path) -> None:
    write(tmp_path, "zh/got.test.jsonl", one("中文"))
    encoder = BagOfWords()
    tools = Resources(named("Heat"), encoder, None, examples=tmp_path)
    assert [e.question for e in QuestionContext(tools, "谁？").examples("got")] == ["中文"]
    assert QuestionContext(tools, "Who?").examples("got") == examples("got", "test")
