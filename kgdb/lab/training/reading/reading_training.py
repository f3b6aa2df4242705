"""Rounds of reading questions and fitting weights, and outcomes over graphs left out."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgdb.errors import UsageError
from kgdb.graph import Graph
from kgdb.lab.training.reading.judged_questions import JudgedQuestion, QuestionJudge
from kgdb.lab.training.reading.reading_questions import ReadingQuestion, right_values
from kgdb.lab.training.reading.unanswerable import used_name, with_foreign_word
from kgdb.lab.training.reading.weight_fitting import NULL, Outcome, fitted, outcome
from kgdb.language import Encoder
from kgdb.methods.understanding.reading_choice import USUAL_SENTENCE, reading_weights
from kgdb.progress import Progress, Report

MADE = "made unanswerable"
MOST_ROUNDS = 3
MOST_WRONG = 0.04
"""Wrong ones among the answered questions about graphs that the weights do not know."""

_STEP, _STEPS = 0.25, 12


@dataclass(frozen=True, slots=True)
class TrainedReading:
    """Weights, and outcomes of the questions by weights that were learnt without their graph.

    ``outcomes`` are by graph, at last those of questions of all graphs made unanswerable.
    """

    weights: Mapping[str, float]
    outcomes: Mapping[str, Counter[Outcome]]


def train_reading(
    asked: Mapping[str, tuple[Graph, Sequence[ReadingQuestion]]],
    encoder: Encoder,
    report: Report,
    *,
    rounds: int = MOST_ROUNDS,
    most_wrong: float = MOST_WRONG,
    seed: int = 0,
) -> TrainedReading:
    """Learn weights from questions by graph, starting with those that ship.

    Each round reads the questions anew: better weights find better candidates. Refusing weighs as
    little as it may for at most ``most_wrong`` of the answers to be wrong about graphs that the
    weights do not know: most questions that teach to refuse are made, and harder than others.

    Raises :class:`kgdb.errors.UsageError` for less than two graphs and for Cypher that fails.
    """
    if len(asked) < 2:
        raise UsageError(
            f"All questions are about the graph {', '.join(asked)}.",
            hint="Add questions about another graph: each is measured by weights of the others.",
        )
    judges = {name: QuestionJudge(graph, encoder) for name, (graph, _) in asked.items()}
    known = [
        (judges[name], question.text, right_values(graph, question))
        for name, (graph, questions) in asked.items()
        for question in questions
    ]
    weights = dict(reading_weights())
    for number in range(rounds):
        stage = f"reading, round {number + 1}"
        questions: list[JudgedQuestion] = []
        for judge, text, right in known:
            report(Progress(stage, len(questions), len(known), "questions"))
            questions.append(judge.judged(text, right, weights))
        draw = random.Random(seed + number)
        made = []
        for each in questions:
            judge = judges[each.graph]
            if hidden := used_name(each, judge.graph.schema, draw):
                made.append(judge.judged(each.text, None, weights, hidden=hidden))
        for graph, text in with_foreign_word(questions, encoder, draw):
            made.append(judges[graph].judged(text, None, weights))
        report(Progress(stage, len(known), len(known), "questions"))
        weights = fitted([*questions, *made], weights)
    others = {
        name: fitted([each for each in (*questions, *made) if each.graph != name]) for name in asked
    }
    less = less_refusing(questions, others, most_wrong)
    outcomes: dict[str, Counter[Outcome]] = {name: Counter() for name in (*asked, MADE)}
    for name in asked:
        for title, judged in ((name, questions), (MADE, made)):
            of_graph = [each for each in judged if each.graph == name]
            outcomes[title].update(outcome(each, others[name], less) for each in of_graph)
    cosines = [
        each.features["sentence"]
        for question in questions
        for each in question.candidates
        if each.is_right
    ]
    usual = weights["sentence"] * sum(cosines) / max(1, len(cosines))
    final = {**weights, NULL: weights[NULL] - less, USUAL_SENTENCE: usual}
    return TrainedReading(final, outcomes)


def less_refusing(
    questions: Sequence[JudgedQuestion],
    others: Mapping[str, Mapping[str, float]],
    most_wrong: float,
) -> float:
    """How much less refusing may weigh, by weights that do not know the graph of the question."""
    least = 0.0
    for less in (step * _STEP for step in range(_STEPS + 1)):
        outcomes = Counter(
            outcome(each, others[each.graph], less) for each in questions if each.has_answer
        )
        outcomes["wrong"] += sum(
            outcome(each, others[each.graph], less) == "wrong"
            for each in questions
            if not each.has_answer
        )
        if outcomes["wrong"] > most_wrong * (outcomes["right"] + outcomes["wrong"]):
            break
        least = less
    return least
