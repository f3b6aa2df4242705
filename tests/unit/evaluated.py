"""Methods with canned answers and verdicts, and what they are asked in tests of evaluation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from kgdb.errors import KgdbError, ModelError
from kgdb.evaluation import Asking, Claim, Question
from kgdb.values import Answer, AnsweredEntity, Entity, Label, Stage, Usage, Verdict

COST = Usage(2, 1, tokens_in=30, tokens_out=4, seconds=0.5, round_trips=3)


class Stopped(BaseException):
    """Somebody pressed Ctrl-C."""


class Canned:
    """A method that knows some answers, fails at some questions and may be stopped at one."""

    def __init__(
        self,
        answers: dict[str, list[str]] | None = None,
        *,
        fails_at: Sequence[str] = (),
        stops_at: str | None = None,
        error: KgdbError | None = None,
        cost: float = 0.0,
    ) -> None:
        self._cost = replace(COST, cost=cost)
        self._answers = answers or {}
        self._fails_at = fails_at
        self._stops_at = stops_at
        self._error = error or ModelError("The model is gone.")
        self.asked: list[list[str]] = []

    def answers(
        self, questions: Sequence[str], done: Callable[[int, Answer], None] | None = None
    ) -> list[Answer]:
        self.asked.append(list(questions))
        answers = []
        for place, question in enumerate(questions):
            if question == self._stops_at:
                raise Stopped
            answers.append(self._answer(question))
            assert done
            done(place, answers[-1])
        return answers

    def _answer(self, question: str) -> Answer:
        if question in self._fails_at:
            return Answer(question, "test", "canned", error=self._error)
        names = self._answers.get(question, [])
        return Answer(
            question,
            "test",
            "canned",
            entities=tuple(AnsweredEntity(Entity(name, name), (), 1) for name in names),
            interpretation="read" if names else None,
            reason=None if names else "nothing is known",
            trace=(Stage("all", {}, self._cost),),
        )

    def verdicts(
        self, claims: Sequence[str], done: Callable[[int, Verdict], None] | None = None
    ) -> list[Verdict]:
        raise NotImplementedError


class Judging(Canned):
    """A method that says of every claim the same, but fails at some."""

    def __init__(self, label: Label, fails_at: Sequence[str] = ()) -> None:
        super().__init__(fails_at=fails_at)
        self._label: Label = label

    def verdicts(
        self, claims: Sequence[str], done: Callable[[int, Verdict], None] | None = None
    ) -> list[Verdict]:
        verdicts = []
        for place, claim in enumerate(claims):
            error = self._error if claim in self._fails_at else None
            label: Label = "NOT ENOUGH EVIDENCE" if error else self._label
            trace = (Stage("all", {}, COST),)
            verdicts.append(Verdict(claim, "test", "canned", label, 0.5, error=error, trace=trace))
            assert done
            done(place, verdicts[-1])
        return verdicts


QUESTIONS = [
    Question("1", "one?", frozenset("a"), type="short"),
    Question("2", "two – ä?", frozenset("ab"), type="long"),
    Question("3", "three?", frozenset("c"), type="short"),
]
ANSWERS = {"one?": ["a"], "two – ä?": ["x", "a"]}
CLAIMS = [
    Claim("1", "A is B.", "SUPPORTED", "one hop"),
    Claim("2", "A is C.", "REFUTED", "one hop"),
    Claim("3", "A is D.", "SUPPORTED", "negation"),
]
RUN = "canned on test"


def asking(method: Canned, rows: Path | None = None, batch: int = 2, errors: int = 0) -> Asking:
    return Asking(method, rows, RUN, batch, errors)
