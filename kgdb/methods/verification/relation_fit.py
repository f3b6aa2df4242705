"""How well relations fit a part of a claim, over several wordings of each relation.

One wording is seldom enough for an encoder: *the director of this is that* is hardly more similar
to *this was directed by that* than a sentence about its actors. The mean over a noun phrase in
either direction, a question and the relation's own name singles out the right relation.
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
    """The mean similarity of each pair (part of a claim, relation) over the relation's wordings.

    The order in which a part names its two spans does not matter.
    """
    distinct = list(dict.fromkeys(pairs))
    if not distinct:
        return {}
    wordings = {relation: _wordings(ctx, relation) for _, relation in distinct}
    flat = [text for texts in wordings.values() for text in texts]
    texts = list(dict.fromkeys([*(part for part, _ in distinct), *flat]))
    rows = dict(zip(texts, await ctx.encoder.encode(texts), strict=True))
    scores = {}
    for part, relation in distinct:
        cosines = [float(rows[part] @ rows[text]) for text in wordings[relation]]
        best = [max(pair) for pair in zip(cosines[::2], cosines[1::2], strict=True)]
        scores[part, relation] = sum(best) / len(best)
    return scores


async def clear_best_fit(
    ctx: QuestionContext, part: str, relations: Sequence[str], minimum: float, clear: float
) -> str | None:
    """The relation that fits a part by at least ``minimum``, and any other worse by ``clear``."""
    scores = await fits(ctx, [(part, relation) for relation in relations])
    ranked = sorted(((scores[part, relation], relation) for relation in relations), reverse=True)
    if not ranked or ranked[0][0] < minimum:
        return None
    if len(ranked) > 1 and ranked[1][0] > ranked[0][0] - clear:
        return None
    return ranked[0][1]


def _wordings(ctx: QuestionContext, relation: str) -> list[str]:
    """Each wording twice in a row: with either placeholder as the relation's start."""
    texts = ctx.graph.relations
    along, against = (Step(relation),), (Step(relation, reverse=True),)
    return [
        wording
        for pair in zip(
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
        for wording in pair
    ]
