"""Words for the names of a graph, learnt from a user's questions with their answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgdb.graph import Graph
from kgdb.lab.training.reading.judged_questions import JudgedQuestion, QuestionJudge
from kgdb.lab.training.reading.reading_questions import ReadingQuestion, right_values
from kgdb.lab.training.reading.weight_fitting import Outcome, outcome
from kgdb.language import Encoder
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.reading_choice import reading_weights
from kgdb.methods.understanding.words import likeness, one_of, spoken, words_of
from kgdb.progress import Progress, Report

_STAGE = "teaching"


@dataclass(frozen=True, slots=True)
class TaughtWords:
    """Words by the name that they stand for; what becomes of the questions without and with them.

    The grammar alone is counted.
    """

    words: Mapping[str, Sequence[str]]
    before: Counter[Outcome]
    after: Counter[Outcome]


def learn_words(
    graph: Graph, questions: Sequence[ReadingQuestion], encoder: Encoder, report: Report
) -> TaughtWords:
    """The words that, taught, make refused or wrong questions right, and no other one less right.

    For each such question every unknown word of it is tried for every name of the graph; of those
    that do, the one is kept that the encoder finds nearest. Raises
    :class:`kgdb.errors.UsageError` for Cypher that fails.
    """
    judge, weights = QuestionJudge(graph, encoder), reading_weights()
    asked = [(each.text, right_values(graph, each)) for each in questions]
    taught: dict[str, tuple[str, ...]] = {}

    def judged(place: int, words: Mapping[str, Sequence[str]]) -> JudgedQuestion:
        text, right = asked[place]
        return judge.judged(text, right, weights, taught=words)

    def outcomes(words: Mapping[str, Sequence[str]]) -> list[Outcome]:
        return [outcome(judged(place, words), weights) for place in range(len(asked))]

    first = now = outcomes({})
    for place, (_, right) in enumerate(asked):
        report(Progress(_STAGE, place, len(asked), "questions"))
        if right is None or now[place] == "right":
            continue
        found = judged(place, taught)
        for word, name in _likeliest(graph, [word for word, *_ in found.words], encoder):
            more = {**taught, name: (*taught.get(name, ()), word)}
            if outcome(judged(place, more), weights) != "right":
                continue
            then = outcomes(more)
            if all(new in ("right", old) for new, old in zip(then, now, strict=True)):
                taught, now = more, then
                break
    report(Progress(_STAGE, len(asked), len(asked), "questions"))
    return TaughtWords(taught, Counter(first), Counter(now))


def _likeliest(graph: Graph, words: Sequence[str], encoder: Encoder) -> Iterator[tuple[str, str]]:
    """Unknown words with the names that they might stand for, the nearest first."""
    names, known = graph.schema.names, cues("en")
    parts = {part for wording in graph.schema.wordings for part in words_of(wording)}
    unknown = [
        one_of(word)
        for word in dict.fromkeys(words)
        if not any(likeness(word, part, known) for part in parts)
    ]
    if not unknown:
        return
    near = encoder.encode(unknown) @ encoder.encode([spoken(name) for name in names]).T
    pairs = [(row, column) for row in range(len(unknown)) for column in range(len(names))]
    for row, column in sorted(pairs, key=lambda pair: -near[pair]):
        yield unknown[row], names[column]
