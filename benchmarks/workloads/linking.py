"""A mention, as people write it, and the entity it means."""

from __future__ import annotations

import re
from collections.abc import Callable

from benchmarks.cases import Case
from benchmarks.timing import Statement
from benchmarks.workloads.search import Maker
from kgdb.graph.linking import name_similarity

_COLUMNS = ("id", "name")
_CANDIDATES = 50
"""Entities asked of the index, by the procedure as well."""

_WORD = re.compile(r"\w+")


def small_letters(case: Case) -> str:
    """The name in small letters, which an index of exact values does not find."""
    return case.name.lower()


def misspelt(case: Case) -> str:
    """The name without one letter in the middle of its longest word."""
    name = case.name.lower()
    longest = max(_WORD.finditer(name), key=lambda word: len(word[0]))
    left_out = (longest.start() + longest.end()) // 2
    return name[:left_out] + name[left_out + 1 :]


def link(mention: Callable[[Case], str]) -> Maker:
    """The entity that is most likely meant."""
    return lambda graph, case: Statement(
        "CALL kgdb.entities.link($kg, [$mention], [], {limit: 1}) YIELD id, name RETURN id, name",
        _COLUMNS,
        {"kg": graph.name, "mention": mention(case)},
    )


def link_cypher(mention: Callable[[Case], str]) -> Maker:
    """The same in plain Cypher, which knows small and large letters, and no other differences."""
    return lambda graph, case: Statement(
        """CALL db.index.fulltext.queryNodes($index, $phrase, {limit: $candidates}) YIELD node
        WITH node WHERE toLower(node.name) = $mention
          OR any(alias IN node.aliases WHERE toLower(alias) = $mention)
        WITH node ORDER BY node.pagerank DESC, node.id LIMIT 1
        RETURN node.id AS id, node.name AS name""",
        _COLUMNS,
        {
            "index": f"kgdb_{graph.label}_names",
            "candidates": _CANDIDATES,
            "mention": mention(case),
            "phrase": name_similarity.phrase(mention(case)),
        },
    )
