"""What may help where a question is not understood: near names, and what there is to ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kgdb.graph.schema import Schema
from kgdb.methods.context import QuestionContext
from kgdb.methods.proof.claim_proof import only_near
from kgdb.methods.proof.claim_proof import unknown as no_such_names
from kgdb.methods.proof.claim_text import ClaimText, NamedSpan
from kgdb.methods.understanding.grammar.schema_matching import Matcher
from kgdb.methods.understanding.question import QuestionParts
from kgdb.methods.understanding.reading import Understood
from kgdb.methods.understanding.scoring import unknown
from kgdb.methods.understanding.words import spoken

_MOST = 5
"""Names that are offered."""


async def advised(ctx: QuestionContext, matcher: Matcher, understood: Understood) -> Understood:
    """What is not understood, with the names that nothing in the graph has, and with advice."""
    parts, unread = understood.parts, understood.unread
    if parts is None:
        return understood
    spans = [NamedSpan(each.text, each.start, each.end, frozenset()) for each in parts.anchors]
    names = [
        name
        for name in ClaimText.of(ctx.question, spans).unknown_names()
        if not set(unread).isdisjoint(name.lower().split())
    ]
    if not names:
        return replace(understood, advice=_advice(matcher, parts, unread))
    links = [link for found in await ctx.graph.mentions_all(names) for link in found if link.near]
    near = next(((link.mention, link.entities[0].name) for link in links), None)
    reason = only_near(*near) if near else no_such_names(names)
    said = " ".join(names).lower().split()
    if not (left := [word for word in unread if word not in said]):
        return replace(understood, reason=reason)
    reason = f"{unknown(left)}, and {reason}"
    return replace(understood, reason=reason, advice=_advice(matcher, parts, left))


def _advice(matcher: Matcher, parts: QuestionParts, unread: Sequence[str]) -> str:
    """Names near to the words, and what the graph has of that which the question is about."""

    def nearness(names: Sequence[str]) -> float:
        pairs = ((word, name) for word in unread for name in names)
        return max((matcher.cosine(*pair) for pair in pairs), default=0.0)

    label = _label(matcher, parts)
    about = {} if label is None else {t: names for t, *names in _about(matcher.schema, label)}
    told = sorted(about, key=lambda text: nearness(about[text]), reverse=True)[:_MOST]
    near = dict.fromkeys(name for word in unread for name in matcher.near(word))
    others = [spoken(n) for n in near if not any(n in about[text] for text in told)][:_MOST]
    sentences = [f"Near: {', '.join(others)}."] if others else []
    if label and told:
        sentences.append(f"Of each {spoken(label)} the graph has {', '.join(told)}.")
    return " ".join(sentences)


def _label(matcher: Matcher, parts: QuestionParts) -> str | None:
    """The label of the first thing that the question names, else the first that it speaks of."""
    labels = [label for anchor in parts.anchors for label in sorted(anchor.labels)]
    labels += [
        label
        for word in parts.words
        for label in matcher.schema.labels
        if matcher.letters(word.text, label) == "exact"
    ]
    return next(iter(labels), None)


def _about(schema: Schema, label: str) -> Iterator[tuple[str, ...]]:
    """The properties and relations of a label: how each reads, and the names that are in it.

    The other end of a relation stands where it would in a sentence.
    """
    for info in schema.properties.values():
        if label in info.usual_labels:
            yield spoken(info.name), info.name
    for name, ends in schema.relations.items():
        if name in schema.properties:
            continue
        for head, tail in ends.usual_pairs:
            if head == label:
                yield f"{spoken(name)} ({spoken(tail)})", name, tail
            elif tail == label:
                yield f"({spoken(head)}) {spoken(name)}", name, head
