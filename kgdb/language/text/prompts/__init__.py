"""Prompt templates: one text file each, per language of the question, filled by name."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Literal

Language = Literal["en", "zh"]

_CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")


def prompt(name: str, language: Language = "en", /, **values: str) -> str:
    """``prompts/<language>/<name>.txt`` with its ``{places}`` filled; braces in values stay."""
    return _template(language, name).format(**values)


def language_of(question: str) -> Language:
    """The language to talk to a model in: Chinese where the question has Chinese characters."""
    return "zh" if _CHINESE.search(question) else "en"


@cache
def _template(language: Language, name: str) -> str:
    path = files(__package__).joinpath(language, f"{name}.txt")
    return path.read_text(encoding="utf-8").rstrip("\n")
