"""Entities between which paths are looked for: the number of pairs grows with its square."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kgdb.methods.context.question import QuestionContext
from kgdb.wording import counted, short

MOST = 20
"""Of those that one name may stand for."""


def paired(ctx: QuestionContext, named: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """The ids of the entities that each name may stand for, the first of many; that is told."""
    ids: dict[str, None] = {}
    for name, entities in named:
        ids.update(dict.fromkeys(entities[:MOST]))
        if len(entities) > MOST:
            ctx.note(
                f"Of {counted(len(entities), 'entity', 'entities')} called {short(name)} only "
                f"{MOST} were looked at for paths to the others that are named."
            )
    return list(ids)
