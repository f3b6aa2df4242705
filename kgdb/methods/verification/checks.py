"""Judging claims by the facts of a graph: the last step of every method that verifies.

A claim is taken apart into *checks*: each two things it names side by side, each value, and, where
it names one thing alone, what it says of that. A check holds where a fact between the two (or a
short path) means what the claim says there; facts of the same relation with another end speak
against it. A part that is denied holds where the other does not. Without a language model these
checks decide; with one, it reads the evidence in words and chooses.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kgdb.graph import Link
from kgdb.language import verbalize
from kgdb.methods.context import QuestionContext
from kgdb.methods.verification.claim_evidence import Evidence, around, path_to
from kgdb.methods.verification.claims import FIRST, SECOND, Claim, Value
from kgdb.methods.verification.relation_fit import fits, plainly
from kgdb.values import Entity, Path, Step

_HELD = 20
"""Facts of one side that a verdict shows."""

_LOOKED_AT = 10
"""Relations around two things, the most similar to a claim, that are compared with it closely."""

_FUNCTIONAL = 1.2
"""Ends per start, on average over a graph, up to which a relation is taken to have one."""

Holds = Literal["yes", "no", "unknown"]

_OPPOSITE: Mapping[Holds, Holds] = {"yes": "no", "no": "yes", "unknown": "unknown"}


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When a check holds, on the encoder's scale; found on claims of FactKG's train file.

    A fact between two named things means what the claim says where its similarity to that part of
    the claim is at least ``direct``, and no relation of the graph is more similar than the fact's
    by over ``gap``; a longer path, where its similarity is at least ``through``. Nor does a fact
    mean it where another relation around the two plainly does: one that, put in several ways, fits
    the claim by at least ``plain``, and better than the fact's by over ``clear``. What a claim says
    of one thing alone is a relation of it that is similar by at least ``alone``, where no relation
    of the graph is more similar by over
    ``margin``. Facts with another end speak against a claim where their relation is as similar as
    that, and at least ``conflict``, or plainly says what is claimed while no other relation of the
    graph does, by ``clear``; against a claim that a fact proves, where it is more similar than this
    fact's by ``better``. With ``closed_world`` the graph is taken to hold every fact:
    what it does not say is false.
    """

    direct: float = 0.1
    through: float = 0.3
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
    """A part of a claim, and what the graph says of it; ``similarity`` is that of its best fact."""

    part: str
    denied: bool
    holds: Holds
    similarity: float
    proof: tuple[Path, ...] = ()
    against: tuple[Path, ...] = ()

    @property
    def true(self) -> Holds:
        """Whether the claim is right about it."""
        return _OPPOSITE[self.holds] if self.denied else self.holds


async def check(
    ctx: QuestionContext, links: Sequence[Link], evidence: Evidence, rule: Thresholds
) -> list[Check]:
    """Every part of the claim ``ctx.question``, checked.

    A thing that is named must be tied by a fact to any other that is named; what no fact ties is
    checked beside what is named next to it.
    """
    claim = Claim.of(ctx.question, links)
    facts = _facts(claim, evidence)
    similar = await _similarities(ctx, [(part.text, path) for part, path in facts])
    meanings = await meanings_of(ctx, [part.text for part, _ in facts])
    meant = [
        (similarity, part, path)
        for (part, path), similarity in zip(facts, similar, strict=True)
        if _is_meant(path, similarity, meanings[part.text], rule)
    ]
    tying = await _not_otherwise(ctx, meant, meanings, evidence, rule)
    checks: dict[str, Check] = {}
    for span in claim.things:
        tied = [one for one in tying if span in one[1].spans]
        if tied:
            best, part, _ = max(tied, key=lambda one: one[0])
            proof = [path for _, other, path in tied if other == part]
            rivals = _rivals(ctx, part, proof, meanings[part.text], evidence, rule)
            found = (
                Check(part.text, part.denied, "no", best, (), tuple(rivals[:_HELD]))
                if rivals
                else Check(part.text, part.denied, "yes", best, tuple(proof[:_HELD]))
            )
        elif len(claim.links) == 1 and not claim.values:
            found = await _alone(ctx, claim, claim.links[0], evidence, rule)
        else:
            found = await _untied(ctx, claim, span, evidence, rule)
        checks.setdefault(found.part, found)
    return list(checks.values())


@dataclass(frozen=True, slots=True)
class _Part:
    """Two things that a claim names, and what it says around them."""

    spans: tuple[Link | Value, Link | Value | Entity]
    text: str
    denied: bool


_Tie = tuple[float, _Part, Path]
"""A fact that ties two things, with its similarity to what is claimed of them."""


def _facts(claim: Claim, evidence: Evidence) -> list[tuple[_Part, Path]]:
    """Every fact and path between two things that the claim names."""
    found: list[tuple[_Part, Path]] = []
    at = {entity.id: link for link in claim.links for entity in link.entities}
    for path in evidence.paths:
        one, other = at[path.entities[0].id], at[path.entities[-1].id]
        if one != other:
            found.append((_part(claim, one, other), path))
    for link in claim.links:
        for neighbor in around(link, evidence):
            found += [
                (_part(claim, link, value), path_to(link, neighbor))
                for value in claim.values
                if value.is_(neighbor.entity.name)
            ]
            if neighbor.entity.id in at:
                continue
            named = claim.named(neighbor.entity)
            if named and named != link:
                found.append((_part(claim, link, named), path_to(link, neighbor)))
            elif not named and claim.says(neighbor.entity):
                part = _Part((link, neighbor.entity), claim.about(link), claim.denies(link))
                found.append((part, path_to(link, neighbor)))
    return found


def _part(claim: Claim, one: Link | Value, other: Link | Value) -> _Part:
    return _Part((one, other), claim.about(one, other), claim.denies(one, other))


async def _alone(
    ctx: QuestionContext, claim: Claim, link: Link, evidence: Evidence, rule: Thresholds
) -> Check:
    """What the claim says of the one thing it names: that it has something of a kind."""
    text, denied = claim.about(link), claim.denies(link)
    similar = (await meanings_of(ctx, [text]))[text]
    ranked = sorted(around(link, evidence), key=lambda n: -similar.get(n.step, -1.0))
    best = similar.get(ranked[0].step, -1.0) if ranked else -1.0
    top = max(similar.values(), default=0.0)
    if ranked and best >= max(rule.alone, top - rule.margin):
        proof = [path_to(link, n) for n in ranked if n.step == ranked[0].step]
        return Check(text, denied, "yes", best, tuple(proof[:_HELD]))
    return Check(text, denied, "no" if rule.closed_world else "unknown", best)


async def _untied(
    ctx: QuestionContext, claim: Claim, span: Link | Value, evidence: Evidence, rule: Thresholds
) -> Check:
    """A thing that no fact ties to another: a fact of the claimed kind may say another one.

    Only where the relation has one end as a rule (the birthplace, not the team).
    """
    others = [other for other in claim.things if other != span]
    if not others:
        text = claim.about(span)
        return Check(text, claim.denies(span), "no" if rule.closed_world else "unknown", -1.0)
    beside = min(others, key=lambda other: (abs(other.start - span.start), other.start))
    part = _part(claim, beside, span)
    similar = (await meanings_of(ctx, [part.text]))[part.text]
    top = max(similar.values(), default=0.0)
    # One wording hardly tells *this was directed by that* from the same the other way round.
    likely = _most_similar({step.relation for step in similar}, similar)
    said = await plainly(ctx, part.text, likely, rule.plain, rule.clear)
    against = [
        path_to(link, neighbor)
        for link in (beside, span)
        if isinstance(link, Link)
        for neighbor in around(link, evidence)
        if _is_functional(ctx, neighbor.step)
        and (
            neighbor.step.relation == said
            or similar.get(neighbor.step, -1.0) >= max(rule.conflict, top - rule.margin)
        )
    ]
    holds: Holds = "no" if against or rule.closed_world else "unknown"
    return Check(part.text, part.denied, holds, top, (), tuple(against[:_HELD]))


async def meanings_of(ctx: QuestionContext, parts: Sequence[str]) -> dict[str, dict[Step, float]]:
    """How similar each part of a claim is to every relation of the graph, along and against it."""
    texts = list(dict.fromkeys(parts))
    if not texts:
        return {}
    steps, vectors = await ctx.encoder.relation_vectors()
    similar = vectors @ (await ctx.encoder.encode(texts)).T
    return {
        text: dict(zip(steps, column, strict=True))
        for text, column in zip(texts, similar.T.tolist(), strict=True)
    }


def _is_meant(
    path: Path, similarity: float, similar: Mapping[Step, float], rule: Thresholds
) -> bool:
    """Whether a path says what the claim says; ``similar``: the relations of the graph to that."""
    if len(path.steps) > 1:
        return similarity >= rule.through
    if similarity < rule.direct:
        return False
    (step,) = path.steps
    return _either_way(step, similar) >= max(similar.values(), default=-1.0) - rule.gap


async def _not_otherwise(
    ctx: QuestionContext,
    meant: Sequence[_Tie],
    meanings: Mapping[str, Mapping[Step, float]],
    evidence: Evidence,
    rule: Thresholds,
) -> list[_Tie]:
    """Without the facts of which another relation around their ends plainly says what is claimed.

    That someone acted in a film does not prove that she directed it.
    """
    others = {
        part.text: _most_similar(_menu(part, evidence), meanings[part.text])
        for _, part, path in meant
        if len(path.steps) == 1
    }
    told = await fits(
        ctx,
        [
            (part.text, relation)
            for _, part, path in meant
            if len(path.steps) == 1
            for relation in (path.steps[0].relation, *others[part.text])
        ],
    )

    def said_otherwise(part: _Part, path: Path) -> bool:
        if len(path.steps) > 1:
            return False
        best = max((told[part.text, other] for other in others[part.text]), default=0.0)
        own = told[part.text, path.steps[0].relation]
        return best >= rule.plain and own < best - rule.clear

    return [one for one in meant if not said_otherwise(one[1], one[2])]


def _menu(part: _Part, evidence: Evidence) -> set[str]:
    """The relations around the things of a part."""
    links = [span for span in part.spans if isinstance(span, Link)]
    return {neighbor.step.relation for link in links for neighbor in around(link, evidence)}


def _most_similar(relations: Collection[str], similar: Mapping[Step, float]) -> list[str]:
    """Those that are worth a closer look."""
    ranked = sorted(relations, key=lambda name: (-_either_way(Step(name), similar), name))
    return ranked[:_LOOKED_AT]


def _rivals(
    ctx: QuestionContext,
    part: _Part,
    proof: Sequence[Path],
    similar: Mapping[Step, float],
    evidence: Evidence,
    rule: Thresholds,
) -> list[Path]:
    """Facts with another end that say much better what the claim says than its proofs do.

    That someone acted in a film does not prove that she directed it if somebody else did.
    """
    if any(len(path.steps) > 1 for path in proof):
        return []
    own = max(_either_way(path.steps[0], similar) for path in proof)
    return [
        path_to(link, neighbor)
        for link in part.spans
        if isinstance(link, Link)
        for neighbor in around(link, evidence)
        if similar.get(neighbor.step, -1.0) >= max(rule.conflict, own + rule.better)
        and _is_functional(ctx, neighbor.step)
    ]


def _either_way(step: Step, similar: Mapping[Step, float]) -> float:
    return max(similar.get(step, -1.0), similar.get(step.back, -1.0))


def _is_functional(ctx: QuestionContext, step: Step) -> bool:
    """Whether a step has one end as a rule; where the graph does not tell, it has not."""
    info = ctx.graph.relations.get(step.relation)
    if info is None:
        return False
    fan = info.fan_in if step.reverse else info.fan_out
    return fan is not None and fan <= _FUNCTIONAL


async def _similarities(ctx: QuestionContext, pairs: Sequence[tuple[str, Path]]) -> list[float]:
    """How well each path says what a part of the claim says, whatever it is about."""
    if not pairs:
        return []
    texts = [(text, _wording(ctx, path, flip)) for text, path in pairs for flip in (False, True)]
    each = list(dict.fromkeys(text for pair in texts for text in pair))
    rows = dict(zip(each, await ctx.encoder.encode(each), strict=True))
    cosines = [float(rows[part] @ rows[wording]) for part, wording in texts]
    return [max(pair) for pair in zip(cosines[::2], cosines[1::2], strict=True)]


def _wording(ctx: QuestionContext, path: Path, flip: bool) -> str:
    """A path in words, with placeholders for its ends; ``flip``: the claim names its end first."""
    first, last = (SECOND, FIRST) if flip else (FIRST, SECOND)
    texts = ctx.graph.relations
    if len(path.steps) == 1 and path.steps[0].reverse:
        return f"{verbalize([Step(path.steps[0].relation)], last, texts)} is {first}"
    return f"{verbalize(path.steps, first, texts)} is {last}"
