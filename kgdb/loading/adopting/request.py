"""A request to adopt a graph, and the check against the graphs that the database has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kgdb.errors import UsageError
from kgdb.graph import Database, GraphInfo
from kgdb.graph.connection.catalog import list_graphs
from kgdb.loading.loaders.spec import NAME
from kgdb.wording import short


@dataclass(frozen=True, slots=True)
class AdoptionRequest:
    """What the caller of an adoption asks for; what is not given is found out.

    ``names`` are the properties with the name by label, ``any_name`` those for all other labels.
    """

    name: str
    labels: tuple[str, ...] = ()
    id_property: str | None = None
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    any_name: tuple[str, ...] = ()
    alias_properties: tuple[str, ...] = ()

    def differences(self, graph: GraphInfo) -> list[str]:
        """The options that differ from those of the earlier adoption, as clauses."""
        before = () if graph.every_label else graph.labels
        options: dict[str, tuple[Sequence[str], Sequence[str]]] = {
            "--label": (before, self.labels or before),
            "--id": (_one(graph.id_property), _one(self.id_property or graph.id_property)),
        }
        return [
            f"{option} was {_options(earlier)} and is {_options(now)} now"
            for option, (earlier, now) in options.items()
            if sorted(earlier) != sorted(now)
        ]


def find_current(database: Database, request: AdoptionRequest) -> GraphInfo | None:
    """The graph already adopted under the name; refuses the name of another graph."""
    if not NAME.fullmatch(request.name):
        raise UsageError(
            f"{short(request.name)} cannot be the name of a graph.",
            hint="Expected lower-case letters, digits, - and _: movies",
        )
    current = next((g for g in list_graphs(database) if g.name == request.name), None)
    if current and not current.adopted:
        raise UsageError(
            f"A graph {short(request.name)} is already loaded.", hint="Choose another name."
        )
    if current and (differences := request.differences(current)):
        raise UsageError(
            f"The graph {short(request.name)} is already adopted, with other options: "
            f"{'; '.join(differences)}.",
            hint=f"To change them, first run: kgdb remove {request.name} (it leaves your nodes "
            "alone). To count again, run: "
            f"kgdb adopt {request.name}",
        )
    return current


def _one(value: str | None) -> Sequence[str]:
    return () if value is None else (value,)


def _options(values: Sequence[str]) -> str:
    return " ".join(map(repr, values)) or "not given"
