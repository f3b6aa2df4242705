"""Results as graphs of networkx."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgdb.interop.elements import Node, Results, elements
from kgdb.optional_packages import optional

if TYPE_CHECKING:
    import networkx


def to_networkx(results: Results) -> networkx.MultiDiGraph:
    """The results as a ``networkx.MultiDiGraph`` (extra ``networkx``).

    Nodes are entity ids with the attributes ``name`` (or the id, if the results have no name) and,
    for ranked entities, ``score``. Edges have their stored direction; their key and their attribute
    ``relation`` are the relation, and ``count`` is the number of parallel edges, if known.
    """
    network: networkx.MultiDiGraph = optional("networkx", "networkx").MultiDiGraph()
    for element in elements(results):
        if isinstance(element, Node):
            network.add_node(element.id)
            attributes = network.nodes[element.id]
            attributes["name"] = element.name or attributes.get("name", element.id)
            if element.score is not None:
                attributes["score"] = element.score
        else:
            network.add_edge(
                element.head, element.tail, key=element.relation, relation=element.relation
            )
            if element.count is not None:
                network.edges[element.head, element.tail, element.relation]["count"] = element.count
    return network
