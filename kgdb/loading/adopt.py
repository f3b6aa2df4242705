"""Makes a graph that is already in Neo4j usable where it lies.

Only bookkeeping nodes and indexes are written. The user's nodes are read, never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any

from kgdb._version import __version__
from kgdb.errors import DatabaseError, KgdbError, ModelMissing, UsageError
from kgdb.graph.catalog import (
    LOADING,
    READY,
    GraphInfo,
    fulltext_index,
    id_constraint,
    list_graphs,
    name_index,
)
from kgdb.graph.database import Database
from kgdb.graph.graph import Graph
from kgdb.graph.statements import joined, statement
from kgdb.language import Encoder, encode_relations
from kgdb.loading.loaders.spec import NAME, RESERVED_LABELS
from kgdb.loading.writing.embedding import write_relation_vectors
from kgdb.loading.writing.schema import await_indexes, write_constraints
from kgdb.loading.writing.unload import unload
from kgdb.progress import Message, Report, silent
from kgdb.text_arguments import optional_text, text, texts
from kgdb.wording import counted, listed, plural, short

LONGEST_NAME = 1_750
"""Characters of a name that an index surely holds, of four bytes each at most."""

_MISSING, _TEXT, _INTEGER = "NULL", "STRING NOT NULL", "INTEGER NOT NULL"
_IDS = frozenset({_TEXT, _INTEGER})
_NAMES = frozenset({_MISSING, _TEXT, _INTEGER, "FLOAT NOT NULL", "BOOLEAN NOT NULL"})
_EXAMPLES = 3
_SAMPLE = 10_000


@dataclass(frozen=True, slots=True)
class Adoption:
    """An adopted graph, and what its user should know of it.

    ``nameless`` are the entities without the name property, which go by their ids; ``outside``
    counts the relationships that lead to nodes without the label, which the graph is without.
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

    ``alias_properties`` hold other names to find entities by. With an ``encoder``, each relation
    gets its embedding. Done again, it counts again. No entity gets a PageRank: that would change
    the user's nodes. Raises :class:`UsageError` when the name or the label belongs to another
    graph, no two nodes with the label are related, ids are missing, doubled or neither texts nor
    whole numbers, or names are lists.
    """
    text("name", name, "a name for the graph")
    text("label", label, "the label of the nodes")
    text("id_property", id_property, "the name of a property")
    text("name_property", name_property, "the name of a property")
    alias_properties = texts("alias_properties", alias_properties, "names of properties")
    optional_text("title", title)
    wish = _Wish(name, label, id_property, name_property, tuple(alias_properties))
    current = _find_current(database, wish)
    report(Message(f"Looking at the nodes labelled {short(label)} …"))
    kinds = _check_values(database, wish)
    if database.run("entities", {"ids": [""]}, label=label, id=id_property, name=name_property):
        report(
            Message(
                f"A node labelled {short(label)} has the empty text as {short(id_property)}. It "
                "is adopted, but kgdb load would leave it out of an export, with its triples"
            )
        )
    relations, outside = _count_relations(database, wish)
    write_constraints(database)
    known = wish.properties() | ({"title": title} if title else {})
    if current is None:
        properties = {"title": name, "source": "adopted in place", "state": LOADING, **known}
        database.write("adopt_begin", {"name": name, "properties": properties})
    try:
        _index(database, wish, kinds, report)
    except KgdbError:
        if current is None:
            with suppress(DatabaseError):
                unload(database, _graph(database, name))
        raise
    finished = {
        **known,
        "state": READY,
        "entities": kinds.nodes,
        "triples": sum(relation["count"] for relation in relations),
        "relations": len(relations),
        "loaded_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    database.write("adopt_finish", {"name": name, "properties": finished, "relations": relations})
    graph = _graph(database, name)
    if encoder is not None:
        described = tuple(Graph(database, graph).relations.values())
        try:
            vectors = encode_relations(described, encoder())
        except ModelMissing as missing:
            report(Message(f"No embeddings of relations: {missing.message}"))
        else:
            write_relation_vectors(database, name, vectors)
    return Adoption(graph, kinds.names.get(_MISSING, 0), outside)


@dataclass(frozen=True, slots=True)
class _Wish:
    """What the user asks for."""

    name: str
    label: str
    id_property: str
    name_property: str
    alias_properties: tuple[str, ...]

    def properties(self) -> dict[str, Any]:
        """What the bookkeeping node says of it."""
        return {
            "label": self.label,
            "idProperty": self.id_property,
            "nameProperty": self.name_property,
            "aliasProperties": list(self.alias_properties),
            "adopted": True,
            "kgdb_version": __version__,
        }

    def differences(self, graph: GraphInfo) -> list[str]:
        """What was asked for otherwise when the graph was adopted, option by option."""
        asked = {
            "--label": ([graph.label], [self.label]),
            "--id": ([graph.id_property], [self.id_property]),
            "--name": ([graph.name_property], [self.name_property]),
            "--alias": (graph.alias_properties, self.alias_properties),
        }
        return [
            f"{option} was {_options(before)} and is {_options(now)} now"
            for option, (before, now) in asked.items()
            if list(before) != list(now)
        ]


@dataclass(frozen=True, slots=True)
class _Kinds:
    """How many nodes there are, by the types of their ids and names."""

    nodes: int
    ids: Mapping[str, int]
    names: Mapping[str, int]
    longest_name: int


def _graph(database: Database, name: str) -> GraphInfo:
    return next(graph for graph in list_graphs(database) if graph.name == name)


def _find_current(database: Database, wish: _Wish) -> GraphInfo | None:
    """The graph that was adopted under the name before; refuses what belongs to another one."""
    if not NAME.fullmatch(wish.name):
        raise UsageError(
            f"{short(wish.name)} cannot name a graph.",
            hint="Expected lower-case letters, digits, - and _: movies",
        )
    if wish.label in RESERVED_LABELS:
        raise UsageError(
            f"Nodes labelled {short(wish.label)} cannot be adopted: kgdb gives that label to "
            "nodes of its own.",
            hint="Give yours one label more by SET n:Mine, and adopt that.",
        )
    others = {graph.name: graph for graph in list_graphs(database)}
    current = others.pop(wish.name, None)
    if current and not current.adopted:
        raise UsageError(
            f"A graph {short(wish.name)} is loaded already.", hint="Adopt under another name."
        )
    if current and (differences := wish.differences(current)):
        raise UsageError(
            f"The graph {short(wish.name)} is adopted already, with other options: "
            f"{'; '.join(differences)}.",
            hint=f"To change them, kgdb unload {wish.name} forgets it first, and leaves its nodes "
            "alone. To count again, give the options of before.",
        )
    for other in others.values():
        if other.label == wish.label or (not other.adopted and _is_shared(database, wish, other)):
            raise UsageError(
                f"Nodes labelled {short(wish.label)} belong to the graph {short(other.name)} "
                "already.",
                hint="Adopt another label, which only the nodes of the new graph have.",
            )
    return current


def _options(values: Sequence[str]) -> str:
    return " ".join(map(repr, values)) or "not given"


def _is_shared(database: Database, wish: _Wish, other: GraphInfo) -> bool:
    rows = database.run("adopt_shared", label=wish.label, other=other.label)
    return bool(rows[0]["shared"])


def _check_values(database: Database, wish: _Wish) -> _Kinds:
    """Refuse nodes by whose ids or names they could not be told apart, or shown."""
    rows = database.run(
        "adopt_kinds", label=wish.label, id=wish.id_property, name=wish.name_property
    )
    ids: dict[str, int] = {}
    names: dict[str, int] = {}
    for row in rows:
        ids[row["id"]] = ids.get(row["id"], 0) + row["nodes"]
        names[row["name"]] = names.get(row["name"], 0) + row["nodes"]
    nodes = sum(ids.values())
    if not nodes:
        raise _no_nodes(database, wish.label)
    for kind, count in ids.items():
        if kind not in _IDS:
            what = "no property" if kind == _MISSING else f"a {_plain(kind)} as"
            raise _unfit(database, wish, wish.id_property, kind, (count, nodes), what)
    if set(names) == {_MISSING}:
        raise _unfit(database, wish, wish.name_property, _MISSING, (nodes, nodes), "no property")
    for kind, count in names.items():
        if kind not in _NAMES:
            raise _unfit(
                database,
                wish,
                wish.name_property,
                kind,
                (count, nodes),
                f"a {_plain(kind)} as",
            )
    return _Kinds(nodes, ids, names, max(row["longest"] or 0 for row in rows))


def _no_nodes(database: Database, label: str) -> UsageError:
    labels = database.run("labels")[0]["labels"]
    near = get_close_matches(label, labels, n=1)
    meant = f" Did you mean {short(near[0])}?" if near else ""
    return UsageError(
        f"No node is labelled {short(label)}.{meant}",
        hint="Expected the one label that all entities of the graph have. Labels are: "
        f"{listed(sorted(set(labels) - RESERVED_LABELS))}.",
    )


def _unfit(
    database: Database, wish: _Wish, prop: str, kind: str, counts: tuple[int, int], what: str
) -> UsageError:
    """An error that names some of the nodes whose property is of a kind that will not do."""
    examples = database.run(
        "adopt_examples", {"kind": kind, "limit": _EXAMPLES}, label=wish.label, property=prop
    )
    shown = "; ".join(
        f"{row['node']} (it has {listed(sorted(row['properties']), 'nothing')})" for row in examples
    )
    option, expected = (
        ("--id", "a text or a whole number of its own on every node")
        if prop == wish.id_property
        else ("--name", "a text or a number")
    )
    unfit, nodes = counts
    return UsageError(
        f"{unfit:,} of {counted(nodes, 'node')} labelled {short(wish.label)} "
        f"{plural(unfit, 'has', 'have')} {what} {short(prop)}, for instance {shown}.",
        hint=f"Name another property with {option}; expected {expected}.",
    )


def _plain(kind: str) -> str:
    return kind.removesuffix(" NOT NULL").partition("<")[0].lower()


def _count_relations(database: Database, wish: _Wish) -> tuple[list[dict[str, Any]], int]:
    """The relations among the nodes, and how many relationships lead elsewhere."""
    rows = database.run("adopt_relations", label=wish.label)
    relations = [
        {
            "id": row["id"],
            "count": row["count"],
            "fan_out": round(row["count"] / row["heads"], 3),
            "fan_in": round(row["count"] / row["tails"], 3),
            "mediator_heads": 2 * row["mediator_heads"] >= row["count"],
            "mediator_tails": 2 * row["mediator_tails"] >= row["count"],
        }
        for row in rows
        if row["count"]
    ]
    outside = sum(row["outside"] for row in rows)
    if relations:
        return relations, outside
    sample = {"sample": _SAMPLE, "limit": _EXAMPLES}
    found = database.run("adopt_outside", sample, label=wish.label)
    labels = [row["label"] for row in found]
    hint = "Expected the label that both ends of the graph's relationships have."
    if labels:
        together = "|".join([wish.label, *labels])
        hint += (
            f" Theirs lead to nodes labelled {listed(labels)}: give every (n:{together}) one "
            "label more by SET n:Mine, and adopt that."
        )
    raise UsageError(f"No relationship joins two nodes labelled {short(wish.label)}.", hint=hint)


def _index(database: Database, wish: _Wish, kinds: _Kinds, report: Report) -> None:
    """Make the indexes that are not there yet."""
    label, id_property, name_property = wish.label, wish.id_property, wish.name_property
    report(Message("Making the indexes …"))
    existing = database.run("adopt_indexes", {"label": label})
    over_ids = [
        index
        for index in existing
        if index["type"] == "RANGE" and index["properties"] == [id_property]
    ]
    if not over_ids:
        try:
            database.write(
                "adopt_constraint",
                label=label,
                id=id_property,
                constraint=id_constraint(label),
            )
        except DatabaseError:
            _refuse_doubled(wish, _doubled(database, wish))
            raise
    elif not over_ids[0]["owningConstraint"]:
        # A constraint cannot be made beside the user's own index, which does as well.
        _refuse_doubled(wish, _doubled(database, wish))
    if len(kinds.ids) > 1:
        some = {"limit": _EXAMPLES}
        mixed = database.run("adopt_mixed", some, label=label, id=id_property)
        _refuse_doubled(wish, mixed)
    fields = [name_property, *wish.alias_properties]
    index = fulltext_index(label)
    for other in existing:
        if other["type"] == "FULLTEXT" and other["properties"] == fields and other["name"] != index:
            raise UsageError(
                f"The full-text index {short(other['name'])} is over {listed(fields)} of "
                f"{short(label)} already, and Neo4j makes no second one of the same.",
                hint=f"Drop it (DROP INDEX {other['name']}), or search another property as well "
                "with --alias.",
            )
    parts = [statement("adopt_property", property=field) for field in fields]
    database.write("adopt_fulltext", label=label, index=index, properties=joined(", ", parts))
    if kinds.longest_name > LONGEST_NAME:
        report(Message("No index over whole names: some are too long for one."))
    elif name_property != id_property:
        database.write("adopt_names", label=label, name=name_property, index=name_index(label))
    await_indexes(database)


def _doubled(database: Database, wish: _Wish) -> list[dict[str, Any]]:
    some = {"limit": _EXAMPLES}
    return database.run("adopt_doubled", some, label=wish.label, id=wish.id_property)


def _refuse_doubled(wish: _Wish, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        shown = ", ".join(f"{short(row['id'])} ({counted(row['nodes'], 'node')})" for row in rows)
        raise UsageError(
            f"Several nodes labelled {short(wish.label)} have the same {short(wish.id_property)}, "
            f"for instance {shown}.",
            hint="Name another property with --id; expected one that tells all nodes apart.",
        )
