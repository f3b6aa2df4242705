"""Prompt templates: one text file each, filled by name."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def prompt(name: str, **values: str) -> str:
    """``prompts/<name>.txt`` with its ``{places}`` filled; braces in values stay as they are."""
    return _template(name).format(**values)


@cache
def _template(name: str) -> str:
    return files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")
