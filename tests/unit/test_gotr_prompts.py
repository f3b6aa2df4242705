"""What GoT-R says to a model, word for word."""

from __future__ import annotations

from pathlib import Path

import pytest

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
        examples=prompt("gotr_examples", language),
        question=QUESTIONS[language],
    )
    assert written == golden("gotr_thought", language)
