"""Adopts a graph: writes its bookkeeping nodes and its indexes.

kgdb reads the user's nodes and never changes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from kgdb.errors import DatabaseError, KgdbError, ModelMissing, UsageError
from kgdb.graph.connection.catalog import (
    LOADING,
    READY,
    GraphInfo,
    fulltext_index,
    id_constraint,
    list_graphs,
    name_index,
)
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import joined, statement
from kgdb.graph.graph import Graph
from kgdb.language import Encoder, encode_relations
from kgdb.loading.adopting.node_checks import (
    EXAMPLES,
    MISSING,
    ValueTypes,
    check_values,
    count_relations,
    refuse_duplicates,
    require_distinct_ids,
)
from kgdb.loading.adopting.request import AdoptionRequest, find_current
from kgdb.loading.writing.embedding import write_relation_vectors
from kgdb.loading.writing.schema import await_indexes, write_constraints
from kgdb.loading.writing.unload import unload
from kgdb.progress import Message, Report, silent
from kgdb.text_arguments import optional_text, text, texts
from kgdb.wording import listed, short

MAX_NAME_LENGTH = 1_750
"""Characters of the longest name that surely fits into an index, at four bytes each."""


@dataclass(frozen=True, slots=True)
class Adoption:
    """An adopted graph.

    ``nameless`` counts the entities without the name property: their ids serve as names.
    ``outside`` counts the relationships to nodes without the label: they are not in the graph.
    """

    graph: GraphInfo
    nameless: int
    outside: int


def adopt(
    database: Database,
    name: str,
    label: str,
    *,
    id_property: str = "id",
    name_property: str = "name",
    alias_properties: Sequence[str] = (),
    title: str | None = None,
    encoder: Callable[[], Encoder] | None = None,
    report: Report = silent,
) -> Adoption:
    """Write the bookkeeping and the indexes of the graph of all nodes with ``label``.

    ``alias_properties`` are properties with other names of the entities. With an ``encoder``, each
    relation gets its embedding. A repeated call counts again. No entity gets a PageRank: that would
    change the user's nodes. Raises :class:`UsageError` if the name or the label belongs to another
    graph, if no two nodes with the label are related, if ids are missing, not unique, or neither
    texts nor whole numbers, and if names are lists.
    """
    text("name", name, "a name for the graph")
    text("label", label, "the label of the nodes")
    text("id_property", id_property, "the name of a property")
    text("name_property", name_property, "the name of a property")
    alias_properties = texts("alias_properties", alias_properties, "names of properties")
    optional_text("title", title)
    request = AdoptionRequest(name, label, id_property, name_property, tuple(alias_properties))
    current = find_current(database, request)
    report(Message(f"Checking the nodes labelled {short(label)} …"))
    types = check_values(database, request)
    if database.run("entities", {"ids": [""]}, label=label, id=id_property, name=name_property):
        report(
            Message(
                f"A node labelled {short(label)} has the empty text as {short(id_property)}. It "
                "is adopted, but kgdb load skips it and its triples if you load an export of it"
            )
        )
    relations, outside = count_relations(database, request)
    write_constraints(database)
    common = request.properties() | ({"title": title} if title else {})
    if current is None:
        properties = {"title": name, "source": "adopted in place", "state": LOADING, **common}
        database.write("adopt/begin", {"name": name, "properties": properties})
    try:
        _index(database, request, types, report)
    except KgdbError:
        if current is None:
            with suppress(DatabaseError):
                unload(database, _graph(database, name))
        raise
    finished = {
        **common,
        "state": READY,
        "entities": types.nodes,
        "triples": sum(relation["count"] for relation in relations),
        "relations": len(relations),
        "loaded_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    database.write("adopt/finish", {"name": name, "properties": finished, "relations": relations})
    graph = _graph(database, name)
    if encoder is not None:
        relation_infos = tuple(Graph(database, graph).relations.values())
        try:
            vectors = encode_relations(relation_infos, encoder())
        except ModelMissing as missing:
            report(Message(f"No embeddings of relations: {missing.message}"))
        else:
            write_relation_vectors(database, name, vectors)
    return Adoption(graph, types.names.get(MISSING, 0), outside)


def _graph(database: Database, name: str) -> GraphInfo:
    return next(graph for graph in list_graphs(database) if graph.name == name)


def _index(database: Database, request: AdoptionRequest, types: ValueTypes, report: Report) -> None:
    """Create the missing indexes."""
    label, id_property, name_property = request.label, request.id_property, request.name_property
    report(Message("Creating the indexes …"))
    existing = database.run("adopt/indexes", {"label": label})
    over_ids = [
        index
        for index in existing
        if index["type"] == "RANGE" and index["properties"] == [id_property]
    ]
    if not over_ids:
        try:
            database.write(
                "adopt/constraint",
                label=label,
                id=id_property,
                constraint=id_constraint(label),
            )
        except DatabaseError:
            require_distinct_ids(database, request)
            raise
    elif not over_ids[0]["owningConstraint"]:
        # Neo4j allows no constraint beside the user's own index, which serves as well.
        require_distinct_ids(database, request)
    if len(types.ids) > 1:
        limit = {"limit": EXAMPLES}
        mixed = database.run("adopt/mixed", limit, label=label, id=id_property)
        refuse_duplicates(request, mixed)
    fields = [name_property, *request.alias_properties]
    index = fulltext_index(label)
    for other in existing:
        if other["type"] == "FULLTEXT" and other["properties"] == fields and other["name"] != index:
            raise UsageError(
                f"The full-text index {short(other['name'])} already covers {listed(fields)} of "
                f"{short(label)}, and Neo4j allows only one such index.",
                hint=f"Drop it (DROP INDEX {other['name']}), or add another property to search "
                "with --alias.",
            )
    parts = [statement("adopt/property", property=field) for field in fields]
    database.write("adopt/fulltext", label=label, index=index, properties=joined(", ", parts))
    if types.longest_name > MAX_NAME_LENGTH:
        report(Message("No index over whole names: some names are too long for it."))
    elif name_property != id_property:
        database.write("adopt/names", label=label, name=name_property, index=name_index(label))
    await_indexes(database)
