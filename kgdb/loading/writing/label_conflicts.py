"""What is in a database already that a load would be mixed up with, or be stopped by.

A source may bring labels of its own, as an export of the very database does. Nodes that kgdb did
not load and that have such a label would be found together with the loaded ones by whoever asks for
it, and a constraint on it holds for the loaded ones too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph.catalog import BOOKKEEPING_CONSTRAINTS, GraphInfo, id_constraint, list_graphs
from kgdb.graph.database import Database
from kgdb.loading.preparing.prepared_source import Prepared
from kgdb.wording import short

OTHER_LABEL = (
    "Choose another name by --as, of which a label is made, or, in a loader file of your own, "
    "another `label`."
)
_APART = (
    "If that is the graph you want to ask, use it where it lies: kgdb adopt. Or load into another "
    "database (--instance, --database, NEO4J_URI), or without those labels: leave them out of "
    "`tables.entities` of a loader file of your own, or, with apoc, say --set labels=no."
)
_SHOWN = 5
_UNIQUE = ("UNIQUENESS", "NODE_PROPERTY_UNIQUENESS", "RELATIONSHIP_UNIQUENESS")
_NODE_PROPERTIES = frozenset({"id", "name", "aliases", "value", "datatype", "language", "pagerank"})
"""What loaded nodes have; relationships have no property, and are all alike to a constraint."""


def require_free(database: Database, label: str) -> None:
    """Refuse a label for a graph that nodes have already; whose they are is said."""
    if not database.run("label_in_use", label=label)[0]["used"]:
        return
    for other in list_graphs(database):
        if database.run("adopt_shared", label=label, other=other.label)[0]["shared"]:
            raise UsageError(
                f"Entities of the graph {short(other.name)} are labelled {short(label)}.",
                hint=OTHER_LABEL,
            )
    raise UsageError(
        f"The database has nodes labelled {short(label)} that kgdb did not load.", hint=OTHER_LABEL
    )


def require_apart(prepared: Prepared, database: Database, graphs: Iterable[GraphInfo]) -> None:
    """Refuse a source whose labels or relations belong to somebody else in this database."""
    given = prepared.labels()
    if given:
        _require_others_unlabelled(database, given, graphs)
    _require_unconstrained(prepared, database, given)


def _require_others_unlabelled(
    database: Database, given: Collection[str], graphs: Iterable[GraphInfo]
) -> None:
    loaded = [graph.label for graph in graphs if not graph.adopted]
    known = set(database.run("labels")[0]["labels"])
    shared = [
        label
        for label in given
        if label in known
        and database.run("label_shared", {"loaded": loaded}, label=label)[0]["shared"]
    ]
    if shared:
        raise UsageError(
            f"The source labels entities {_listed(shared)}, and so are nodes in this database that "
            "kgdb did not load: whoever asks for them would get both. Nothing was written.",
            hint=_APART,
        )


def _require_unconstrained(prepared: Prepared, database: Database, given: Collection[str]) -> None:
    counts, label = prepared.counts, prepared.spec.label
    own = {id_constraint(label), *BOOKKEEPING_CONSTRAINTS}
    labels = {label, "Entity", "KnowledgeGraph", "Relation", *given}
    labels |= {"Literal"} if counts.literals else set()
    labels |= {"Mediator"} if counts.mediators else set()
    constraints = [row for row in database.run("constraints") if row["name"] not in own]
    on_nodes = [row for row in constraints if row["entityType"] == "NODE"]
    held = [row for row in on_nodes if row["label"] in labels and _may_refuse(row)]
    on_relationships = [row for row in constraints if row not in on_nodes and _may_refuse(row)]
    if on_relationships:
        relations = {relation.id for relation in prepared.relations()}
        held += [row for row in on_relationships if row["label"] in relations]
    if held:
        names = _listed([row["name"] for row in held])
        what = _listed(dict.fromkeys(row["label"] for row in held))
        raise UsageError(
            f"The database has constraints of its own on {what}, which this graph would have too: "
            f"{names}. They could stop the load half-way. Nothing was written.",
            hint=f"{_APART} Or drop them, if nothing needs them: DROP CONSTRAINT …",
        )


def _may_refuse(constraint: Mapping[str, Any]) -> bool:
    """Whether what kgdb writes may be against it; what lacks a property is always unique."""
    if constraint["type"] not in _UNIQUE:
        return True
    if constraint["entityType"] != "NODE":
        return False
    return _NODE_PROPERTIES.issuperset(constraint["properties"])


def _listed(names: Iterable[str]) -> str:
    each = list(names)
    shown = ", ".join(map(repr, each[:_SHOWN]))
    return shown + (f" and {len(each) - _SHOWN} more" if len(each) > _SHOWN else "")
