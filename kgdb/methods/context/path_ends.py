"""The entities that a path search joins: the number of pairs grows with the square of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kgdb.methods.context.question_context import QuestionContext
from kgdb.wording import counted, short

MAX_ENTITIES = 20
"""Entities of one name that a path search joins."""


def entities_to_join(
    ctx: QuestionContext, mentions: Iterable[tuple[str, Sequence[str]]]
) -> list[str]:
    """The ids that each name may mean; of a name with too many, the first, with a note."""
    ids: dict[str, None] = {}
    for name, entities in mentions:
        ids.update(dict.fromkeys(entities[:MAX_ENTITIES]))
        if len(entities) > MAX_ENTITIES:
            ctx.note(
                f"Of {counted(len(entities), 'entity', 'entities')} called {short(name)}, the "
                f"path search used only {MAX_ENTITIES}."
            )
    return list(ids)
