"""The facts around a claim that are worth reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from kgdb.graph import Link
from kgdb.language import verbalize
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.chains.candidate_chains import plain
from kgdb.methods.chains.decoupling import PLACEHOLDER
from kgdb.methods.chains.relation_choice import MAX_SHOWN, bullets, choose_phrases
from kgdb.methods.context import QuestionContext
from kgdb.methods.verification.checks import Check, meanings_of
from kgdb.methods.verification.claim_evidence import Evidence, around, path_to
from kgdb.methods.verification.claims import Claim
from kgdb.values import Path, Step

_SHOWN_OF_RELATION = 3


async def relevant_facts(
    ctx: QuestionContext,
    links: Sequence[Link],
    evidence: Evidence,
    checks: Sequence[Check],
    width: int,
    *,
    navigate: bool = False,
) -> tuple[Path, ...]:
    """The evidence that is worth reading, best first.

    Proofs, then paths between what is named, then of each named thing the facts of the ``width``
    relations most similar to what is said of it. With ``navigate`` the language model chooses so
    many of all (RefKG, section 3.2): one call.
    """
    claim = Claim.of(ctx.question, links)
    parts = [claim.about(link) for link in claim.links]
    meanings = await meanings_of(ctx, parts)
    candidate_relations = {
        link: sorted(
            {near.step for near in around(link, evidence)},
            key=lambda step: (-meanings[part].get(step, -1), step),
        )
        for link, part in zip(claim.links, parts, strict=True)
    }
    chosen = await _chosen(ctx, candidate_relations, width) if navigate else None
    facts: list[Path] = []
    for link, menu in candidate_relations.items():
        near = around(link, evidence)
        for step in [s for s in menu if s in chosen] if chosen else menu[:width]:
            facts += [path_to(link, n) for n in near if n.step == step][:_SHOWN_OF_RELATION]
    of_checks = [path for one in checks for path in (*one.proof, *one.against)]
    return tuple(dict.fromkeys([*of_checks, *evidence.paths, *facts]))


async def _chosen(
    ctx: QuestionContext, candidate_relations: Mapping[Link, Sequence[Step]], width: int
) -> set[Step]:
    """The steps that the language model chooses from all menus; none where it chooses none."""
    texts = ctx.graph.relations
    in_turn = [
        step for steps in zip_longest(*candidate_relations.values()) for step in steps if step
    ]
    phrases = {step: verbalize((step,), PLACEHOLDER, texts) for step in in_turn}
    menu = list(dict.fromkeys(phrases.values()))[:MAX_SHOWN]
    if len(menu) <= width:
        return set()
    asked = prompt(
        "refkg_claim_relations",
        language_of(ctx.question),
        question=plain(ctx.question),
        menu=bullets(menu),
        number=str(width),
    )
    chosen = await choose_phrases(ctx, asked, menu, width)
    return {step for step, phrase in phrases.items() if phrase in chosen}
