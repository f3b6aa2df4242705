"""The options of Text2Cypher."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from kgdb.methods.option_declarations import (
    AllowUnsupported,
    Group,
    MethodOptions,
    ProofPaths,
    Range,
)

_PROMPT = Group("Prompt")
_QUERY = Group("Query")
_ANSWERING = Group("Answering")


@dataclass(frozen=True, slots=True)
class Options(MethodOptions):
    """The options of the method."""

    max_labels: Annotated[
        int, Range(1, 500), "labels in the prompt at most, the most relevant first", _PROMPT
    ] = 20
    max_relations: Annotated[
        int, Range(1, 1000), "relations in the prompt at most, the most relevant first", _PROMPT
    ] = 40
    max_properties: Annotated[
        int, Range(1, 200), "properties of each label in the prompt at most", _PROMPT
    ] = 20
    shots: Annotated[int, Range(0, 100), "examples in the prompt at most", _PROMPT] = 8
    reply_tokens: Annotated[
        int, Range(50, 100_000), "tokens of a reply; a model that thinks aloud needs more", _PROMPT
    ] = 1000
    repair: Annotated[bool, "let the language model correct a refused query once", _QUERY] = True
    max_rows: Annotated[int, Range(1, 10_000), "rows of a query that are read at most", _QUERY] = (
        1000
    )
    timeout_ms: Annotated[
        int, Range(1, 60_000), "milliseconds after which a query is stopped", _QUERY
    ] = 10_000
    paths: Annotated[ProofPaths, _ANSWERING] = 3
    allow_unsupported: Annotated[AllowUnsupported, _ANSWERING] = False
