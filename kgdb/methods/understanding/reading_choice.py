"""Chooses among the readings that the grammar gives, or none where none is likely enough."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kgdb.errors import UsageError
from kgdb.graph.forms import Form, FormResult, form_text
from kgdb.graph.schema import Schema
from kgdb.methods.context import QuestionContext
from kgdb.methods.understanding.grammar.grammar_reading import Candidate, Sentence
from kgdb.methods.understanding.question import Anchor

MOST = 8
"""Readings that are compared."""

_UNLIKELY = 0.02
"""The probability below which a reading is not asked of the graph."""


@dataclass(frozen=True, slots=True)
class ReadingWeights:
    """The weights of the log-linear model, and the probability from which a reading is taken.

    ``kgdb lab train reading`` learns them.
    """

    threshold: float
    weights: Mapping[str, float]

    @property
    def none(self) -> float:
        """The score of having no reading at all."""
        return self.weights["null"]


@cache
def reading_weights() -> ReadingWeights:
    """The weights that ship."""
    package = "kgdb.methods.understanding.grammar"
    data = json.loads(files(package).joinpath("weights.json").read_text(encoding="utf-8"))
    return ReadingWeights(data["threshold"], data["weights"])


async def likely_form(
    ctx: QuestionContext, schema: Schema, anchors: Sequence[Anchor]
) -> Form | None:
    """The form that the question means, if it is likely enough and the graph has what it asks.

    Readings that come to the same count together: *movies by X and Y* may be put in two ways.
    """
    model = reading_weights()
    sentence = Sentence(ctx.question, anchors, schema, ctx.graph.relations)
    vectors = await ctx.encoder.encode(sentence.texts)
    candidates = sentence.read(vectors, model.weights)[:MOST]
    if not candidates:
        return None
    scores = await _compared(ctx, candidates, model.weights)
    results: list[FormResult | None] = []
    for place, candidate in enumerate(candidates):
        if _probabilities(scores, model.none)[place] < _UNLIKELY:
            results.append(None)
            continue
        try:
            result = await ctx.graph.query(candidate.form)
        except UsageError:  # such as the mean of texts
            results.append(None)
            scores[place] = -math.inf
            continue
        results.append(result)
        if result.is_empty:
            scores[place] += model.weights.get("result.empty", 0.0)
    best = max(range(len(candidates)), key=lambda place: scores[place])
    chosen = results[best]
    if chosen is None or chosen.is_empty or scores[best] < model.none:
        return None
    shares = _probabilities(scores, model.none)
    same = [
        share
        for share, other in zip(shares, results, strict=True)
        if other is not None and _comes_to(other) == _comes_to(chosen)
    ]
    return candidates[best].form if sum(same) >= model.threshold else None


async def _compared(
    ctx: QuestionContext, candidates: Sequence[Candidate], weights: Mapping[str, float]
) -> list[float]:
    """The scores of the readings, each also said in full and held beside the question."""
    said = [form_text(each.form, {}) for each in candidates]
    question, *texts = await ctx.encoder.encode([ctx.question, *said])
    weight = weights.get("sentence", 0.0)
    return [
        each.score + weight * float(question @ text)
        for each, text in zip(candidates, texts, strict=True)
    ]


def _probabilities(scores: Sequence[float], none: float) -> list[float]:
    """The share of each reading, with that of having none beside them."""
    highest = max(none, *scores)
    shares = [math.exp(score - highest) for score in scores]
    whole = sum(shares) + math.exp(none - highest)
    return [share / whole for share in shares]


def _comes_to(result: FormResult) -> object:
    """What an answer says, whichever way it was found."""
    if result.value is not None:
        return result.value
    return frozenset(each.entity for each in result.entities)
