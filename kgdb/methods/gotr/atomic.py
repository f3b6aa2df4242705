"""Atomic questions and atomic relations (GoT-R, section 3.2).

A question is decomposed into *abstract atomic questions*, each about one fact of a
``<topic entity>``; for each the encoder selects the ``k_q`` most similar relations of the graph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kgdb.graph import Link
from kgdb.graph.linking.mention_linking import unbracketed
from kgdb.language import CompletionRequest, verbalize
from kgdb.language.text.lines import one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.language.text.replies import list_schema, texts_in
from kgdb.methods.context import QuestionContext
from kgdb.values import Step

TOPIC = "<topic entity>"
"""The placeholder for the subject of an abstract atomic question."""

MAX_QUESTIONS = 5
"""Atomic questions of one question."""

_REPLY_TOKENS = 200
_MAX_QUESTION = 10_000
_SUBJECT = "it"
"""The subject in the texts that the encoder embeds for relations."""

_REVERSED_FACTOR = 0.9
"""The factor on the similarity of a relation against its direction: models sometimes draw an edge
in the wrong direction."""


@dataclass(frozen=True, slots=True)
class Selected:
    """An atomic relation of a question, with its similarity to the atomic question."""

    relation: str
    similarity: float


async def select(ctx: QuestionContext, questions: Sequence[str], k: int) -> list[list[Selected]]:
    """For each atomic question the ``k`` most similar relations, most similar first.

    Ties do not add relations. The similarity of a relation is that of its better direction.
    """
    if not ctx.graph.relations:
        return [[] for _ in questions]
    steps, vectors = await ctx.encoder.relation_vectors()
    similarity = (await ctx.encoder.encode(questions)) @ vectors.T
    selected = []
    for row in similarity:
        best: dict[str, float] = {}
        for step, value in zip(steps, row.tolist(), strict=True):
            best[step.relation] = max(value, best.get(step.relation, -1.0))
        ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))[:k]
        selected.append([Selected(relation, value) for relation, value in ranked])
    return selected


async def ground_relations(
    ctx: QuestionContext, types: Sequence[str], limit: int
) -> dict[str, dict[Step, float]]:
    """For each type of a thought the most similar relations (equation 6).

    A type that is the id of a relation has this relation first.
    """
    types = list(dict.fromkeys(types))
    if not types or not ctx.graph.relations:
        return {type_: {} for type_ in types}
    steps, vectors = await ctx.encoder.relation_vectors()
    phrases = [verbalize((Step(type_),), _SUBJECT, {}) for type_ in types]
    similarity = (await ctx.encoder.encode(phrases)) @ vectors.T
    ids = {_plain(relation): relation for relation in reversed(list(ctx.graph.relations))}
    return {
        type_: _nearest(ids.get(_plain(type_)), steps, row, limit)
        for type_, row in zip(types, similarity, strict=True)
    }


async def decompose(ctx: QuestionContext, links: Sequence[Link], shots: int) -> list[str]:
    """The abstract atomic questions of a question: one call of the language model.

    The prompt has ``shots`` examples. Without a language model, or if the reply is invalid, the
    only atomic question is the whole question with its entities abstracted.
    """
    whole = abstract(ctx.question, links)
    if not ctx.llm.available:
        return [whole]
    language = language_of(ctx.question)
    question = one_line(ctx.question, _MAX_QUESTION)
    examples = [
        prompt("gotr_decomposed", language, question=example.question, reply=example.reply)
        for example in ctx.examples("atomic")[:shots]
    ]

    def to_prompt(examples: Sequence[str]) -> str:
        text = "\n\n".join(examples) or "-"
        return prompt("gotr_decompose", language, examples=text, question=question)

    count = ctx.llm.fit(examples, to_prompt, _REPLY_TOKENS, "examples", at_least=0)
    reply = await ctx.llm.complete(
        CompletionRequest(
            to_prompt(examples[:count]),
            max_tokens=_REPLY_TOKENS,
            schema=list_schema("questions", MAX_QUESTIONS),
        )
    )
    questions = [abstract(text, links) for text in texts_in(reply.text, "questions")]
    if not questions:
        ctx.note("The language model did not decompose the question, so it stays whole.")
        return [whole]
    return list(dict.fromkeys(questions))[:MAX_QUESTIONS]


def abstract(question: str, links: Sequence[Link]) -> str:
    """A question with each mention replaced by the placeholder of a topic."""
    plain = " ".join(unbracketed(question).split())
    for link in sorted(links, key=lambda link: -len(link.mention)):
        plain = re.sub(re.escape(link.mention), lambda _: TOPIC, plain, flags=re.IGNORECASE)
    return plain


def _nearest(
    relation: str | None, steps: Sequence[Step], similarity: NDArray[np.float32], limit: int
) -> dict[Step, float]:
    """The relations that an edge may stand for, most similar first."""
    # An encoder cannot tell the direction of a type's few words: that it was named in counts more.
    values = {
        step: value * (_REVERSED_FACTOR if step.reverse else 1.0)
        for step, value in zip(steps, similarity.tolist(), strict=True)
    }
    if relation is not None:
        values[Step(relation)], values[Step(relation, reverse=True)] = 1.0, _REVERSED_FACTOR
    ranked = sorted(values.items(), key=lambda item: (-item[1], item[0]))
    return {step: value for step, value in ranked[:limit] if value > 0}


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def relation_texts(ctx: QuestionContext, relations: Sequence[str]) -> list[str]:
    """Each relation with what it leads to, on one line, as a prompt lists it."""
    texts = ctx.graph.relations
    return [one_line(f"{r}: {verbalize((Step(r),), 'X', texts)}") for r in relations]
