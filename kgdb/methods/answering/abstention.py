"""The reasons and errors of methods for questions and claims that they cannot process."""

from __future__ import annotations

from kgdb.errors import UsageError
from kgdb.methods.context import QuestionContext
from kgdb.values import Answer
from kgdb.wording import short


def no_entity_named(ctx: QuestionContext, method: str) -> Answer:
    """The answer to a question that mentions no entity of the graph."""
    return Answer(ctx.question, ctx.graph.name, method, reason=unnamed(ctx))


def unnamed(ctx: QuestionContext) -> str:
    """Why a question that mentions no entity of the graph has no answer."""
    return (
        f"the question mentions no name of the graph {short(ctx.graph.name)}. "
        "Put a name in [brackets] to mark it."
    )


def cannot_verify(method: str, claim: str) -> UsageError:
    """The error of a method that cannot verify claims."""
    return UsageError(
        f"The method {method} answers questions and does not verify claims, as {short(claim)}.",
        hint="Verify by the method refkg or kggpt; llm and cot judge without any evidence.",
    )


def no_model(method: str) -> str:
    """Why a method that only a language model can run has no answer without one."""
    return f"the method {method} asks a language model, and there is none. Name one with --llm."
