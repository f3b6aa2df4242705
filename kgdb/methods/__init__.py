"""The reasoning methods, by name."""

from __future__ import annotations

from typing import Protocol

from kgdb.errors import UsageError
from kgdb.graph import Graph
from kgdb.language import Encoder, LanguageModel
from kgdb.methods.refkg import METHOD as REFKG
from kgdb.methods.refkg import Options, RefKG, check_question
from kgdb.model import Answer

NAMES = (REFKG,)


class Method(Protocol):
    """Anything that answers questions over one graph."""

    def answer(self, question: str) -> Answer:
        """The answer with its evidence, or with the reason why there is none."""


def create(
    name: str,
    graph: Graph,
    encoder: Encoder,
    llm: LanguageModel | None,
    options: Options | None = None,
) -> Method:
    """The method of that name, ready for questions over ``graph``."""
    if name == REFKG:
        return RefKG(graph, encoder, llm, options)
    raise UsageError(f"There is no method {name!r}. Methods are: {', '.join(NAMES)}.")


__all__ = ["NAMES", "Method", "Options", "RefKG", "check_question", "create"]
