"""Knowledge reconstruction (RefKG §3.3, equation 6): facts of the graph as running text.

The language model rewrites the triples. A template adds the facts that it leaves out, so that no
evidence is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from kgdb.graph.linking.name_words import normalize
from kgdb.language import CompletionRequest, fact
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.context import QuestionContext
from kgdb.values import Path, Triple

Form = Literal["text", "template", "triples"]
"""The form of the evidence for its reader: a text by the language model, one templated sentence per
fact (without reconstruction), or bare triples (the paper's ablation)."""

MAX_TRIPLES = 40
"""Triples that the language model rewrites: the best ones."""

_TOKENS_PER_TRIPLE = 32
_MAX_TOKENS = 512


def triples_of(paths: Sequence[Path]) -> list[Triple]:
    """The facts of all paths, in their order, each once."""
    return list(dict.fromkeys(triple for path in paths for triple in path.triples))


def line(ctx: QuestionContext, triple: Triple, form: Form = "template") -> str:
    """One fact on one line, even if its names have line breaks."""
    if form == "triples":
        return _flat(f"({triple.head.name}, {triple.relation}, {triple.tail.name})")
    return _flat(fact(triple, ctx.graph.relations))


async def reconstruct(ctx: QuestionContext, triples: Sequence[Triple], form: Form) -> list[str]:
    """The facts as lines, best first; the form ``text`` costs one call of the language model."""
    lines = [line(ctx, triple, form) for triple in triples]
    if form != "text" or not ctx.llm.available or not triples:
        return lines
    language = language_of(ctx.question)
    bare = [line(ctx, triple, "triples") for triple in triples[:MAX_TRIPLES]]

    def to_prompt(some: Sequence[str]) -> str:
        return prompt("refkg_reconstruct", language, triples="\n".join(some))

    tokens = min(_MAX_TOKENS, _TOKENS_PER_TRIPLE * len(bare))
    count = ctx.llm.fit(bare, to_prompt, tokens)
    reply = await ctx.llm.complete(CompletionRequest(to_prompt(bare[:count]), max_tokens=tokens))
    text = _flat(reply.text)
    padded = f" {normalize(text)} "
    missing = [
        sentence
        for sentence, triple in zip(lines, triples, strict=True)
        if not _names_both_ends(padded, triple)
    ]
    if len(missing) == len(lines):
        ctx.note("The language model's text names none of the evidence; kgdb does not use it.")
        return lines
    return [text, *missing]


def _names_both_ends(text: str, triple: Triple) -> bool:
    """Whether a normalized text names both ends of a fact."""
    return all(f" {normalize(entity.name)} " in text for entity in (triple.head, triple.tail))


def _flat(text: str) -> str:
    return " ".join(text.split())
