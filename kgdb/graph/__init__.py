"""The graph layer: one object over the driver, a typed mirror of what the database can do."""

from kgdb.graph.batch import Batch
from kgdb.graph.catalog import GraphInfo, find_graph, list_graphs
from kgdb.graph.cheapest import CheapestPaths
from kgdb.graph.database import Database, plugin_notice
from kgdb.graph.gathering import Gathered, GatherOptions, Wanted, gather, gather_trips
from kgdb.graph.graph import Graph
from kgdb.graph.linking import Link, Links, link
from kgdb.graph.matching import Match, MatchedEdge, Pattern, thought
from kgdb.graph.projection import Projection
from kgdb.graph.relation_vectors import RelationVectors
from kgdb.graph.results import (
    BeamPath,
    Candidate,
    FollowedEntity,
    Found,
    FoundPath,
    LinkedEntity,
    Neighbor,
    RankedEntity,
    RelationAround,
    RelationInfo,
    WeightedPath,
)
from kgdb.graph.round_trips import RoundTrips, count_round_trips
from kgdb.graph.scripts import (
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
    "BeamPath",
    "Candidate",
    "CheapestPaths",
    "Database",
    "FollowedEntity",
    "Found",
    "FoundPath",
    "GatherOptions",
    "Gathered",
    "Graph",
    "GraphInfo",
    "GroundedRun",
    "Link",
    "LinkedEntity",
    "Links",
    "Match",
    "MatchedEdge",
    "Neighbor",
    "Pattern",
    "Projection",
    "RankedEntity",
    "ReadAnswer",
    "RelationAround",
    "RelationInfo",
    "RelationVectors",
    "RoundTrips",
    "ScriptError",
    "Thought",
    "ThoughtEdge",
    "ThoughtNode",
    "ThoughtRun",
    "Wanted",
    "WeightedPath",
    "count_round_trips",
    "find_graph",
    "gather",
    "gather_trips",
    "link",
    "list_graphs",
    "plugin_notice",
    "thought",
]
