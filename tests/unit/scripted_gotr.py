"""GoT-R over the films, asked with a scripted model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fakes import MemoryDriver, memory_graph, reasoner
from films import TWO_HOPS, films
from scripted import Reply, ScriptedModel

from kgdb.values import Answer

DECOMPOSE, THOUGHT, REPAIR, READ = "atomic questions", "Step 1", "refused", "nothing else. Give"
"""A text of each prompt."""

CHAIN = """CREATE (ada {name: 'Ada Weir'})
CREATE (film)-[:starred_actors]->(ada)
CREATE (film)-[:directed_by]->(who)
```"""
JOIN = """CREATE (ken {name: 'Ken Amagiri'})
CREATE (rex {name: 'Rex Hallorand'})
CREATE (film)-[:directed_by]->(ken)
CREATE (film)-[:starred_actors]->(rex)"""


def replies(
    thought: Reply = CHAIN,
    answers: Any = (),
    questions: Any = ("who directed <topic entity>?", "which films star <topic entity>?"),
    repair: Reply = "",
) -> dict[str, Reply]:
    return {
        DECOMPOSE: json.dumps({"questions": list(questions)}),
        REPAIR: repair,
        THOUGHT: thought,
        READ: json.dumps({"answers": list(answers)}),
    }


def ask(
    question: str = TWO_HOPS,
    given: Mapping[str, Reply] | None = None,
    *,
    driver: MemoryDriver | None = None,
    **options: Any,
) -> Answer:
    """What GoT-R answers over the films; without replies there is no language model."""
    model = None if given is None else ScriptedModel(given)
    return reasoner("gotr", memory_graph(driver or films()), model, **options).answer(question)
