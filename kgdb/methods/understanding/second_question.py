"""Two questions in one, such as *who directed Heat, and when was it released?*.

A form or chain answers one of them, and nobody would know that the other is missing.
"""

from __future__ import annotations

import re

_ASKING = r"who|whom|whose|what|when|where|why|how|which"
_FIRST = re.compile(rf"\W*(?:(?:and|so|please|tell me)\W+)*({_ASKING})\b", re.IGNORECASE)
_SECOND = re.compile(r"\band\s+(?:also\s+)?((?:who|what|when|where|why|how)\b.*)", re.IGNORECASE)

_CHINESE_CLAUSE = re.compile(r"[，,；;。？?]|以及|还有|并且")
_CHINESE_ASKING = re.compile(r"什么时候|何时|哪里|哪儿|为什么|多少|谁|什么")


def second_question(question: str) -> str | None:
    """The other question that a question holds, if it holds one with another question word.

    *Which people who acted in Heat and who wrote …* holds one question: its second *who* is said
    before.
    """
    first = _FIRST.match(question)
    second = _SECOND.search(question, first.end()) if first else None
    if second:
        word = second[1].split()[0].casefold()
        before = question[: second.start()].casefold()
        if not re.search(rf"\b{word}\b", before):
            return second[1].rstrip(" ?.!")
    asked = [
        (clause, words)
        for clause in _CHINESE_CLAUSE.split(question)
        if (words := _CHINESE_ASKING.findall(clause))
    ]
    for clause, words in asked[1:]:
        if words != asked[0][1]:
            return clause.strip()
    return None
