"""What a question names, for a prompt: entities with their labels, and values of properties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgdb.graph.forms.operators import Find
from kgdb.methods.context import QuestionContext
from kgdb.methods.understanding.question import Anchor
from kgdb.values import Entity

_SAME_NAME = 5
"""Entities of one name that are told apart."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a question names: entities with their labels, and values of properties."""

    entities: tuple[tuple[Entity, tuple[str, ...]], ...]
    values: tuple[Anchor, ...] = ()

    @property
    def labels(self) -> list[str]:
        """The labels of all of them."""
        of_values = (label for each in self.values for label in sorted(each.labels))
        return [*(label for _, labels in self.entities for label in labels), *of_values]


async def named_in(ctx: QuestionContext, anchors: Sequence[Anchor]) -> Named:
    """What the anchors of the question name, and the entities that it mentions beside them."""
    links = await ctx.graph.mentions(ctx.question)
    entities: list[tuple[Entity, tuple[str, ...]]] = []
    values: list[Anchor] = []
    for each in (reading for anchor in anchors for reading in anchor.readings):
        if isinstance(each.form, Find):
            ids, labels = each.form.ids or (), tuple(sorted(each.labels))
            entities += [(Entity(id_, each.form.name), labels) for id_ in ids[:_SAME_NAME]]
        elif each.key is not None:
            values.append(each)
    for link in links:
        if all(link.end <= anchor.start or anchor.end <= link.start for anchor in anchors):
            entities += [(entity, ()) for entity in link.entities[:_SAME_NAME]]
    return Named(tuple(entities), tuple(values))
