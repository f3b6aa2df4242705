"""RoK over the films, asked with a scripted model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fakes import (
    MemoryDriver,
    opened,
    reasoner,
)
from films import films
from scripted import Reply, ScriptedModel

from kgdb.values import Answer

THINK, ENTITIES, NEIGHBORS, READ = (
    "step by step",
    "List the names",
    "Which of these",
    "nothing else",
)
"""A text of each prompt."""


def replies(
    thought: str = "", entities: Any = (), neighbors: Any = (), answers: Any = ()
) -> dict[str, Reply]:
    return {
        THINK: thought,
        ENTITIES: json.dumps({"names": list(entities)}),
        NEIGHBORS: json.dumps({"relevant": list(neighbors)}),
        READ: json.dumps({"answers": list(answers)}),
    }


def ask(
    question: str,
    replies: Mapping[str, Reply] | None = None,
    *,
    driver: MemoryDriver | None = None,
    **options: Any,
) -> Answer:
    """What RoK answers over the films; without replies there is no language model."""
    model = None if replies is None else ScriptedModel(replies)
    return reasoner("rok", opened(driver or films()), model, **options).answer(question)
