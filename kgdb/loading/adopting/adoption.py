"""Adopts a graph: writes its bookkeeping nodes and its indexes.

kgdb reads the user's nodes and never changes them. It never reads all of them either: labels and
relationships are counted by the store, names are chosen from a sample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from kgdb._version import __version__
from kgdb.errors import DatabaseError, KgdbError, UsageError
from kgdb.graph.connection.catalog import (
    LOADING,
    READY,
    GraphInfo,
    list_graphs,
    name_properties,
)
from kgdb.graph.connection.database import Database
from kgdb.graph.graph import Graph
from kgdb.language import Encoder
from kgdb.loading.adopting.adopted_relations import KindProperty, count_relations, find_kinds
from kgdb.loading.adopting.indexes import IndexPlan, plan_indexes, write_indexes
from kgdb.loading.adopting.labels import ChosenLabels, choose_labels
from kgdb.loading.adopting.name_choice import ChosenNames, GivenNames, choose_names
from kgdb.loading.loaders.loader_spec import require_graph_name
from kgdb.loading.writing.embeddings import embed_relations
from kgdb.loading.writing.graph_constraints import write_constraints
from kgdb.loading.writing.unload import unload
from kgdb.progress import Message, Report, silent
from kgdb.text_arguments import optional_text, text, texts
from kgdb.wording import short

_PROPERTIES = "names of properties"


@dataclass(frozen=True, slots=True)
class Adoption:
    """An adopted graph.

    ``labels`` counts its nodes by label. ``nameless`` counts those without a name by label: their
    ids serve as names; of many nodes it is an estimate. ``outside`` counts the relationships to
    nodes without these labels: they are not in the graph. ``left_out`` gives labels that were not
    adopted because another graph has them, with its name, ``bookkeeping`` those of other tools with
    the number of their nodes. ``kinds`` gives relations whose meaning is in a property: that
    property, with some of its values.
    """

    graph: GraphInfo
    labels: Mapping[str, int]
    nameless: Mapping[str, int]
    outside: int
    left_out: Mapping[str, str]
    bookkeeping: Mapping[str, int]
    kinds: Mapping[str, KindProperty]


def adopt(
    database: Database,
    name: str,
    labels: str | Sequence[str] = (),
    *,
    id_property: str | None = None,
    name_properties: str | Mapping[str, str | Sequence[str]] | None = None,
    alias_properties: Sequence[str] = (),
    title: str | None = None,
    encoder: Callable[[], Encoder] | None = None,
    report: Report = silent,
) -> Adoption:
    """Write the bookkeeping and the indexes of the graph of all nodes with one of the ``labels``.

    Without labels these are all that no other graph has, except for labels that start with ``_``,
    which are other tools' bookkeeping. ``id_property`` is a property whose value is unique for
    every node with the one label; without it ids are the database's own. ``name_properties`` says
    where nodes have their names, for all labels or by label; several properties are joined, as
    first and last names. Where it does not say, kgdb chooses. ``alias_properties`` are properties
    with other names. With an ``encoder``, each relation gets its embedding.

    A repeated call counts again; what it does not give stays as it was. No entity gets a PageRank:
    that would change the user's nodes. Raises :class:`UsageError` if the name or a label belongs to
    another graph, if no relationship joins two of the nodes, if ids are missing, not unique, or
    neither texts nor whole numbers, and if names are lists.
    """
    text("name", name, "a name for the graph")
    optional_text("id_property", id_property, "the name of a property")
    optional_text("title", title)
    given = tuple(
        texts("labels", [labels] if isinstance(labels, str) else labels, "labels of nodes")
    )
    given_names = _given_names(name_properties)
    alias_properties = texts("alias_properties", alias_properties, _PROPERTIES)
    current = _find_current(database, name, given, id_property)
    every_label = current.every_label if current else not given
    kept = current.labels if current else ()
    if current and not every_label:
        given = current.labels
    report(Message("Looking at labels, names and relationships …"))
    chosen = choose_labels(database, name, given, kept)
    key = id_property or (current.id_property if current else None)
    if key is not None and len(chosen.names) > 1:
        raise UsageError(
            f"--id {short(key)} needs exactly one --label, and the graph has {len(chosen.names)}.",
            hint="Give one label, or leave --id out: then ids are the database's own.",
        )
    aliases = alias_properties or (current.alias_properties if current else ())
    names = choose_names(database, given_names, chosen.counts, current)
    plan = plan_indexes(database, chosen.names, key, names, aliases, current, report)
    if key is not None:
        _warn_of_empty_id(database, chosen, key, report)
    relations = count_relations(database, chosen.names)
    write_constraints(database)
    common = {
        **_properties(chosen, key, names, plan),
        "everyLabel": every_label,
        "aliasProperties": list(aliases),
        **({"title": title} if title else {}),
    }
    if current is None:
        properties = {"title": name, "source": "adopted in place", "state": LOADING, **common}
        database.write("adopt/begin", {"name": name, "properties": properties})
    try:
        report(Message("Creating the indexes …"))
        write_indexes(database, plan, chosen.names, key, report)
    except KgdbError:
        if current is None:
            with suppress(DatabaseError):
                unload(database, _graph(database, name))
        raise
    finished = {
        **common,
        "state": READY,
        "entities": chosen.nodes,
        "triples": relations.triples,
        "relations": len(relations.rows),
        "loaded_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    rows = list(relations.rows)
    database.write("adopt/finish", {"name": name, "properties": finished, "relations": rows})
    graph = _graph(database, name)
    if encoder is not None:
        embed_relations(database, graph, encoder, report)
        graph = _graph(database, name)
    return Adoption(
        graph,
        chosen.counts,
        names.nameless,
        relations.outside,
        chosen.left_out,
        chosen.bookkeeping,
        find_kinds(Graph(database, graph).schema),
    )


def _given_names(
    name_properties: str | Mapping[str, str | Sequence[str]] | None,
) -> GivenNames:
    if not isinstance(name_properties, Mapping):
        name = optional_text("name_properties", name_properties, "the name of a property")
        return GivenNames({}, (name,) if name else ())
    return GivenNames(
        {
            label: tuple(
                texts("name_properties", [given] if isinstance(given, str) else given, _PROPERTIES)
            )
            for label, given in name_properties.items()
        }
    )


def _find_current(
    database: Database, name: str, labels: Sequence[str], id_property: str | None
) -> GraphInfo | None:
    """The graph already adopted under the name; refuses the name of another graph."""
    require_graph_name(name, "movies")
    current = next((g for g in list_graphs(database) if g.name == name), None)
    if current is None:
        return None
    if not current.adopted:
        raise UsageError(f"A graph {short(name)} is already loaded.", hint="Choose another name.")
    before = () if current.every_label else current.labels
    options: dict[str, tuple[Sequence[str], Sequence[str]]] = {
        "--label": (before, labels or before),
        "--id": (_one(current.id_property), _one(id_property or current.id_property)),
    }
    differences = [
        f"{option} was {_options(earlier)} and is {_options(now)} now"
        for option, (earlier, now) in options.items()
        if sorted(earlier) != sorted(now)
    ]
    if differences:
        raise UsageError(
            f"The graph {short(name)} is already adopted, with other options: "
            f"{'; '.join(differences)}.",
            hint=f"To change them, first run: kgdb remove {name} (it leaves your nodes alone). To "
            f"count again, run: kgdb adopt {name}",
        )
    return current


def _one(value: str | None) -> Sequence[str]:
    return () if value is None else (value,)


def _options(values: Sequence[str]) -> str:
    return " ".join(map(repr, values)) or "not given"


def _properties(
    chosen: ChosenLabels, key: str | None, names: ChosenNames, plan: IndexPlan
) -> dict[str, Any]:
    """The properties of the bookkeeping node."""
    return {
        "labels": list(chosen.names),
        "idProperty": key,
        **name_properties(names.sources),
        "fulltext": plan.fulltext,
        "ownIndexes": list(plan.own),
        "adopted": True,
        "kgdb_version": __version__,
    }


def _warn_of_empty_id(database: Database, chosen: ChosenLabels, key: str, report: Report) -> None:
    (label,) = chosen.names
    if database.run("adopt/empty_id", {"empty": ""}, label=label, id=key)[0]["found"]:
        report(
            Message(
                f"A node labelled {short(label)} has the empty text as {short(key)}. It "
                "is adopted, but kgdb load skips it and its triples if you load an export of it"
            )
        )


def _graph(database: Database, name: str) -> GraphInfo:
    return next(graph for graph in list_graphs(database) if graph.name == name)
