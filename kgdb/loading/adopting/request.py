"""A request to adopt a graph, and the check against the graphs that the database has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgdb._version import __version__
from kgdb.errors import UsageError
from kgdb.graph import Database, GraphInfo
from kgdb.graph.connection.catalog import list_graphs
from kgdb.loading.loaders.spec import NAME, RESERVED_LABELS
from kgdb.wording import short


@dataclass(frozen=True, slots=True)
class AdoptionRequest:
    """The name, label and properties of the graph to adopt."""

    name: str
    label: str
    id_property: str
    name_property: str
    alias_properties: tuple[str, ...]

    def properties(self) -> dict[str, Any]:
        """The properties of the graph's bookkeeping node."""
        return {
            "label": self.label,
            "idProperty": self.id_property,
            "nameProperty": self.name_property,
            "aliasProperties": list(self.alias_properties),
            "adopted": True,
            "kgdb_version": __version__,
        }

    def differences(self, graph: GraphInfo) -> list[str]:
        """The options that differ from those of the earlier adoption, as clauses."""
        options = {
            "--label": ([graph.label], [self.label]),
            "--id": ([graph.id_property], [self.id_property]),
            "--name": ([graph.name_property], [self.name_property]),
            "--alias": (graph.alias_properties, self.alias_properties),
        }
        return [
            f"{option} was {_options(before)} and is {_options(now)} now"
            for option, (before, now) in options.items()
            if list(before) != list(now)
        ]


def find_current(database: Database, request: AdoptionRequest) -> GraphInfo | None:
    """The graph already adopted under the name; refuses a name or label of another graph."""
    if not NAME.fullmatch(request.name):
        raise UsageError(
            f"{short(request.name)} cannot be the name of a graph.",
            hint="Expected lower-case letters, digits, - and _: movies",
        )
    if request.label in RESERVED_LABELS:
        raise UsageError(
            f"Nodes labelled {short(request.label)} cannot be adopted: that label is reserved for "
            "kgdb.",
            hint="Give your nodes another label by SET n:Mine, and adopt that label.",
        )
    others = {graph.name: graph for graph in list_graphs(database)}
    current = others.pop(request.name, None)
    if current and not current.adopted:
        raise UsageError(
            f"A graph {short(request.name)} is already loaded.", hint="Choose another name."
        )
    if current and (differences := request.differences(current)):
        raise UsageError(
            f"The graph {short(request.name)} is already adopted, with other options: "
            f"{'; '.join(differences)}.",
            hint=f"To change them, first run: kgdb unload {request.name} (it leaves your nodes "
            "alone). To count again, repeat the earlier options.",
        )
    for other in others.values():
        if other.label == request.label or (
            not other.adopted and _is_shared(database, request, other)
        ):
            raise UsageError(
                f"Nodes labelled {short(request.label)} already belong to the graph "
                f"{short(other.name)}.",
                hint="Adopt a label that only the nodes of the new graph have.",
            )
    return current


def _options(values: Sequence[str]) -> str:
    return " ".join(map(repr, values)) or "not given"


def _is_shared(database: Database, request: AdoptionRequest, other: GraphInfo) -> bool:
    rows = database.run("adopt/shared", label=request.label, other=other.label)
    return bool(rows[0]["shared"])
