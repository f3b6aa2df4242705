"""No question that a model is measured on is in a corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgdb.evaluation import HOPS, Question, metaqa_chain, read_metaqa
from kgdb.training.corpus import HeldOut, RelationRow, overlap
from kgdb.values import Step

pytestmark = pytest.mark.unit


def question(text: str, id_: str = "1", *entities: str) -> Question:
    return Question(id_, text, frozenset({"x"}), entities=entities)


def row(question: str, *entities: str) -> RelationRow:
    return RelationRow(question, ("r",), ("the r of this",), entities=entities)


@pytest.mark.parametrize(
    "text",
    [
        "who directed [Heat]",
        "Who directed Heat?",
        "who directed the film [Heat]?",
        "who  directed [héat]",
    ],
)
def test_the_same_question_in_another_spelling_is_held_out(text: str) -> None:
    assert question(text) in HeldOut([question("who directed [Heat]")])


def test_another_question_about_the_entity_is_held_out_only_by_entities() -> None:
    other, dev = question("who wrote [Heat]"), [question("who directed [Heat]")]
    assert other not in HeldOut(dev)
    assert other in HeldOut(dev, entities=True)
    assert question("who wrote [Ronin]") not in HeldOut(dev, entities=True)
    assert question("who wrote it", "2", "Heat") in HeldOut(dev, entities=True)


def test_a_corpus_is_checked_by_its_rows() -> None:
    dev = [
        question("who directed the movie [Heat]?", "a"),
        question("who wrote [Heat]", "b"),
        question("who wrote [Ronin]", "c"),
    ]
    both = overlap([row("who directed this", "Heat")], dev)
    assert (both.by_text, both.by_entity) == (("a",), ("a", "b"))
    assert overlap([row("who directed this", "Speed")], dev).by_entity == ()


def test_the_placeholder_may_be_a_word_of_the_question() -> None:
    dev = [question("is this the film that [Heat] is after", "a")]
    assert overlap([row("is this the film that this is after", "Heat")], dev).by_text == ("a",)


@pytest.mark.slow
def test_the_training_split_of_metaqa_has_dev_questions_and_they_are_kept_out(data: Path) -> None:
    dev = [each for hops in HOPS for each in read_metaqa(data, hops, "dev")]
    train = [each for hops in HOPS for each in read_metaqa(data, hops, "train")]
    held_out = HeldOut(dev)
    kept = [each for each in train if each not in held_out]
    assert 0 < len(train) - len(kept) < 10
    rows = [
        row(text.replace(f"[{name}]", "this"), name)
        for text in (each.text for each in kept)
        for name in [text[text.index("[") + 1 : text.index("]")]]
    ]
    assert overlap(rows, dev).by_text == ()


def test_kinds_of_metaqa_are_chains() -> None:
    assert metaqa_chain("actor_to_movie_to_year") == (
        Step("starred_actors", reverse=True),
        Step("release_year"),
    )
    assert metaqa_chain("movie_to_tags") == (Step("has_tags"),)
    assert [metaqa_chain(each) for each in (None, "", "movie", "actor_to_year", "a_to_movie")] == (
        [None] * 5
    )
