"""Hard negatives: chains that the database offers around a topic and that answer another question.

The hardest differ from the right chain by one thing: a hop less or more, one hop against its
direction, or another relation as the last hop or the first.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

from kgdb.lab.training.corpus.chain_finding import Chain

MAX_NEGATIVES = 8


def hard_negatives(
    chain: Chain, around: Sequence[Chain], right: Collection[Chain], draw: random.Random
) -> list[Chain]:
    """At most :data:`MAX_NEGATIVES` other chains, in turn of each kind, the rest at random.

    None of them is ``right``: such a chain gives the same answers.
    """
    others = [each for each in around if each != chain and each not in right]
    draw.shuffle(others)
    kinds: list[list[Chain]] = [[] for _ in range(_KINDS)]
    for other in others:
        kinds[_kind(chain, other)].append(other)
    chosen: list[Chain] = []
    *near, far = kinds
    while any(near) and len(chosen) < MAX_NEGATIVES:
        chosen += [kind.pop() for kind in near if kind]
    return [*chosen, *far][:MAX_NEGATIVES]


_KINDS = 6


def _kind(chain: Chain, other: Chain) -> int:
    """How another chain differs; the last kind is by more than one thing."""
    if len(other) < len(chain) and other in (chain[: len(other)], chain[-len(other) :]):
        return 0
    if len(other) > len(chain) and chain in (other[: len(chain)], other[-len(chain) :]):
        return 1
    if len(other) == len(chain):
        different = [n for n, step in enumerate(chain) if other[n] != step]
        if all(other[n] == chain[n].back for n in different):
            return 2
        if different == [len(chain) - 1]:
            return 3
        if different == [0]:
            return 4
    return 5
