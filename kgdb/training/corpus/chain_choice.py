"""Which of several right chains a question means.

Chains may give the same answers by chance: *the language of the films by Nicole Garcia* is also
that of the films with her. Questions of the same words about other entities have the same chain:
the one that is right for most of them. Where that leaves several, the shortest and most similar
chain is taken, as the encoder compares its wordings with the question.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from kgdb.language import Encoder
from kgdb.language.text.relation_texts import RelationTexts
from kgdb.training.corpus.chain_finding import Chain
from kgdb.training.corpus.rows import wordings

Chosen = Literal["the only one", "same words", "similarity"]

_MIN_VOTES = 3
"""Questions of the same words that must have a chain before others are judged by it."""

HOP_COST = 0.03
"""Taken off the similarity for each hop: longer chains have more words that may be similar."""

OTHER_CHAIN = "questions of the same words are answered by another chain"


@dataclass(frozen=True, slots=True)
class Supervised:
    """A masked question with the chains that give its answers."""

    masked: str
    right: tuple[Chain, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """The chain of a question and how it was chosen, or no chain and why."""

    chain: Chain | None
    how: Chosen | None = None


def choose_chains(
    questions: Sequence[Supervised], encoder: Encoder, texts: Mapping[str, RelationTexts]
) -> list[Choice]:
    """The chain that each question means; none where others of its words mean another."""
    votes: dict[str, Counter[Chain]] = defaultdict(Counter)
    for question in questions:
        votes[_words(question.masked)].update(question.right)
    best = [_most_voted(question.right, votes[_words(question.masked)]) for question in questions]
    similar = _similarities(
        [(q.masked, chain) for q, some in zip(questions, best, strict=True) for chain in some],
        encoder,
        texts,
    )
    choices = []
    for question, some in zip(questions, best, strict=True):
        if not some:
            choices.append(Choice(None))
        elif len(some) == 1:
            how: Chosen = "the only one" if len(question.right) == 1 else "same words"
            choices.append(Choice(some[0], how))
        else:
            ranked = sorted(
                some,
                key=lambda c: (HOP_COST * len(c) - similar[question.masked, c], len(c), c),  # noqa: B023
            )
            choices.append(Choice(ranked[0], "similarity"))
    return choices


def _words(masked: str) -> str:
    return " ".join(masked.casefold().split()).rstrip(" ?.")


def _most_voted(right: Sequence[Chain], votes: Counter[Chain]) -> list[Chain]:
    """Those of the right chains that are so most often; none if another one is far more often."""
    most = max(votes.values())
    own = max(votes[chain] for chain in right)
    if own < most and most >= _MIN_VOTES and own * 2 <= most:
        return []
    return [chain for chain in right if votes[chain] == own]


def _similarities(
    pairs: Iterable[tuple[str, Chain]], encoder: Encoder, texts: Mapping[str, RelationTexts]
) -> dict[tuple[str, Chain], float]:
    """The mean similarity of a question to both wordings of a chain."""
    asked = list(dict.fromkeys(pairs))
    if not asked:
        return {}
    questions = {masked: n for n, masked in enumerate(dict.fromkeys(m for m, _ in asked))}
    chains = {chain: n for n, chain in enumerate(dict.fromkeys(chain for _, chain in asked))}
    words = [text for chain in chains for text in wordings(chain, texts)]
    of_questions = encoder.encode(list(questions))
    of_chains = encoder.encode(words).reshape(len(chains), 2, -1).mean(axis=1)
    return {
        (masked, chain): float(of_questions[questions[masked]] @ of_chains[chains[chain]])
        for masked, chain in asked
    }
