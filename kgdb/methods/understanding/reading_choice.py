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

CONTENDERS = 3
"""Readings that are asked of the graph: a nested form takes a second to plan."""

UNLIKELY = 0.1
"""The probability below which a reading is not asked to see whether it says the same."""


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
    scores = await compared(ctx, candidates, model.weights)
    results: dict[int, FormResult] = {}
    best = await _first_with_result(ctx, candidates, scores, results)
    if best is None:
        return None
    shares = probabilities(scores, model.none)
    contenders = sorted(range(len(candidates)), key=lambda place: -shares[place])[:CONTENDERS]
    share = 0.0
    for place in contenders:
        if share >= model.threshold:
            break
        if place not in results and shares[place] >= UNLIKELY:
            await _asked(ctx, candidates, scores, results, place)
        if place in results and _comes_to(results[place]) == _comes_to(results[best]):
            share += shares[place]
    return candidates[best].form if share >= model.threshold else None


async def _first_with_result(
    ctx: QuestionContext,
    candidates: Sequence[Candidate],
    scores: list[float],
    results: dict[int, FormResult],
) -> int | None:
    """The best reading of which the graph has something; what is empty loses by its weight."""
    none = reading_weights().none
    for _ in range(CONTENDERS):
        best = max(range(len(candidates)), key=lambda place: scores[place])
        if scores[best] < none:
            return None
        if best in results:
            break
        await _asked(ctx, candidates, scores, results, best)
    best = max(range(len(candidates)), key=lambda place: scores[place])
    found = results.get(best)
    return None if found is None or found.is_empty or scores[best] < none else best


async def _asked(
    ctx: QuestionContext,
    candidates: Sequence[Candidate],
    scores: list[float],
    results: dict[int, FormResult],
    place: int,
) -> None:
    """Ask one reading of the graph, and weigh what it comes to."""
    try:
        results[place] = await ctx.graph.query(candidates[place].form)
    except UsageError:  # such as the mean of texts
        scores[place] = -math.inf
        return
    if results[place].is_empty:
        scores[place] += reading_weights().weights.get("result.empty", 0.0)


async def compared(
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


def probabilities(scores: Sequence[float], none: float) -> list[float]:
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
