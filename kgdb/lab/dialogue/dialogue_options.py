"""The options of the method for dialogues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from kgdb.methods.option_declarations import AllowUnsupported, MethodOptions, Range


@dataclass(frozen=True, slots=True)
class Options(MethodOptions):
    """The options of the method, in the order of its steps."""

    partial: Annotated[
        bool, "also link words that are a part of a name, as *chest pain* of *sharp chest pain*"
    ] = True
    subjects: Annotated[
        int, Range(1, 50), "entities that most of what is mentioned agrees on: the answers"
    ] = 5
    described: Annotated[
        int, Range(0, 50), "of these, those of which the graph's facts are told"
    ] = 2
    relations: Annotated[
        int, Range(1, 100), "relations of each that are told, the most similar to the question"
    ] = 6
    per_relation: Annotated[int, Range(1, 1000), "facts of each relation that are told"] = 30
    max_degree: Annotated[
        int, Range(1, 100_000), "facts of each mention and relation that are followed"
    ] = 5000
    allow_unsupported: AllowUnsupported = False
