"""The page: what was asked, what became of it, the evidence, the stages and the cost.

Everything that comes from a graph or a model is escaped; beyond that, the page itself tells the
browser to load nothing and to run no script.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from kgdb._version import __version__
from kgdb.drawing import FILLS, LINES, MAX_FACTS, Drawing, draw, sides_of
from kgdb.optional_packages import optional
from kgdb.presentation import Comparison, amount, percent
from kgdb.values import Answer, Verdict
from kgdb.web.thought_drawing import ThoughtShown, shown_thought
from kgdb.wording import counted, each_line, value_text

LISTED = 200
"""Paths and answers that a list has."""


@dataclass(frozen=True, slots=True)
class _Section:
    """One result with its drawing, as the template takes it."""

    result: Answer | Verdict
    question: str
    is_answer: bool
    drawing: Drawing | None
    what: str
    thought: ThoughtShown | None


def require() -> None:
    """Raises :class:`kgdb.errors.UsageError` where the package to make pages is missing."""
    optional("jinja2", "html")


def render(results: Sequence[Answer | Verdict], comparison: Comparison | None = None) -> str:
    """The page for one result or several, as HTML."""
    sections = [_section(result) for result in results]
    questions = list(dict.fromkeys(section.question for section in sections))
    text: str = _template().render(
        title=questions[0] if len(questions) == 1 else counted(len(questions), "question"),
        sections=sections,
        comparison=comparison,
        colours={**LINES, **FILLS},
        drawn_nodes=2 * MAX_FACTS,
        listed=LISTED,
        version=__version__,
    )
    return text


@cache
def _template() -> Any:
    jinja2 = optional("jinja2", "html")
    environment = jinja2.Environment(
        autoescape=True,
        loader=jinja2.PackageLoader("kgdb.web"),
        undefined=jinja2.StrictUndefined,
        finalize=_legible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["amount"] = amount
    environment.filters["counted"] = counted
    environment.filters["percent"] = percent
    environment.filters["value_text"] = value_text
    return environment.get_template("page.html")


def _legible(value: object) -> object:
    """What is written of a value: no text of a graph or a model steers the page or its reader."""
    # What the template itself has made is finished.
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return each_line(value)
    return value


def _section(result: Answer | Verdict) -> _Section:
    if isinstance(result, Answer):
        question, sides, what = result.question, {}, "the paths that prove the answers"
        answers = {answered.entity for answered in result.entities}
    else:
        question, answers, what = result.claim, set(), "the facts for and against the claim"
        sides = sides_of(result)
    drawing = draw(result.evidence, answers, sides)
    if not result.evidence:
        drawing, what = draw(result.retrieved, answers), "what was found, though it proves nothing"
    thought = shown_thought(result.trace)
    return _Section(result, question, isinstance(result, Answer), drawing, what, thought)
