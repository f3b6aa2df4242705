"""Query decoupling by the language model (RefKG §3.1, equation 1), and its validation.

The model writes the sub-queries of a question or claim, each with its entities. They must meet the
paper's quality criteria (§3.4.1); else there are none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.graph import Link
from kgdb.graph.linking.name_words import normalize
from kgdb.language import CompletionRequest
from kgdb.language.text.prompts import language_of, prompt
from kgdb.language.text.replies import value_in
from kgdb.methods.chains.candidate_chains import masked
from kgdb.methods.context import QuestionContext

_MAX_SUBQUERIES = 5
"""Sub-queries of one question."""

_REPLY_TOKENS = 300
_MAX_LENGTH = 300
"""Characters of a sub-query."""

_MAX_FOREIGN = 0.5
"""Share of a sub-query's words that may be neither words of the question nor the function words
below. With a larger share the sub-query is about something else."""

_LINKING_WORDS = frozenset(
    "a an and are as at be been by did do does for from had has have in is it of on or that the "
    "their them these they this those to was were what when where which who whom whose with".split()
)


@dataclass(frozen=True, slots=True)
class SubQuery:
    """A part of the question that one hop answers, and the mentions that it is about."""

    text: str
    links: tuple[Link, ...]


async def write_subqueries(ctx: QuestionContext, links: Sequence[Link]) -> tuple[SubQuery, ...]:
    """The sub-queries that the language model writes; empty if they are not valid. One call."""
    language = language_of(ctx.question)
    names = list(dict.fromkeys(_flat(link.mention) for link in links))
    examples = [
        prompt(
            "refkg_decoupled",
            language,
            question=example.question,
            entities="; ".join(example.entities),
            reply=example.reply,
        )
        for example in ctx.examples("decouple")
    ]

    def to_prompt(some: Sequence[str]) -> str:
        return prompt(
            "refkg_decouple",
            language,
            examples="\n\n".join(some),
            question=_flat(ctx.question),
            entities="; ".join(names),
        )

    count = ctx.llm.fit(examples, to_prompt, _REPLY_TOKENS, "examples", at_least=0)
    text = to_prompt(examples[:count])
    reply = await ctx.llm.complete(
        CompletionRequest(text, max_tokens=_REPLY_TOKENS, schema=_schema(names))
    )
    subqueries = _parsed(reply.text, links)
    if not well_decoupled(ctx.question, subqueries, links):
        ctx.note("The language model's sub-queries do not match the question; kgdb ignores them.")
        return ()
    return subqueries


def well_decoupled(question: str, subqueries: Sequence[SubQuery], links: Sequence[Link]) -> bool:
    """Whether sub-queries meet the paper's criteria, and two more.

    (a) There are entities and sub-queries. (b) Together the sub-queries are about all entities.
    (c) Each sub-query is about entities of the question, and a single one about all of them; the
    schema and (b) ensure this. Beyond the paper, sub-queries are distinct and use words of the
    question.
    """
    covered = {link for subquery in subqueries for link in subquery.links}
    if not links or not subqueries or covered != set(links):
        return False
    texts = [normalize(subquery.text) for subquery in subqueries]
    if len(set(texts)) < len(texts):
        return False
    vocabulary = _words(question) | _LINKING_WORDS
    return all(_foreign_share(_words(text), vocabulary) <= _MAX_FOREIGN for text in texts)


def subqueries_of(link: Link, subqueries: Sequence[SubQuery]) -> list[str]:
    """The sub-queries of a mention, in order: those about it, and those about no entity."""
    return [
        masked(subquery.text, [link.mention])
        for subquery in subqueries
        if link in subquery.links or not subquery.links
    ]


def _schema(names: Sequence[str]) -> dict[str, Any]:
    subquery = {
        "type": "object",
        "properties": {
            "query": {"type": "string", "maxLength": _MAX_LENGTH},
            "entities": {
                "type": "array",
                "items": {"type": "string", "enum": list(names)},
                "maxItems": len(names),
            },
        },
        "required": ["query", "entities"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "subqueries": {
                "type": "array",
                "items": subquery,
                "minItems": 1,
                "maxItems": _MAX_SUBQUERIES,
            }
        },
        "required": ["subqueries"],
        "additionalProperties": False,
    }


def _parsed(reply: str, links: Sequence[Link]) -> tuple[SubQuery, ...]:
    """The sub-queries in a reply; none if the reply is invalid."""
    try:
        items = value_in(reply, "subqueries") or ()
        pairs = [(str(item["query"]), [str(name) for name in item["entities"]]) for item in items]
    except (TypeError, KeyError):
        return ()
    return tuple(
        SubQuery(_flat(text), tuple(link for link in links if _flat(link.mention) in names))
        for text, names in pairs[:_MAX_SUBQUERIES]
        if text.strip()
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(normalize(text).split())


def _foreign_share(words: frozenset[str], vocabulary: frozenset[str]) -> float:
    """The share of words outside ``vocabulary``; *directs* counts as known if *directed* is."""
    if not words:
        return 1.0
    stems = {word[:4] for word in vocabulary}
    return sum(word not in vocabulary and word[:4] not in stems for word in words) / len(words)


def _flat(text: str) -> str:
    return " ".join(text.split())
