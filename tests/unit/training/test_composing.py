"""Questions of several relations, composed of questions of one."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest

from kgdb.errors import UsageError
from kgdb.lab.training.corpus.composing import composed_corpus
from kgdb.lab.training.corpus.ontology import Ontology, read_ends
from kgdb.lab.training.corpus.simple_questions import (
    NAMES,
    QUESTIONS,
    RelationQuestion,
    read_simple_questions,
)
from kgdb.values import Step

pytestmark = pytest.mark.unit

ENDS = {
    "film.film.directed_by": ("film.film", "film.director"),
    "film.film.sequel": ("film.film", "film.film"),
    "film.director.birth_place": ("film.director", "location.city"),
    "film.film.length": ("film.film", "type.int"),
    "base.mine.film": ("film.director", "film.film"),
}
ASKED = [
    RelationQuestion("where was this born", "film.director.birth_place", "Ada Weir"),
    RelationQuestion("who made this", "film.film.directed_by", "The Tuesday Engine"),
    RelationQuestion("how long is this", "film.film.length", "The Tuesday Engine"),
]


def corpus(rows: int = 300, seed: int = 0) -> list[tuple[str, tuple[str, ...]]]:
    made, _ = composed_corpus(ASKED, ENDS, graph="films", source="people", rows=rows, seed=seed)
    return [(row.question, row.chain) for row in made]


def written(file: Path, lines: Iterable[str]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(file, "wt", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in lines)
    return file


def test_the_words_of_people_ask_for_the_end_of_a_longer_chain() -> None:
    made = corpus()
    born = [
        question
        for question, chain in made
        if chain == ("film.film.directed_by", "film.director.birth_place")
    ]
    assert "where was this's directed by born" not in born
    assert any(each.startswith("where was ") and "direct" in each for each in born)
    assert ("where was this born", ("film.director.birth_place",)) in made
    assert {len(chain) for _, chain in made} == {1, 2, 3}
    assert all(question.count("this") == 1 for question, _ in made)


def test_each_step_begins_where_the_one_before_it_ends() -> None:
    ontology = Ontology.of(ENDS, ENDS)
    for _, chain in corpus():
        steps = [Step.parse(each) for each in chain]
        for one, other in pairwise(steps):
            assert ontology.end(one) == ontology.start(other)


def test_nothing_begins_at_a_value_nor_is_of_a_draft() -> None:
    chains = {step for _, chain in corpus() for step in chain}
    assert "^film.film.length" not in chains
    assert not any("base.mine.film" in step for step in chains)


def test_the_same_seed_makes_the_same_rows() -> None:
    assert corpus(seed=1) == corpus(seed=1)
    assert corpus(seed=1) != corpus(seed=2)


def test_wrong_chains_are_not_the_right_one_in_other_words() -> None:
    made, _ = composed_corpus(ASKED, ENDS, graph="films", source="people", rows=300)
    assert all(row.wordings not in row.negatives for row in made)
    assert all(1 <= len(row.negatives) <= 6 for row in made)
    back = next(row for row in made if row.chain == ("film.film.directed_by",))
    assert any("directed" in text for each in back.negatives for text in each)


def test_relations_that_the_ontology_does_not_have_are_counted() -> None:
    unknown = RelationQuestion("what is this worth", "film.film.worth", "The Tuesday Engine")
    made, told = composed_corpus([unknown], ENDS, graph="films", source="people", rows=10)
    assert made == []
    assert sum(told.dropped.values()) == 1


def test_names_are_masked_and_questions_without_theirs_left_out(tmp_path: Path) -> None:
    given = [
        {"question": "where was ada weir born", "subject": "1", "relation": "r",
         "subject_name": "Ada Weir"},
        {"question": "where was noor born", "subject": "2", "relation": "r"},
        {"question": "where was she born", "subject": "3", "relation": "r"},
    ]  # fmt: skip
    written(tmp_path / QUESTIONS, map(json.dumps, given))
    written(tmp_path / NAMES, ["/m/2\tNoor", "/m/3\tIda"])
    read = read_simple_questions(tmp_path)
    assert [(each.masked, each.name) for each in read] == [
        ("where was this born", "Ada Weir"),
        ("where was this born", "Noor"),
    ]


def test_a_line_of_another_form_is_named(tmp_path: Path) -> None:
    written(tmp_path / QUESTIONS, ['{"question": "who?"}'])
    with pytest.raises(UsageError, match=r"Line 1 of .*KeyError: 'relation'"):
        read_simple_questions(tmp_path)
    with pytest.raises(UsageError, match="cannot be read"):
        read_simple_questions(tmp_path / "nowhere")


def test_mediators_are_no_ends(tmp_path: Path) -> None:
    roles = written(
        tmp_path / "roles.gz",
        ["people.person people.person.marriage people.marriage",
         "people.marriage people.marriage.place location.city",
         "people.person people.person.birth_place location.city"],
    )  # fmt: skip
    mediators = written(tmp_path / "mediators.gz", ["/people/person/marriage"])
    assert read_ends(roles, mediators) == {
        "people.person.birth_place": ("people.person", "location.city")
    }
    with pytest.raises(UsageError, match="no line of an ontology"):
        read_ends(written(tmp_path / "empty.gz", ["nothing"]), mediators)
