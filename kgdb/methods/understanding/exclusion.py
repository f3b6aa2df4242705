"""Why a form is false: facts of the graph that exclude it, or none.

What the graph lacks is not false. It excludes that something is in a set if it has another value
of the property, another number, another one that comes first, or another end of a relation of
which whatever has one has no more than one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypeAlias

from kgdb.graph.forms import Form, FormResult
from kgdb.graph.forms.operators import (
    Aggregate,
    And,
    Count,
    Direction,
    EntityForm,
    Except,
    Filter,
    FilterByCount,
    Find,
    FindAll,
    Or,
    Property,
    Relate,
    Select,
    SelectByCount,
    SelectByQualifier,
    Verify,
    is_label,
)
from kgdb.graph.schema import Schema
from kgdb.methods.context import QuestionContext
from kgdb.methods.understanding.grammar.form_edits import opposite
from kgdb.values import Path

Facts: TypeAlias = tuple[Path, ...]

_CHANCE = 0.05
"""What happens by chance more often than that excludes nothing."""


def facts_of(result: FormResult) -> Facts:
    """The facts that a form came to; what none proves is told by itself."""
    paths = [
        path for each in result.entities for path in (each.paths or (Path((each.entity,), ()),))
    ]
    return tuple(dict.fromkeys((*paths, *result.facts)))


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Looks for what excludes forms, in one graph."""

    ctx: QuestionContext
    schema: Schema

    async def of(self, form: Verify) -> Facts | None:
        """The facts that exclude what is not so; ``None`` where the graph may lack it."""
        match form.form:
            case Property() as values:
                return await self._one_value(values)
            case Count(form=counted):
                return facts_of(await self._ask(counted))
            case Aggregate(values=values):
                return facts_of(await self._ask(values))
            case And() | Filter() | FilterByCount() | Except() as of:
                return await self._empty(of)
        return None

    async def _empty(self, form: EntityForm) -> Facts | None:  # noqa: PLR0911 - one case for each operator
        """Why a set has nothing in it."""
        match form:
            case And(left=left, right=right):
                if await self._is_there(left):
                    return await self._outside(left, right)
                return await self._empty(left)
            case Filter(form=of, property=name):
                if await self._is_there(of):
                    return await self._one_value(Property(of, name))
                return await self._empty(of)
            case FilterByCount(form=of):
                return await self._counted(of, form) if await self._is_there(of) else None
            case Except(left=left, right=right):
                both = await self._ask(And(left, right))
                return None if both.is_empty else facts_of(both)
        return None

    async def _outside(self, one: EntityForm, form: EntityForm) -> Facts | None:  # noqa: PLR0911, PLR0912 - one case for each operator
        """Why something is not in a set."""
        match form:
            case Find():
                return ()
            case Relate(where=()):
                return await self._related_otherwise(one, form)
            case Filter(form=of, property=name):
                if await self._is_there(And(one, of)):
                    return await self._one_value(Property(one, name))
                return await self._outside(one, of)
            case FilterByCount(form=of):
                if await self._is_there(And(one, of)):
                    return await self._counted(one, form)
                return await self._outside(one, of)
            case Select(form=of, property=name):
                own = await self._one_value(Property(one, name))
                if own is None or not await self._is_there(And(one, of)):
                    return None
                return (*facts_of(await self._ask(form)), *own)
            case SelectByCount(form=of) | SelectByQualifier(form=of):
                if not await self._is_there(And(one, of)):
                    return None
                return facts_of(await self._ask(form))
            case And(left=left, right=right):
                for side in (left, right):
                    if not await self._is_there(And(one, side)):
                        return await self._outside(one, side)
            case Or(left=left, right=right):
                first, second = await self._outside(one, left), await self._outside(one, right)
                return None if first is None or second is None else (*first, *second)
            case Except(left=left, right=right):
                if not await self._is_there(And(one, left)):
                    return await self._outside(one, left)
                return facts_of(await self._ask(And(one, right)))
        return None

    async def _related_otherwise(self, one: EntityForm, hop: Relate) -> Facts | None:
        """The other ends of the relation, if there can be no more than one of them."""
        back = opposite(hop.direction)
        if await self._shares(hop.relation, back):
            others = Relate(one, hop.relation, back)
            found = await self._ask(others)
            if not found.is_empty and (rest := await self._outside(others, hop.form)) is not None:
                return (*facts_of(found), *rest)
        if isinstance(hop.form, Find) and await self._shares(hop.relation, hop.direction):
            found = await self._ask(replace(hop, anew=False))
            return None if found.is_empty else facts_of(found)
        return None

    async def _has_one(self, relation: str, direction: Direction) -> bool:
        """Whether all that have such a relation have one; of a single one nobody can tell."""
        if direction == "any" or self.schema.relations[relation].count < 2:
            return False
        several = FilterByCount(FindAll(), relation, ">", 1, direction)
        return not await self._is_there(several)

    async def _shares(self, relation: str, direction: Direction) -> bool:
        """Whether things share out what they have such a relation with: each of these has one.

        That each head has one tail is what most relations mean. That each tail has one head may be
        chance where there are few.
        """
        ends = self.schema.relations[relation]
        if direction == "in":
            tails = sum(self.schema.labels.get(label, 0) for label in ends.tails)
            if _by_chance(ends.count, tails) > _CHANCE:
                return False
        return await self._has_one(relation, direction)

    async def _one_value(self, values: Property) -> Facts | None:
        """The value of a property, if there is one and no more."""
        found = await self._ask(values)
        known = found.value if isinstance(found.value, tuple) else ()
        is_one = len({each.entity for each in known}) == len(known) > 0
        return facts_of(found) if is_one else None

    async def _counted(self, one: EntityForm, form: FilterByCount) -> Facts | None:
        """The other ends that are fewer, or more, than is said."""
        ends: EntityForm = Relate(one, form.relation, form.direction)
        if form.to is not None and not (is_label(form.to) and form.to == FindAll()):
            ends = And(ends, form.to)
        return facts_of(await self._ask(ends))

    async def _is_there(self, form: EntityForm) -> bool:
        return (await self._ask(Verify(form))).value is True

    async def _ask(self, form: Form) -> FormResult:
        return await self.ctx.graph.query(form)


def _by_chance(facts: int, ends: int) -> float:
    """How likely it is that no two of the facts have the same of so many ends."""
    return math.prod(max(0.0, 1 - number / ends) for number in range(facts)) if ends else 1.0
