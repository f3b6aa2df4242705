"""What a method is, and running one over one question or many."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from kgdb.errors import KgdbError, MethodFailed, UsageError
from kgdb.methods.context import QuestionContext, Resources
from kgdb.methods.context.batching import BatchedCall, run_batched
from kgdb.methods.context.mentions import AmbiguousName
from kgdb.methods.qualified_evidence import with_qualifiers
from kgdb.text_arguments import text, texts
from kgdb.values import Answer, Verdict
from kgdb.wording import short

_DIGITS = 300
"""Of a number; one that has more is beyond what can be compared with a decimal fraction."""

_HUGE = re.compile(rf"\d(?:[.,'_](?=\d\d\d)|\d){{{_DIGITS},}}")

_MAX_LENGTH = 10_000
"""Characters of a question: every run of its words is looked up."""

_R = TypeVar("_R", bound=Answer | Verdict)


class Method(Protocol):
    """A way to answer questions, and perhaps to verify claims, over a graph.

    Both are written for one question; :class:`Reasoner` runs many of them together.
    """

    @property
    def name(self) -> str:
        """As ``--method`` takes it."""

    def answer(self, ctx: QuestionContext) -> Coroutine[BatchedCall[Any], Any, Answer]:
        """Answer ``ctx.question``; without entities, the answer's ``reason`` says why."""

    def verify(self, ctx: QuestionContext) -> Coroutine[BatchedCall[Any], Any, Verdict]:
        """Judge the claim ``ctx.question``.

        Raises :class:`kgdb.errors.UsageError` where the method has no way to.
        """


class Reasoner:
    """A method over a graph, its models loaded: answers one question, or many together."""

    def __init__(self, method: Method, resources: Resources) -> None:
        self.method = method
        self.resources = resources

    def answer(self, question: str) -> Answer:
        """The answer with its evidence, or with the reason why there is none.

        Raises :class:`KgdbError` for a question that is empty or too long, and when the model or
        the database fails.
        """
        check_question(question)
        (answer,) = self.answers([question])
        if answer.error:
            raise answer.error
        return answer

    def answers(
        self,
        questions: Sequence[str],
        done: Callable[[int, Answer], None] | None = None,
        wanted: Callable[[int], bool] | None = None,
    ) -> list[Answer]:
        """The same for many, in their order; what failed has its ``error`` set.

        ``done`` is told of each answer (its place, and the answer) when it is there. A question
        that is no longer ``wanted`` (asked with its place) ends early.
        """

        def failed(question: str, error: KgdbError) -> Answer:
            return Answer(question, self.resources.graph.name, self.method.name, error=error)

        def unclear(question: str, reason: str) -> Answer:
            return Answer(question, self.resources.graph.name, self.method.name, reason=reason)

        return self._run("question", questions, self.method.answer, (unclear, failed), done, wanted)

    def verify(self, claim: str) -> Verdict:
        """The verdict with the facts for and against the claim; raises as :meth:`answer`."""
        check_question(claim, "claim")
        (verdict,) = self.verdicts([claim])
        if verdict.error:
            raise verdict.error
        return verdict

    def verdicts(
        self,
        claims: Sequence[str],
        done: Callable[[int, Verdict], None] | None = None,
        wanted: Callable[[int], bool] | None = None,
    ) -> list[Verdict]:
        """The same for many, as :meth:`answers`."""

        def failed(claim: str, error: KgdbError) -> Verdict:
            return Verdict(claim, self.resources.graph.name, self.method.name, error=error)

        def unclear(claim: str, reason: str) -> Verdict:
            return Verdict(claim, self.resources.graph.name, self.method.name, reason=reason)

        return self._run("claim", claims, self.method.verify, (unclear, failed), done, wanted)

    def _run(
        self,
        name: str,
        inputs: Sequence[str],
        steps: Callable[[QuestionContext], Coroutine[BatchedCall[Any], Any, _R]],
        ended_by: tuple[Callable[[str, str], _R], Callable[[str, KgdbError], _R]],
        done: Callable[[int, _R], None] | None,
        wanted: Callable[[int], bool] | None,
    ) -> list[_R]:
        unclear, failed = ended_by
        contexts = [QuestionContext(self.resources, one) for one in _all_texts(f"{name}s", inputs)]

        def finished(index: int, outcome: _R | Exception) -> _R:
            ctx = contexts[index]
            ended: _R
            if isinstance(outcome, AmbiguousName):
                ended = unclear(ctx.question, str(outcome))
            elif isinstance(outcome, Exception):
                ended = failed(ctx.question, _as_kgdb_error(outcome))
            else:
                ended = outcome
            if isinstance(ended, Answer) and (ctx.graph.capped or ctx.graph.left_unfollowed):
                ended = replace(ended, truncated=True)
            return replace(ended, notes=(*ended.notes, *ctx.notes), trace=ctx.trace)

        def report(index: int, outcome: _R | Exception) -> None:
            if done:
                done(index, finished(index, outcome))

        async def checked(ctx: QuestionContext) -> _R:
            check_question(ctx.question, name)
            return await with_qualifiers(ctx, await steps(ctx))

        outcomes = run_batched([(checked(ctx), ctx.charge) for ctx in contexts], report, wanted)
        return [finished(index, outcome) for index, outcome in enumerate(outcomes)]


def _all_texts(name: str, inputs: Sequence[str]) -> list[str]:
    """Several questions or claims; what is a text, but none that can be asked, fails alone."""
    if isinstance(inputs, str | bytes | bytearray | Mapping) or not isinstance(inputs, Iterable):
        return texts(name, inputs)
    items = list(inputs)
    for one in items:
        if not isinstance(one, str):
            text(f"one of {name}", one)
    return items


def _as_kgdb_error(error: Exception) -> KgdbError:
    if isinstance(error, KgdbError):
        return error
    failure = MethodFailed(
        f"The method failed on this question: {type(error).__name__}: {error}",
        hint="This is a mistake in kgdb; please report it with the question and the graph.",
    )
    failure.__cause__ = error
    return failure


def check_question(question: str, name: str = "question") -> None:
    """Raises :class:`UsageError` for a question or claim that is empty, too long or no text."""
    text(name, question, f"a {name}, which is a text", empty=True)
    if not question.strip():
        raise UsageError(f"The {name} is empty.", hint='Ask something: kgdb answer "Who …?"')
    if len(question) > _MAX_LENGTH:
        raise UsageError(
            f"The {name} has {len(question):,} characters; at most {_MAX_LENGTH:,} are read.",
            hint="Ask about a text one question at a time.",
        )
    if number := _HUGE.search(question):
        raise UsageError(
            f"The {name} has the number {short(number[0])}, of more than {_DIGITS} digits.",
            hint="Give a smaller number: no fact of a graph has one like that.",
        )
