"""How well relations say what a part of a claim says, each put in several ways.

One wording is seldom enough for an encoder: *the director of this is that* is hardly nearer to
*this was directed by that* than what is said of its actors. Over a noun phrase each way, a question
and the relation's own name, the relation that is meant stands out.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.language import relation_words, verbalize, verbalize_question
from kgdb.methods.context import QuestionContext
from kgdb.methods.verification.claims import FIRST, SECOND
from kgdb.values import Step


async def fits(
    ctx: QuestionContext, pairs: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], float]:
    """For each part of a claim and relation the mean similarity over the ways to put it.

    Which of the two things a part names first does not matter.
    """
    asked = list(dict.fromkeys(pairs))
    if not asked:
        return {}
    wordings = {relation: _wordings(ctx, relation) for _, relation in asked}
    flat = [text for texts in wordings.values() for text in texts]
    texts = list(dict.fromkeys([*(part for part, _ in asked), *flat]))
    rows = dict(zip(texts, await ctx.encoder.encode(texts), strict=True))
    found = {}
    for part, relation in asked:
        cosines = [float(rows[part] @ rows[text]) for text in wordings[relation]]
        ways = [max(pair) for pair in zip(cosines[::2], cosines[1::2], strict=True)]
        found[part, relation] = sum(ways) / len(ways)
    return found


async def plainly(
    ctx: QuestionContext, part: str, relations: Sequence[str], least: float, clear: float
) -> str | None:
    """The one relation that fits a part by ``least``, and better than any other by ``clear``."""
    told = await fits(ctx, [(part, relation) for relation in relations])
    ranked = sorted(((told[part, relation], relation) for relation in relations), reverse=True)
    if not ranked or ranked[0][0] < least:
        return None
    if len(ranked) > 1 and ranked[1][0] > ranked[0][0] - clear:
        return None
    return ranked[0][1]


def _wordings(ctx: QuestionContext, relation: str) -> list[str]:
    """Each way with either thing at the relation's start."""
    texts = ctx.graph.relations
    along, against = (Step(relation),), (Step(relation, reverse=True),)
    return [
        wording
        for ways in zip(
            *(
                (
                    f"{verbalize(along, start, texts)} is {end}",
                    f"{end} is {verbalize(against, start, texts)}",
                    verbalize_question(along, start, texts),
                    f"{start} {relation_words(relation)} {end}",
                )
                for start, end in ((FIRST, SECOND), (SECOND, FIRST))
            ),
            strict=True,
        )
        for wording in ways
    ]
