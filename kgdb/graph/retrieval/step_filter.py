"""What may be followed, read from relation specs: ``r`` along a relation, ``^r`` against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgdb.graph.connection.statements import Followed, Place, Statement, Types, statement
from kgdb.graph.retrieval.retrieval_options import Config
from kgdb.values import Step

_EVERY = Statement()
"""The predicate that every relationship fulfils."""


@dataclass(frozen=True, slots=True)
class StepFilter:
    """The relationship types that may be followed along and against their direction.

    ``symmetric``: each way can be gone back as well, by how it was asked for. ``where`` is a
    predicate on each relationship ``r``; degrees count all relationships.
    """

    along: Types
    against: Types
    symmetric: bool
    where: Statement = _EVERY

    @classmethod
    def of(cls, config: Config, where: Statement = _EVERY) -> StepFilter:
        """By ``relations``, ``exclude`` and ``direction``."""
        allowed = _allowed(config["relations"], config["direction"])
        denied = cls.denied(config["exclude"])
        return cls(
            allowed.along.without(denied.along),
            allowed.against.without(denied.against),
            allowed.symmetric and denied.symmetric,
            where,
        )

    @classmethod
    def denied(cls, exclude: Sequence[str]) -> StepFilter:
        """A deny-list: without any ``^`` it denies both directions."""
        return _listed(exclude, "both")

    @classmethod
    def steps(cls, steps: Sequence[Step], where: Statement = _EVERY) -> StepFilter:
        """Exactly these."""
        along = Types(frozenset(step.relation for step in steps if not step.reverse))
        against = Types(frozenset(step.relation for step in steps if step.reverse))
        return cls(along, against, along == against, where)

    @property
    def back(self) -> StepFilter:
        """What leads back over what this leads over."""
        return StepFilter(self.against, self.along, self.symmetric, self.where)

    def allows(self, step: Step) -> bool:
        """Whether the step is one of these; for lists of names."""
        return step.relation in ((self.against if step.reverse else self.along).names or ())

    @property
    def places(self) -> Mapping[str, Place]:
        """The places of a statement that follows it, with the degree of ``node``."""
        return {**self.types, "degree": self._degree()}

    @property
    def types(self) -> Mapping[str, Place]:
        """The places of the patterns alone."""
        return {
            "out": Followed(self.along, self.where),
            "in": Followed(self.against, self.where),
        }

    def _degree(self) -> Statement:
        """From the store's own degrees: those of all types, less those that are not followed."""
        places: dict[str, Place] = {}
        for name, types in (("out", self.along), ("in", self.against)):
            places[name] = Types(types.names)
            places[f"not_{name}"] = Types(types.besides)
        return statement("plain/degree", **places)


def _allowed(relations: Sequence[str], direction: str) -> StepFilter:
    if relations:
        return _listed(relations, direction)
    nothing = Types(frozenset())
    return StepFilter(
        nothing if direction == "in" else Types(),
        nothing if direction == "out" else Types(),
        direction == "both",
    )


def _listed(specs: Sequence[str], direction: str) -> StepFilter:
    """As soon as one carries ``^``, all are exact; else each stands for the direction."""
    steps: list[Step] = [Step.parse(spec) for spec in specs]
    if not any(step.reverse for step in steps):
        steps = [
            Step(step.relation, reverse)
            for step in steps
            for reverse in (False, True)
            if direction in ("both", "in" if reverse else "out")
        ]
    return StepFilter.steps(steps)
