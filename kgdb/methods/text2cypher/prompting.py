"""The prompt: the relevant part of the schema, what the question names, and examples."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.language.text.lines import one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.context import MOST_LABELS, MOST_RELATIONS, QuestionContext
from kgdb.methods.text2cypher.schema_text import (
    Samples,
    SchemaText,
    literal,
    named_line,
    sampled,
    spelt,
)
from kgdb.methods.text2cypher.text2cypher_options import Options
from kgdb.methods.understanding.anchors import find_anchors
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.named import Named, named_in
from kgdb.methods.understanding.question import Anchor
from kgdb.methods.understanding.relevant_schema import SchemaLimits, relevant_schema
from kgdb.wording import counted

_MAX_QUESTION = 10_000
_MAX_SCRIPT = 1_500
"""Characters of a question, and of a refused query, in a prompt."""

_MAX_NAMED = 30
"""Lines of what the question names."""


async def query_prompt(ctx: QuestionContext, options: Options) -> tuple[str, dict[str, list[str]]]:
    """The prompt that asks for a query, and what the trace keeps of it."""
    schema = await ctx.graph.schema()
    mentioned = await _named(ctx)
    limits = SchemaLimits(options.max_labels, options.max_relations, options.max_properties)
    relevant = await relevant_schema(ctx, mentioned.labels, limits)
    samples = await sampled(ctx, relevant)
    named = _named_lines(ctx, mentioned, samples)
    writer = SchemaText(ctx.graph.info, schema, samples)
    relations = await ctx.graph.all_relations()
    lines = writer.labels(relevant)
    for ends in relevant.relations:
        info = relations.get(ends.relation)
        lines.append(writer.relation(ends, info.text if info else None))
    language = language_of(ctx.question)
    examples = [
        prompt("written_example", language, question=each.question, reply=each.reply)
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


async def _named(ctx: QuestionContext) -> Named:
    schema = await ctx.graph.schema()
    anchors: Sequence[Anchor] = ()
    if len(schema.relations) <= MOST_RELATIONS and len(schema.labels) <= MOST_LABELS:
        # Elsewhere values of so many properties are not searched, nor labels of what is named.
        anchors = await find_anchors(ctx, schema, cues())
    return await named_in(ctx, anchors)


def _named_lines(ctx: QuestionContext, named: Named, samples: Samples) -> list[str]:
    """How a query finds what the question names, a line each."""
    lines = [named_line(ctx.graph.info, entity, labels) for entity, labels in named.entities]
    lines += [_value_line(ctx, each, samples) for each in named.values]
    return list(dict.fromkeys(lines))[:_MAX_NAMED]


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
