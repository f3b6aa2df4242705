"""Knowledge reconstruction (RefKG §3.3, equation 6): facts of the graph as running text.

The language model rewrites the triples; what it leaves out is added by template, so that no
evidence is lost on the way to the one who reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from kgdb.graph.linking.mentions import normalize
from kgdb.language import CompletionRequest, fact
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.context import QuestionContext
from kgdb.values import Path, Triple

Form = Literal["text", "template", "triples"]
"""How evidence is put before its reader: written by the language model, one templated sentence
per fact (without reconstruction), or as bare triples (the paper's ablation)."""

MOST = 40
"""Triples that are rewritten, the best first."""

_TOKENS_PER_TRIPLE = 32
_MOST_TOKENS = 512


def triples_of(paths: Sequence[Path]) -> list[Triple]:
    """The facts of all paths, in their order, each once."""
    return list(dict.fromkeys(triple for path in paths for triple in path.triples))


def line(ctx: QuestionContext, triple: Triple, form: Form = "template") -> str:
    """One fact on one line, whatever its names hold."""
    if form == "triples":
        return _flat(f"({triple.head.name}, {triple.relation}, {triple.tail.name})")
    return _flat(fact(triple, ctx.graph.relations))


async def reconstruct(ctx: QuestionContext, triples: Sequence[Triple], form: Form) -> list[str]:
    """The facts as lines to read, best first; ``text`` costs one call of the language model."""
    lines = [line(ctx, triple, form) for triple in triples]
    if form != "text" or not ctx.llm.available or not triples:
        return lines
    language = language_of(ctx.question)
    bare = [line(ctx, triple, "triples") for triple in triples[:MOST]]

    def written(kept: Sequence[str]) -> str:
        return prompt("refkg_reconstruct", language, triples="\n".join(kept))

    tokens = min(_MOST_TOKENS, _TOKENS_PER_TRIPLE * len(bare))
    kept = ctx.llm.fit(bare, written, tokens)
    reply = await ctx.llm.complete(CompletionRequest(written(bare[:kept]), max_tokens=tokens))
    text = _flat(reply.text)
    told = f" {normalize(text)} "
    missing = [one for one, triple in zip(lines, triples, strict=True) if not _tells(told, triple)]
    if len(missing) == len(lines):
        ctx.note("The language model's account of the evidence names none of it; not used.")
        return lines
    return [text, *missing]


def _tells(text: str, triple: Triple) -> bool:
    """Whether a normalized text names both ends of a fact."""
    return all(f" {normalize(entity.name)} " in text for entity in (triple.head, triple.tail))


def _flat(text: str) -> str:
    return " ".join(text.split())
