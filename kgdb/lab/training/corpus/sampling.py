"""Facts to start from: the same for a graph and a seed, whatever the order they are read in."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable
from itertools import islice

from kgdb.values import Triple

PER_RELATION = 500
"""Facts of a relation that are kept."""

MAX_FACTS = 2_000_000
"""Facts of a graph that are looked at; a larger graph is known by these."""


def chance(*parts: object) -> float:
    """A number from 0 to 1 that depends on nothing but the parts."""
    text = "\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") / 2**64


def sample_facts(facts: Iterable[Triple], seed: int) -> dict[str, list[Triple]]:
    """Some facts of each relation, drawn by ``seed``."""
    drawn: dict[str, list[tuple[float, Triple]]] = {}
    for fact in islice(facts, MAX_FACTS):
        ranked = (-chance(seed, fact.head.id, fact.relation, fact.tail.id), fact)
        kept = drawn.setdefault(fact.relation, [])
        if len(kept) < PER_RELATION:
            heapq.heappush(kept, ranked)
        else:
            heapq.heappushpop(kept, ranked)
    return {
        relation: [fact for _, fact in sorted(kept, reverse=True)]
        for relation, kept in sorted(drawn.items())
    }
