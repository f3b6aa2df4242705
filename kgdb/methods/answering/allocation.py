"""Shares of the evidence for several relation chains, of which any may be the right one."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.values import Path

_MIN_SHARE = 2
"""Paths that each chain may keep."""


def allocate_by_rank(chains: Sequence[Sequence[Path]], limit: int) -> list[Path]:
    """At most ``limit`` of the paths of several chains; chains and their paths are best first.

    The second chain gets half as many as the first, the third a third, and so on: the evidence
    contains the right chain even if its rank is low. If a chain has fewer paths than its share,
    the other chains use the rest.
    """
    nonempty = [paths for paths in chains if paths]
    unit = limit / sum(1 / rank for rank in range(1, len(nonempty) + 1)) if nonempty else 0
    selected, remaining = list[Path](), list[Path]()
    for rank, paths in enumerate(nonempty, 1):
        share = max(_MIN_SHARE, round(unit / rank))
        selected += paths[:share]
        remaining += paths[share:]
    return list(dict.fromkeys((*selected[:limit], *remaining)))[:limit]
