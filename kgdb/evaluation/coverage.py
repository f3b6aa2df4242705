"""Which questions and claims a graph can be expected to know of, without looking at any answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from kgdb.evaluation.questions import Claim, Question
from kgdb.graph import Graph, Link, link

_TOGETHER = 200
"""Texts that are looked up in one round trip."""

_NAMED = ("exact", "id")

# A word with a capital letter that does not begin the claim: part of a name, as far as one can see.
_CAPITALISED = re.compile(r"(?<=[^\W_])\W+(?P<name>[A-ZÀ-ÖØ-Þ]\w+)")


def covered(
    graph: Graph, asked: Sequence[Question] | Sequence[Claim]
) -> Sequence[Question] | Sequence[Claim]:
    """:func:`covered_questions` or :func:`covered_claims`, according to what is asked."""
    claims = [each for each in asked if isinstance(each, Claim)]
    if claims:
        return covered_claims(graph, claims)
    return covered_questions(graph, [each for each in asked if isinstance(each, Question)])


def covered_questions(graph: Graph, questions: Sequence[Question]) -> list[Question]:
    """Those of which the graph has a gold answer, and an entity if the set names some."""
    wanted = {name for question in questions for name in (*question.entities, *question.gold)}
    wanted |= {id_ for question in questions for id_ in question.ids}
    there = _present(graph, sorted(wanted))
    return [
        question
        for question in questions
        if not there.isdisjoint((*question.gold, *question.ids))
        and (not question.entities or not there.isdisjoint(question.entities))
    ]


def covered_claims(graph: Graph, claims: Sequence[Claim]) -> list[Claim]:
    """Those all of whose entities the graph has.

    Where the set does not name them: every word with a capital letter must be part of a name in
    the graph. Neither way looks at the label, or at whether the fact is there.
    """
    listed = _present(graph, sorted({name for claim in claims for name in claim.entities}))
    silent = [claim for claim in claims if not claim.entities]
    named = set()
    for start in range(0, len(silent), _TOGETHER):
        together = silent[start : start + _TOGETHER]
        found = link(graph, [claim.text for claim in together])
        named |= {
            claim.id
            for claim, links in zip(together, found, strict=True)
            if _names_all(claim.text, links)
        }
    return [
        claim
        for claim in claims
        if (listed.issuperset(claim.entities) if claim.entities else claim.id in named)
    ]


def _present(graph: Graph, names: Sequence[str]) -> set[str]:
    """The names, or ids, that an entity of the graph has, as they are written."""
    there: set[str] = set()
    for start in range(0, len(names), _TOGETHER):
        together = names[start : start + _TOGETHER]
        found = graph.link(together, limit=1, fuzzy=False)
        there |= {
            name
            for name, linked in zip(together, found, strict=True)
            if any(entity.reason in _NAMED for entity in linked)
        }
    return there


def _names_all(text: str, links: Collection[Link]) -> bool:
    indices = [match.start("name") for match in _CAPITALISED.finditer(text)]
    return bool(links) and all(
        any(found.start <= index < found.end for found in links) for index in indices
    )
