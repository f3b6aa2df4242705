"""What relations join by an ontology: the types of both their ends."""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from kgdb.errors import UsageError
from kgdb.lab.training.corpus.chain_finding import Chain
from kgdb.language import relation_words
from kgdb.values import Step
from kgdb.wording import short

LITERALS = frozenset(
    f"type.{name}"
    for name in "datetime int float text rawstring boolean enumeration uri object".split()
)
"""Freebase's types of values: nothing begins at one."""


@dataclass(frozen=True, slots=True)
class Ontology:
    """The steps between types.

    ``ends`` are the domain and the range of each relation; ``into`` and ``out_of`` the steps that
    lead to a type, and from it.
    """

    ends: Mapping[str, tuple[str, str]]
    into: Mapping[str, Sequence[Step]]
    out_of: Mapping[str, Sequence[Step]]

    @classmethod
    def of(cls, ends: Mapping[str, tuple[str, str]], relations: Collection[str]) -> Self:
        """The part of an ontology that has these relations."""
        kept = {relation: ends[relation] for relation in sorted(relations) if relation in ends}
        into, out_of = defaultdict[str, list[Step]](list), defaultdict[str, list[Step]](list)
        for relation, (domain, range_) in kept.items():
            into[range_].append(Step(relation))
            out_of[domain].append(Step(relation))
            if range_ not in LITERALS:
                into[domain].append(Step(relation, reverse=True))
                out_of[range_].append(Step(relation, reverse=True))
        return cls(kept, dict(into), dict(out_of))

    def start(self, step: Step) -> str:
        """The type that a step begins at."""
        return self.ends[step.relation][1 if step.reverse else 0]

    def end(self, step: Step) -> str:
        """The type that it leads to."""
        return self.ends[step.relation][0 if step.reverse else 1]

    def before(self, chain: Chain) -> Sequence[Step]:
        """The steps that lead to where a chain begins."""
        return self.into.get(self.start(chain[0]), ())

    def after(self, chain: Chain) -> Sequence[Step]:
        """The steps that begin where a chain ends."""
        return self.out_of.get(self.end(chain[-1]), ())

    def beside(self, step: Step) -> Sequence[Step]:
        """The other steps that begin where a step begins."""
        return [each for each in self.out_of.get(self.start(step), ()) if each != step]


def type_words(type_: str) -> str:
    """The last part of a type's name, in words."""
    return relation_words(type_.rpartition(".")[2])


def read_ends(roles: Path, mediators: Path) -> dict[str, tuple[str, str]]:
    """The domain and range of Freebase's relations, without those that join mediators.

    ``roles`` has lines of domain, relation and range; ``mediators`` names the properties whose
    range is a mediator. Raises :class:`kgdb.errors.UsageError` for a file that is missing or has
    no such line.
    """
    to_mediators = {
        line.split(",")[0].strip().strip("/").replace("/", ".") for line in _lines(mediators)
    }
    ends = {
        parts[1]: (parts[0], parts[2]) for parts in map(str.split, _lines(roles)) if len(parts) == 3
    }
    if not ends:
        raise UsageError(
            f"{short(str(roles))} has no line of an ontology.",
            hint="Expected lines of a domain, a relation and a range.",
        )
    mediating = {ends[relation][1] for relation in to_mediators if relation in ends}
    return {relation: both for relation, both in ends.items() if mediating.isdisjoint(both)}


def _lines(file: Path) -> Iterator[str]:
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            yield from lines
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise UsageError(
            f"The ontology {short(str(file))} cannot be read: {error}.",
            hint="docs/how-to/training.md says where its files come from.",
        ) from None
