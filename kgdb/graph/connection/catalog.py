"""Which graphs a database holds, read from the bookkeeping nodes alone: the cost does not grow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from kgdb.errors import GraphNotFound, UsageError
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.node_expressions import (
    IdExpression,
    KeyExpression,
    NameExpression,
    NameSource,
)
from kgdb.graph.connection.statements import Labels, Place
from kgdb.text_arguments import optional_text
from kgdb.wording import listed, short

READY, LOADING, REMOVING = "ready", "loading", "removing"

BOOKKEEPING_CONSTRAINTS = ("kgdb_graph", "kgdb_relation")
"""Those by which each graph, and each relation of a graph, has one bookkeeping node."""


@dataclass(frozen=True, slots=True)
class GraphInfo:
    """What the database says of one loaded graph.

    Its entities have at least one of the ``labels``; a loaded graph has one label. ``names`` says
    where entities of a label have their names. ``id_property`` is ``None`` where ids are the
    database's own (element ids). ``sha256`` is that of its source and loader, ``state`` ``"ready"``
    or ``"loading"``, ``loaded_at`` an ISO time in UTC. ``pagerank`` tells whether its entities have
    their PageRank as the property of that name. An ``adopted`` graph's nodes belong to somebody
    else: kgdb never changes or removes them; ``every_label`` tells that it was adopted without
    naming labels, ``fulltext`` is the user's own index over its names where there was one, and
    ``own_indexes`` are the indexes and constraints that adopting created. ``encoder`` is the one by
    which its relations have embeddings, if they have; ``name_encoder`` that of its entities' names.
    ``qualifiers`` are the properties that relationships of a loaded graph have. ``synonyms`` are
    words that its users taught for its labels, properties and relations, by the name.
    """

    name: str
    labels: tuple[str, ...]
    title: str
    state: str
    source: str
    sha256: str
    triples: int
    entities: int
    relations: int
    loaded_at: str | None
    id_property: str | None = "id"
    names: tuple[NameSource, ...] = ()
    pagerank: bool = False
    licence: str = "unknown"
    adopted: bool = False
    alias_properties: tuple[str, ...] = ("aliases",)
    every_label: bool = False
    fulltext: str | None = None
    own_indexes: tuple[str, ...] = ()
    encoder: str | None = None
    name_encoder: str | None = None
    qualifiers: tuple[str, ...] = ()
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)

    @property
    def label(self) -> str:
        """The label of a loaded graph; of an adopted one the first label, which names indexes."""
        return self.labels[0]

    @property
    def name_properties(self) -> Mapping[str, str]:
        """The property with the name (the first, if it takes several) by label."""
        return {source.label: source.properties[0] for source in self.names}

    @property
    def places(self) -> Mapping[str, Place]:
        """What fills the places of a statement over its entities."""
        return {
            "label": Labels(self.labels),
            "id": IdExpression(self.id_property),
            "key": KeyExpression(self.id_property),
            "name": NameExpression(self.names, self.labels, self.id_property),
        }

    @property
    def id_constraint(self) -> str:
        """The constraint by which the ids of its entities are unique."""
        return id_constraint(self.label)

    @property
    def fulltext_index(self) -> str:
        """The full-text index over the names of its entities."""
        return self.fulltext or fulltext_index(self.label)

    @property
    def name_indexes(self) -> tuple[str, ...]:
        """The indexes over the names of its entities as they are written, one for each label."""
        return tuple(name_index(label) for label in self.labels)

    @property
    def embedding_index(self) -> str:
        """The vector index over the names of its entities, where there is one."""
        return f"kgdb_{self.label}_embeddings"


def id_constraint(label: str) -> str:
    """The name of the constraint by which the ids of entities of that label are unique."""
    return f"kgdb_{label}_id"


def fulltext_index(label: str) -> str:
    """The name of the full-text index for entities of that label."""
    return f"kgdb_{label}_names"


def name_index(label: str) -> str:
    """The name of the range index over the names of entities of that label."""
    return f"kgdb_{label}_name"


def list_graphs(database: Database) -> tuple[GraphInfo, ...]:
    """Every graph the database holds, also one whose loading did not finish."""
    return tuple(_info(row["graph"]) for row in database.run("graphs"))


def find_graph(database: Database, name: str | None = None) -> GraphInfo:
    """The graph of that name, or without a name the only one there is.

    Raises :class:`GraphNotFound`, naming those that are loaded, and :class:`UsageError` when there
    are several to choose from or the loading of the graph did not finish.
    """
    optional_text("name", name, "the name of a graph")
    graphs = {graph.name: graph for graph in list_graphs(database)}
    if not graphs:
        wanted = f"The graph {short(name)} is not loaded" if name else "No graph is loaded"
        raise GraphNotFound(f"{wanted}; the database holds none.", hint="Try: kgdb load demo")
    if name is None:
        if len(graphs) > 1:
            raise UsageError(
                f"Several graphs are loaded: {listed(graphs)}.",
                hint="Choose one with --graph (in Python: db.graph(NAME)).",
            )
        name = next(iter(graphs))
    if name not in graphs:
        near = get_close_matches(name, graphs, n=1)
        meant = f" Did you mean {near[0]}?" if near else ""
        raise GraphNotFound(
            f"The graph {short(name)} is not loaded.{meant} Loaded: {listed(graphs)}.",
            hint="Load it with: kgdb load LOADER [SOURCE]",
        )
    if graphs[name].state == REMOVING:
        raise UsageError(
            f"The graph {short(name)} is not complete: it is being removed, or its removal was "
            "stopped.",
            hint=f"kgdb remove {name} removes the rest.",
        )
    if graphs[name].state != READY:
        raise UsageError(
            f"The graph {short(name)} is not complete: it is being loaded, or its loading was "
            "stopped.",
            hint="Wait for the other load, or start it again by the same kgdb load command.",
        )
    return graphs[name]


def _info(node: Mapping[str, Any]) -> GraphInfo:
    if "labels" in node:
        labels, id_property, names = tuple(node["labels"]), node.get("idProperty"), _names(node)
    else:
        # A loaded graph has one label, and the properties that kgdb gives to nodes.
        labels, id_property = (node["label"],), node.get("idProperty", "id")
        names = (NameSource(node["label"], (node.get("nameProperty", "name"),)),)
    return GraphInfo(
        name=node["name"],
        labels=labels,
        title=node.get("title", node["name"]),
        state=node.get("state", READY),
        source=node.get("source", ""),
        sha256=node.get("sha256", ""),
        triples=node.get("triples", 0),
        entities=node.get("entities", 0),
        relations=node.get("relations", 0),
        loaded_at=node.get("loaded_at"),
        id_property=id_property,
        names=names,
        pagerank=node.get("pagerank", False),
        licence=node.get("licence", "unknown"),
        adopted=node.get("adopted", False),
        alias_properties=tuple(node.get("aliasProperties", ("aliases",))),
        every_label=node.get("everyLabel", False),
        fulltext=node.get("fulltext"),
        own_indexes=tuple(node.get("ownIndexes", ())),
        encoder=node.get("encoder"),
        name_encoder=node.get("nameEncoder"),
        qualifiers=tuple(node.get("qualifiers", ())),
        synonyms=_synonyms(node),
    )


def name_properties(names: Iterable[NameSource]) -> dict[str, list[str]]:
    """Sources of names as properties of a bookkeeping node: a label for each property."""
    pairs = [(source.label, name) for source in names for name in source.properties]
    return {
        "nameLabels": [label for label, _ in pairs],
        "nameProperties": [name for _, name in pairs],
        "labelledNames": [source.label for source in names if source.with_label],
    }


def synonym_properties(synonyms: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Synonyms as properties of a bookkeeping node: a name for each word."""
    pairs = [(name, word) for name, words in synonyms.items() for word in words]
    return {
        "synonymNames": [name for name, _ in pairs],
        "synonyms": [word for _, word in pairs],
    }


def _synonyms(node: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    words: dict[str, tuple[str, ...]] = {}
    pairs = zip(node.get("synonymNames", ()), node.get("synonyms", ()), strict=True)
    for name, word in pairs:
        words[name] = (*words.get(name, ()), word)
    return words


def _names(node: Mapping[str, Any]) -> tuple[NameSource, ...]:
    properties: dict[str, list[str]] = {}
    for label, name in zip(node["nameLabels"], node["nameProperties"], strict=True):
        properties.setdefault(label, []).append(name)
    return tuple(
        NameSource(label, tuple(names), label in node["labelledNames"])
        for label, names in properties.items()
    )
