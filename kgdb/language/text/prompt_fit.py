"""Keeping a prompt within what the model can read, by leaving out the least valuable evidence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TypeVar

from kgdb.errors import ModelError
from kgdb.language.language_model import LanguageModel
from kgdb.wording import counted, short

_T = TypeVar("_T")

SPARE = 64
"""Tokens for what a chat template puts around a prompt."""

# Of byte-level BPE, as most models have it. There a character outside ASCII has no more tokens than
# bytes, and a digit or a sign is mostly one by itself. Letters are the only ones that share tokens
# for sure, and those that make up no syllable, as in m.0bqc_xk or Krk, do not.
_AT_MOST_ONE_TOKEN = re.compile(
    # Three letters with a vowel, or one, each with the space before it; else any byte.
    rb" ?(?:(?=[a-z]{0,2}[aeiou])[a-z]{1,3}|[A-Za-z])|.",
    re.DOTALL,
)


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


def tokens_at_most(text: str) -> int:
    """An upper estimate, where the tokenizer is not at hand.

    Of plain English prose it is mostly less than twice the tokens.
    """
    # Some tokenizers begin each text with a token of their own.
    return len(_AT_MOST_ONE_TOKEN.findall(text.encode())) + 1
