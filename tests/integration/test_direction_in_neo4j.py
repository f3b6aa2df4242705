"""Graphs whose relations join things of one kind: answers and verdicts have the right direction.

Each file of ``tests/data/direction`` has a graph, questions with their answers, and claims that are
true and false. Half of the questions ask for either end of the relations.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from sources import load_facts

import kgdb

pytestmark = pytest.mark.integration

_FOLDER = Path(__file__).parents[1] / "data" / "direction"
_ALWAYS = ("accounts", "family", "office")
"""Graphs that every run tries; the others are slow."""

GRAPHS = [
    pytest.param(path, marks=() if path.stem in _ALWAYS else pytest.mark.slow, id=path.stem)
    for path in sorted(_FOLDER.glob("*.toml"))
]


@pytest.mark.parametrize("path", GRAPHS)
def test_the_words_decide_which_end_is_meant(
    path: Path, clean: kgdb.Connection, tmp_path: Path
) -> None:
    world: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    facts = [line.split(",") for line in world["facts"].split("\n") if line]
    graph = load_facts(
        clean, tmp_path, path.stem, [(head, relation, tail) for head, relation, tail in facts]
    )
    reasoner = graph.reasoner("refkg", llm="none")
    answers = reasoner.answers([question for question, _ in world["questions"]])
    assert {a.question: sorted(e.entity.name for e in a.entities) for a in answers} == {
        question: sorted(names) for question, names in world["questions"]
    }
    verdicts = {v.claim: v for v in reasoner.verdicts([*world["true"], *world["false"]])}
    assert {c for c, v in verdicts.items() if v.label == "SUPPORTED"} == set(world["true"])
    assert all(verdicts[claim].supporting for claim in world["true"])
    assert not any(verdicts[claim].supporting for claim in world["false"])


def test_a_denied_claim_is_not_supported_by_what_it_denies(
    clean: kgdb.Connection, tmp_path: Path
) -> None:
    facts = [("Ada Lint", "mayor of", "Elmsford"), ("Bo Kerr", "parent_of", "Ada Lint")]
    graph = load_facts(clean, tmp_path, "denials", facts)
    claims = {
        "Ada Lint is the mayor of Elmsford.": "SUPPORTED",
        "Ada Lint is not the mayor of Elmsford.": "REFUTED",
        "Bo Kerr is not the parent of Ada Lint.": "REFUTED",
        "Ada Lint is the parent of Bo Kerr.": "REFUTED",
        # Nobody is the parent of a parent, so that the fact itself shows this.
        "Ada Lint is not the parent of Bo Kerr.": "SUPPORTED",
    }
    verdicts = graph.reasoner("refkg", llm="none").verdicts(list(claims))
    assert {verdict.claim: verdict.label for verdict in verdicts} == claims
