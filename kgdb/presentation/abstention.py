"""A question without an answer, as one sentence."""

from __future__ import annotations

from kgdb.values import Answer
from kgdb.wording import one_line


def without_answer(answer: Answer) -> str:
    """The sentence in the place of an answer: the reason why there is none."""
    return f"I don't know, because {one_line(answer.reason or 'no reason is given.')}"
