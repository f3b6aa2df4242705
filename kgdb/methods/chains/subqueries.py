"""Query decoupling by the language model (RefKG §3.1, equation 1), and when to believe it.

The model writes the sub-queries of a question or claim, each with the entities it is about. What it
writes is believed only if it keeps the paper's quality criteria (§3.4.1); else there are none, and
the question is cut by other means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.graph import Link
from kgdb.graph.linking.mentions import normalize
from kgdb.language import CompletionRequest
from kgdb.language.text.json_replies import value_in
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.chains.decoupling import masked
from kgdb.methods.context import QuestionContext

_MOST = 5
"""Sub-queries of one question."""

_REPLY_TOKENS = 300
_LONGEST = 300
"""Characters of a sub-query."""

_FOREIGN = 0.5
"""Share of a sub-query's words that may be neither the question's nor the function words below:
more, and the model has written about something else."""

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
    """The sub-queries that the language model writes; empty where they cannot be believed."""
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

    def written(kept: Sequence[str]) -> str:
        return prompt(
            "refkg_decouple",
            language,
            examples="\n\n".join(kept),
            question=_flat(ctx.question),
            entities="; ".join(names),
        )

    kept = ctx.llm.fit(examples, written, _REPLY_TOKENS, "examples", at_least=0)
    reply = await ctx.llm.complete(
        CompletionRequest(written(examples[:kept]), max_tokens=_REPLY_TOKENS, schema=_schema(names))
    )
    subqueries = _read(reply.text, links)
    if not well_decoupled(ctx.question, subqueries, links):
        ctx.note("The language model's sub-queries were left aside: they are not the question's.")
        return ()
    return subqueries


def well_decoupled(question: str, subqueries: Sequence[SubQuery], links: Sequence[Link]) -> bool:
    """The paper's criteria, and two more that every faithful decoupling keeps.

    (a) There are entities, and sub-queries. (b) Together the sub-queries are about all entities.
    (c) Each is about entities of the question, and a single one about all of them: only those can
    be given, and (b) says the rest. Beyond the paper: no sub-query is given twice, and each is
    written in words of the question.
    """
    about = {link for subquery in subqueries for link in subquery.links}
    if not links or not subqueries or about != set(links):
        return False
    texts = [normalize(subquery.text) for subquery in subqueries]
    if len(set(texts)) < len(texts):
        return False
    known = _words(question) | _LINKING_WORDS
    return all(_foreign(_words(text), known) <= _FOREIGN for text in texts)


def about(link: Link, subqueries: Sequence[SubQuery]) -> list[str]:
    """The sub-queries that lead on from a mention, in order: its own, and those that name none."""
    return [
        masked(subquery.text, [link.mention])
        for subquery in subqueries
        if link in subquery.links or not subquery.links
    ]


def _schema(names: Sequence[str]) -> dict[str, Any]:
    subquery = {
        "type": "object",
        "properties": {
            "query": {"type": "string", "maxLength": _LONGEST},
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
            "subqueries": {"type": "array", "items": subquery, "minItems": 1, "maxItems": _MOST}
        },
        "required": ["subqueries"],
        "additionalProperties": False,
    }


def _read(reply: str, links: Sequence[Link]) -> tuple[SubQuery, ...]:
    """What a reply says; what is not of the asked form says nothing."""
    try:
        given = value_in(reply, "subqueries") or ()
        pairs = [(str(one["query"]), [str(name) for name in one["entities"]]) for one in given]
    except (TypeError, KeyError):
        return ()
    return tuple(
        SubQuery(_flat(text), tuple(link for link in links if _flat(link.mention) in names))
        for text, names in pairs[:_MOST]
        if text.strip()
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(normalize(text).split())


def _foreign(words: frozenset[str], known: frozenset[str]) -> float:
    """The share of words that are not known; *directs* is, where *directed* is."""
    if not words:
        return 1.0
    stems = {word[:4] for word in known}
    return sum(word not in known and word[:4] not in stems for word in words) / len(words)


def _flat(text: str) -> str:
    return " ".join(text.split())
