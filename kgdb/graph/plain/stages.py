"""Chains and hops as plain statements take them: what each set follows at each of their stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgdb.graph.retrieval.plugin import Chains, Hops, Starts
from kgdb.graph.retrieval.retrieval_options import Config
from kgdb.graph.retrieval.step_filter import StepFilter
from kgdb.values import Step


def parsed_chains(chains: Chains) -> list[list[Step]]:
    """The steps of each set's chain."""
    return [[Step.parse(spec) for spec in chain] for chain in chains]


def steps_by_place(chains: Sequence[Sequence[Step]]) -> list[list[Step]]:
    """The steps that some set takes at each place of its chain, sorted."""
    longest = max(map(len, chains), default=0)
    return [
        sorted({chain[place] for chain in chains if place < len(chain)}) for place in range(longest)
    ]


def chain_values(chains: Sequence[Sequence[Step]]) -> dict[str, Any]:
    """The chains as parameters: which branch each takes, and which relations come once more."""
    branches = steps_by_place(chains)
    relations = [[step.relation for step in chain] for chain in chains]
    return {
        "chains": [
            [branches[place].index(step) for place, step in enumerate(chain)] for chain in chains
        ],
        "later": [[chain[place + 1 :] for place in range(len(chain))] for chain in relations],
        "repeats": [len(set(chain)) < len(chain) for chain in relations],
    }


def hops_of_sets(hops: Hops, starts: Starts, config: Config) -> list[list[dict[Step, float]]]:
    """For each set and hop, the steps that may be taken with their similarities."""
    shared = all(isinstance(hop, Mapping) for hop in hops)
    each: Any = [hops for _ in starts] if shared else hops
    denied = StepFilter.denied(config["exclude"])
    return [
        [
            {
                step: similarity
                for spec, similarity in hop.items()
                for step in _both_ways(Step.parse(spec), config["direction"])
                if not denied.allows(step)
            }
            for hop in of_set
        ]
        for of_set in each
    ]


def _both_ways(step: Step, direction: str) -> tuple[Step, ...]:
    return (step, Step(step.relation, reverse=True)) if direction == "both" else (step,)


def ranked_steps(hop: Mapping[Step, float], steps: Sequence[Step]) -> list[dict[str, Any]]:
    """The steps of a hop, best first, each with its place among those of all sets."""
    return [
        {
            "place": steps.index(step),
            "spec": str(step),
            "relation": step.relation,
            "out": not step.reverse,
            "similarity": hop[step],
        }
        for step in sorted(hop, key=lambda step: (-hop[step], step))
    ]
