"""The reasoning methods, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kgdb.errors import UsageError
from kgdb.methods import (
    baselines,
    gotr,
    gotr_options,
    kggpt,
    mindmap,
    refkg,
    refkg_options,
    rok,
    rok_options,
    tog,
)
from kgdb.methods.base import Method, Reasoner, check_question
from kgdb.methods.settings import parse
from kgdb.methods.work import Tools, Watch, Work
from kgdb.text_arguments import text
from kgdb.wording import short


@dataclass(frozen=True, slots=True)
class Kind:
    """A method that can be chosen: what it makes, and the dataclass of its options."""

    make: Callable[[Any], Method]
    options: type[Any]


KINDS: Mapping[str, Kind] = {
    refkg.METHOD: Kind(refkg.RefKG, refkg_options.Options),
    rok.METHOD: Kind(rok.RoK, rok_options.Options),
    kggpt.METHOD: Kind(kggpt.KGGPT, kggpt.Options),
    gotr.METHOD: Kind(gotr.GoTR, gotr_options.Options),
    mindmap.METHOD: Kind(mindmap.MindMap, mindmap.Options),
    tog.METHOD: Kind(tog.ToG, tog.Options),
    "llm": Kind(baselines.LanguageModelAlone, baselines.AloneOptions),
    "cot": Kind(baselines.ChainOfThought, baselines.AloneOptions),
    "bm25": Kind(baselines.Bm25, baselines.Bm25Options),
    "embedding": Kind(baselines.Embedding, baselines.EmbeddingOptions),
    "neighbors": Kind(baselines.Neighbors, baselines.NeighborsOptions),
}

NAMES = tuple(KINDS)


def create(name: str, given: Mapping[str, Any] | None = None) -> Method:
    """The method of that name; ``given`` are options by name, as values or as texts.

    Raises :class:`UsageError` for a method or an option that there is not, or a value that the
    option cannot have.
    """
    if text("method", name, "the name of a method", empty=True) not in KINDS:
        raise UsageError(f"There is no method {short(name)}. Methods are: {', '.join(NAMES)}.")
    kind = KINDS[name]
    return kind.make(parse(kind.options, given or {}, f"the method {name}"))


__all__ = [
    "KINDS",
    "NAMES",
    "Method",
    "Reasoner",
    "Tools",
    "Watch",
    "Work",
    "check_question",
    "create",
]
