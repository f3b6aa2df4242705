"""Checks of a claim against the facts of a graph: the last step of every method that verifies.

A claim has *spans*: the entities and the values that it names. Each check is about a part of the
claim: two neighboring spans, or a single entity. A check holds if a fact or a short path between
the two spans expresses that part. A fact of the same relation with another end refutes it. A denied
part is true if its check fails. Without a language model the checks decide; a language model reads
the evidence in words and decides itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kgdb.graph import Link
from kgdb.methods.context import QuestionContext
from kgdb.methods.verification.claim_directions import ClaimDirections, excludes_opposite
from kgdb.methods.verification.claim_evidence import Evidence, neighbors_of, path_to
from kgdb.methods.verification.claims import Claim, Value
from kgdb.methods.verification.connecting_facts import (
    Part,
    connecting_facts,
    part_between,
    path_similarities,
)
from kgdb.methods.verification.named_relations import (
    facts_of_named_relation,
    is_word_of,
    relations_mentioned,
)
from kgdb.methods.verification.relation_fit import clear_best_fit, fits
from kgdb.values import Path, Step

_MAX_FACTS = 20
"""Facts for a part of a claim, and against it, that a check keeps."""

_MAX_RELATIONS = 10
"""Relations around two spans, the most similar to the claim, whose fit is computed."""

_MAX_FUNCTIONAL_FAN = 1.2
"""Mean ends per start up to which a relation counts as functional: one end for each start."""

Holds = Literal["yes", "no", "unknown"]

_OPPOSITE: Mapping[Holds, Holds] = {"yes": "no", "no": "yes", "unknown": "unknown"}


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When a check holds, as cosine similarities; tuned on claims of FactKG's train file.

    - A fact between two spans expresses a part of the claim if its similarity to that part is at
      least ``direct``, and no relation of the graph exceeds the fact's relation by more than
      ``gap``.
    - A longer path does if its similarity is at least ``through``. If it leads over something
      unnamed to a value, no other relation of that may exceed its first one by more than ``first``.
    - A fact does not if another relation around the two spans fits the part by at least ``plain``,
      and better than the fact's relation by more than ``clear`` (see
      :func:`~kgdb.methods.verification.relation_fit.fits`).
    - A claim about a single entity holds if a relation of it has a similarity of at least
      ``alone``, and no relation of the graph exceeds this one by more than ``margin``.
    - A fact with another end refutes a part if no relation of the graph exceeds its similarity by
      more than ``margin`` and it is at least ``conflict``, or if its relation alone fits the part
      by ``plain``, and better than any other by ``clear``.
    - It refutes a part that another fact expresses if it exceeds that fact by ``better``.
    - With ``closed_world`` a fact that the graph lacks is false.
    """

    direct: float = 0.1
    through: float = 0.3
    first: float = 0.1
    gap: float = 0.4
    plain: float = 0.65
    clear: float = 0.15
    alone: float = 0.3
    margin: float = 0.2
    conflict: float = 0.5
    better: float = 0.2
    closed_world: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """A part of a claim and whether the graph supports it; ``similarity`` is its best fact's."""

    part: str
    denied: bool
    holds: Holds
    similarity: float
    proof: tuple[Path, ...] = ()
    against: tuple[Path, ...] = ()

    @property
    def true(self) -> Holds:
        """Whether the claim is right about this part."""
        return _OPPOSITE[self.holds] if self.denied else self.holds

    @property
    def facts(self) -> tuple[Path, ...]:
        """The facts that decide the part."""
        return self.proof if self.holds == "yes" else self.against


Proof = tuple[float, Part, Path]
"""A path that connects two spans, with its similarity to their part of the claim."""


async def check(
    ctx: QuestionContext, claim: Claim, evidence: Evidence, thresholds: Thresholds
) -> list[Check]:
    """The checks of the claim ``ctx.question``, one for each distinct part.

    A fact must connect each span to any other span. If no fact does, the check is about the span
    and the one next to it.
    """
    facts = connecting_facts(claim, evidence)
    texts = [part.text for part, _ in facts]
    path_scores = await path_similarities(ctx, [(part.text, path) for part, path in facts])
    similarities = await relation_similarities(ctx, texts)
    directions = ClaimDirections.of(claim, evidence)
    reversed_facts = [
        (part, path)
        for part, path in facts
        if len(path.steps) == 1 and directions.agree(ctx, path) is False
    ]
    contradicted = {part for part, _ in reversed_facts}
    expressing = [
        (score, part, path)
        for (part, path), score in zip(facts, path_scores, strict=True)
        if _expresses(path, score, similarities[part.text], thresholds)
        and _is_said_best(path, similarities[part.text], evidence, thresholds)
        # Where the opposite fact is there, only a fact in the claim's own words counts.
        and directions.agree(ctx, path) in ((True,) if part in contradicted else (True, None))
    ]
    proofs = await _without_outscored(ctx, expressing, similarities, evidence, thresholds)
    proven = {step.relation for *_, path in proofs for step in path.steps}
    about = relations_mentioned(claim, evidence)
    checks: dict[str, Check] = {}
    for span in claim.spans:
        connecting = [proof for proof in proofs if span in proof[1].spans]
        if connecting:
            best, part, _ = max(connecting, key=lambda proof: proof[0])
            paths = [path for _, other, path in connecting if other == part]
            rivals = _rivals(ctx, claim, part, paths, similarities[part.text], evidence, thresholds)
            outcome = (
                Check(part.text, part.denied, "no", best, (), tuple(rivals[:_MAX_FACTS]))
                if rivals
                else Check(part.text, part.denied, "yes", best, tuple(paths[:_MAX_FACTS]))
            )
        elif is_word_of(span, proven):
            continue
        elif span in about:
            other, relation, proof = about[span]
            part = part_between(claim, other, relation)
            outcome = Check(part.text, part.denied, "yes", 1.0, tuple(proof[:_MAX_FACTS]))
        elif opposite := [(part, path) for part, path in reversed_facts if span in part.spans]:
            outcome = await _check_reversed(ctx, claim, span, opposite, evidence, thresholds)
        elif len(claim.links) == 1 and not claim.values:
            outcome = await _check_single_entity(ctx, claim, claim.links[0], evidence, thresholds)
        else:
            outcome = await _check_unconnected(ctx, claim, span, evidence, thresholds)
        checks.setdefault(outcome.part, outcome)
    return list(checks.values())


async def _check_single_entity(
    ctx: QuestionContext, claim: Claim, link: Link, evidence: Evidence, thresholds: Thresholds
) -> Check:
    """Checks a claim about one entity: that it has a fact of some relation."""
    text, denied = claim.text_around(link), claim.is_denied(link)
    near = neighbors_of(link, evidence)
    if proof := facts_of_named_relation(text, link, evidence):
        return Check(text, denied, "yes", 1.0, tuple(proof[:_MAX_FACTS]))
    similarities = (await relation_similarities(ctx, [text]))[text]
    ranked = sorted(near, key=lambda n: -similarities.get(n.step, -1.0))
    best = similarities.get(ranked[0].step, -1.0) if ranked else -1.0
    top = max(similarities.values(), default=0.0)
    if ranked and best >= max(thresholds.alone, top - thresholds.margin):
        proof = [path_to(link, n) for n in ranked if n.step == ranked[0].step]
        return Check(text, denied, "yes", best, tuple(proof[:_MAX_FACTS]))
    return Check(text, denied, "no" if thresholds.closed_world else "unknown", best)


async def _check_reversed(
    ctx: QuestionContext,
    claim: Claim,
    span: Link | Value,
    opposite: Sequence[tuple[Part, Path]],
    evidence: Evidence,
    thresholds: Thresholds,
) -> Check:
    """Checks a span with only opposite facts: they refute the part if both cannot be true."""
    part = opposite[0][0]
    paths = [path for other, path in opposite if other == part]
    exclude = any(excludes_opposite(ctx, path.steps[0].relation) for path in paths)
    if exclude or thresholds.closed_world:
        return Check(part.text, part.denied, "no", -1.0, (), tuple(paths[:_MAX_FACTS]))
    if len(claim.links) == 1 and not claim.values:
        return Check(part.text, part.denied, "unknown", -1.0)
    return await _check_unconnected(ctx, claim, span, evidence, thresholds)


async def _check_unconnected(
    ctx: QuestionContext,
    claim: Claim,
    span: Link | Value,
    evidence: Evidence,
    thresholds: Thresholds,
) -> Check:
    """Checks a span that no fact connects to another one.

    A fact with another end refutes the part if its relation is functional: a birthplace does, a
    team does not.
    """
    others = [other for other in claim.spans if other != span]
    if not others:
        text = claim.text_around(span)
        return Check(
            text, claim.is_denied(span), "no" if thresholds.closed_world else "unknown", -1.0
        )
    nearest = min(others, key=lambda other: (abs(other.start - span.start), other.start))
    part = part_between(claim, nearest, span)
    similarities = (await relation_similarities(ctx, [part.text]))[part.text]
    top = max(similarities.values(), default=0.0)
    # A single wording hardly separates *this was directed by that* from its inverse.
    likely = _most_similar({step.relation for step in similarities}, similarities)
    best_fit = await clear_best_fit(ctx, part.text, likely, thresholds.plain, thresholds.clear)
    against = [
        path_to(link, neighbor)
        for link in (nearest, span)
        if isinstance(link, Link)
        for neighbor in neighbors_of(link, evidence)
        if _is_functional(ctx, neighbor.step)
        and not claim.names(neighbor.entity)
        and (
            neighbor.step.relation == best_fit
            or similarities.get(neighbor.step, -1.0)
            >= max(thresholds.conflict, top - thresholds.margin)
        )
    ]
    holds: Holds = "no" if against or thresholds.closed_world else "unknown"
    return Check(part.text, part.denied, holds, top, (), tuple(against[:_MAX_FACTS]))


async def relation_similarities(
    ctx: QuestionContext, parts: Sequence[str]
) -> dict[str, dict[Step, float]]:
    """The similarity of each part of a claim to every relation of the graph, in both directions."""
    texts = list(dict.fromkeys(parts))
    if not texts:
        return {}
    steps, vectors = await ctx.encoder.relation_vectors()
    similarities = vectors @ (await ctx.encoder.encode(texts)).T
    return {
        text: dict(zip(steps, column, strict=True))
        for text, column in zip(texts, similarities.T.tolist(), strict=True)
    }


def _expresses(
    path: Path, score: float, similarities: Mapping[Step, float], thresholds: Thresholds
) -> bool:
    """Whether a path expresses a part of the claim.

    ``score`` is the similarity of the path to the part, ``similarities`` that of every relation.
    """
    if len(path.steps) > 1:
        return score >= thresholds.through
    if score < thresholds.direct:
        return False
    (step,) = path.steps
    return (
        _undirected(step, similarities) >= max(similarities.values(), default=-1.0) - thresholds.gap
    )


def _is_said_best(
    path: Path, similarities: Mapping[Step, float], evidence: Evidence, thresholds: Thresholds
) -> bool:
    """Whether a path over something unnamed begins with the relation that the claim names.

    *It was directed by Ada and is from 1989* is not shown by a film of 1989 in which Ada acted: the
    claim is more similar to another relation of that film.
    """
    if path.entities[-1].id not in evidence.values:
        return True
    others = [_undirected(step, similarities) for step in evidence.unnamed[path.entities[1].id]]
    return _undirected(path.steps[0], similarities) >= max(others, default=-1.0) - thresholds.first


async def _without_outscored(
    ctx: QuestionContext,
    proofs: Sequence[Proof],
    similarities: Mapping[str, Mapping[Step, float]],
    evidence: Evidence,
    thresholds: Thresholds,
) -> list[Proof]:
    """The proofs except facts whose part another relation around their ends fits clearly better.

    That someone acted in a film does not prove that she directed it.
    """
    facts = [(part, path.steps[0].relation) for _, part, path in proofs if len(path.steps) == 1]
    others = {
        part.text: _most_similar(_relations_around(part, evidence), similarities[part.text])
        for part, _ in facts
    }
    scores = await fits(
        ctx,
        [(part.text, relation) for part, own in facts for relation in (own, *others[part.text])],
    )

    def is_outscored(part: Part, path: Path) -> bool:
        if len(path.steps) > 1:
            return False
        best = max((scores[part.text, other] for other in others[part.text]), default=0.0)
        own = scores[part.text, path.steps[0].relation]
        return best >= thresholds.plain and own < best - thresholds.clear

    return [proof for proof in proofs if not is_outscored(proof[1], proof[2])]


def _relations_around(part: Part, evidence: Evidence) -> set[str]:
    """The relations around the mentions of a part."""
    links = [span for span in part.spans if isinstance(span, Link)]
    return {neighbor.step.relation for link in links for neighbor in neighbors_of(link, evidence)}


def _most_similar(relations: Collection[str], similarities: Mapping[Step, float]) -> list[str]:
    """The relations most similar to a part, whose fit is computed."""
    ranked = sorted(relations, key=lambda name: (-_undirected(Step(name), similarities), name))
    return ranked[:_MAX_RELATIONS]


def _rivals(
    ctx: QuestionContext,
    claim: Claim,
    part: Part,
    proof: Sequence[Path],
    similarities: Mapping[Step, float],
    evidence: Evidence,
    thresholds: Thresholds,
) -> list[Path]:
    """Facts with another end that express the part much better than its proofs do.

    That someone acted in a film does not prove that she directed it if somebody else did.
    """
    if any(len(path.steps) > 1 for path in proof):
        return []
    own = max(_undirected(path.steps[0], similarities) for path in proof)
    return [
        path_to(link, neighbor)
        for link in part.spans
        if isinstance(link, Link)
        for neighbor in neighbors_of(link, evidence)
        if similarities.get(neighbor.step, -1.0)
        >= max(thresholds.conflict, own + thresholds.better)
        and _is_functional(ctx, neighbor.step)
        and not claim.names(neighbor.entity)
    ]


def _undirected(step: Step, similarities: Mapping[Step, float]) -> float:
    """The similarity of a step's relation in its better direction."""
    return max(similarities.get(step, -1.0), similarities.get(step.back, -1.0))


def _is_functional(ctx: QuestionContext, step: Step) -> bool:
    """Whether a step is known to lead to one end from nearly every start."""
    info = ctx.graph.relations.get(step.relation)
    if info is None:
        return False
    fan = info.fan_in if step.reverse else info.fan_out
    return fan is not None and fan <= _MAX_FUNCTIONAL_FAN
