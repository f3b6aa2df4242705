"""Chooses among the readings that the grammar gives, or none where none is likely enough."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kgdb.errors import ConnectionFailed, DatabaseError, DatabaseHalted, UsageError
from kgdb.graph.forms import Form, FormResult, form_text
from kgdb.methods.context import QuestionContext
from kgdb.methods.understanding.grammar.grammar_reading import Candidate

MOST = 8
"""Readings that are compared."""

CONTENDERS = 3
"""Readings that are asked of the graph: a nested form takes a second to plan."""

LIKELIER_THAN_NOT = 0.5

UNLIKELY = 0.1
"""The probability below which a reading is not asked to see what it comes to."""


NO_READING = "null"
"""The feature of having no reading at all."""


USUAL_SENTENCE = "sentence.usual"
"""What the likeness of a question and its form scores as a rule, where no encoder tells it."""


@cache
def reading_weights() -> Mapping[str, float]:
    """The weights of the log-linear model that ship; ``kgdb lab train reading`` learns them."""
    package = "kgdb.methods.understanding.grammar"
    weights: dict[str, float] = json.loads(
        files(package).joinpath("weights.json").read_text(encoding="utf-8")
    )
    return weights


@dataclass(frozen=True, slots=True)
class LikelyReadings:
    """The forms that a question may well mean, the likeliest first.

    ``is_sure``: the first is likely enough to be answered.
    """

    forms: tuple[Form, ...] = ()
    is_sure: bool = False


async def likely_readings(
    ctx: QuestionContext,
    candidates: Sequence[Candidate],
    *,
    by_letters: bool = False,
    question: str | None = None,
) -> LikelyReadings:
    """The readings that the question may well mean, of which the graph has something.

    Readings that come to the same count together, and are one: *movies by X and Y* may be put in
    two ways. One that comes to something else is told beside the likeliest if the model finds it
    likelier than that the question has no reading at all: it would be answered were it the only
    one. Where only all of them together are likely enough, none is sure. ``by_letters``: the
    encoder tells nothing of the whole sentence, for it does not know the language, or the sentence
    leaves out what the form says. ``question`` is what is asked in full.
    """
    weights, candidates = reading_weights(), candidates[:MOST]
    if not candidates:
        return LikelyReadings()
    if by_letters:
        scores = [each.score + weights.get(USUAL_SENTENCE, 0.0) for each in candidates]
    else:
        scores = await compared(ctx, candidates, weights, question)
    results: dict[int, FormResult] = {}
    best = await _first_with_result(ctx, candidates, scores, results)
    if best is None:
        return LikelyReadings()
    shares = probabilities(scores, weights[NO_READING])
    contenders = sorted(range(len(candidates)), key=lambda place: -shares[place])[:CONTENDERS]
    for place in contenders:
        if place not in results and shares[place] >= UNLIKELY:
            try:
                await _asked(ctx, candidates, scores, results, place)
            except (ConnectionFailed, DatabaseHalted):
                raise
            except DatabaseError:
                continue  # one that takes too long is not told, and costs no answer
    none = 1 - sum(shares)
    alike = _alike(results, shares)
    likely = [(group[0], sum(shares[place] for place in group)) for group in alike]
    close = [(place, share) for place, share in likely if share >= none]
    is_sure = likely[0][1] > LIKELIER_THAN_NOT
    if not is_sure and sum(share for _, share in close) <= LIKELIER_THAN_NOT:
        return LikelyReadings()
    return LikelyReadings(tuple(candidates[place].form for place, _ in close), is_sure)


def _alike(results: Mapping[int, FormResult], shares: Sequence[float]) -> list[list[int]]:
    """The readings that come to something, those that come to the same together."""
    groups: list[list[int]] = []
    for place in sorted(results, key=lambda place: -shares[place]):
        if results[place].is_empty:
            continue
        for group in groups:
            if _comes_to(results[group[0]]) == _comes_to(results[place]):
                group.append(place)
                break
        else:
            groups.append([place])
    return groups


async def _first_with_result(
    ctx: QuestionContext,
    candidates: Sequence[Candidate],
    scores: list[float],
    results: dict[int, FormResult],
) -> int | None:
    """The best reading of which the graph has something; what is empty loses by its weight."""
    none = reading_weights()[NO_READING]
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
        scores[place] += reading_weights().get("result.empty", 0.0)


async def compared(
    ctx: QuestionContext,
    candidates: Sequence[Candidate],
    weights: Mapping[str, float],
    question: str | None = None,
) -> list[float]:
    """The scores of the readings, each also said in full and held beside the question."""
    said = [form_text(each.form, {}) for each in candidates]
    asked, *texts = await ctx.encoder.encode([question or ctx.question, *said])
    weight = weights.get("sentence", 0.0)
    return [
        each.score + weight * float(asked @ text)
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
