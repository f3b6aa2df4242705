"""The prompt: the relevant part of the schema, what the question names, and examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgdb.graph.forms.operators import Find
from kgdb.language.text.lines import one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.context import QuestionContext
from kgdb.methods.text2cypher.options import Options
from kgdb.methods.text2cypher.relevant_schema import relevant_schema
from kgdb.methods.text2cypher.schema_text import (
    Samples,
    SchemaText,
    literal,
    named_line,
    sampled,
    spelt,
)
from kgdb.methods.understanding.anchors import find_anchors
from kgdb.methods.understanding.answering import MOST_LABELS, MOST_RELATIONS
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.question import Anchor
from kgdb.values import Entity
from kgdb.wording import counted

_MAX_QUESTION = 10_000
_MAX_SCRIPT = 1_500
"""Characters of a question, and of a refused query, in a prompt."""

_MAX_NAMED, _SAME_NAME = 30, 5
"""Lines of what the question names, and entities of one name that are told apart."""


async def query_prompt(ctx: QuestionContext, options: Options) -> tuple[str, dict[str, list[str]]]:
    """The prompt that asks for a query, and what the trace keeps of it."""
    schema = await ctx.graph.schema()
    mentioned = await _named(ctx)
    relevant = await relevant_schema(ctx, mentioned.labels, options)
    samples = await sampled(ctx, relevant)
    named = mentioned.lines(ctx, samples)
    writer = SchemaText(ctx.graph.info, schema, samples)
    relations = await ctx.graph.all_relations()
    lines = writer.labels(relevant)
    for ends in relevant.relations:
        info = relations.get(ends.relation)
        lines.append(writer.relation(ends, info.text if info else None))
    language = language_of(ctx.question)
    examples = [
        prompt("text2cypher_example", language, question=each.question, reply=each.reply)
        for each in ctx.examples("text2cypher")[: options.shots]
    ]

    def written(lines: Sequence[str], examples: Sequence[str]) -> str:
        return prompt(
            "text2cypher_query",
            language,
            schema="\n".join(lines) or "-",
            named="\n".join(named) or "-",
            examples="\n\n".join(examples) or "-",
            question=one_line(ctx.question, _MAX_QUESTION),
        )

    tokens = options.reply_tokens
    shots = ctx.llm.fit(examples, lambda some: written(lines[:1], some), tokens, "examples", 0)
    count = ctx.llm.fit(
        lines, lambda some: written(some, examples[:shots]), tokens, "lines of the schema"
    )
    if relevant.left_out:
        left_out = counted(relevant.left_out, "label or relation", "labels or relations")
        ctx.note(f"The prompt leaves out {left_out} of the graph.")
    trace = {
        "labels": list(relevant.labels),
        "relations": [ends.relation for ends in relevant.relations],
        "named": named,
    }
    return written(lines[:count], examples[:shots]), trace


def repair_prompt(ctx: QuestionContext, asked: str, script: str, error: str) -> str:
    """The prompt that asks for the query again, with the error of the database."""
    return prompt(
        "text2cypher_repair",
        language_of(ctx.question),
        asked=asked,
        script=script.strip()[:_MAX_SCRIPT],
        error=one_line(error),
    )


@dataclass(frozen=True, slots=True)
class _Named:
    """What a question names: entities with their labels, and values of properties."""

    entities: tuple[tuple[Entity, tuple[str, ...]], ...]
    values: tuple[Anchor, ...] = ()

    @property
    def labels(self) -> list[str]:
        """The labels of all of them."""
        of_values = (label for each in self.values for label in sorted(each.labels))
        return [*(label for _, labels in self.entities for label in labels), *of_values]

    def lines(self, ctx: QuestionContext, samples: Samples) -> list[str]:
        """How a query finds each, a line each."""
        info = ctx.graph.info
        lines = [named_line(info, entity, labels) for entity, labels in self.entities]
        lines += [_value_line(ctx, each, samples) for each in self.values]
        return list(dict.fromkeys(lines))[:_MAX_NAMED]


async def _named(ctx: QuestionContext) -> _Named:
    schema = await ctx.graph.schema()
    links = await ctx.graph.mentions(ctx.question)
    entities: list[tuple[Entity, tuple[str, ...]]] = []
    values: list[Anchor] = []
    anchors: Sequence[Anchor] = ()
    if len(schema.relations) <= MOST_RELATIONS and len(schema.labels) <= MOST_LABELS:
        # Elsewhere values of so many properties are not searched, nor labels of what is named.
        anchors = await find_anchors(ctx, schema, cues())
    for each in (reading for anchor in anchors for reading in anchor.readings):
        if isinstance(each.form, Find):
            ids, labels = each.form.ids or (), tuple(sorted(each.labels))
            entities += [(Entity(id_, each.form.name), labels) for id_ in ids[:_SAME_NAME]]
        elif each.key is not None:
            values.append(each)
    for link in links:
        if all(link.end <= anchor.start or anchor.end <= link.start for anchor in anchors):
            entities += [(entity, ()) for entity in link.entities[:_SAME_NAME]]
    return _Named(tuple(entities), tuple(values))


def _value_line(ctx: QuestionContext, anchor: Anchor, samples: Samples) -> str:
    """Where a value that the question names stands."""
    key = anchor.key or ""
    owner = anchor.relation or next(iter(sorted(anchor.labels)), "")
    value, label = literal(anchor.value), f":{spelt(owner)}" if owner else ""
    held = ctx.resources.graph.schema.properties.get(key)
    if anchor.relation is None and held is not None and held.relation:
        name = ctx.graph.info.name_properties.get(ctx.graph.info.label, "name")
        return f"({label})-[:{spelt(key)}]->({{{spelt(name)}: {value}}})"
    element = f"()-[e{label}]->()" if anchor.relation else f"(e{label})"
    if any(isinstance(each, list) for each in samples.get((owner, key), ())):
        return f"{element} WHERE {value} IN e.{spelt(key)}"
    return f"{element} WHERE e.{spelt(key)} = {value}"
