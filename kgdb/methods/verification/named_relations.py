"""Relations that a claim calls by their names, as in *she had a religion*."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kgdb.graph import Link
from kgdb.language import relation_words
from kgdb.language.text.name_forms import words_of
from kgdb.methods.verification.claim_evidence import Evidence, neighbors_of, path_to
from kgdb.methods.verification.claims import Claim, Value
from kgdb.values import Path

_ARTICLES = frozenset(("the", "a", "an"))


def is_word_of(span: Link | Value, relations: Collection[str]) -> bool:
    """Whether a mention is no entity but a word of one of the relations.

    *Rona Fairhead is the key person for BBC* names no thing that is called The Key.
    """
    if not isinstance(span, Link):
        return False
    words = _of_mention(span)
    return any(_contain(_of_relation(relation), words) for relation in relations)


def relations_mentioned(
    claim: Claim, evidence: Evidence
) -> dict[Link | Value, tuple[Link, Link, list[Path]]]:
    """The mentions that name a relation of another mention, and these others, with its facts.

    *Tulsi Giri was prime minister* is about the relation, even where an entity has its name. Both
    mentions have the same value: the other mention, the one that names the relation, and the facts.
    """
    found: dict[Link | Value, tuple[Link, Link, list[Path]]] = {}
    for relation in claim.links:
        words = _of_mention(relation)
        for link in claim.links:
            facts = [
                path_to(link, neighbor)
                for neighbor in neighbors_of(link, evidence)
                if link != relation and _of_relation(neighbor.step.relation) == words
            ]
            if facts:
                found.setdefault(relation, (link, relation, facts))
                found.setdefault(link, (link, relation, facts))
    return found


def facts_of_named_relation(text: str, link: Link, evidence: Evidence) -> list[Path]:
    """The facts around a mention whose relation ``text`` names: of the longest name, if several."""
    words = words_of(text)
    near = [
        n for n in neighbors_of(link, evidence) if _contain(words, _of_relation(n.step.relation))
    ]
    longest = max((len(_of_relation(n.step.relation)) for n in near), default=0)
    return [path_to(link, n) for n in near if len(_of_relation(n.step.relation)) == longest]


def _of_mention(link: Link) -> tuple[str, ...]:
    words = words_of(link.mention)
    return words[1:] if words and words[0] in _ARTICLES else words


def _of_relation(relation: str) -> tuple[str, ...]:
    return words_of(relation_words(relation))


def _contain(words: Sequence[str], part: Sequence[str]) -> bool:
    """Whether ``part`` stands in ``words``, in its order and without a gap."""
    size = len(part)
    return size > 0 and any(
        tuple(words[start : start + size]) == tuple(part) for start in range(len(words) - size + 1)
    )
