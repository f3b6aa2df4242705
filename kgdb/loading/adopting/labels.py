"""The labels of a graph to adopt: those that the caller names, or all that nobody else has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from kgdb.errors import UsageError
from kgdb.graph import Database, GraphInfo
from kgdb.graph.connection.catalog import list_graphs
from kgdb.graph.connection.statements import Labels, joined, statement
from kgdb.loading.loaders.loader_spec import RESERVED_LABELS
from kgdb.wording import listed, short

_BOOKKEEPING = "_"
"""Labels that begin so are those of other tools: _Neodash_Dashboard, _Bloom_Perspective_."""

_ENTITY = "Entity"
"""The label that kgdb gives to loaded entities, and memories of agents to theirs."""

_KGDB = RESERVED_LABELS | {"KgdbThought"}


@dataclass(frozen=True, slots=True)
class ChosenLabels:
    """The labels of the graph with the numbers of their nodes.

    ``left_out`` gives the labels that were not taken because another graph has them, with the name
    of that graph; ``bookkeeping`` those of other tools, with the number of nodes that are left out.
    ``nodes`` is the number of entities; a node with two labels counts once.
    """

    counts: Mapping[str, int]
    nodes: int
    left_out: Mapping[str, str]
    bookkeeping: Mapping[str, int]

    @property
    def names(self) -> tuple[str, ...]:
        """The labels."""
        return tuple(self.counts)


def choose_labels(
    database: Database, name: str, given: Sequence[str], kept: Sequence[str]
) -> ChosenLabels:
    """The labels of the graph ``name``: those given, else all labels in use.

    ``kept`` are the labels of an earlier adoption, which stay first. Refuses a given label that is
    reserved, that no node has, or that belongs to another graph.
    """
    others = [graph for graph in list_graphs(database) if graph.name != name]
    in_use = sorted(database.run("labels")[0]["labels"])
    left_out: dict[str, str] = {}
    bookkeeping: dict[str, int] = {}
    if given:
        for label in given:
            _require_usable(database, label, in_use, others)
        labels = list(dict.fromkeys(given))
    else:
        labels, left_out = _unclaimed(database, in_use, others)
        base, bookkeeping, owned = _base_labels(database, in_use, labels, others)
        labels += base
        left_out |= owned
        if not labels:
            raise _nothing_left(in_use, left_out)
        labels.sort(key=lambda label: (label not in kept, label))
    counts, all_nodes = count_nodes(database, in_use)
    chosen = {label: counts[label] for label in labels if counts[label]}
    if not chosen:
        raise UsageError(f"No node is labelled {listed(labels)}.")
    nodes = sum(chosen.values())
    if len(chosen) > 1 and sum(counts.values()) != all_nodes:
        # Some nodes have several labels, or none.
        nodes = database.run("adopt/nodes", label=Labels(tuple(chosen)))[0]["nodes"]
    return ChosenLabels(chosen, nodes, left_out, bookkeeping)


def count_nodes(database: Database, labels: Iterable[str]) -> tuple[dict[str, int], int]:
    """The numbers of nodes with each label, and of all nodes, by counts that the store keeps."""
    names = list(labels)
    counts = [statement("adopt/node_count", label=label) for label in names]
    (row,) = database.run("adopt/node_counts", counts=joined(", ", counts))
    return dict(zip(names, row["counts"], strict=True)), row["nodes"]


def _unclaimed(
    database: Database, in_use: Sequence[str], others: Sequence[GraphInfo]
) -> tuple[list[str], dict[str, str]]:
    """The labels that only nodes of no other graph have, and the rest with their graph."""
    labels: list[str] = []
    left_out: dict[str, str] = {}
    for label in in_use:
        if label in _KGDB or label.startswith(_BOOKKEEPING):
            continue
        if owner := _owner(database, label, others):
            left_out[label] = owner.name
        else:
            labels.append(label)
    return labels, left_out


def _base_labels(
    database: Database, in_use: Sequence[str], labels: Sequence[str], others: Sequence[GraphInfo]
) -> tuple[list[str], dict[str, int], dict[str, str]]:
    """The labels that builders of graphs give to all entities, where some have only this one.

    Such are ``Entity``, and labels as of other tools' bookkeeping (``__Entity__``) that nodes of
    the graph have, too. Also gives the rest of the latter with their numbers of nodes, and those
    that belong to another graph with its name.
    """
    base: list[str] = []
    bookkeeping: dict[str, int] = {}
    owned: dict[str, str] = {}
    loaded = [other for other in others if not other.adopted]
    known = (*labels, *(other.label for other in loaded))
    for label in in_use:
        if label != _ENTITY and not label.startswith(_BOOKKEEPING):
            continue
        shared, alone = False, 1
        if known:
            (row,) = database.run("adopt/alone", label=label, others=Labels(known))
            shared, alone = row["shared"], row["alone"]
        if not alone:
            continue
        if owner := next((o for o in others if label in o.labels), None):
            owned[label] = owner.name
        elif label == _ENTITY and loaded:
            owned[label] = loaded[0].name
        elif label == _ENTITY or shared:
            base.append(label)
        else:
            bookkeeping[label] = alone
    return base, bookkeeping, owned


def _owner(database: Database, label: str, others: Sequence[GraphInfo]) -> GraphInfo | None:
    """The graph that has the label, or whose loaded entities have it as another label."""
    for other in others:
        if label in other.labels:
            return other
        if not other.adopted and _is_shared(database, label, other):
            return other
    return None


def _is_shared(database: Database, label: str, other: GraphInfo) -> bool:
    return bool(database.run("adopt/shared", label=label, other=other.label)[0]["shared"])


def _require_usable(
    database: Database, label: str, in_use: Sequence[str], others: Sequence[GraphInfo]
) -> None:
    if label in _KGDB - {_ENTITY}:
        raise UsageError(
            f"Nodes labelled {short(label)} cannot be adopted: that label is reserved for kgdb.",
            hint="Give your nodes another label by SET n:Mine, and adopt that label.",
        )
    if owner := _owner(database, label, others):
        raise UsageError(
            f"Nodes labelled {short(label)} already belong to the graph {short(owner.name)}.",
            hint="Adopt a label that only the nodes of the new graph have.",
        )
    if label not in in_use:
        near = get_close_matches(label, in_use, n=1)
        meant = f" Did you mean {short(near[0])}?" if near else ""
        raise UsageError(
            f"No node is labelled {short(label)}.{meant}",
            hint=f"Labels are: {listed(sorted(set(in_use) - _KGDB), 'none')}.",
        )


def _nothing_left(in_use: Sequence[str], left_out: Mapping[str, str]) -> UsageError:
    if left_out:
        owned = ", ".join(f"{short(label)} to {short(name)}" for label, name in left_out.items())
        return UsageError(
            f"No label is left to adopt: they belong to other graphs ({owned}).",
            hint="kgdb graphs lists the graphs; kgdb remove GRAPH gives an adopted one back.",
        )
    hidden = [label for label in in_use if label.startswith(_BOOKKEEPING)]
    besides = f", except for bookkeeping of other tools ({listed(hidden)})" if hidden else ""
    return UsageError(
        f"The database has no labelled nodes to adopt{besides}.",
        hint="Expected nodes that have labels."
        + (f" To adopt such a label, name it: --label {hidden[0]}." if hidden else "")
        + " To load a file instead: kgdb load --help",
    )
