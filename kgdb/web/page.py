"""The page: what was asked, what became of it, the evidence, the stages and the cost.

Everything that comes from a graph or a model is escaped; beyond that, the page itself tells the
browser to load nothing and to run no script but its own, which it names by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from kgdb._version import __version__
from kgdb.optional_packages import optional
from kgdb.presentation import Comparison, amount, percent
from kgdb.values import Answer, Path, Triple, Verdict
from kgdb.web.path_drawing import EXTRA, Drawing, draw, scripts
from kgdb.web.thought_drawing import ThoughtShown, shown_thought
from kgdb.wording import counted, each_line, value_text

DRAWN = 60
"""Facts that are drawn: more could not be read."""

LISTED = 200
"""Paths and answers that a list has."""

_START = (
    'document.querySelectorAll("script[data-graph]").forEach((data) => '
    "Bokeh.embed.embed_item(JSON.parse(data.textContent), data.dataset.graph));"
)


@dataclass(frozen=True, slots=True)
class _Section:
    """One result with its drawing, as the template takes it."""

    result: Answer | Verdict
    question: str
    is_answer: bool
    drawing: Drawing | None
    undrawn: int
    what: str
    thought: ThoughtShown | None


def require() -> None:
    """Raises :class:`kgdb.errors.UsageError` where the packages to make pages are missing."""
    for module in ("jinja2", "bokeh"):
        optional(module, EXTRA)


def render(results: Sequence[Answer | Verdict], comparison: Comparison | None = None) -> str:
    """The page for one result or several, as HTML."""
    sections = [_section(result) for result in results]
    code = [*scripts(), _START] if any(s.drawing or s.thought for s in sections) else []
    questions = list(dict.fromkeys(section.question for section in sections))
    text: str = _template().render(
        title=questions[0] if len(questions) == 1 else counted(len(questions), "question"),
        sections=sections,
        comparison=comparison,
        code=code,
        hashes=" ".join(f"'{_hash(script)}'" for script in code) or "'none'",
        listed=LISTED,
        version=__version__,
    )
    return text


@cache
def _template() -> Any:
    jinja2 = optional("jinja2", EXTRA)
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


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _section(result: Answer | Verdict) -> _Section:
    if isinstance(result, Answer):
        question, sides = result.question, {}
        proofs, what = result.evidence, "the paths that prove the answers"
        answers = {answered.entity for answered in result.entities}
    else:
        question, answers = result.claim, set()
        proofs, what = (*result.supporting, *result.opposing), "the facts for and against the claim"
        sides = _sides(result)
    if not proofs:
        proofs, what = result.retrieved, "what was found, though it proves nothing"
    drawn = _first(proofs, DRAWN)
    asked = {path.entities[0] for path in drawn} - answers
    return _Section(
        result,
        question,
        isinstance(result, Answer),
        draw(drawn, asked, answers, sides) if drawn else None,
        len(_facts(proofs)) - len(_facts(drawn)),
        what,
        shown_thought(result.trace),
    )


def _sides(verdict: Verdict) -> dict[Triple, str]:
    against = dict.fromkeys(_facts(verdict.opposing), "against")
    return against | dict.fromkeys(_facts(verdict.supporting), "for")


def _first(paths: Iterable[Path], most: int) -> list[Path]:
    """As many whole paths, from the first on, as have at most that many facts."""
    kept: list[Path] = []
    facts: set[Triple] = set()
    for path in paths:
        if path.steps and len(facts | set(path.triples)) <= most:
            facts |= set(path.triples)
            kept.append(path)
    return kept


def _facts(paths: Iterable[Path]) -> set[Triple]:
    return {fact for path in paths for fact in path.triples}
