"""What GoT-R says to a model, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgdb.language.examples import examples
from kgdb.language.prompts import Language, prompt

pytestmark = pytest.mark.unit

GOLDEN = Path(__file__).parent.parent / "data" / "prompts"
QUESTIONS: dict[Language, str] = {"en": "who made {this}?", "zh": "谁拍了{这个}？"}
LANGUAGES: tuple[Language, ...] = ("en", "zh")


def golden(name: str, language: Language) -> str:
    return (GOLDEN / f"{name}.{language}.txt").read_text(encoding="utf-8").rstrip("\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prompt_for_decomposition(language: Language) -> None:
    written = prompt("gotr_decompose", language, question=QUESTIONS[language])
    assert written == golden("gotr_decompose", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prompt_for_a_thought_with_its_examples(language: Language) -> None:
    written = prompt(
        "gotr_thought",
        language,
        relations="directed_by: the director of X\nwritten_by: the writer of X",
        examples="\n\n".join(
            prompt("gotr_example", language, question=one.question, reply=one.reply)
            for one in examples("got", "any", language)
        ),
        question=QUESTIONS[language],
    )
    assert written == golden("gotr_thought", language)


def test_the_prompt_for_a_repair() -> None:
    assert prompt("gotr_repair", "en", script="CREATE", error="line 1", question="who?") == (
        "This Cypher was refused:\n```cypher\nCREATE\n```\nThe error: line 1\n\n"
        "It has to be CREATE statements alone that draw a small knowledge graph for the question, "
        "with the values in quotes. Write it again without the error.\n\n"
        "Question: who?\n```cypher"
    )
    assert prompt("gotr_repair", "zh", script="CREATE", error="line 1", question="谁？") == (
        "下面的 Cypher 没有被接受：\n```cypher\nCREATE\n```\n错误：line 1\n\n"
        "只能用 CREATE 语句为问题画出一个小型知识图，属性值写在引号里。请改正错误，重新写一遍。\n\n"
        "问题：谁？\n```cypher"
    )
