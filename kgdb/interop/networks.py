"""Results as graphs of networkx."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgdb.interop.elements import Node, Results, elements
from kgdb.optional_packages import optional

if TYPE_CHECKING:
    import networkx


def to_networkx(found: Results) -> networkx.MultiDiGraph:
    """What was found as a ``networkx.MultiDiGraph`` (extra ``networkx``).

    Nodes are entity ids, with their ``name`` (the id, where no result tells the name) and, of
    ranked entities, their ``score``. Edges go as the graph states them; the key is the relation,
    also the attribute ``relation``, and ``count`` tells of parallel ones where the results do.
    """
    network: networkx.MultiDiGraph = optional("networkx", "networkx").MultiDiGraph()
    for element in elements(found):
        if isinstance(element, Node):
            network.add_node(element.id)
            known = network.nodes[element.id]
            known["name"] = element.name or known.get("name", element.id)
            if element.score is not None:
                known["score"] = element.score
        else:
            network.add_edge(
                element.head, element.tail, key=element.relation, relation=element.relation
            )
            if element.count is not None:
                network.edges[element.head, element.tail, element.relation]["count"] = element.count
    return network
