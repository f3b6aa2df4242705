"""The part of a graph's schema that a question needs, chosen by the encoder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kgdb.graph.schema import PropertyInfo, RelationEnds, Schema
from kgdb.methods.context import QuestionContext
from kgdb.methods.understanding.words import spoken

_MOST_ENCODED = 1000
"""Labels, and properties of labels, that are compared with a question; the most frequent."""


@dataclass(frozen=True, slots=True)
class SchemaLimits:
    """The most labels, relations, and properties of each label that a prompt shows."""

    labels: int = 20
    relations: int = 40
    properties: int = 20


@dataclass(frozen=True, slots=True)
class RelevantSchema:
    """The most relevant labels, relations and properties, the best first.

    ``properties`` are by label; those that a loaded graph holds as relations are no relations here.
    ``left_out`` counts the labels and relations that the graph has beside these.
    """

    labels: tuple[str, ...]
    relations: tuple[RelationEnds, ...]
    properties: Mapping[str, tuple[PropertyInfo, ...]]
    left_out: int


async def relevant_schema(
    ctx: QuestionContext, named: Iterable[str], limits: SchemaLimits
) -> RelevantSchema:
    """Choose for the question; ``named`` are the labels of the entities that it names."""
    schema = await ctx.graph.schema()
    relations = [
        ends
        for name, ends in schema.relations.items()
        if not (name in schema.properties and schema.properties[name].relation)
    ]
    chosen = await _relations(ctx, relations, limits.relations)
    first = [label for label in dict.fromkeys(named) if label in schema.labels]
    labels = await _labels(ctx, schema, first, chosen, limits.labels)
    properties = await _properties(ctx, schema, labels, limits.properties)
    left_out = len(relations) - len(chosen) + len(schema.labels) - len(labels)
    return RelevantSchema(tuple(labels), tuple(chosen), properties, left_out)


async def _relations(
    ctx: QuestionContext, relations: Sequence[RelationEnds], most: int
) -> list[RelationEnds]:
    if len(relations) <= most:
        return sorted(relations, key=lambda ends: -ends.count)
    (question,) = await ctx.encoder.encode([ctx.question])
    steps, matrix = await ctx.encoder.relation_vectors()
    similarity: dict[str, float] = {}
    for step, score in zip(steps, matrix @ question, strict=True):
        similarity[step.relation] = max(float(score), similarity.get(step.relation, -1.0))
    ranked = sorted(relations, key=lambda ends: (-similarity.get(ends.relation, -1.0), -ends.count))
    return ranked[:most]


async def _labels(
    ctx: QuestionContext,
    schema: Schema,
    named: Sequence[str],
    relations: Sequence[RelationEnds],
    most: int,
) -> list[str]:
    by_size = sorted(schema.labels, key=lambda label: -schema.labels[label])
    if len(by_size) <= most:
        return by_size
    ranked = await _ranked(ctx, by_size)
    # Half of the places are for the words of the question, the others for what relations join.
    ends = [label for each in relations for label in (*each.heads, *each.tails)]
    labels = dict.fromkeys([*named, *ranked[: most // 2], *ends, *ranked])
    return [label for label in labels if label in schema.labels][:most]


async def _properties(
    ctx: QuestionContext, schema: Schema, labels: Sequence[str], most: int
) -> dict[str, tuple[PropertyInfo, ...]]:
    found: dict[str, tuple[PropertyInfo, ...]] = {}
    for label in labels:
        infos = {info.name: info for info in schema.of_label(label)}
        if len(infos) > most:
            ranked = await _ranked(ctx, list(infos))
            infos = {name: infos[name] for name in ranked[:most]}
        found[label] = tuple(infos.values())
    return found


async def _ranked(ctx: QuestionContext, names: Sequence[str]) -> list[str]:
    """The names by their similarity to the question."""
    names = names[:_MOST_ENCODED]
    vectors = await ctx.encoder.encode([ctx.question, *map(spoken, names)])
    order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")
    return [names[place] for place in order]
