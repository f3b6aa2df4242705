"""The prompt that asks a language model for a form, and the JSON schema of its reply."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kgdb.graph.forms import form_schema
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.graph.schema import PropertyInfo, RelationEnds, Schema
from kgdb.language.text.lines import one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.context import QuestionContext
from kgdb.methods.understanding.named import Named
from kgdb.methods.understanding.relevant_schema import (
    RelevantSchema,
    SchemaLimits,
    relevant_schema,
)
from kgdb.wording import counted

UNKNOWN = "Unknown"
"""The operator of a reply by which the model says that the graph does not have the answer."""

REPLY_TOKENS = 1000

_HIDDEN = ("ids", "anew")
"""Fields of operators that only programs know how to fill."""

_MAX_QUESTION = 10_000
_MAX_FORM = 1_500
"""Characters of a question, and of a refused form, in a prompt."""

_MAX_NAMED = 30
_LONGEST_NAME = 200
_MOST_PAIRS = 4
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class FormPrompt:
    """What a model is asked, with the JSON schema of its reply and what the trace keeps."""

    text: str
    schema: dict[str, Any]
    trace: dict[str, list[str]]


async def form_prompt(ctx: QuestionContext, named: Named) -> FormPrompt:
    """The prompt with the part of the schema that the question needs."""
    schema = await ctx.graph.schema()
    relevant = await relevant_schema(ctx, named.labels, SchemaLimits())
    relations = await ctx.graph.all_relations()
    lines = list(_schema_lines(schema, relevant, relations))
    mentioned = list(dict.fromkeys(_named_lines(named)))[:_MAX_NAMED]
    language = language_of(ctx.question)
    examples = [
        prompt("written_example", language, question=each.question, reply=each.reply)
        for each in ctx.examples("form")
    ]

    def written(lines: Sequence[str], examples: Sequence[str]) -> str:
        return prompt(
            "form_query",
            language,
            schema="\n".join(lines) or "-",
            named="\n".join(mentioned) or "-",
            examples="\n\n".join(examples) or "-",
            question=one_line(ctx.question, _MAX_QUESTION),
        )

    shots = ctx.llm.fit(
        examples, lambda some: written(lines[:1], some), REPLY_TOKENS, "examples", 0
    )
    count = ctx.llm.fit(
        lines,
        lambda some: written(some, examples[:shots]),
        REPLY_TOKENS,
        "lines of the schema",
    )
    trace = {
        "labels": list(relevant.labels),
        "relations": [ends.relation for ends in relevant.relations],
        "named": mentioned,
    }
    return FormPrompt(
        written(lines[:count], examples[:shots]), _reply_schema(schema, relevant), trace
    )


def repair_prompt(ctx: QuestionContext, asked: str, refused: str, error: str) -> str:
    """The prompt that asks for the form again, with the error of the last one."""
    return prompt(
        "form_repair",
        language_of(ctx.question),
        asked=asked,
        form=one_line(refused, _MAX_FORM) or "-",
        error=one_line(error),
    )


def _reply_schema(schema: Schema, relevant: RelevantSchema) -> dict[str, Any]:
    """The JSON schema of forms over the part that the prompt shows, or of *unknown*."""
    properties = {p.name: p for some in relevant.properties.values() for p in some}
    relations = {ends.relation: ends for ends in relevant.relations}
    relations |= {n: schema.relations[n] for n in properties if n in schema.relations}
    labels = {label: schema.labels[label] for label in relevant.labels}
    whole = form_schema(replace(schema, labels=labels, properties=properties, relations=relations))
    for operator in whole["$defs"].values():
        for name in _HIDDEN:
            operator["properties"].pop(name, None)
    unknown = {
        "type": "object",
        "properties": {"op": {"const": UNKNOWN}},
        "required": ["op"],
        "additionalProperties": False,
    }
    whole["anyOf"] = [*whole["anyOf"], unknown]
    return whole


def _schema_lines(
    schema: Schema, relevant: RelevantSchema, relations: Mapping[str, RelationInfo]
) -> Iterator[str]:
    """A line for each label with its properties, and for each relation with its ends."""
    for label in relevant.labels:
        described = "; ".join(map(_described, relevant.properties[label])) or "none"
        number = counted(schema.labels[label], "entity", "entities")
        yield f"label {_quoted(label)}, {number}; properties: {described}"
    for ends in relevant.relations:
        info = relations.get(ends.relation)
        yield _relation_line(ends, info.text if info else None)


def _relation_line(ends: RelationEnds, said: str | None) -> str:
    pairs = sorted(ends.usual_pairs, key=lambda pair: -ends.pairs[pair])[:_MOST_PAIRS]
    joined = " or ".join(f"{_quoted(head)} to {_quoted(tail)}" for head, tail in pairs)
    line = f"relation {_quoted(ends.relation)}" + (f", from {joined}" if joined else "")
    line += f", {counted(ends.count, 'fact')}"
    if ends.properties:
        line += f"; properties: {'; '.join(map(_described, ends.properties))}"
    means = one_line(said.replace("{}", "the start"), _LONGEST_NAME) if said else ""
    return line + (f"; the end is {means}" if means else "")


def _described(info: PropertyInfo) -> str:
    examples = ", ".join(_quoted(str(each)) for each in info.examples[:_EXAMPLES])
    return f"{_quoted(info.name)} ({info.type})" + (f", such as {examples}" if examples else "")


def _named_lines(named: Named) -> Iterator[str]:
    for entity, labels in named.entities:
        of_label = f", {' and '.join(map(_quoted, labels))}" if labels else ""
        yield f"{_quoted(entity.name)}{of_label}"
    for each in named.values:
        owner = each.relation or " and ".join(sorted(each.labels))
        yield f"value {_quoted(str(each.value))} of the property {_quoted(each.key or '')}, {owner}"


def _quoted(name: str) -> str:
    """A name out of the graph, which ends where its quotation mark is."""
    return json.dumps(one_line(name, _LONGEST_NAME), ensure_ascii=False)
