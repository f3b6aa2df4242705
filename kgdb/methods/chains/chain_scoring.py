"""How well a relation chain explains a question: the whole chain beside the whole question.

A chain has two wordings, a noun phrase and a question (:mod:`kgdb.language.text.verbalize`). Its
similarity is the mean of theirs to the question with the key entity masked, by the encoder that was
trained for chains. What a chain of several hops, or one turned round, has in common with the
question is for the encoder to know: nothing is added or subtracted by rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kgdb.language import verbalize, verbalize_question
from kgdb.methods.chains.candidate_chains import PLACEHOLDER, Subject, plain
from kgdb.methods.context import QuestionContext
from kgdb.values import Step

Chain = tuple[Subject, tuple[Step, ...]]
"""A key entity with the question around it, and the steps from it."""


class ChainScorer(Protocol):
    """Scores chains: the larger, the better a chain explains the question."""

    async def scores(self, ctx: QuestionContext, chains: Sequence[Chain]) -> list[float]:
        """The score of each chain; ``-inf`` for one that cannot be what is asked."""


class WholeQuestion:
    """Compares each chain with the whole question: one batch of the encoder."""

    async def scores(self, ctx: QuestionContext, chains: Sequence[Chain]) -> list[float]:
        """The cosine similarity of each chain to its question, from -1 to 1."""
        if not chains:
            return []
        relations = ctx.graph.relations
        questions = {text: n for n, text in enumerate(dict.fromkeys(s.masked for s, _ in chains))}
        steps = {each: n for n, each in enumerate(dict.fromkeys(each for _, each in chains))}
        wordings = [
            to_words(each, PLACEHOLDER, relations)
            for to_words in (verbalize, verbalize_question)
            for each in steps
        ]
        vectors = await ctx.encoder.encode_chains([*questions, *wordings])
        phrases = vectors[len(questions) :].reshape(2, len(steps), -1).mean(axis=0)
        rows = np.array([steps[each] for _, each in chains])
        columns = np.array([questions[subject.masked] for subject, _ in chains])
        return [float(each) for each in np.einsum("nd,nd->n", phrases[rows], vectors[columns])]


async def named_similarities(ctx: QuestionContext, phrases: Sequence[str]) -> NDArray[np.float32]:
    """How similar each phrase is to the question as it stands, with its names."""
    vectors = await ctx.encoder.encode_chains([plain(ctx.question), *phrases])
    similarities: NDArray[np.float32] = vectors[1:] @ vectors[0]
    return similarities
