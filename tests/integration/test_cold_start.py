"""Many threads whose first call is a question, in a process that has loaded nothing yet."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import kgdb

pytestmark = [pytest.mark.integration, pytest.mark.endurance]

THREADS = 8
QUESTION = "Who directed The Keeper of Skerry Light?"

COLD = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import kgdb
from kgdb.language import catalog

number, connections, failing = map(int, sys.argv[1:4])
question = sys.argv[4]
loads, failures = [], [None] * failing
begin = Barrier(number)
load = catalog._prepare_libraries

def counted():
    # Called where a model begins to load; what is raised here stands for any load that fails.
    load()
    if failures:
        failures.pop()
        raise RuntimeError("Cannot copy out of meta tensor; no data!")

for name in ("_smollm2", "_minilm"):
    def told(*given, of=getattr(catalog, name), name=name, **options):
        model = of(*given, **options)
        loads.append((name, id(model)))
        return model
    setattr(catalog, name, told)
catalog._prepare_libraries = counted

open_ones = [kgdb.connect() for _ in range(connections)]

def asked(place):
    db = open_ones[place % connections]
    kg = db.graph("demo")
    begin.wait()
    try:
        return [each.entity.name for each in kg.answer(question, llm="smollm2").entities]
    except Exception as error:
        return f"{type(error).__name__}: {error}"

def together():
    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(asked, range(number)))

first = together()
again = together()
with kgdb.connect() as another:
    later = [e.entity.name for e in another.graph("demo").answer(question, llm="smollm2").entities]
models = {kind: len({id for name, id in loads if name == kind}) for kind, _ in loads}
print(json.dumps({"first": first, "again": again, "later": later, "models": models}))
"""


def cold(connections: int, failing: int = 0) -> dict[str, object]:
    """What the threads of a new process get, and how many models of each kind were loaded."""
    done = subprocess.run(
        [sys.executable, "-c", COLD, *map(str, (THREADS, connections, failing)), QUESTION],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        env={**os.environ, "KGDB_CACHE": "0"},
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return told


@pytest.mark.parametrize("connections", [1, THREADS])
def test_eight_threads_that_begin_with_a_question_all_get_its_answer(
    demo: kgdb.KnowledgeGraph, connections: int
) -> None:
    told = cold(connections)
    answer = told["later"]
    assert answer
    assert told["first"] == told["again"] == [answer] * THREADS
    # The encoder of texts and that of chains.
    assert told["models"] == {"_minilm": 2, "_smollm2": 1}


def test_loads_that_fail_are_tried_again(demo: kgdb.KnowledgeGraph) -> None:
    told = cold(THREADS, failing=3)
    answer = told["later"]
    first = told["first"]
    assert isinstance(first, list)
    failed = [each for each in first if isinstance(each, str)]
    assert 0 < len(failed) <= 3
    assert all("meta tensor" in each for each in failed)
    assert [each for each in first if not isinstance(each, str)] == [answer] * (
        THREADS - len(failed)
    )
    assert told["again"] == [answer] * THREADS
