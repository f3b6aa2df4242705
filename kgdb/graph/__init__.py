"""The graph layer: one object over the driver, a typed mirror of what the database can do."""

from kgdb.graph.connection.catalog import GraphInfo, find_graph, list_graphs
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.plugin_messages import plugin_notice
from kgdb.graph.connection.round_trips import RoundTrips, count_round_trips
from kgdb.graph.gds.cheapest import CheapestPaths
from kgdb.graph.gds.projection import Projection
from kgdb.graph.graph import Graph
from kgdb.graph.linking.mention_linking import Link, Links, link
from kgdb.graph.plain.properties import qualifiers_of
from kgdb.graph.retrieval.batch import Batch
from kgdb.graph.retrieval.conditions import PropertyCondition
from kgdb.graph.retrieval.qualifiers import PathQualifiers, Qualifiers
from kgdb.graph.retrieval.relation_vectors import RelationVectors
from kgdb.graph.search import (
    SearchOptions,
    SearchRequest,
    SearchResult,
    search_all,
    search_round_trips,
)
from kgdb.graph.thoughts.matching import Match, MatchedEdge, Pattern, thought
from kgdb.graph.thoughts.scripts import (
    GroundedRun,
    ReadAnswer,
    ScriptError,
    Thought,
    ThoughtEdge,
    ThoughtNode,
    ThoughtRun,
)

__all__ = [
    "Batch",
    "CheapestPaths",
    "Database",
    "Graph",
    "GraphInfo",
    "GroundedRun",
    "Link",
    "Links",
    "Match",
    "MatchedEdge",
    "PathQualifiers",
    "Pattern",
    "Projection",
    "PropertyCondition",
    "Qualifiers",
    "ReadAnswer",
    "RelationVectors",
    "RoundTrips",
    "ScriptError",
    "SearchOptions",
    "SearchRequest",
    "SearchResult",
    "Thought",
    "ThoughtEdge",
    "ThoughtNode",
    "ThoughtRun",
    "count_round_trips",
    "find_graph",
    "link",
    "list_graphs",
    "plugin_notice",
    "qualifiers_of",
    "search_all",
    "search_round_trips",
    "thought",
]
