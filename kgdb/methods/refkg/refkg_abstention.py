"""Why RefKG has no answer to a question."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.methods.answering.abstention import unnamed
from kgdb.methods.chains.candidate_chains import CandidateChain
from kgdb.methods.context import QuestionContext
from kgdb.methods.refkg.refinement import Retrieval
from kgdb.wording import short


def reason_for_none(
    ctx: QuestionContext, found: Retrieval, similar: Sequence[CandidateChain]
) -> str:
    """The reason for a person; ``similar`` are the chains that were followed, best first."""
    mentions = ", ".join(dict.fromkeys(short(link.mention) for link in found.links))
    if not found.links:
        return unnamed(ctx)
    if not similar:
        return f"no relation around {mentions} fits the question."
    if not found.evidence:
        return (
            "the graph contains no fact for any interpretation of the question, "
            f"such as {short(similar[0].interpretation(ctx))}."
        )
    return f"the facts around {mentions} are not relevant to the question."
