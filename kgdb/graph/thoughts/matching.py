"""Graphs of thought as patterns over the knowledge graph: ``CALL kgdb.got.match``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph.connection.database import Database
from kgdb.graph.option_values import Nodes, entity_id, number, specs
from kgdb.graph.retrieval.identified import Identified
from kgdb.graph.retrieval.plugin import Row, results
from kgdb.graph.retrieval.results import Rows
from kgdb.graph.retrieval.retrieval_options import Config
from kgdb.graph.thoughts.scripts import Thought, ThoughtEdge, ThoughtNode
from kgdb.text_arguments import texts
from kgdb.values import Entity, Step
from kgdb.wording import short

Grounding = Nodes | Mapping[str, float]
Similarities = Mapping[str, float] | Mapping[Step, float]


@dataclass(frozen=True, slots=True)
class MatchedEdge:
    """What an edge of the thought was found as.

    ``steps`` lead from its source to its target: one, two with a mediator between, or none where
    the edge is optional and was not found. ``similarity`` is what it adds to the score.
    """

    steps: tuple[Step, ...]
    similarity: float


@dataclass(frozen=True, slots=True)
class Match:
    """An embedding of a thought in the knowledge graph.

    ``entities`` are what its variables stand for (a node without one is called ``_`` and its
    place), ``None`` where only edges lead that were not found. ``triples`` are the facts that prove
    it, by ids and as the graph states them. ``count`` embeddings differ from it by parallel edges
    only.
    """

    answer: Entity | None
    score: float
    entities: Mapping[str, Entity | None]
    edges: tuple[MatchedEdge, ...]
    triples: tuple[tuple[str, str, str], ...]
    count: int


def thought(*triples: tuple[str, str, str], optional: Sequence[int] = ()) -> Thought:
    """A thought by hand: triples of variable, type and variable.

    ``optional`` are the places of those that a match may do without.

    >>> thought(("film", "has actor", "ada"), ("film", "was directed by", "who")).triples[1]
    ('film', 'was directed by', 'who')
    """
    names = list(dict.fromkeys(name for head, _, tail in triples for name in (head, tail)))
    places = {name: place for place, name in enumerate(names)}
    return Thought(
        tuple(ThoughtNode(name, name, (), {}) for name in names),
        tuple(
            ThoughtEdge(places[head], type_, places[tail], optional=place in optional)
            for place, (head, type_, tail) in enumerate(triples)
        ),
    )


@dataclass(frozen=True, slots=True)
class Pattern:
    """A thought to find, with what its variables and its types may stand for."""

    thought: Thought
    nodes: Mapping[str, Grounding]
    relations: Mapping[str, Similarities]


def match(
    database: Database, kg: str, pattern: Pattern, config: Config, identified: Identified
) -> Rows[Match]:
    """The best embeddings of one thought."""
    _check(pattern)
    rows = database.run(
        "got/match", {**parameters([pattern]), "config": {"kg": kg, **config.given}}
    )
    return matches(identified.rows(rows), 1)[0]


def parameters(patterns: Sequence[Pattern]) -> dict[str, list[dict[str, Any]]]:
    """``thoughts`` and ``groundings`` as the procedure takes them."""
    return {
        "thoughts": [_pattern(pattern.thought) for pattern in patterns],
        "groundings": [
            {
                "nodes": {name: _grounding(name, given) for name, given in pattern.nodes.items()},
                "relations": {
                    type_: {str(step): number(type_, value) for step, value in given.items()}
                    for type_, given in pattern.relations.items()
                },
            }
            for pattern in patterns
        ],
    }


def matches(rows: Sequence[Row], patterns: int) -> list[Rows[Match]]:
    """The embeddings of each of so many patterns."""
    return results(range(patterns), rows, Match, _match, "score")


def _check(pattern: Pattern) -> None:
    """Raise :class:`UsageError` for what is no thought, or grounds it in what is none of its."""
    if not isinstance(pattern.thought, Thought):
        raise UsageError(
            f"pattern is {short(pattern.thought)}; expected a thought.",
            hint='Make one by kgdb.graph.thought(("film", "was directed by", "who")), or take '
            "that of kg.run_thought.",
        )
    for name, given in (("nodes", pattern.nodes), ("relations", pattern.relations)):
        if not isinstance(given, Mapping):
            raise UsageError(f"{name} is {short(given)}; expected a map.")
        texts(name, list(given), "texts")
    for type_, similar in pattern.relations.items():
        if not isinstance(similar, Mapping):
            raise UsageError(
                f"relations[{short(type_)}] is {short(similar)}; expected a map from relations to "
                "similarities."
            )
        specs(f"relations[{short(type_)}]", list(similar))


def _pattern(pattern: Thought) -> dict[str, Any]:
    return {
        "nodes": [{"variable": node.variable} for node in pattern.nodes],
        "relationships": [
            {
                "source": edge.source,
                "type": edge.type,
                "target": edge.target,
                "optional": edge.optional,
            }
            for edge in pattern.edges
        ],
    }


def _grounding(variable: str, given: Grounding) -> list[str] | dict[str, float]:
    name = f"nodes[{short(variable)}]"
    several = isinstance(given, Iterable) and not isinstance(given, str)
    ids = [entity_id(node) for node in given] if several else given
    ids = texts(name, ids, "entity ids, or a map of ids to scores", empty=True)
    if isinstance(given, Mapping):
        scores = given.values()
        return {id_: number(name, score) for id_, score in zip(ids, scores, strict=True)}
    return ids


def _match(row: Mapping[str, Any]) -> Match:
    names = row["names"]
    return Match(
        None if row["id"] is None else Entity(row["id"], row["name"]),
        row["score"],
        {
            variable: None if id_ is None else Entity(id_, names[variable])
            for variable, id_ in row["ids"].items()
        },
        tuple(
            MatchedEdge(tuple(Step.parse(spec) for spec in specs), similarity)
            for specs, similarity in zip(row["relations"], row["similarities"], strict=True)
        ),
        tuple((head, relation, tail) for head, relation, tail in row["triples"]),
        row["count"],
    )
