"""Where the reasoning methods are: one that is asked is imported then.

A package adds methods by an entry point of the group ``kgdb.methods``: a mapping of names to
:class:`MethodKind`, as :data:`kgdb.lab.methods.METHODS` is.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from kgdb.methods.option_declarations import MethodOptions
from kgdb.methods.reasoner import Method

GROUP = "kgdb.methods"


@dataclass(frozen=True, slots=True)
class MethodKind:
    """A method that can be chosen: where it is, and what it does.

    ``method`` and ``takes`` name the class and the dataclass of its options (``module:Class``).
    ``agreement``: its answers are what most of the mentions of a question agree on.
    """

    method: str
    takes: str
    summary: str
    agreement: bool = False

    @property
    def make(self) -> Callable[[Any], Method]:
        """What makes the method of its options."""
        made: Callable[[Any], Method] = _found(self.method)
        return made

    @property
    def options(self) -> type[MethodOptions]:
        """The dataclass of its options."""
        options: type[MethodOptions] = _found(self.takes)
        return options


METHODS: Mapping[str, MethodKind] = {
    "auto": MethodKind(
        "kgdb.methods.auto:Auto",
        "kgdb.methods.refkg.refkg_options:Options",
        "A logical form where the question has one (how many, oldest, not, a property), else "
        "RefKG's chains. Verifies claims, too.",
    ),
    "refkg": MethodKind(
        "kgdb.methods.refkg.refkg_method:RefKG",
        "kgdb.methods.refkg.refkg_options:Options",
        "RefKG: decouples the question into sub-queries, explores the graph hop by hop, refines "
        "the evidence and infers the answer. Verifies claims, too.",
    ),
    "rok": MethodKind(
        "kgdb.methods.rok.rok_method:RoK",
        "kgdb.methods.rok.rok_options:Options",
        "RoK: ranks the paths between the key entities of the question and of a chain of thought, "
        "adds neighbours, and reads the answer.",
    ),
    "gotr": MethodKind(
        "kgdb.methods.gotr.gotr_method:GoTR",
        "kgdb.methods.gotr.gotr_options:Options",
        "GoT-R: draws a graph of thought in Cypher, retrieves evidence by its relations and "
        "without them, and reads the answer.",
    ),
    "text2cypher": MethodKind(
        "kgdb.methods.text2cypher.text2cypher_method:Text2Cypher",
        "kgdb.methods.text2cypher.text2cypher_options:Options",
        "A capable language model writes Cypher, which the database runs in its sandbox: the rows "
        "are the answer, what they matched is the evidence.",
    ),
    "neighbors": MethodKind(
        "kgdb.methods.neighbors:Neighbors",
        "kgdb.methods.neighbors:NeighborsOptions",
        "Everything around the entities of the question.",
    ),
}
"""The methods of this package, the default first."""


@cache
def all_methods() -> Mapping[str, MethodKind]:
    """The methods of every package that is installed, by name."""
    found = dict(METHODS)
    for entry in sorted(entry_points(group=GROUP)):
        for name, kind in entry.load().items():
            found.setdefault(name, kind)
    return found


def _found(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)
