"""The prompt: the relevant part of the schema, what the question names, and examples."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.graph.forms.operators import Filter, Find
from kgdb.language.text.lines import one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.context import QuestionContext
from kgdb.methods.text2cypher.options import Options
from kgdb.methods.text2cypher.relevant_schema import relevant_schema
from kgdb.methods.text2cypher.schema_text import SchemaText, literal, named_line, sampled, spelt
from kgdb.methods.understanding.anchors import find_anchors
from kgdb.methods.understanding.answering import MOST_LABELS, MOST_RELATIONS
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.question import Anchor
from kgdb.values import Entity

_MAX_QUESTION = 10_000
_MAX_SCRIPT = 1_500
"""Characters of a question, and of a refused query, in a prompt."""

_MAX_NAMED, _SAME_NAME = 30, 5
"""Lines of what the question names, and entities of one name that are told apart."""


async def query_prompt(ctx: QuestionContext, options: Options) -> tuple[str, dict[str, list[str]]]:
    """The prompt that asks for a query, and what the trace keeps of it."""
    schema = await ctx.graph.schema()
    named, labels = await _named(ctx)
    relevant = await relevant_schema(ctx, labels, options)
    writer = SchemaText(ctx.graph.info, schema, await sampled(ctx, relevant))
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
        ctx.note(f"The prompt leaves out {relevant.left_out:,} labels and relations of the graph.")
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


async def _named(ctx: QuestionContext) -> tuple[list[str], list[str]]:
    """How a query finds what the question names, a line each, and the labels of these."""
    schema, info = await ctx.graph.schema(), ctx.graph.info
    lines: list[str] = []
    labels: list[str] = []
    if len(schema.relations) > MOST_RELATIONS or len(schema.labels) > MOST_LABELS:
        # Values of so many properties are not searched, nor the labels of what has a name.
        for link in await ctx.graph.mentions(ctx.question):
            lines += [named_line(info, entity, ()) for entity in link.entities[:_SAME_NAME]]
    else:
        anchors = await find_anchors(ctx, schema, cues())
        for each in (reading for anchor in anchors for reading in anchor.readings):
            labels += sorted(each.labels)
            lines += _anchor_lines(ctx, each)
    return list(dict.fromkeys(lines))[:_MAX_NAMED], labels


def _anchor_lines(ctx: QuestionContext, anchor: Anchor) -> list[str]:
    info = ctx.graph.info
    labels = sorted(anchor.labels)
    match anchor.form:
        case Find(name, ids):
            entities = [Entity(id_, name) for id_ in (ids or ())[:_SAME_NAME]]
            return [named_line(info, entity, labels) for entity in entities]
        case Filter():
            return [_value_line(ctx, labels, anchor)]
    return [_value_line(ctx, labels, anchor)] if anchor.relation else []


def _value_line(ctx: QuestionContext, labels: Sequence[str], anchor: Anchor) -> str:
    """Where a value that the question names stands."""
    key, value = spelt(anchor.key or ""), literal(anchor.value)
    if anchor.relation:
        return f"-[r:{spelt(anchor.relation)}]-> whose r.{key} is or has {value}"
    held = ctx.resources.graph.schema.properties.get(anchor.key or "")
    label = f":{spelt(labels[0])}" if labels else ""
    if held is not None and held.relation:
        name = ctx.graph.info.name_properties.get(ctx.graph.info.label, "name")
        return f"({label})-[:{key}]->({{{spelt(name)}: {value}}})"
    return f"(e{label}) whose e.{key} is or has {value}"
