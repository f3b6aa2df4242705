"""What several relation chains lead to, in little room: which of them is meant is not known."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.values import Path

_LEAST_SHARE = 2
"""Paths of each chain that are kept, where it has so many."""


def allocate_by_rank(chains: Sequence[Sequence[Path]], most: int) -> list[Path]:
    """At most ``most`` of the paths of several chains; chains and their paths are best first.

    The second gets half as many as the first, the third a third, and so on, so that the right
    chain is there though it is not the likeliest; what one has too few of the others share.
    """
    found = [paths for paths in chains if paths]
    unit = most / sum(1 / rank for rank in range(1, len(found) + 1)) if found else 0
    kept, more = list[Path](), list[Path]()
    for rank, paths in enumerate(found, 1):
        room = max(_LEAST_SHARE, round(unit / rank))
        kept += paths[:room]
        more += paths[room:]
    return list(dict.fromkeys((*kept[:most], *more)))[:most]
