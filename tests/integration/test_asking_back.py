"""Questions that may mean several things, words that are not known, and words that are taught."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import command
import pytest

import kgdb
from kgdb import loading
from kgdb.methods.understanding import reading_choice

pytestmark = pytest.mark.integration

LIBRARY = """
CREATE (ada:Author {name: 'Ada Weir', born: 1950}), (jon:Author {name: 'Jon Holt', born: 1961}),
       (salt:Book {title: 'Salt', pages: 90}), (fog:Book {title: 'Fog', pages: 300}),
       (rust:Book {title: 'Rust', pages: 120}),
       (ada)-[:WROTE]->(salt), (ada)-[:TRANSLATED]->(fog),
       (jon)-[:WROTE]->(rust), (jon)-[:TRANSLATED]->(salt)
"""
WROTE, TRANSLATED = "what Ada Weir wrote", "what Ada Weir translated"
BOTH = "Which books are by Ada Weir?"
UNCLEAR = "Which book of Ada Weir is the longest?"


@pytest.fixture
def library(clean: kgdb.Connection) -> Iterator[kgdb.KnowledgeGraph]:
    clean.driver.execute_query(LIBRARY)
    adopted = loading.adopt(clean, "library", ("Author", "Book"))
    yield clean.graph("library")
    loading.unadopt(clean, adopted.graph)
    clean.driver.execute_query("MATCH (n:Author|Book) DETACH DELETE n")


def test_another_reading_is_told_and_can_be_asked(library: kgdb.KnowledgeGraph) -> None:
    answer = library.answer(BOTH, llm="none")
    assert [each.entity.name for each in answer.entities] == ["Salt"]
    assert [each.interpretation for each in answer.readings] == [WROTE, TRANSLATED]
    assert answer.form == answer.readings[0].form
    (found,) = library.query(answer.readings[1].form).entities
    assert found.entity.name == "Fog"
    told = json.loads(
        command.run("answer", BOTH, "--graph", "library", "--llm", "none", "--json").stdout
    )
    assert told["readings"] == [
        {"interpretation": each.interpretation, "form": each.form} for each in answer.readings
    ]


def test_in_a_chat_the_number_asks_that_reading(library: kgdb.KnowledgeGraph) -> None:
    lines = "\n".join((BOTH, "2", "Who wrote Rust?", "2"))
    done = command.run("chat", "--graph", "library", "--llm", "none", input=lines)
    _, first, second, third = done.stdout.split("\nunderstood as: ")
    assert first.startswith(f"{WROTE}\nalso understood as: (2) {TRANSLATED}\nSalt\n")
    assert second.startswith(f"{TRANSLATED}\nalso understood as: (2) {WROTE}\nFog\n")
    assert "Ada Weir –TRANSLATED→ Fog" in second
    # Nothing is to be chosen any more.
    assert "I don't understand '2' in the question" in third


def test_what_is_not_clear_is_asked_back(
    library: kgdb.KnowledgeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_choice, "LIKELIER_THAN_NOT", 0.8)  # of no reading alone
    talk = library.conversation(llm="none")
    answer = talk.answer(UNCLEAR)
    assert answer.is_empty
    assert (answer.reason or "").startswith("it is not clear which is meant: (1) the one of what")
    assert len(answer.readings) == 2
    chosen = talk.answer("2")
    assert [each.entity.name for each in chosen.entities] == ["Fog"]
    assert chosen.evidence


def test_of_a_kind_the_label_is_the_proof(library: kgdb.KnowledgeGraph) -> None:
    assert library.answer("Is Rust a book?", llm="none").value is True


def test_words_are_taught(library: kgdb.KnowledgeGraph, tmp_path: Path) -> None:
    question = "How many leaves has the tome that Jon Holt typed?"
    answer = library.answer(question, llm="none")
    assert answer.reason == (
        "I don't understand 'leaves tome typed' in the question. Of each author the graph has "
        "wrote (book), translated (book), born."
    )
    words = tmp_path / "words.toml"
    words.write_text('pages = ["leaves"]\nBook = ["tome"]\nWROTE = ["typed"]', encoding="utf-8")
    done = command.run("schema", "library", "--synonyms", str(words))
    assert done.stdout == "Set the synonyms of 3 names.\n", done.stderr
    assert "typed" in command.run("schema", "library").stdout
    taught = library.database.graph("library")
    assert taught.answer(question, llm="none").value == 120
    assert taught.answer("Was Rust typed by Jon Holt?", llm="none").value is True
    # They stay where the graph is adopted anew, and go where none is left.
    loading.adopt(library.database, "library", ("Author", "Book"))
    again = library.database.graph("library")
    assert again.schema.synonyms == taught.schema.synonyms
    loading.set_synonyms(again, '{"pages": [], "Book": [], "WROTE": []}')
    assert library.database.graph("library").schema.synonyms == {}
