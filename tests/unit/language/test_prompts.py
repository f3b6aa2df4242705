"""Prompt templates."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import kgdb
from kgdb.language.text import prompts
from kgdb.language.text.prompts import prompt

pytestmark = pytest.mark.unit

FILES = sorted(Path(next(iter(prompts.__path__))).glob("*/*.txt"))


@pytest.mark.parametrize("value", ["{question}", "{}", "{0}", "{x!r}", "}{", "100%", "a\nb"])
def test_a_value_goes_in_as_it_is(value: str) -> None:
    assert f"Question: {value}\n" in prompt("weigh", question=value)


def test_a_place_cannot_be_left_unfilled() -> None:
    with pytest.raises(KeyError, match="question"):
        prompt("weigh")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_template_ends_in_a_word(path: Path) -> None:
    """A model goes on after it; a trailing space would change what is likely."""
    text = path.read_text(encoding="utf-8").rstrip("\n")
    assert text == text.strip()


@pytest.mark.slow
def test_every_template_is_used_and_every_use_has_a_template() -> None:
    used = {
        node.args[0].value
        for path in Path(next(iter(kgdb.__path__))).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "prompt"
        and isinstance(node.args[0], ast.Constant)
    }
    assert used == {path.stem for path in FILES}


def test_every_template_is_there_in_each_language() -> None:
    names = {
        language: {p.stem for p in FILES if p.parent.name == language} for language in ("en", "zh")
    }
    assert names["en"] == names["zh"]


@pytest.mark.parametrize(("question", "language"), [("Who?", "en"), ("谁 directed Heat?", "zh")])
def test_a_question_with_chinese_characters_is_asked_in_chinese(
    question: str, language: str
) -> None:
    assert prompts.language_of(question) == language
