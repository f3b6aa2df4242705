"""Chains of relations between labels, as the schema has them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kgdb.graph.forms.operators import Direction, EntityForm, FilterLabel, Relate, subforms
from kgdb.graph.schema import Schema
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.words import words_of

MAX_HOPS = 3
_MOST = 400


@dataclass(frozen=True, slots=True)
class SchemaHop:
    """One hop of a chain, and the label that it leads to.

    ``among_others``: it leads to entities of other labels, too.
    """

    relation: str
    direction: Direction
    label: str
    among_others: bool = False


SchemaChain = tuple[SchemaHop, ...]


def chains(
    schema: Schema, start: str, end: str | None, max_hops: int = MAX_HOPS
) -> list[SchemaChain]:
    """The chains from a label to another, or to any; the shortest first, none of no hops."""
    found: list[SchemaChain] = []
    level: list[SchemaChain] = [()]
    hops: dict[str, list[SchemaHop]] = {}
    for _ in range(max_hops):
        for label in {chain[-1].label if chain else start for chain in level} - set(hops):
            hops[label] = list(_hops(schema, label))
        level = [
            (*chain, hop)
            for chain in level
            for hop in hops[chain[-1].label if chain else start]
            if not (chain and _is_back(chain[-1], hop) and len(chain) > 1)
        ][:_MOST]
        found += [chain for chain in level if end is None or chain[-1].label == end]
    return found


def applied(form: EntityForm, chain: SchemaChain, *, anew: bool = False) -> EntityForm:
    """The set that the chain leads to; ``anew``: whichever way led to the form."""
    for place, hop in enumerate(chain):
        begins = anew and place == 0 and any(isinstance(each, Relate) for each in subforms(form))
        form = Relate(form, hop.relation, hop.direction, anew=begins)
        if hop.among_others:
            form = FilterLabel(form, hop.label)
    return form


def _is_back(before: SchemaHop, hop: SchemaHop) -> bool:
    return before.relation == hop.relation and before.direction != hop.direction


def _hops(schema: Schema, label: str) -> Iterator[SchemaHop]:
    for name, ends in schema.relations.items():
        if name in schema.properties:
            continue
        tails = [tail for head, tail in ends.usual_pairs if head == label]
        heads = [head for head, tail in ends.usual_pairs if tail == label]
        if label in tails and is_symmetric(name):
            yield SchemaHop(name, "any", label, len({*tails, *heads}) > 1)
            continue
        yield from (SchemaHop(name, "out", other, len(tails) > 1) for other in tails)
        yield from (SchemaHop(name, "in", other, len(heads) > 1) for other in heads)


def is_symmetric(relation: str) -> bool:
    """Whether a relation holds both ways, by its words: *spouse*, *borders*."""
    return not cues().symmetric.isdisjoint(words_of(relation))
