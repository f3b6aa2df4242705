"""Results as nodes and relationships of py2neo, bound to the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kgdb.errors import DatabaseError
from kgdb.graph import Graph
from kgdb.graph.connection.statements import Types, statement
from kgdb.interop.result_elements import Edge, Results, elements
from kgdb.optional_packages import optional
from kgdb.values import Entity, Path, Triple
from kgdb.wording import short

if TYPE_CHECKING:
    import py2neo


def to_py2neo(results: Results, kg: Graph, graph: py2neo.Graph) -> Any:
    """Results from ``kg`` as values of py2neo (extra ``py2neo``), read by one query.

    An :class:`Entity` becomes a ``py2neo.Node``, a :class:`Triple` a ``Relationship``, a
    :class:`Path` a ``Path``, and any other result a ``Subgraph``. They are bound to ``graph``: they
    have all labels and properties, and can be pushed, pulled and merged. Raises
    :class:`DatabaseError` if the database no longer has some of them.
    """
    return _Reader(results, kg, graph).convert(results)


class _Reader:
    """Reads the nodes and relationships of results by one query."""

    def __init__(self, results: Results, kg: Graph, graph: py2neo.Graph) -> None:
        self._py2neo = optional("py2neo", "py2neo")
        self._kg = kg
        self._graph = graph
        parts = list(elements(results))
        edges = {(e.head, e.relation, e.tail): e for e in parts if isinstance(e, Edge)}
        ids = dict.fromkeys(e.id for e in parts if not isinstance(e, Edge))
        nodes, relationships = self._read(list(ids), list(edges.values()))
        self._ids = {_identity(id_): id_ for id_ in ids} if kg.info.id_property is None else {}
        self.nodes = {self._id(node): node for node in nodes}
        self.relationships: dict[tuple[str, str, str], list[Any]] = {edge: [] for edge in edges}
        by_identity = {node.identity: node for node in nodes}
        for relationship in relationships:
            bound = self._with_nodes(relationship, by_identity)
            ends = self._id(bound.start_node), self._id(bound.end_node)
            self.relationships[ends[0], type(bound).__name__, ends[1]].append(bound)
        missing = [short(id_) for id_ in ids if id_ not in self.nodes]
        missing += [" –".join(edge) for edge, bound in self.relationships.items() if not bound]
        if missing:
            raise DatabaseError(
                f"The graph {short(kg.name)} no longer has, or never had: "
                f"{', '.join(missing[:3])}.",
                hint="Retrieve the results again, from the same graph.",
            )

    def _id(self, node: Any) -> Any:
        key = self._kg.info.id_property
        return self._ids[node.identity] if key is None else node[key]

    def _read(self, ids: list[str], edges: list[Edge]) -> tuple[list[Any], list[Any]]:
        info = self._kg.info
        types = Types(frozenset(edge.relation for edge in edges))
        text = statement("subgraph", **info.places, types=types)
        triples = [{"head": e.head, "relation": e.relation, "tail": e.tail} for e in edges]
        (row,) = self._graph.run(str(text), {"ids": ids, "triples": triples}).data()
        return row["nodes"], row["relationships"]

    def _with_nodes(self, relationship: Any, nodes: dict[int, Any]) -> Any:
        """The relationship with the nodes already read: py2neo would fetch them one by one."""
        bound = self._py2neo.Relationship.ref(
            self._graph,
            relationship.identity,
            nodes[relationship.start_node.identity],
            type(relationship).__name__,
            nodes[relationship.end_node.identity],
        )
        bound.clear()
        bound.update(relationship)
        return bound

    def convert(self, results: Results) -> Any:
        """See :func:`to_py2neo`."""
        match results:
            case Entity():
                return self.nodes[results.id]
            case Triple():
                return self._relationship(results)
            case Path():
                first = self.nodes[results.entities[0].id]
                return self._py2neo.Path(first, *map(self._relationship, results.triples))
            case _:
                relationships = [r for bound in self.relationships.values() for r in bound]
                return self._py2neo.Subgraph(self.nodes.values(), relationships)

    def _relationship(self, triple: Triple) -> Any:
        """The relationship of a triple; of parallel ones always the same."""
        bound = self.relationships[triple.head.id, triple.relation, triple.tail.id]
        return min(bound, key=lambda relationship: int(relationship.identity))


def _identity(element_id: str) -> int | None:
    """The number of a node in its element id; py2neo knows no other identity."""
    number = element_id.rpartition(":")[2]
    return int(number) if number.isdecimal() else None
