"""A conversation: questions one after the other, each of which may go on from the last answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from kgdb.graph.forms import read_form
from kgdb.methods.context import QuestionContext
from kgdb.methods.follow_ups import Turn, answer_follow_up
from kgdb.methods.reasoner import Method, Reasoner
from kgdb.methods.understanding.answering import execute
from kgdb.values import Answer, Verdict


class Conversation:
    """Answers questions by a method, and remembers the last answer for those that go on from it.

    *Only those directed by X*, *how many are there?*, *when was he born?*, *and Tom Hanks?* change
    the last logical form; ``answer.interpretation`` says what was understood. A number alone asks
    that one of the last answer's ``readings``. A question that stands alone is answered as the
    :class:`Reasoner` answers it.

    A conversation belongs to one user: threads must not share it.
    """

    def __init__(self, reasoner: Reasoner, after: Conversation | None = None) -> None:
        """``after``: a conversation over the same graph that this one goes on from."""
        self._method: _Remembering = _Remembering(reasoner.method)
        if after is not None:
            self._method.last, self._method.unclear = after._method.last, after._method.unclear
        self._reasoner = Reasoner(self._method, reasoner.resources)

    @property
    def last(self) -> Answer | None:
        """The answer that the next question may go on from."""
        return self._method.last.answer if self._method.last else None

    def forget(self) -> None:
        """Begin anew: the next question stands alone."""
        self._method.last = self._method.unclear = None

    def answer(self, question: str) -> Answer:
        """The answer, as :meth:`Reasoner.answer` gives it."""
        return self._reasoner.answer(question)

    def answers(
        self, questions: Sequence[str], done: Callable[[int, Answer], None] | None = None
    ) -> list[Answer]:
        """The answers to several questions, each of which may go on from the one before it.

        ``done`` is told of each answer (its place, and the answer) when it is there.
        """
        found = []
        for place, question in enumerate(questions):
            found += self._reasoner.answers([question], _at(place, done))
        return found

    def verdicts(
        self, claims: Sequence[str], done: Callable[[int, Verdict], None] | None = None
    ) -> list[Verdict]:
        """The verdicts on claims, which refer to nothing; see :meth:`Reasoner.verdicts`."""
        return self._reasoner.verdicts(claims, done)


def _at(
    place: int, done: Callable[[int, Answer], None] | None
) -> Callable[[int, Answer], None] | None:
    return None if done is None else lambda _, answer: done(place, answer)


class _Remembering:
    """The method with a memory: the last answer that a question may refer to.

    ``unclear`` is the last answer of all, if the question may mean several things.
    """

    def __init__(self, method: Method) -> None:
        self._method = method
        self.last: Turn | None = None
        self.unclear: Answer | None = None

    @property
    def name(self) -> str:
        return self._method.name

    async def answer(self, ctx: QuestionContext) -> Answer:
        answer = await self._chosen(ctx) or await self._asked(ctx)
        self.unclear = answer if answer.readings else None
        return answer

    async def _chosen(self, ctx: QuestionContext) -> Answer | None:
        """The answer by the reading of the last question whose number is all that is said."""
        if self.unclear is None:
            return None
        by_number = {str(n): each for n, each in enumerate(self.unclear.readings, 1)}
        chosen = by_number.get(ctx.question.strip())
        if chosen is None:
            return None
        asked = ctx.asking(self.unclear.question)
        answer = await execute(asked, self.name, read_form(dict(chosen.form)))
        others = (each for each in self.unclear.readings if each != chosen)
        answer = replace(answer, readings=(chosen, *others))
        if answer.form is not None:
            self.last = Turn(answer, asked.question)
        return answer

    async def _asked(self, ctx: QuestionContext) -> Answer:
        found = await answer_follow_up(ctx, self.name, self._method.answer, self.last)
        if found is not None:
            self.last = found.turn or self.last
            return found.answer
        # Were a question without an answer forgotten, "he" would mean who was asked about before.
        self.last = None
        answer = await self._method.answer(ctx)
        if answer.form is not None or not answer.is_empty:
            self.last = Turn(replace(answer, trace=()), ctx.question)
        return answer

    async def verify(self, ctx: QuestionContext) -> Verdict:
        return await self._method.verify(ctx)
