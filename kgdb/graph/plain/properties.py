"""The properties of the relationships that state facts, in one more round trip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import Followed, Statement, Types, statement
from kgdb.graph.plain.plain_conditions import compared, fulfilled
from kgdb.graph.plain.starts import find_starts, start_keys
from kgdb.graph.retrieval.plugin import Row
from kgdb.graph.retrieval.qualifiers import Qualifiers, qualifiers
from kgdb.graph.retrieval.retrieval_options import Config
from kgdb.values import Step, Triple

MOST = 10
"""Relationships between two entities, of one relation, whose properties are given."""

_ONLY_CUT = frozenset({"batch", "cut"})
"""The columns of a row without a result."""

ShownPath: TypeAlias = tuple[Sequence[str], Sequence[str]]
"""The ids of the nodes of a path, and the relations between them."""

_Where: TypeAlias = Sequence[Mapping[str, Any]]


def qualifiers_of(
    database: Database, info: GraphInfo, triples: Sequence[Triple]
) -> list[tuple[Qualifiers, ...]]:
    """For each fact the properties of its relationships, of up to :data:`MOST` of them.

    One round trip.
    """
    facts = [(triple.head.id, triple.relation, triple.tail.id) for triple in triples]
    return [
        tuple(qualifiers(each) for each in found if each)
        for found in _of_facts(database, info, facts, ())
    ]


def with_properties(
    database: Database,
    info: GraphInfo,
    rows: Sequence[Row],
    config: Config,
    shown: Callable[[Row], Sequence[ShownPath]],
) -> list[Row]:
    """The rows, each with the properties of the relationships on the paths that it shows.

    ``shown`` tells the paths of a row: the ids of their nodes and the relations between these.
    """
    paths = [shown(row) if row.keys() - _ONLY_CUT else () for row in rows]
    facts = list(dict.fromkeys(fact for row in paths for path in row for fact in _facts(path)))
    found = dict(zip(facts, _of_facts(database, info, facts, config["where"]), strict=True))
    return [
        {**row, "properties": [[found[fact] for fact in _facts(path)] for path in of_row]}
        if of_row
        else row
        for row, of_row in zip(rows, paths, strict=True)
    ]


def _facts(path: ShownPath) -> list[tuple[str, str, str]]:
    ids, relations = path
    facts = []
    for place, spec in enumerate(relations):
        step, (head, tail) = Step.parse(spec), ids[place : place + 2]
        facts.append((tail, step.relation, head) if step.reverse else (head, step.relation, tail))
    return facts


def _of_facts(
    database: Database, info: GraphInfo, facts: Sequence[tuple[str, str, str]], where: _Where
) -> list[list[Mapping[str, Any]]]:
    found: list[list[Mapping[str, Any]]] = [[] for _ in facts]
    if not facts:
        return found
    text: Statement = statement(
        "plain/properties",
        **info.places,
        starts=find_starts(info),
        followed=Followed(Types(), fulfilled(where)),
    )
    values = {
        "starts": [start_keys((head, tail)) for head, _, tail in facts],
        "relations": [relation for _, relation, _ in facts],
        "where": compared(where),
        "most": MOST,
    }
    for row in database.query(text, values):
        found[row["batch"]] = list(row["rows"])
    return found
