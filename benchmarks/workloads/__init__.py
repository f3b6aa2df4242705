"""What is measured: each procedure beside the best plain Cypher for the same rows.

Plain Cypher here knows what a program that writes it would know. Relation types stand in the text,
as a list of types in a parameter makes it read all relationships of a hub; a thought, whose
relations differ with each question, is measured with either. No node is tested for its graph, as no
relationship leads out of one.
"""

from __future__ import annotations

from benchmarks.cases import Case
from benchmarks.workloads.beam_search import beam, beam_cypher
from benchmarks.workloads.linking import link, link_cypher, small_letters
from benchmarks.workloads.neighborhood import (
    around,
    around_cypher,
    follow,
    follow_cypher,
    neighbors,
    neighbors_cypher,
)
from benchmarks.workloads.path_search import (
    SIMPLE,
    Plan,
    pair_by_length,
    pair_matched,
    paths,
    set_by_length,
)
from benchmarks.workloads.search import Workload
from benchmarks.workloads.thought_search import match, match_cypher, match_written_out

HUB = "e0000000"
"""The largest hub of the power-law graph."""


def _start(case: Case) -> list[str]:
    return [case.start]


def _pair(case: Case) -> list[str]:
    return [case.start, case.other]


def _five(case: Case) -> list[str]:
    return list(case.related)


def _ten(case: Case) -> list[str]:
    return list(case.several)


def _hub(_: Case) -> list[str]:
    return [HUB]


def _rare(case: Case) -> list[str]:
    return sorted({spec.removeprefix("^") for hop in case.hops for spec in hop})[:5]


WORKLOADS = (
    Workload("relations.around, 1 node", around(_start), {"Cypher": around_cypher(_start)}),
    Workload("relations.around, 10 nodes", around(_ten), {"Cypher": around_cypher(_ten)}),
    Workload(
        "relations.around, hub of 100,000",
        around(_hub),
        {"Cypher": around_cypher(_hub)},
        graphs=("powerlaw",),
    ),
    Workload("neighbors, 1 node", neighbors(_start), {"Cypher": neighbors_cypher(_start)}),
    Workload("neighbors, 10 nodes", neighbors(_ten), {"Cypher": neighbors_cypher(_ten)}),
    Workload(
        "neighbors, hub of 100,000, 5 relations",
        neighbors(_hub, _rare),
        {"Cypher": neighbors_cypher(_hub, _rare)},
        graphs=("powerlaw",),
    ),
    Workload("follow, 3 hops", follow, {"Cypher": follow_cypher}),
    Workload(
        "paths.all ≤ 3",
        paths("paths.all", 3, _pair),
        {
            "Cypher, by length": pair_by_length(Plan.PLANNED),
            "Cypher, by length, joined": pair_by_length(Plan.JOINED),
            "Cypher, by length, ends first": pair_by_length(Plan.ENDS_FIRST),
            "Cypher [*1..3]": pair_matched("(s)-[*1..3]-(t)", SIMPLE),
        },
        target=10.0,
    ),
    Workload(
        "paths.all ≤ 3, each two of 5 nodes",
        paths("paths.all", 3, _five),
        {
            "Cypher, by length": set_by_length(_five, Plan.PLANNED),
            "Cypher, by length, joined": set_by_length(_five, Plan.JOINED),
            "Cypher, by length, ends first": set_by_length(_five, Plan.ENDS_FIRST),
        },
        target=10.0,
    ),
    Workload(
        "paths.shortest ≤ 4",
        paths("paths.shortest", 4, _pair),
        {
            "Cypher allShortestPaths": pair_matched("allShortestPaths((s)-[*..4]-(t))"),
            "Cypher ALL SHORTEST": pair_matched("ALL SHORTEST (s)--{1,4}(t)"),
        },
    ),
    Workload("beam, 3 hops, all relations", beam(0), {"Cypher": beam_cypher}),
    Workload(
        "got.match, 3 hops, both ends",
        match,
        {"Cypher": match_cypher, "Cypher, relations in the text": match_written_out},
    ),
    Workload(
        "entities.link, small letters", link(small_letters), {"Cypher": link_cypher(small_letters)}
    ),
)
