"""Two graphs as a service sees them, without a database."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from kgdb.serving.problem_details import Refused

GRAPHS = {
    name: SimpleNamespace(
        name=name,
        info=SimpleNamespace(
            name=name, title=name, entities=1, relations=1, triples=1, licence="unknown"
        ),
    )
    for name in ("films", "staff")
}


class Access:
    """Two graphs without a database; it fails as it is told to."""

    fails: Exception | None = None

    def visible(self, key: Any) -> dict[str, Any]:
        if self.fails is not None:
            raise self.fails
        return {name: graph for name, graph in GRAPHS.items() if key.may_see(name)}

    def graph(self, key: Any, name: str) -> Any:
        visible = self.visible(key)
        if name not in visible:
            raise Refused(404, "No such graph", f"There is no graph {name}.")
        return visible[name]

    def reasoner(self, asking: Any, watch: Any) -> Any:
        raise AssertionError

    def close(self) -> None:
        pass
