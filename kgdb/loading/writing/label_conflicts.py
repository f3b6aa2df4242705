"""Conflicts of a source with labels and constraints that the database already has.

A source may have labels of its own, for example an export of the same database. A query for such a
label would also match nodes that kgdb did not load, and a constraint on the label would apply to
the loaded nodes too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph.connection.catalog import (
    BOOKKEEPING_CONSTRAINTS,
    GraphInfo,
    id_constraint,
    list_graphs,
)
from kgdb.graph.connection.database import Database
from kgdb.loading.preparing.prepared_source import PreparedSource
from kgdb.wording import short

OTHER_LABEL = (
    "Choose another name with --as: kgdb derives the label from it. Or set another `label` in a "
    "loader file of your own."
)
_AVOID_CONFLICT = (
    "To ask questions of the graph that is there, use: kgdb adopt. Or load into another database "
    "(--instance, --database, NEO4J_URI). Or load without those labels: omit them from "
    "`tables.entities` of a loader file of your own, or, with apoc, add --set labels=no."
)
_SHOWN = 5
_ENTITY = "Entity"
_UNIQUE = ("UNIQUENESS", "NODE_PROPERTY_UNIQUENESS", "RELATIONSHIP_UNIQUENESS")
_NODE_PROPERTIES = frozenset({"id", "name", "aliases", "value", "datatype", "language", "pagerank"})
"""Properties of loaded nodes. Loaded relationships have none: no constraint can tell them apart."""


def require_unused_label(database: Database, label: str) -> None:
    """Refuse a label that nodes already have; the error names their graph."""
    if not database.run("labels/in_use", label=label)[0]["used"]:
        return
    for other in list_graphs(database):
        if label in other.labels or _is_shared(database, label, other):
            raise UsageError(
                f"Entities of the graph {short(other.name)} are labelled {short(label)}.",
                hint=OTHER_LABEL,
            )
    raise UsageError(
        f"The database has nodes labelled {short(label)} that kgdb did not load.", hint=OTHER_LABEL
    )


def _is_shared(database: Database, label: str, graph: GraphInfo) -> bool:
    return any(
        database.run("adopt/shared", label=label, other=other)[0]["shared"]
        for other in graph.labels
    )


def require_no_conflicts(
    prepared: PreparedSource, database: Database, graphs: Iterable[GraphInfo]
) -> None:
    """Refuse a source whose labels or relations conflict with other content of the database."""
    graphs = list(graphs)
    if adopted := next((g for g in graphs if g.adopted and _ENTITY in g.labels), None):
        raise UsageError(
            f"The graph {short(adopted.name)} is adopted by the label {_ENTITY}, which loaded "
            "entities have, too. Nothing was written.",
            hint=f"First run: kgdb remove {adopted.name} (it leaves your nodes alone). Or load "
            "into another database (--instance, --database, NEO4J_URI).",
        )
    labels = prepared.labels()
    if labels:
        _require_labels_unshared(database, labels, graphs)
    _require_unconstrained(prepared, database, labels)


def _require_labels_unshared(
    database: Database, labels: Collection[str], graphs: Iterable[GraphInfo]
) -> None:
    loaded = [graph.label for graph in graphs if not graph.adopted]
    existing = set(database.run("labels")[0]["labels"])
    shared = [
        label
        for label in labels
        if label in existing
        and database.run("labels/shared", {"loaded": loaded}, label=label)[0]["shared"]
    ]
    if shared:
        raise UsageError(
            f"The source labels entities {_listed(shared)}, and the database has nodes with such "
            "labels that kgdb did not load: a query would match both. Nothing was written.",
            hint=_AVOID_CONFLICT,
        )


def _require_unconstrained(
    prepared: PreparedSource, database: Database, source_labels: Collection[str]
) -> None:
    counts, label = prepared.counts, prepared.spec.label
    own = {id_constraint(label), *BOOKKEEPING_CONSTRAINTS}
    labels = {label, _ENTITY, "KnowledgeGraph", "Relation", *source_labels}
    labels |= {"Literal"} if counts.literals else set()
    labels |= {"Mediator"} if counts.mediators else set()
    constraints = [row for row in database.run("constraints") if row["name"] not in own]
    on_nodes = [row for row in constraints if row["entityType"] == "NODE"]
    conflicts = [row for row in on_nodes if row["label"] in labels and _may_refuse(row)]
    on_relationships = [row for row in constraints if row not in on_nodes and _may_refuse(row)]
    if on_relationships:
        relations = {relation.id for relation in prepared.relations()}
        conflicts += [row for row in on_relationships if row["label"] in relations]
    if conflicts:
        names = _listed([row["name"] for row in conflicts])
        constrained = _listed(dict.fromkeys(row["label"] for row in conflicts))
        raise UsageError(
            f"The database has constraints of its own on {constrained}, which this graph uses "
            f"too: {names}. They could stop the load half-way. Nothing was written.",
            hint=f"{_AVOID_CONFLICT} Or, if you do not need them, drop them: DROP CONSTRAINT …",
        )


def _may_refuse(constraint: Mapping[str, Any]) -> bool:
    """Whether the constraint may refuse nodes of kgdb; a missing property is always unique."""
    if constraint["type"] not in _UNIQUE:
        return True
    if constraint["entityType"] != "NODE":
        return False
    return _NODE_PROPERTIES.issuperset(constraint["properties"])


def _listed(names: Iterable[str]) -> str:
    each = list(names)
    shown = ", ".join(map(repr, each[:_SHOWN]))
    return shown + (f" and {len(each) - _SHOWN} more" if len(each) > _SHOWN else "")
