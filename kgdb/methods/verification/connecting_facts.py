"""The facts and paths that connect what a claim names, with their similarity to its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgdb.graph import Link
from kgdb.language import verbalize
from kgdb.methods.context import QuestionContext
from kgdb.methods.verification.claim_evidence import Evidence, neighbors_of, path_to
from kgdb.methods.verification.claims import FIRST, SECOND, Claim, Value
from kgdb.values import Entity, Path, Step


@dataclass(frozen=True, slots=True)
class Part:
    """Two connected spans of a claim (or an entity it names unlinked) and the text around them."""

    spans: tuple[Link | Value, Link | Value | Entity]
    text: str
    denied: bool


def connecting_facts(claim: Claim, evidence: Evidence) -> list[tuple[Part, Path]]:
    """Every fact and path between two spans of the claim, with their part of it."""
    facts: list[tuple[Part, Path]] = []
    links = {entity.id: link for link in claim.links for entity in link.entities}
    spans: dict[str, Link | Value] = {**evidence.values, **links}
    for path in evidence.paths:
        first, last = spans[path.entities[0].id], spans[path.entities[-1].id]
        if first != last:
            facts.append((part_between(claim, first, last), path))
    for link in claim.links:
        for neighbor in neighbors_of(link, evidence):
            facts += [
                (part_between(claim, link, value), path_to(link, neighbor))
                for value in claim.values
                if value.matches(neighbor.entity.name)
            ]
            if neighbor.entity.id in links:
                continue
            mention = claim.mention_named(neighbor.entity)
            if mention and mention != link:
                facts.append((part_between(claim, link, mention), path_to(link, neighbor)))
            elif not mention and claim.contains_name(neighbor.entity):
                part = Part((link, neighbor.entity), claim.text_around(link), claim.is_denied(link))
                facts.append((part, path_to(link, neighbor)))
    return facts


def part_between(claim: Claim, first: Link | Value, second: Link | Value) -> Part:
    """The part of the claim about two spans."""
    return Part((first, second), claim.text_around(first, second), claim.is_denied(first, second))


async def path_similarities(ctx: QuestionContext, pairs: Sequence[tuple[str, Path]]) -> list[float]:
    """The similarity of each path to its part of the claim, with placeholders for the names."""
    if not pairs:
        return []
    texts = [(text, _wording(ctx, path, flip)) for text, path in pairs for flip in (False, True)]
    distinct = list(dict.fromkeys(text for pair in texts for text in pair))
    rows = dict(zip(distinct, await ctx.encoder.encode(distinct), strict=True))
    cosines = [float(rows[part] @ rows[wording]) for part, wording in texts]
    return [max(pair) for pair in zip(cosines[::2], cosines[1::2], strict=True)]


def _wording(ctx: QuestionContext, path: Path, flip: bool) -> str:
    """A path in words with placeholders for its ends; ``flip`` if the claim names its end first."""
    first, last = (SECOND, FIRST) if flip else (FIRST, SECOND)
    texts = ctx.graph.relations
    if len(path.steps) == 1 and path.steps[0].reverse:
        return f"{verbalize([Step(path.steps[0].relation)], last, texts)} is {first}"
    return f"{verbalize(path.steps, first, texts)} is {last}"
