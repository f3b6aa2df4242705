"""What the mentions of a question stand for, where names alone do not tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from kgdb.graph import Link, Links
from kgdb.language.text.relation_vocabulary import RelationVocabulary, words_in
from kgdb.wording import short

if TYPE_CHECKING:
    from kgdb.methods.context.batched_graph import BatchedGraph

_SHOWN = 5
MOST_LABELS, MOST_RELATIONS = 100, 150
"""A schema with more is not read word by word: every word would fit some of its names."""

_CLASS_RELATION = re.compile(
    r"(?:.*[/#:])?(?:is[_ ]?an?|(?:has[_ ]?)?(?:type|kind|class)|(?:is[_ ])?instance[_ ]?of|P31)",
    re.IGNORECASE,
)
"""Relations by which an entity has its class."""


class AmbiguousName(Exception):
    """A question names *Mercury*, and the graph has *Mercury (planet)* and *Mercury (element)*.

    Its text is the reason why the question has no answer; :class:`kgdb.methods.Reasoner` makes an
    answer of it.
    """


async def settled(graph: BatchedGraph, question: str, links: Links) -> Links:
    """The links of a question without the classes of the names behind them (*the city* Kaldnes).

    Raises :class:`AmbiguousName` for a name that only the brackets of entities tell apart. One
    round trip if a mention stands directly before another.
    """
    before = [
        first for first, second in pairwise(links) if question[first.end : second.start].isspace()
    ]
    classes = [name for name in graph.relations if _CLASS_RELATION.fullmatch(name)]
    kinds = []
    if before and classes:
        for link in before:
            around = await graph.relations_around(link.ids)
            if any(row.step.reverse and row.step.relation in classes for row in around):
                kinds.append(link)
    kept = Links(
        (link for link in links if link not in kinds),
        links.without_id,
        (*links.kinds, *(link.mention for link in kinds)),
    )
    _require_one_name(kept)
    return _with_common_names(graph, kept, links.common)


def _with_common_names(graph: BatchedGraph, links: Links, common: Sequence[Link]) -> Links:
    """The links, and the common words that are names of the graph and say no relation of it.

    *What treats asthma and hay fever?* names two things, whatever *hay fever* is written like.
    """
    if not common or not links or len(graph.relations) > MOST_RELATIONS:
        return links
    vocabularies = [RelationVocabulary.of(*each) for each in graph.relations.items()]
    names = [
        link
        for link in common
        if not any(each.has(word) for each in vocabularies for word in words_in(link.mention))
    ]
    both = sorted([*links, *names], key=lambda link: link.start)
    return Links(both, links.without_id, links.kinds)


def _require_one_name(links: Sequence[Link]) -> None:
    for link in links:
        if names := link.namesakes:
            *first, last = map(short, names[:_SHOWN])
            more = f" (and {len(names) - _SHOWN:,} more)" if len(names) > _SHOWN else ""
            raise AmbiguousName(
                f"several entities are called {short(link.mention)}: did you mean "
                f"{', '.join(first)} or {last}{more}?"
            )
