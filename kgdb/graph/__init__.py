"""The graph layer: one object over the driver, a typed mirror of what the database can do."""

from kgdb.graph.catalog import GraphInfo, find_graph, list_graphs
from kgdb.graph.database import Database, RoundTrips, count_round_trips, plugin_notice
from kgdb.graph.graph import (
    Candidate,
    FollowedEntity,
    Graph,
    Neighbor,
    RelationAround,
    RelationInfo,
)
from kgdb.graph.linking import Link, link

__all__ = [
    "Candidate",
    "Database",
    "FollowedEntity",
    "Graph",
    "GraphInfo",
    "Link",
    "Neighbor",
    "RelationAround",
    "RelationInfo",
    "RoundTrips",
    "count_round_trips",
    "find_graph",
    "link",
    "list_graphs",
    "plugin_notice",
]
