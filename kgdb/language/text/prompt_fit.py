"""Keeping a prompt within what the model can read, by leaving out the least valuable evidence."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TypeVar

from kgdb.errors import ModelError
from kgdb.language.base import LanguageModel
from kgdb.wording import counted, short

_T = TypeVar("_T")

SPARE = 64
"""Tokens for what a chat template puts around a prompt."""


def fit(
    llm: LanguageModel,
    evidence: Sequence[_T],
    written: Callable[[Sequence[_T]], str],
    max_tokens: int,
    least: int = 1,
) -> int:
    """How many pieces of ``evidence`` (best first) the prompt can hold beside a reply.

    ``written`` makes the prompt of those that stay. Raises :class:`ModelError` where not even
    ``least``, 0 or 1, fit.
    """

    def needed(kept: int) -> int:
        (prompt,) = llm.count([written(evidence[:kept])])
        return prompt + max_tokens + SPARE

    if not evidence or needed(len(evidence)) <= llm.context:
        return len(evidence)
    kept = bisect_right(range(1, len(evidence)), llm.context, key=needed)
    if kept < least:
        raise ModelError(
            f"The model {short(llm.name)} reads {counted(llm.context, 'token')}; the question and "
            f"one fact need {needed(1):,}.",
            hint="Ask a shorter question, or use a model with a larger context.",
        )
    return kept
