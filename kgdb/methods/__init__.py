"""The reasoning methods, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kgdb.errors import UsageError
from kgdb.methods import baselines, gotr, refkg, rok
from kgdb.methods.base import Method, Reasoner, check_question
from kgdb.methods.context import QuestionContext, Resources, Watch
from kgdb.methods.options import parse
from kgdb.texts import text
from kgdb.wording import short


@dataclass(frozen=True, slots=True)
class MethodKind:
    """A method that can be chosen: what it makes, and the dataclass of its options."""

    make: Callable[[Any], Method]
    options: type[Any]


METHODS: Mapping[str, MethodKind] = {
    refkg.METHOD: MethodKind(refkg.RefKG, refkg.Options),
    rok.METHOD: MethodKind(rok.RoK, rok.Options),
    "kggpt": MethodKind(baselines.KGGPT, baselines.KGGPTOptions),
    gotr.METHOD: MethodKind(gotr.GoTR, gotr.Options),
    "mindmap": MethodKind(baselines.MindMap, baselines.MindMapOptions),
    "tog": MethodKind(baselines.ToG, baselines.ToGOptions),
    "llm": MethodKind(baselines.LanguageModelAlone, baselines.AloneOptions),
    "cot": MethodKind(baselines.ChainOfThought, baselines.AloneOptions),
    "bm25": MethodKind(baselines.Bm25, baselines.Bm25Options),
    "embedding": MethodKind(baselines.Embedding, baselines.EmbeddingOptions),
    "neighbors": MethodKind(baselines.Neighbors, baselines.NeighborsOptions),
}

METHOD_NAMES = tuple(METHODS)


def create(name: str, given: Mapping[str, Any] | None = None) -> Method:
    """The method of that name; ``given`` are options by name, as values or as texts.

    Raises :class:`UsageError` for a method or an option that there is not, or a value that the
    option cannot have.
    """
    if text("method", name, "the name of a method", empty=True) not in METHODS:
        raise UsageError(
            f"There is no method {short(name)}. Methods are: {', '.join(METHOD_NAMES)}."
        )
    kind = METHODS[name]
    return kind.make(parse(kind.options, given or {}, f"the method {name}"))


__all__ = [
    "METHODS",
    "METHOD_NAMES",
    "Method",
    "QuestionContext",
    "Reasoner",
    "Resources",
    "Watch",
    "check_question",
    "create",
]
