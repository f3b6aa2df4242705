"""Keeping a prompt within what the model can read, by leaving out the least valuable evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kgdb.errors import ModelError
from kgdb.language.base import LanguageModel

_SPARE = 64
"""Tokens for what a chat template puts around a prompt, and where texts meet."""


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
    if not lines:
        return 0
    empty, *counts = llm.count([written(()), *(f"{line}\n" for line in lines)])
    room = llm.context - max_tokens - _SPARE - empty
    kept = 0
    for count in counts:
        room -= count
        if room < 0:
            break
        kept += 1
    if kept == 0:
        raise ModelError(
            f"The model {llm.name!r} reads {llm.context:,} tokens; the question and one fact need "
            f"{empty + counts[0] + max_tokens + _SPARE:,}.",
            hint="Ask a shorter question, or use a model with a larger context.",
        )
    return kept
