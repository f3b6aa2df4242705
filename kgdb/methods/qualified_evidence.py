"""Evidence with the properties of its relationships: since when, in which role, how much."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from kgdb.graph import Qualifiers
from kgdb.methods.context import QuestionContext
from kgdb.values import Answer, Entity, Path, Step, Triple, Verdict
from kgdb.wording import value_text

_SHOWN = 200
"""Facts of an answer whose properties are read."""

_Facts = Mapping[Triple, Sequence[Qualifiers]]
_R = TypeVar("_R", bound=Answer | Verdict)


async def with_qualifiers(ctx: QuestionContext, outcome: _R) -> _R:
    """The answer or verdict whose evidence also tells the properties of its relationships.

    Of a form the evidence has those that the question asked for; it stays as it is.
    """
    shown = outcome.evidence
    steps = {step.relation for path in shown for step in path.steps}
    if not steps or (isinstance(outcome, Answer) and outcome.form):
        return outcome
    qualifiers = await _qualifiers(ctx, steps)
    if not qualifiers or steps & qualifiers:
        return outcome
    triples = list(dict.fromkeys(triple for path in shown for triple in path.triples))[:_SHOWN]
    if not triples:
        return outcome
    with ctx.stage("qualify") as stage:
        found = await ctx.graph.qualifiers(triples)
        stage.record(facts=sum(map(bool, found)))
    facts = dict(zip(triples, found, strict=True))
    if isinstance(outcome, Answer):
        entities = []
        for each in outcome.entities:
            more = _paths(each.paths, facts)
            count = each.path_count + len(more)
            entities.append(replace(each, paths=(*each.paths, *more), path_count=count))
        more = _paths(outcome.facts, facts)
        return replace(outcome, entities=tuple(entities), facts=(*outcome.facts, *more))
    supporting, opposing = (
        (*paths, *_paths(paths, facts)) for paths in (outcome.supporting, outcome.opposing)
    )
    return replace(outcome, supporting=supporting, opposing=opposing)


async def _qualifiers(ctx: QuestionContext, relations: Collection[str]) -> set[str]:
    """The properties that the relationships of a loaded graph have; of an adopted one, of these
    relations, as the sample in its schema tells.
    """
    if not ctx.graph.info.adopted:
        return set(ctx.graph.info.qualifiers)
    ends = (await ctx.graph.schema()).relations
    shown = (ends[relation].properties for relation in relations if relation in ends)
    return {each.name for properties in shown for each in properties}


def _paths(paths: Sequence[Path], facts: _Facts) -> tuple[Path, ...]:
    """The facts of the paths that have properties, each with these behind it."""
    triples = dict.fromkeys(triple for path in paths for triple in path.triples)
    return tuple(
        _with_properties(triple, properties)
        for triple in triples
        for properties in facts.get(triple, ())
    )


def _with_properties(fact: Triple, properties: Qualifiers) -> Path:
    """All properties of one relationship together: which role belongs to which year is told."""
    values = ", ".join(value_text(value) for value in properties.values())
    return Path(
        (fact.head, fact.tail, Entity(values, values)),
        (Step(fact.relation), Step(", ".join(properties))),
    )
