"""The facts around a claim that its reader should see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from kgdb.graph import Link
from kgdb.language import verbalize
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.chains.candidate_chains import PLACEHOLDER, plain
from kgdb.methods.chains.relation_choice import MAX_PHRASES, bullets, choose_phrases
from kgdb.methods.context import QuestionContext
from kgdb.methods.verification.checks import Check, relation_similarities
from kgdb.methods.verification.claim_evidence import Evidence, neighbors_of, path_to
from kgdb.methods.verification.claims import Claim
from kgdb.values import Path, Step

_FACTS_PER_RELATION = 3


async def relevant_facts(
    ctx: QuestionContext,
    claim: Claim,
    evidence: Evidence,
    checks: Sequence[Check],
    width: int,
    *,
    navigate: bool = False,
) -> tuple[Path, ...]:
    """The evidence to read, best first.

    The proofs and rivals of the checks come first, then the paths between the entities, then for
    each entity the facts of the ``width`` relations most similar to its part of the claim. With
    ``navigate`` the language model chooses ``width`` relations among all of them (RefKG, §3.2):
    one call.
    """
    parts = [claim.text_around(link) for link in claim.links]
    meanings = await relation_similarities(ctx, parts)
    candidate_relations = {
        link: sorted(
            {neighbor.step for neighbor in neighbors_of(link, evidence)},
            key=lambda step: (-meanings[part].get(step, -1), step),
        )
        for link, part in zip(claim.links, parts, strict=True)
    }
    chosen = await _choose_steps(ctx, candidate_relations, width) if navigate else None
    facts: list[Path] = []
    for link, steps in candidate_relations.items():
        near = neighbors_of(link, evidence)
        for step in [s for s in steps if s in chosen] if chosen else steps[:width]:
            facts += [path_to(link, n) for n in near if n.step == step][:_FACTS_PER_RELATION]
    checked = [path for check in checks for path in (*check.proof, *check.against)]
    return tuple(dict.fromkeys([*checked, *evidence.paths, *facts]))


async def _choose_steps(
    ctx: QuestionContext, candidate_relations: Mapping[Link, Sequence[Step]], width: int
) -> set[Step]:
    """The steps that the language model chooses, which may be none."""
    texts = ctx.graph.relations
    interleaved = [
        step for steps in zip_longest(*candidate_relations.values()) for step in steps if step
    ]
    phrases = {step: verbalize((step,), PLACEHOLDER, texts) for step in interleaved}
    candidates = list(dict.fromkeys(phrases.values()))[:MAX_PHRASES]
    if len(candidates) <= width:
        return set()
    prompt_text = prompt(
        "refkg_claim_relations",
        language_of(ctx.question),
        question=plain(ctx.question),
        menu=bullets(candidates),
        number=str(width),
    )
    chosen = await choose_phrases(ctx, prompt_text, candidates, width)
    return {step for step, phrase in phrases.items() if phrase in chosen}
