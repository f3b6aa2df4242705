"""Keeping a prompt within what the model can read, by leaving out the least valuable evidence."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from kgdb.errors import ModelError
from kgdb.language.base import LanguageModel

SPARE = 64
"""Tokens for what a chat template puts around a prompt."""


def fit(
    llm: LanguageModel,
    lines: Sequence[str],
    written: Callable[[Sequence[str]], str],
    max_tokens: int,
) -> int:
    """How many of ``lines`` (most valuable first) the prompt can hold beside a reply.

    ``written`` makes the prompt of the lines that stay. Raises :class:`ModelError` where not even
    one line fits.
    """

    def needed(kept: int) -> int:
        (prompt,) = llm.count([written(lines[:kept])])
        return prompt + max_tokens + SPARE

    if not lines or needed(len(lines)) <= llm.context:
        return len(lines)
    kept = bisect_right(range(1, len(lines)), llm.context, key=needed)
    if kept == 0:
        raise ModelError(
            f"The model {llm.name!r} reads {llm.context:,} tokens; the question and one fact need "
            f"{needed(1):,}.",
            hint="Ask a shorter question, or use a model with a larger context.",
        )
    return kept
