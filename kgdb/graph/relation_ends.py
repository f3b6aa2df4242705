"""How many relationships of a type join which labels, by the counts of the store where they tell.

Neo4j keeps the number of relationships of each type by the label of either end, in constant time.
It does not keep pairs of labels. A pair follows from these counts where every relationship of the
type has the one label at its end. Other pairs are counted by reading the relationships, up to
:data:`MOST_READ` in all, and estimated in larger types.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import joined, statement

MOST_READ = 500_000
"""Relationships that are read to count pairs: half a second. Small types come first."""

_SMALL = 20_000
"""Reading a type with fewer relationships is as fast as asking for its counts."""

_TOGETHER = 25
_SAMPLE = 1_000
_SAMPLE_OF_SHARED = 20_000

Pair = tuple[str, str]
_Key = TypeVar("_Key", str, Pair)


@dataclass(frozen=True, slots=True)
class EndCounts:
    """The labels at both ends of a relation and the pairs of them, with their relationships.

    A node with several labels counts for each. ``estimated`` are the pairs whose numbers come from
    samples.
    """

    heads: Mapping[str, int]
    tails: Mapping[str, int]
    pairs: Mapping[Pair, int]
    estimated: frozenset[Pair] = frozenset()


@dataclass(frozen=True, slots=True)
class StoreCounts:
    """What the store counts of a type, in the whole database: labels that occur, by end."""

    total: int
    heads: Mapping[str, int]
    tails: Mapping[str, int]

    def pairs(self) -> tuple[dict[Pair, int], list[Pair]]:
        """The pairs that follow from these counts, and those that do not."""
        found: dict[Pair, int] = {}
        unknown: list[Pair] = []
        for (head, of_head), (tail, of_tail) in product(self.heads.items(), self.tails.items()):
            if self.total in (of_head, of_tail):
                found[head, tail] = min(of_head, of_tail)
            else:
                unknown.append((head, tail))
        return found, unknown


def store_counts(database: Database, relation: str, labels: Sequence[str]) -> StoreCounts:
    """The numbers of relationships of a type, by the labels of either end."""
    (row,) = database.run(
        "counts/relation",
        type=relation,
        heads=joined(", ", (statement("counts/heads", label=e, type=relation) for e in labels)),
        tails=joined(", ", (statement("counts/tails", label=e, type=relation) for e in labels)),
    )
    heads, tails = (
        {label: count for label, count in zip(labels, row[end], strict=True) if count}
        for end in ("heads", "tails")
    )
    return StoreCounts(row["total"], heads, tails)


def count_ends(
    database: Database, info: GraphInfo, relations: Mapping[str, int], labels: Sequence[str]
) -> dict[str, EndCounts]:
    """The ends of relations, given with their numbers of triples, by these labels."""
    by_size = sorted(relations, key=lambda relation: (relations[relation], relation))
    found: dict[str, EndCounts] = {}
    read: list[str] = []
    left = MOST_READ
    for relation in by_size:
        triples = relations[relation]
        if triples >= _SMALL:
            counts = store_counts(database, relation, labels)
            pairs, unknown = counts.pairs()
            # The store counts the whole database, where another graph may use the type, too.
            is_own = counts.total == triples
            if is_own and not unknown:
                found[relation] = EndCounts(counts.heads, counts.tails, pairs)
                continue
            if triples > left:
                found[relation] = (
                    _estimated(database, info, relation, counts)
                    if is_own
                    else _scaled(database, info, relation, labels, triples)
                )
                continue
        left -= triples
        read.append(relation)
    return found | _read(database, info, read, labels)


def _read(
    database: Database, info: GraphInfo, relations: Sequence[str], labels: Sequence[str]
) -> dict[str, EndCounts]:
    """The ends of relations, by reading all of their relationships."""
    shown = frozenset(labels)
    found = {}
    for start in range(0, len(relations), _TOGETHER):
        some = relations[start : start + _TOGETHER]
        parts = [
            statement("schema/ends", relation=relation, place=place, label=info.places["label"])
            for place, relation in enumerate(some)
        ]
        for row in database.query(joined("UNION ALL\n", parts), {"relations": some}):
            found[row["relation"]] = _grouped(row["ends"], shown)
    return found


def _grouped(
    rows: Iterable[tuple[Sequence[str], Sequence[str], int]], shown: frozenset[str]
) -> EndCounts:
    heads, tails, pairs = Counter[str](), Counter[str](), Counter[Pair]()
    for head_labels, tail_labels, count in rows:
        of_head = [label for label in head_labels if label in shown]
        of_tail = [label for label in tail_labels if label in shown]
        heads.update(dict.fromkeys(of_head, count))
        tails.update(dict.fromkeys(of_tail, count))
        pairs.update(dict.fromkeys(product(of_head, of_tail), count))
    return EndCounts(dict(heads), dict(tails), dict(pairs))


def _estimated(
    database: Database, info: GraphInfo, relation: str, counts: StoreCounts
) -> EndCounts:
    """The pairs of a large type: those that do not follow, by a sample of each head label."""
    pairs, unknown = counts.pairs()
    heads = sorted({head for head, _ in unknown})
    for start in range(0, len(heads), _TOGETHER):
        some = heads[start : start + _TOGETHER]
        parts = [
            statement(
                "schema/ends_of_head",
                of=head,
                relation=relation,
                label=info.places["label"],
                place=place,
            )
            for place, head in enumerate(some)
        ]
        values = {"heads": some, "sample": _SAMPLE}
        for row in database.query(joined("UNION ALL\n", parts), values):
            head, sample = row["head"], row["tails"]
            seen = Counter(label for tail in sample for label in tail)
            for tail in (tail for of, tail in unknown if of == head and seen[tail]):
                share = counts.heads[head] * seen[tail] / len(sample)
                pairs[head, tail] = min(round(share), counts.tails[tail])
    return EndCounts(counts.heads, counts.tails, pairs, frozenset(set(pairs) & set(unknown)))


def _scaled(
    database: Database, info: GraphInfo, relation: str, labels: Sequence[str], triples: int
) -> EndCounts:
    """The ends of a large type that other graphs use, too, by a sample of the graph's own."""
    rows = database.run(
        "schema/ends_sample",
        {"sample": _SAMPLE_OF_SHARED},
        relation=relation,
        label=info.places["label"],
    )
    ends = [(row["heads"], row["tails"], row["count"]) for row in rows]
    factor = triples / max(1, sum(count for _, _, count in ends))
    found = _grouped(ends, frozenset(labels))
    pairs = _times(factor, found.pairs)
    return EndCounts(
        _times(factor, found.heads), _times(factor, found.tails), pairs, frozenset(pairs)
    )


def _times(factor: float, counts: Mapping[_Key, int]) -> dict[_Key, int]:
    return {key: round(count * factor) for key, count in counts.items()}
