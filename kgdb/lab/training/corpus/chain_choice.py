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

from kgdb.lab.training.corpus.chain_finding import Chain
from kgdb.language import Encoder
from kgdb.language.text.relation_texts import RelationTexts
from kgdb.methods.chains.adapter_purpose import wordings

ONLY, SAME_WORDS, SIMILARITY = "the only one", "questions of the same words", "similarity"
"""How a chain was chosen."""

_MIN_VOTES = 3
"""Questions of the same words that must have a chain before others are judged by it."""

HOP_COST = 0.03
"""Taken off the similarity for each hop: longer chains have more words that may be similar."""

MAX_TIED = 12
"""Chains among which similarity may choose; of more, none can be told to be meant."""

TOO_MANY = "too many chains give the answers"
OTHER_CHAIN = "questions of the same words are answered by another chain"


@dataclass(frozen=True, slots=True)
class Supervised:
    """A masked question with the chains that give its answers."""

    masked: str
    right: tuple[Chain, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """The chain of a question and how it was chosen; or no chain, and how it comes."""

    chain: Chain | None
    how: str


def choose_chains(
    questions: Sequence[Supervised], encoder: Encoder, texts: Mapping[str, RelationTexts]
) -> list[Choice]:
    """The chain that each question means; none where others of its words mean another."""
    votes: dict[str, Counter[Chain]] = defaultdict(Counter)
    for question in questions:
        votes[_words(question.masked)].update(question.right)
    best = [_most_voted(question.right, votes[_words(question.masked)]) for question in questions]
    similar = _similarities(
        [
            (question.masked, chain)
            for question, some in zip(questions, best, strict=True)
            for chain in some
            if 1 < len(some) <= MAX_TIED
        ],
        encoder,
        texts,
    )
    return [
        _choice(question, some, similar) for question, some in zip(questions, best, strict=True)
    ]


def _choice(
    question: Supervised, best: Sequence[Chain], similar: Mapping[tuple[str, Chain], float]
) -> Choice:
    if not best:
        return Choice(None, OTHER_CHAIN)
    if len(best) > MAX_TIED:
        return Choice(None, TOO_MANY)
    if len(best) == 1:
        return Choice(best[0], ONLY if len(question.right) == 1 else SAME_WORDS)
    ranked = sorted(best, key=lambda c: (HOP_COST * len(c) - similar[question.masked, c], c))
    return Choice(ranked[0], SIMILARITY)


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
