"""Words that a graph learns from questions with their answers."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import kgdb
from kgdb import loading
from kgdb.lab.training.reading.reading_questions import ReadingQuestion
from kgdb.lab.training.reading.taught_words import learn_words
from kgdb.progress import silent

pytestmark = pytest.mark.integration

WARD = """
CREATE (ann:Nurse {name: 'Ann Bole'}), (bea:Nurse {name: 'Bea Toft'}),
       (tom:Patient {name: 'Tom Urs'}), (una:Patient {name: 'Una Wick'}),
       (ann)-[:TENDS]->(tom), (bea)-[:TENDS]->(una), (ann)-[:ADMIRES]->(bea)
"""


@pytest.fixture
def ward(clean: kgdb.Connection) -> Iterator[kgdb.KnowledgeGraph]:
    clean.driver.execute_query(WARD)
    adopted = loading.adopt(clean, "ward", ("Nurse", "Patient"))
    yield clean.graph("ward")
    loading.unadopt(clean, adopted.graph)
    clean.driver.execute_query("MATCH (n:Nurse|Patient) DETACH DELETE n")


def test_a_word_of_one_question_is_understood_in_others(
    ward: kgdb.KnowledgeGraph, clean: kgdb.Connection
) -> None:
    asked = [
        ReadingQuestion("Which nurse babysits Tom Urs?", answers=frozenset({"Ann Bole"})),
        ReadingQuestion("Who tends Una Wick?", answers=frozenset({"Bea Toft"})),
        ReadingQuestion("Which nurse repainted Tom Urs?"),
    ]
    found = learn_words(ward, asked, clean.encoder(), silent)
    assert found.words == {"TENDS": ("babysit",)} or found.words == {"TENDS": ("babysits",)}
    assert (found.before["right"], found.after) == (2, {"right": 3})
    loading.set_synonyms(ward, json.dumps({n: list(w) for n, w in found.words.items()}))
    answer = clean.graph("ward").answer("Whom does Bea Toft babysit?", llm="none")
    assert [each.entity.name for each in answer.entities] == ["Una Wick"]
