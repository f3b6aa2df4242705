"""WebQuestionsSP (Yih et al., ACL 2016): questions about Freebase."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kgdb.errors import UsageError
from kgdb.evaluation.datasets.records import json_lines, lines_of, records, text_of
from kgdb.evaluation.questions import Question

_FAR = 4
"""Relations of the longest chain that is looked for."""


def read_webqsp(data: Path, split: str = "dev") -> list[Question]:
    """WebQSP questions with the names of their answers; raises as :func:`records`.

    ``hops``, and ``type`` as ``2-hop``, is the length of the gold chain (``InferentialChain``)
    where ``sparql_sample_100.jsonl.gz`` has the question; else that of the shortest chain between a
    topic entity and an answer in ``freebase/webqsp_cwq_triples.tsv.gz``, a mediator being a step of
    its own; else ``None``. Either file may be missing.
    """

    def question(_: int, row: Mapping[str, Any]) -> Question:
        return Question(
            str(row["QuestionId"]),
            text_of(row["RawQuestion"]),
            # A few have an answer or a topic without a name.
            frozenset(name for name in row["answer"] if name),
            entities=tuple(name for name in row["topic_entity"].values() if name),
        )

    questions = records(data / "webqsp" / f"{split}.jsonl.gz", question)
    parsed = _lengths_of_gold_chains(data / "webqsp" / "sparql_sample_100.jsonl.gz")
    beside = _neighbours(data / "freebase" / "webqsp_cwq_triples.tsv.gz")
    return [
        _with_hops(each, parsed.get(each.id) or _shortest(beside, each.entities, each.gold))
        for each in questions
    ]


def _with_hops(question: Question, hops: int | None) -> Question:
    return replace(question, hops=hops, type=None if hops is None else f"{hops}-hop")


def _lengths_of_gold_chains(path: Path) -> dict[str, int]:
    """The relations of each question's first parse that has a chain, by the question's id."""
    lengths = {}
    for row in json_lines(path) if path.is_file() else ():
        chains = (parse.get("InferentialChain") for parse in row["Parses"])
        if chain := next(filter(None, chains), None):
            lengths[str(row["QuestionId"])] = len(chain)
    return lengths


def _neighbours(path: Path) -> Mapping[str, Collection[str]]:
    """What is joined to each entity by a relation of either direction."""
    beside: dict[str, set[str]] = defaultdict(set)
    for number, line in enumerate(lines_of(path) if path.is_file() else (), 1):
        match line.split("\t"):
            case [head, _, tail]:
                beside[head].add(tail)
                beside[tail].add(head)
            case _:
                raise UsageError(f"{path}, line {number}: expected HEAD<TAB>RELATION<TAB>TAIL.")
    return beside


def _shortest(
    beside: Mapping[str, Collection[str]], topics: Collection[str], gold: Collection[str]
) -> int | None:
    seen, level = set(topics), set(topics)
    for hops in range(1, _FAR + 1):
        level = {near for at in level for near in beside.get(at, ())} - seen
        if not level.isdisjoint(gold):
            return hops
        seen |= level
    return None
