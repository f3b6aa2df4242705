"""How many tokens a text has, where the tokenizer is not at hand: more rather than fewer.

It is meant for byte-level BPE, as most models have it. There a character outside ASCII has no more
tokens than bytes, and a digit or a sign is mostly one by itself. Letters are the only ones that
share tokens for sure, and those that make up no syllable, as in ``m.0bqc_xk`` or ``Krk``, do not.
"""

from __future__ import annotations

import re

_AT_MOST_ONE_TOKEN = re.compile(
    # Three letters with a vowel, or one, each with the space before it; else any byte.
    rb" ?(?:(?=[a-z]{0,2}[aeiou])[a-z]{1,3}|[A-Za-z])|.",
    re.DOTALL,
)


def tokens_at_most(text: str) -> int:
    """An upper estimate; of plain English prose it is mostly less than twice the tokens."""
    # Some tokenizers begin each text with a token of their own.
    return len(_AT_MOST_ONE_TOKEN.findall(text.encode())) + 1
